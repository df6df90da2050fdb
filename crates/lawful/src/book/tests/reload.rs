//! A reload gives the same result as a fresh load, and shares what did not change.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;

use crate::book::{
    Book, Document, Item, LoadError, MemorySource, Options, Part, Source, SourceError, Stamp, load,
    reload,
};
use crate::cond::{Condition, Inputs, Outcome, Primitive};
use crate::syntax::{Diagnostic, FileId, render};
use crate::value::Value;

type Loaded = Result<(Book, Vec<Diagnostic>), LoadError>;

/// An editable source, with every behaviour that a source may have.
#[derive(Clone, Default)]
struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    /// Whether files have stamps.
    stamps: bool,
    /// The prefix of displayed paths.
    shown: &'static str,
    refused: BTreeSet<String>,
    reads: Cell<usize>,
}

impl Tree {
    fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.write(path, text.as_bytes());
        }
        tree
    }

    /// Writes a file, and removes any file or folder that conflicts with its path.
    fn write(&mut self, path: &str, bytes: &[u8]) {
        let below = |one: &str, other: &str| {
            one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'))
        };
        self.files.retain(|known, _| !below(known, path) && !below(path, known));
        self.files.insert(path.to_owned(), bytes.to_vec());
    }

    fn memory(&self) -> MemorySource {
        let files = self.files.iter();
        files.fold(MemorySource::new(), |source, (path, bytes)| source.with(path, bytes.clone()))
    }
}

impl Source for Tree {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        self.memory().list(folder)
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        self.reads.set(self.reads.get() + 1);
        if self.refused.contains(path) {
            return Err(SourceError::Unreadable("permission is denied".to_owned()));
        }
        self.memory().read(path, limit)
    }

    fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.shown)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        if !self.stamps || self.refused.contains(path) {
            return None;
        }
        match (self.files.get(path), self.memory().list(path)) {
            (Some(bytes), _) => Some(Stamp::new(bytes.as_slice())),
            (None, Ok(Some(items))) => Some(Stamp::new(format!("{items:?}").into_bytes())),
            (None, _) => None,
        }
    }
}

fn options(files: usize, book_bytes: usize) -> Options {
    let mut options = Options::default();
    options.limits.files = files;
    options.limits.book_bytes = book_bytes;
    let open = |inputs: &Inputs<'_>| Ok(inputs.get(0) == Some(&Value::from("open")));
    let primitive = Primitive::new("deal.open", move |_| Ok(open)).reads("deal.stage");
    options.registry.primitive(primitive).unwrap();
    options
}

/// Everything observable about a book, with paths instead of ids.
fn seen(loaded: &Loaded) -> Vec<String> {
    let (book, problems) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return vec![error.to_string()],
    };
    let named = |text: String| {
        book.documents.iter().fold(text, |text, document| {
            text.replace(&format!("{:?}", document.file), &document.path)
        })
    };
    let mut seen = vec![
        format!("{} {}", book.fingerprint(), book.complete),
        named(format!("{:?}", book.manifest)),
        named(format!("{:?}", book.registry.saved_trees().collect::<Vec<_>>())),
    ];
    for document in &book.documents {
        seen.push(named(format!("{document:?}")));
        seen.push(format!("{:?}", book.sources.file(document.file).unwrap()));
    }
    seen.extend(
        problems.iter().map(|problem| format!("{:?}", render::view(problem, &book.sources))),
    );
    seen
}

fn ids(book: &Book) -> BTreeMap<&str, &Arc<Document>> {
    book.documents.iter().map(|document| (&*document.path, document)).collect()
}

/// A book, its source, and the owners of all ids so far.
struct Lineage {
    book: Book,
    bytes: BTreeMap<String, Vec<u8>>,
    owners: BTreeMap<FileId, String>,
}

impl Lineage {
    fn new(tree: &Tree, book: Book) -> Self {
        let owner = |document: &Arc<Document>| (document.file, document.path.clone());
        let owners = book.documents.iter().map(owner).collect();
        Self { book, bytes: tree.files.clone(), owners }
    }

