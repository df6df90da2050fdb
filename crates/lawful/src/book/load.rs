//! Loading: walks the layout, parses every document, and decodes the manifest and conditions.
//!
//! A reload is the same walk with a cache. Because there is only one code path, a load and a reload
//! can differ only in what they read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawful_syntax::{Diagnostic, FileId, Severity, Sources, Span, escape, sort, text};

use super::conditions::Conditions;
use super::contents::{Book, Document};
use super::imports::{import_path, imports};
use super::layout::{FOLDERS, Folder, MANIFEST, Part, Written, misnamed};
use super::manifest::{self, Conditioning, Manifest};
use super::memory::{Decoded, Known, Listed, Memory, Read};
use super::parse::Place;
use super::source::{Item, ItemKind, Source, SourceError, Stamp};
use crate::code;
use crate::cond::{Registry, RegistryBuilder};
use crate::limits::Limits;
use crate::scenario::envelope_files;

/// Why a book could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The folder has no `lawful.yaml`.
    #[error("no `{MANIFEST}` in this folder")]
    NoManifest,
    /// The manifest exists but cannot be read.
    #[error("`{MANIFEST}` cannot be read: {0}")]
    UnreadableManifest(SourceError),
}

/// The options of a load, which also apply to reloads.
#[derive(Clone, Debug)]
pub struct Options {
    /// Limits; the book may lower them.
    pub limits: Limits,
    /// The host's primitives.
    pub registry: RegistryBuilder,
}

impl Default for Options {
    fn default() -> Self {
        Self { limits: Limits::default(), registry: Registry::builder() }
    }
}

/// Loads a lawbook and reports all problems in its documents.
pub fn load(source: &dyn Source, options: Options) -> Result<(Book, Vec<Diagnostic>), LoadError> {
    Loader::new(source, options.limits, Sources::default(), None).run(options)
}

/// Reloads a lawbook with the options of the previous load. The result equals that of [`load`], and
/// shares unchanged documents with the previous book.
///
/// A file keeps its id as long as it exists. A file with an unchanged [stamp](Source::stamp) is not
/// read again; one with unchanged bytes is not parsed again.
pub fn reload(previous: &Book, source: &dyn Source) -> Result<(Book, Vec<Diagnostic>), LoadError> {
    let memory = &*previous.memory;
    let options = memory.options.clone();
    // The owner of the book may have added files to it.
    let sources = Sources::following(&[&memory.sources, &previous.sources]);
    Loader::new(source, options.limits, sources, Some(memory)).run(options)
}

/// The help for a file that a document names.
const IN_BOOK: &str = "paths are relative to the lawbook, and lead to a file in it";

struct Loader<'s> {
    source: &'s dyn Source,
    /// The cache of the previous load.
    before: Option<&'s Memory>,
    limits: Limits,
    sources: Sources,
    /// What was read or reported in this load.
    files: BTreeMap<Box<str>, Known>,
    /// What is the same as in the previous load.
    same: Vec<(Box<str>, Known)>,
    folders: BTreeMap<Box<str>, Listed>,
    documents: Vec<Arc<Document>>,
    problems: Vec<Diagnostic>,
    bytes: usize,
    complete: bool,
}

/// A file that exists.
struct Found<'s> {
    stamp: Option<Stamp>,
    bytes: Cow<'s, [u8]>,
    /// The cached result, if the bytes are unchanged.
    same: Option<&'s Read>,
}

impl<'s> Loader<'s> {
    fn new(
        source: &'s dyn Source,
        limits: Limits,
        sources: Sources,
        before: Option<&'s Memory>,
    ) -> Self {
        Self {
            source,
            before,
            limits,
            sources,
            files: BTreeMap::new(),
            same: Vec::new(),
            folders: BTreeMap::new(),
            documents: Vec::new(),
            problems: Vec::new(),
            bytes: 0,
            complete: true,
        }
    }

