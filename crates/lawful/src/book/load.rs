//! Loading: the layout walked, every document parsed, the manifest and conditions decoded.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful_syntax::{
    Diagnostic, File, FileId, Format, Node, Page, Sources, Span, codes, escape, parse, parse_page,
    sort, text,
};
use sha2::{Digest as _, Sha256};

use super::conditions::saved_conditions;
use super::find::MANIFEST;
use super::layout::{FOLDERS, Folder, Part, Written, misnamed};
use super::manifest::{self, Conditioning, Manifest};
use super::source::{Item, ItemKind, Source, SourceError};
use crate::code;
use crate::cond::{Registry, RegistryBuilder};
use crate::limits::Limits;

/// A lawbook, loaded.
#[derive(Debug)]
pub struct Book {
    /// What `lawful.yaml` says; the defaults where it could not be read as meant.
    pub manifest: Manifest,
    /// Every document that was read, in the order of the layout.
    pub documents: Vec<Document>,
    /// Built-in operators, the host's primitives and the book's saved conditions.
    pub registry: Registry,
    /// The texts that diagnostics point into.
    pub sources: Sources,
    /// Whether every file of the book could be read from the source.
    pub complete: bool,
}

impl Book {
    /// A mark of everything that was read, by which two books can be told apart: the SHA-256 of
    /// the paths and texts of all documents, in hexadecimal. It does not depend on where the book
    /// is, nor on how its lines end.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for document in &self.documents {
            let text = self.sources.file(document.file).map_or("", File::text);
            for part in [&*document.path, text] {
                // With its length before it, no part can pass for another.
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part.as_bytes());
            }
        }
        hash.finalize().iter().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
    }
}

/// One file of a lawbook.
#[derive(Debug)]
pub struct Document {
    /// Its path in the book.
    pub path: String,
    /// What it is.
    pub part: Part,
    /// Its text.
    pub file: FileId,
    /// The tree of a data document; `None` for a page or plain text, or where there is no tree.
    pub node: Option<Node>,
    /// The parts of a page.
    pub page: Option<Page>,
    /// Whether it was read and parsed without errors.
    pub sound: bool,
}

impl Document {
    /// The page and its front matter, for a kind of page that has an `id`; what is missing is said.
    pub(crate) fn with_front(
        &self,
        what: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<(&Page, &Node)> {
        let page = self.page.as_ref()?;
        if page.front.is_none() && self.sound {
            let name = what.rsplit(' ').next().unwrap_or(what);
            let message = format!("{what} needs the key `id`");
            problems.push(
                Diagnostic::new(&code::MISSING_KEY, Span::start_of(self.file), message)
                    .help(format!("start the file with a line `---`, `id: my-{name}` and `---`")),
            );
        }
        Some((page, page.front.as_ref()?))
    }
}

/// Why there is no book at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The folder has no `lawful.yaml`.
    #[error("there is no `{MANIFEST}` here")]
    NoManifest,
    /// The manifest is there and cannot be read.
    #[error("`{MANIFEST}` cannot be read: {0}")]
    UnreadableManifest(SourceError),
}

/// What a host brings to a load.
#[derive(Debug)]
pub struct Options {
    /// Bounds; the book may lower them.
    pub limits: Limits,
    /// The host's primitives.
    pub registry: RegistryBuilder,
}

impl Default for Options {
    fn default() -> Self {
        Self { limits: Limits::default(), registry: Registry::builder() }
    }
}