    /// Checks what a file keeps from one book to the next, and continues with it.
    fn follow(&mut self, tree: &Tree, next: Book) {
        let before = ids(&self.book);
        let limits = |book: &Book| book.manifest.limits.document;
        let same_limits = limits(&self.book) == limits(&next);
        for (path, document) in ids(&next) {
            let owner = self.owners.entry(document.file).or_insert_with(|| path.to_owned());
            assert_eq!(owner, path, "an id was given again");
            let Some(known) = before.get(path) else { continue };
            assert_eq!(known.file, document.file, "`{path}` has another id");
            if same_limits
                && known.part == document.part
                && self.bytes.get(path) == tree.files.get(path)
            {
                assert!(Arc::ptr_eq(known, document), "`{path}` was parsed again");
            }
        }
        (self.book, self.bytes) = (next, tree.files.clone());
    }
}

const PATHS: [&str; 22] = [
    "lawful.yaml",
    "fragments/a.md",
    "fragments/deep",
    "fragments/deep/b.md",
    "fragments/deep.md",
    "compositions/c.yaml",
    "conditions/a.yaml",
    "conditions/a.yaml/inner.yaml",
    "conditions/b.yaml",
    "conditions/c.json",
    "conditions/notes.txt",
    "rules/r.yaml",
    "entries/e.md",
    "conditioning/core.md",
    "conditioning/lead.ncl",
    "law/core.md",
    "law/strict.yaml",
    "analysis/rulespec.yaml",
    "analysis/strict.yaml",
    "scenarios/s.yaml",
    "Conditions/a.yaml",
    "rules",
];

const TEXTS: [&[u8]; 16] = [
    b"",
    b"# nothing\n",
    b"vip: {tier: vip}\nquiet: {ref: vip}\n",
    b"vip: {tier: gold}\n",
    b"\xef\xbb\xbfvip: {tier: vip}\r\nquiet: {ref: vip}\r\n",
    b"loud: {ref: quiet}\nopen: {ref: deal.open}\n",
    b"a: [1\n",
    b"a: \xff\n",
    b"a: \xfe\n",
    b"a: {b: {c: {d: [[[[1]]]]}}}\na: 2\n",
    b"---\nid: x\n---\nHello.\n",
    b"---\nid: x\nnever closed\n",
    b"---\nid: [x\n---\nHello, {name}.\n",
    b"claims: []\n",
    b"{\"vip\": {\"tier\": \"gold\"},}",
    b"rules: []\nreactions: []\n",
];

const MANIFESTS: [&str; 9] = [
    "name: desk\n",
    "name: desk\naxes: {tone: [terse, warm]}\n",
    "name: desk\nlimits: {document-depth: 4}\n",
    "name: desk\nlimits: {document-bytes: 30}\n",
    "name: desk\nlimits: {condition-nodes: 1}\n",
    "name: desk\nconditioning: {core: conditioning/core.md, personas: {lead: law/core.md}}\n",
    "name: desk\nconditioning: {core: law/core.md}\nhooks: {stop: {rulespec: law/strict.yaml}}\n",
    "name: desk\nhooks: {stop: {rulespec: analysis/strict.yaml}}\n",
    "name: [desk\n",
];