    fn run(mut self, options: Options) -> Result<(Book, Vec<Diagnostic>), LoadError> {
        let manifest = self.manifest()?;
        self.limits = manifest.manifest.limits;
        self.layout();
        self.named(&manifest.manifest);
        self.imported();
        self.submitted();
        self.spare_folders_of_envelopes();
        let conditions = self.documents.iter().filter(|found| found.part == Part::Conditions);
        let before = self.before.map(|memory| &memory.conditions);
        let conditions = Conditions::of(conditions, &options.registry, self.limits, before);
        let Self { sources, mut files, same, folders, documents, mut problems, complete, .. } =
            self;
        // A file can be reported in its folder before it is read by its name.
        files.append(&mut same.into_iter().collect());
        problems.extend_from_slice(&manifest.problems);
        problems.extend_from_slice(&conditions.problems);
        sort(&mut problems, &sources);
        let book = Book {
            manifest: manifest.manifest.clone(),
            documents,
            registry: conditions.registry.clone(),
            sources: sources.clone(),
            complete,
            memory: Arc::new(Memory { options, sources, files, folders, manifest, conditions }),
        };
        Ok((book, problems))
    }

    fn manifest(&mut self) -> Result<Decoded, LoadError> {
        let found = match self.find(MANIFEST) {
            Ok(found) => found,
            Err(SourceError::Missing) => return Err(LoadError::NoManifest),
            Err(error) => return Err(LoadError::UnreadableManifest(error)),
        };
        let written = Some(Written::Data);
        let document =
            self.document(Place { path: MANIFEST, part: Part::Manifest, written }, found);
        if let Some(known) = self.before.map(|memory| &memory.manifest)
            && Arc::ptr_eq(&known.document, &document)
        {
            return Ok(known.clone());
        }
        let mut problems = Vec::new();
        let manifest = match &document.node {
            Some(node) => manifest::decode(node, self.limits, &mut problems),
            None => Manifest::new(self.limits),
        };
        Ok(Decoded { document, manifest, problems })
    }

    fn layout(&mut self) {
        for item in self.list("").iter() {
            if let (ItemKind::Folder, Some(meant)) = (item.kind, misnamed(&item.name)) {
                let file = self.unread_file(&item.name);
                let message = format!("the folder `{}` is ignored", escape::name(&item.name));
                self.problems.push(
                    Diagnostic::new(&code::MISNAMED_FOLDER, Span::start_of(file), message)
                        .help(format!("did you mean `{meant}`?")),
                );
            }
        }
        for folder in &FOLDERS {
            self.folder(folder, folder.name, 0);
        }
    }

    /// The items of a folder, from the cache if its stamp is unchanged.
    fn list(&mut self, path: &str) -> Arc<[Item]> {
        // A source may treat listing the root as the start of a load.
        let stamp = if path.is_empty() { None } else { self.source.stamp(path) };
        let before = self.before.and_then(|memory| memory.folders.get(path));
        if let Some(known) = before.filter(|known| stamp.as_ref() == Some(&known.stamp)) {
            self.folders.insert(path.into(), known.clone());
            return Arc::clone(&known.items);
        }
        let items: Arc<[Item]> = match self.source.list(path) {
            Ok(items) => items.unwrap_or_default().into(),
            Err(error) => {
                self.unread(path, &error, "a folder");
                return Arc::default();
            }
        };
        if let Some(stamp) = stamp.filter(|_| !items.iter().any(|item| item.linked)) {
            self.folders.insert(path.into(), Listed { stamp, items: Arc::clone(&items) });
        }
        items
    }