/// Loads a lawbook and reports everything that is wrong with its documents.
pub fn load(source: &dyn Source, options: Options) -> Result<(Book, Vec<Diagnostic>), LoadError> {
    let mut loader = Loader {
        source,
        limits: options.limits,
        sources: Sources::default(),
        documents: Vec::new(),
        problems: Vec::new(),
        bytes: 0,
        complete: true,
    };
    let manifest = loader.manifest()?;
    loader.limits = manifest.limits;
    loader.layout();
    loader.named(&manifest);

    let mut registry = options.registry.limits(loader.limits);
    let Loader { sources, documents, mut problems, complete, .. } = loader;
    for document in documents.iter().filter(|document| document.part == Part::Conditions) {
        if let Some(node) = &document.node {
            saved_conditions(node, &mut registry, &mut problems);
        }
    }
    let registry = registry.build();
    problems.extend(registry.validate_saved());
    sort(&mut problems, &sources);
    Ok((Book { manifest, documents, registry, sources, complete }, problems))
}

struct Loader<'s> {
    source: &'s dyn Source,
    limits: Limits,
    sources: Sources,
    documents: Vec<Document>,
    problems: Vec<Diagnostic>,
    bytes: usize,
    complete: bool,
}

impl Loader<'_> {
    fn manifest(&mut self) -> Result<Manifest, LoadError> {
        let bytes = match self.source.read(MANIFEST, self.limits.document.bytes) {
            Ok(bytes) => bytes,
            Err(SourceError::Missing) => return Err(LoadError::NoManifest),
            Err(error) => return Err(LoadError::UnreadableManifest(error)),
        };
        let document = self.data(MANIFEST, Part::Manifest, &bytes);
        let manifest = match &document.node {
            Some(node) => manifest::decode(node, self.limits, &mut self.problems),
            None => Manifest::new(self.limits),
        };
        self.documents.push(document);
        Ok(manifest)
    }

    fn layout(&mut self) {
        for item in self.list("").unwrap_or_default() {
            if let (ItemKind::Folder, Some(meant)) = (item.kind, misnamed(&item.name)) {
                let file = self.sources.add_unread(self.source.shown(&item.name));
                let message = format!("the folder `{}` is not read", escape::name(&item.name));
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

    fn list(&mut self, path: &str) -> Option<Vec<Item>> {
        match self.source.list(path) {
            Ok(items) => items,
            Err(error) => {
                self.unread(path, &error, "a folder");
                None
            }
        }
    }

    fn folder(&mut self, folder: &Folder, path: &str, depth: usize) {
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            self.too_many(path, format!("folders nest deeper than {DEEPEST} levels"));
            return;
        }
        for item in self.list(path).unwrap_or_default() {
            let inner = format!("{path}/{}", item.name);
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
                    let plain = folder.is_plain(&item.name);
                    self.document(&inner, folder.part, (!plain).then_some(folder.written));
                }
                ItemKind::Outside if folder.reads(&item.name) || folder.deep => {
                    self.unread(&inner, &SourceError::Outside, "a file");
                }
                ItemKind::Other if folder.reads(&item.name) => {
                    self.unread(&inner, &SourceError::NotAFile, "a file");
                }
                ItemKind::File | ItemKind::Folder | ItemKind::Outside | ItemKind::Other => {
                    if folder.is_stray(&item.name) {
                        self.stray(&inner, folder);
                    }
                }
            }
        }
    }

    fn stray(&mut self, path: &str, folder: &Folder) {
        let file = self.sources.add_unread(self.source.shown(path));
        self.problems.push(
            Diagnostic::new(&code::STRAY_FILE, Span::start_of(file), "this file is not read").help(
                format!(
                    "the documents here are {}; start its name with a dot to leave it out",
                    folder.expects()
                ),
            ),
        );
    }

    fn too_many(&mut self, path: &str, message: String) {
        let file = self.sources.add_unread(self.source.shown(path));
        self.complete = false;
        self.problems.push(
            Diagnostic::new(&code::TOO_MANY_FILES, Span::start_of(file), message)
                .help("split the book"),
        );
    }

    fn document(&mut self, path: &str, part: Part, written: Option<Written>) {
        let Some(bytes) = self.bytes(path) else { return };
        let document = match written {
            Some(Written::Data) => self.data(path, part, &bytes),
            Some(Written::Page) => self.page(path, part, &bytes),
            None => self.plain(path, part, &bytes),
        };
        self.documents.push(document);
    }

    /// The bytes of a file, or a diagnostic that says why there are none.
    fn bytes(&mut self, path: &str) -> Option<Vec<u8>> {
        match self.source.read(path, self.limits.document.bytes) {
            Ok(bytes) => {
                self.bytes = self.bytes.saturating_add(bytes.len());
                if self.bytes > self.limits.book_bytes {
                    let limit = escape::bytes(self.limits.book_bytes);
                    self.too_many(
                        path,
                        format!("the files of the lawbook are larger than {limit}"),
                    );
                    return None;
                }
                Some(bytes)
            }
            Err(error) => {
                self.unread(path, &error, "a file");
                None
            }
        }
    }

    fn unread(&mut self, path: &str, error: &SourceError, wanted: &str) {
        let file = self.sources.add_unread(self.source.shown(path));
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
                let message = format!("`{name}` should be {wanted}");
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

    fn text(&mut self, path: &str, bytes: &[u8]) -> (FileId, bool) {
        let (file, problem) = text::add(&mut self.sources, &self.source.shown(path), bytes);
        let readable = problem.is_none();
        self.problems.extend(problem);
        (file, readable)
    }

    fn data(&mut self, path: &str, part: Part, bytes: &[u8]) -> Document {
        let (file, readable) = self.text(path, bytes);
        let (node, mut problems) = if readable {
            parse(&self.sources, file, Format::of(path), &self.limits.document)
        } else {
            (None, Vec::new())
        };
        // Rules may be commented out, all of them too.
        for problem in problems.iter_mut().filter(|_| part == Part::Rules) {
            if problem.code.name == codes::EMPTY_DOCUMENT.name {
                *problem = Diagnostic::new(&code::NO_RULES, problem.span, "the file has no rules")
                    .help("write `rules: […]` and `reactions: […]`, or delete the file");
            }
        }
        let sound = readable && !problems.iter().any(Diagnostic::is_error);
        self.problems.extend(problems);
        Document { path: path.to_owned(), part, file, node, page: None, sound }
    }

    fn page(&mut self, path: &str, part: Part, bytes: &[u8]) -> Document {
        let (file, readable) = self.text(path, bytes);
        let (page, problems) = parse_page(&self.sources, file, &self.limits.document);
        let sound = readable && !problems.iter().any(Diagnostic::is_error);
        self.problems.extend(problems);
        Document { path: path.to_owned(), part, file, node: None, page: Some(page), sound }
    }

    /// Text that is not ours to parse: Nickel.
    fn plain(&mut self, path: &str, part: Part, bytes: &[u8]) -> Document {
        let (file, sound) = self.text(path, bytes);
        Document { path: path.to_owned(), part, file, node: None, page: None, sound }
    }

    /// The files that the manifest names, wherever in the book they are.
    fn named(&mut self, manifest: &Manifest) {
        let mut named: BTreeMap<&str, (Span, Part)> = BTreeMap::new();
        for (path, span) in manifest.conditioning.iter().flat_map(Conditioning::files) {
            named.entry(path).or_insert((span, Part::Conditioning));
        }
        if let Some((path, span)) = &manifest.hooks.stop.rulespec {
            named.entry(path).or_insert((*span, Part::Rulespec));
        }
        for (path, (span, part)) in named {
            if self.documents.iter().any(|document| document.path == path) {
                continue;
            }
            match self.source.read(path, self.limits.document.bytes) {
                Ok(bytes) if part == Part::Rulespec => {
                    let document = self.data(path, part, &bytes);
                    self.documents.push(document);
                }
                Ok(bytes) if path.ends_with(".md") => {
                    let document = self.page(path, part, &bytes);
                    self.documents.push(document);
                }
                Ok(bytes) => {
                    let document = self.plain(path, part, &bytes);
                    self.documents.push(document);
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
}