#[derive(Clone, Debug)]
enum Edit {
    Write(&'static str, &'static [u8]),
    Manifest(&'static str),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    Refuse(&'static str),
    Allow,
    Stamps(bool),
    Shown(&'static str),
    Nothing,
}

impl Edit {
    fn apply(&self, tree: &mut Tree) {
        match self {
            Self::Write(path, bytes) => tree.write(path, bytes),
            Self::Manifest(text) => tree.write("lawful.yaml", text.as_bytes()),
            Self::Remove(path) => {
                tree.files.remove(*path);
            }
            Self::Rename(from, to) => {
                if let Some(bytes) = tree.files.remove(*from) {
                    tree.write(to, &bytes);
                }
            }
            Self::Refuse(path) => {
                tree.refused.insert((*path).to_owned());
            }
            Self::Allow => tree.refused.clear(),
            Self::Stamps(stamps) => tree.stamps = *stamps,
            Self::Shown(shown) => tree.shown = shown,
            Self::Nothing => {}
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    let path = || prop::sample::select(&PATHS[..]);
    let other = || prop::sample::select(&PATHS[1..]);
    prop_oneof![
        8 => (other(), prop::sample::select(&TEXTS[..])).prop_map(|(path, text)| Edit::Write(path, text)),
        3 => prop::sample::select(&MANIFESTS[..]).prop_map(Edit::Manifest),
        2 => path().prop_map(Edit::Remove),
        2 => (path(), other()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => path().prop_map(Edit::Refuse),
        1 => Just(Edit::Allow),
        1 => any::<bool>().prop_map(Edit::Stamps),
        1 => prop::sample::select(&["", "law/"][..]).prop_map(Edit::Shown),
        1 => Just(Edit::Nothing),
    ]
}

proptest! {
    #[test]
    fn reloading_is_loading_afresh(
        start in prop::collection::vec(edit(), 0..12),
        edits in prop::collection::vec(prop::collection::vec(edit(), 1..3), 1..8),
        (files, bytes) in prop::sample::select(&[(20_000, 1 << 20), (4, 1 << 20), (20_000, 90)][..]),
    ) {
        let mut tree = Tree::of(&[("lawful.yaml", MANIFESTS[0])]);
        for edit in &start {
            edit.apply(&mut tree);
        }
        tree.refused.remove("lawful.yaml");
        tree.files.entry("lawful.yaml".to_owned()).or_insert_with(|| MANIFESTS[0].into());
        let (book, _) = load(&tree, options(files, bytes)).unwrap();
        let mut lineage = Lineage::new(&tree, book);
        for edits in edits {
            for edit in &edits {
                edit.apply(&mut tree);
            }
            let again = reload(&lineage.book, &tree);
            prop_assert_eq!(seen(&again), seen(&load(&tree, options(files, bytes))));
            if let Ok((next, _)) = again {
                lineage.follow(&tree, next);
            }
        }
    }
}

fn desk() -> Tree {
    Tree::of(&[
        ("lawful.yaml", "name: desk\n"),
        ("fragments/a.md", "---\nid: a\n---\nA.\n"),
        ("fragments/b.md", "---\nid: b\n---\nB.\n"),
        ("conditions/a.yaml", "open: {ref: deal.open}\n"),
        ("rules/r.yaml", "rules: []\n"),
    ])
}

#[test]
fn what_did_not_change_is_neither_read_nor_parsed() {
    let mut tree = desk();
    tree.stamps = true;
    let (first, _) = load(&tree, options(100, 10_000)).unwrap();
    tree.write("fragments/b.md", b"---\nid: b\n---\nC.\n");
    tree.reads.set(0);
    let (second, _) = reload(&first, &tree).unwrap();
    assert_eq!(tree.reads.get(), 1);
    let shared: Vec<bool> =
        first.documents.iter().zip(&second.documents).map(|(a, b)| Arc::ptr_eq(a, b)).collect();
    assert_eq!(shared, [true, true, false, true, true]);
    assert!(second.shares(&first, &[Part::Manifest, Part::Conditions, Part::Rules]));
    assert!(!second.shares(&first, &[Part::Manifest, Part::Fragment]));

    tree.stamps = false;
    let (third, _) = reload(&second, &tree).unwrap();
    assert!(third.shares(&second, &[Part::Fragment]), "the bytes are the same");
    let (afresh, _) = load(&tree, options(100, 10_000)).unwrap();
    assert!(!afresh.shares(&third, &[Part::Fragment]));
    assert!(afresh.shares(&third, &[Part::Entry]), "neither has any");
}

#[test]
fn primitives_of_the_host_survive() {
    let mut tree = desk();
    let (mut book, _) = load(&tree, options(100, 10_000)).unwrap();
    for round in 0..3 {
        // Once with reused saved conditions, and once with new ones.
        tree.write("conditions/b.yaml", format!("b: {{x: {}}}\n", round / 2).as_bytes());
        let (next, problems) = reload(&book, &tree).unwrap();
        assert_eq!(problems, []);
        let (set, id, _) = next.registry.compile(&Condition::reference("open")).unwrap();
        let document = crate::testing::value("deal: {stage: open}");
        assert_eq!(set.run(&document).outcome(id), Outcome::True);
        book = next;
    }
}

#[test]
fn an_id_is_not_given_again() {
    let mut tree = desk();
    let (first, _) = load(&tree, Options::default()).unwrap();
    let gone = first.documents[2].file;
    tree.files.remove("fragments/b.md");
    let (mut second, _) = reload(&first, &tree).unwrap();
    assert!(second.sources.file(gone).is_none());
    // Files that the owner of a book adds have ids too.
    let added = second.sources.add_unread("envelope.json");
    assert!(first.sources.file(added).is_none());
    tree.write("fragments/b.md", b"---\nid: b\n---\nB.\n");
    let (third, _) = reload(&second, &tree).unwrap();
    assert!(third.documents[2].file > added && added > gone);
    assert!(third.sources.file(added).is_none() && third.sources.file(gone).is_none());
}

#[test]
fn a_book_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Book>();
    shared::<crate::book::FolderSource>();
    shared::<Options>();
}