    fn folder(&mut self, folder: &Folder, path: &str, depth: usize) {
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            self.too_many(path, format!("folders nest deeper than {DEEPEST} levels"));
            return;
        }
        for item in self.list(path).iter() {
            let inner = [path, "/", &item.name].concat();
            match item.kind {
                ItemKind::Folder if folder.deep && !item.name.starts_with('.') => {
                    self.folder(folder, &inner, depth + 1);
                }
                ItemKind::Folder if folder.reads(&item.name) => {
                    self.unread(&inner, &SourceError::NotAFile, "a file");
                }
                ItemKind::File if folder.reads(&item.name) => {
                    if self.documents.len() >= self.limits.files {
                        let limit = self.limits.files;
                        self.too_many(&inner, format!("the lawbook has more than {limit} files"));
                        return;
                    }
                    let written = (!folder.is_plain(&item.name)).then_some(folder.written);
                    self.counted(Place { path: &inner, part: folder.part, written });
                }
                ItemKind::Outside if folder.reads(&item.name) || folder.deep => {
                    self.unread(&inner, &SourceError::Outside, "a file");
                }
                ItemKind::Other if folder.reads(&item.name) => {
                    self.unread(&inner, &SourceError::NotAFile, "a file");
                }
                ItemKind::File | ItemKind::Folder | ItemKind::Outside | ItemKind::Other => {
                    if folder.is_stray(&item.name) {
                        self.stray(&inner, folder, item);
                    }
                }
            }
        }
    }

    fn stray(&mut self, path: &str, folder: &Folder, item: &Item) {
        let file = self.unread_file(path);
        let is_folder = item.kind == ItemKind::Folder;
        let what = if is_folder { "folder" } else { "file" };
        let message = format!("this {what} is ignored");
        let help = format!(
            "the documents here are {}; to silence this, start the name of the {what} with a dot",
            folder.expects()
        );
        let mut problem =
            Diagnostic::new(&code::STRAY_FILE, Span::start_of(file), message).help(help);
        // A test that is never played would look like one that passes.
        if folder.part == Part::Scenario && (is_folder || folder.almost_reads(&item.name)) {
            problem.severity = Severity::Error;
        }
        self.problems.push(problem);
    }

    /// A folder in `scenarios` with the envelopes of scenarios is there for them.
    fn spare_folders_of_envelopes(&mut self) {
        let envelopes = self.documents.iter().filter(|one| one.part == Part::Envelope);
        let envelopes: Vec<&str> = envelopes.map(|one| &*one.path).collect();
        let is_below = |path: &str, folder: &str| {
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        for problem in self.problems.iter_mut().filter(|one| one.code == &code::STRAY_FILE) {
            let mut known = self.files.iter().filter(|(_, known)| known.file == problem.span.file);
            if known.any(|(folder, _)| envelopes.iter().any(|path| is_below(path, folder))) {
                problem.severity = Severity::Warning;
            }
        }
    }

    fn too_many(&mut self, path: &str, message: String) {
        let file = self.unread_file(path);
        self.complete = false;
        self.problems.push(
            Diagnostic::new(&code::TOO_MANY_FILES, Span::start_of(file), message)
                .help("split the book"),
        );
    }

    /// Reads a file of the layout, which counts towards the size of the book.
    fn counted(&mut self, place: Place<'_>) {
        let found = match self.find(place.path) {
            Ok(found) => found,
            Err(error) => return self.unread(place.path, &error, "a file"),
        };
        self.bytes = self.bytes.saturating_add(found.bytes.len());
        if self.bytes > self.limits.book_bytes {
            let limit = escape::bytes(self.limits.book_bytes);
            let message = format!("the files of the lawbook are larger than {limit} in total");
            return self.too_many(place.path, message);
        }
        self.document(place, found);
    }

    /// A file, from the cache if its stamp is unchanged.
    fn find(&self, path: &str) -> Result<Found<'s>, SourceError> {
        let limit = self.limits.document.bytes;
        let before = self.before.and_then(|memory| memory.read(path));
        // Take the stamp first: a later write then changes the next stamp.
        let stamp = self.source.stamp(path);
        if let Some((read, bytes)) = before
            && stamp.is_some()
            && stamp == read.stamp
        {
            return if bytes.len() > limit {
                Err(SourceError::TooLarge)
            } else {
                Ok(Found { stamp, bytes: Cow::Borrowed(bytes), same: Some(read) })
            };
        }
        let bytes = self.source.read(path, limit)?;
        let same = before.and_then(|(read, known)| (known == bytes).then_some(read));
        Ok(Found { stamp, bytes: Cow::Owned(bytes), same })
    }

    /// Adds a document, from the cache if it is unchanged.
    fn document(&mut self, place: Place<'_>, found: Found<'s>) -> Arc<Document> {
        let limits = self.limits.document;
        let file = found.same.map(|read| read.document.file);
        let file = file.unwrap_or_else(|| self.file(place.path));
        let name = self.source.shown(place.path);
        let same = found.same.filter(|read| read.fits(place, &limits)).zip(self.before);
        if let Some((read, before)) = same {
            self.sources.share(&before.sources, file, &name);
            let read = Read { stamp: found.stamp, ..read.clone() };
            let document = Arc::clone(&read.document);
            self.same.push((place.path.into(), Known { file, read: Some(read) }));
            return self.add(document);
        }
        let unreadable = text::put(&mut self.sources, file, &name, &found.bytes);
        let tree = match (&unreadable, place.written) {
            (None, Some(Written::Data)) => self.source.tree(place.path, file, &limits),
            (Some(_), _) | (None, Some(Written::Page) | None) => None,
        };
        let document = Arc::new(match tree {
            Some(tree) => place.parsed(file, tree),
            None => place.parse(&self.sources, file, unreadable, &limits),
        });
        let text = self.sources.file(file).map(lawful_syntax::File::text);
        let altered = text.is_none_or(|text| text.as_bytes() != &*found.bytes);
        let read = Read {
            stamp: found.stamp,
            raw: altered.then(|| found.bytes.into()),
            written: place.written,
            limits,
            document: Arc::clone(&document),
        };
        self.files.insert(place.path.into(), Known { file, read: Some(read) });
        self.add(document)
    }

    fn add(&mut self, document: Arc<Document>) -> Arc<Document> {
        self.problems.extend_from_slice(&document.problems);
        self.documents.push(Arc::clone(&document));
        document
    }

    /// The id of a path: its current id, its previous one, or a new one.
    fn file(&mut self, path: &str) -> FileId {
        let of = |files: &BTreeMap<Box<str>, Known>| files.get(path).map(|known| known.file);
        of(&self.files)
            .or_else(|| of(&self.before?.files))
            .unwrap_or_else(|| self.sources.reserve())
    }

    /// The id of a path that is not read, for diagnostics.
    fn unread_file(&mut self, path: &str) -> FileId {
        let file = self.file(path);
        if self.sources.file(file).is_none() {
            self.sources.put_unread(file, self.source.shown(path));
            self.files.insert(path.into(), Known { file, read: None });
        }
        file
    }

    fn unread(&mut self, path: &str, error: &SourceError, wanted: &str) {
        let file = self.unread_file(path);
        let place = Span::start_of(file);
        let name = escape::name(path);
        let problem = match error {
            SourceError::TooLarge => text::too_large(file, &self.limits.document),
            SourceError::Outside => {
                let message = format!("`{name}` leads out of the lawbook");
                Diagnostic::new(&code::OUTSIDE_BOOK, place, message)
                    .help("copy it into the lawbook")
            }
            SourceError::NotAFile => {
                let message = format!("`{name}` is not {wanted}");
                Diagnostic::new(&code::NOT_A_FILE, place, message).help("move or rename it")
            }
            SourceError::Missing => {
                let message = format!("`{name}` does not exist");
                Diagnostic::new(&code::UNREADABLE, place, message)
            }
            SourceError::Unreadable(why) => {
                self.complete = false;
                let message = format!("`{name}` cannot be read: {why}");
                Diagnostic::new(&code::UNREADABLE, place, message)
            }
        };
        self.problems.push(problem);
    }

    /// Reads the files that the manifest names, anywhere in the book.
    fn named(&mut self, manifest: &Manifest) {
        let mut named: BTreeMap<&str, (Span, Part, Option<Written>)> = BTreeMap::new();
        for (path, span) in manifest.conditioning.iter().flat_map(Conditioning::files) {
            let written = path.ends_with(".md").then_some(Written::Page);
            named.entry(path).or_insert((span, Part::Conditioning, written));
        }
        if let Some((path, span)) = &manifest.hooks.stop.rulespec {
            named.entry(path).or_insert((*span, Part::Rulespec, Some(Written::Data)));
        }
        for (path, (span, part, written)) in named {
            if self.documents.iter().any(|document| document.path == path) {
                continue;
            }
            match self.find(path) {
                Ok(found) => {
                    self.document(Place { path, part, written }, found);
                }
                Err(SourceError::Missing) => {
                    let message = format!("the file `{}` does not exist", escape::name(path));
                    self.problems.push(
                        Diagnostic::new(&code::UNREADABLE, span, message)
                            .help("paths are relative to the lawbook"),
                    );
                }
                Err(SourceError::Outside) => {
                    let message =
                        format!("the file `{}` leads out of the lawbook", escape::name(path));
                    self.problems.push(
                        Diagnostic::new(&code::OUTSIDE_BOOK, span, message)
                            .help("copy it into the lawbook"),
                    );
                }
                Err(error) => self.unread(path, &error, "a file"),
            }
        }
    }

    /// Reads the envelopes that scenarios name, anywhere in the book.
    fn submitted(&mut self) {
        let scenarios: Vec<Arc<Document>> =
            self.documents.iter().filter(|one| one.part == Part::Scenario).cloned().collect();
        for (path, span) in
            scenarios.iter().filter_map(|one| one.node.as_ref()).flat_map(envelope_files)
        {
            if self.documents.iter().any(|one| one.part == Part::Envelope && one.path == path) {
                continue;
            }
            let name = escape::name(path);
            let (message, help) = match self.find(path) {
                Ok(_) if self.documents.len() >= self.limits.files => {
                    let limit = self.limits.files;
                    (
                        format!("with `{name}` the lawbook has more than {limit} files"),
                        "split the book",
                    )
                }
                Ok(found) => {
                    self.bytes = self.bytes.saturating_add(found.bytes.len());
                    if self.bytes <= self.limits.book_bytes {
                        let written = Some(Written::Data);
                        self.document(Place { path, part: Part::Envelope, written }, found);
                        continue;
                    }
                    let limit = escape::bytes(self.limits.book_bytes);
                    let message =
                        format!("with `{name}` the files of the lawbook are larger than {limit}");
                    (message, "split the book")
                }
                Err(SourceError::Missing) => (format!("the file `{name}` does not exist"), IN_BOOK),
                Err(error) => (format!("the file `{name}` cannot be read: {error}"), IN_BOOK),
            };
            self.problems.push(Diagnostic::new(&code::UNREADABLE, span, message).help(help));
        }
    }

    /// Reads what the Nickel files import from elsewhere in the book. Problems are left to the
    /// evaluation: only that knows whether a text is an import.
    fn imported(&mut self) {
        let mut next = 0;
        let mut asked: BTreeSet<String> = BTreeSet::new();
        while let Some(document) = self.documents.get(next).cloned() {
            next += 1;
            if document.part != Part::Conditioning || !document.path.ends_with(".ncl") {
                continue;
            }
            let text = self.sources.file(document.file).map_or("", lawful_syntax::File::text);
            let paths =
                imports(text).filter_map(|written| import_path(Some(&document.path), written));
            for path in paths.collect::<BTreeSet<String>>() {
                let known = self.documents.iter().any(|document| document.path == path);
                if known || asked.len() >= self.limits.files || !asked.insert(path.clone()) {
                    continue;
                }
                let Ok(found) = self.find(&path) else { continue };
                self.bytes = self.bytes.saturating_add(found.bytes.len());
                if self.bytes <= self.limits.book_bytes && std::str::from_utf8(&found.bytes).is_ok()
                {
                    let part = Part::Conditioning;
                    self.document(Place { path: &path, part, written: None }, found);
                }
            }
        }
    }
}
