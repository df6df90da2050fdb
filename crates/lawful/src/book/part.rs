//! A part of a lawbook: the guards that one event can reach, and the rules when events reach them.
//!
//! A hook is a process of its own that decides on one event, and most of a large lawbook cannot matter
//! to it. What depends on all rules was computed when the [trees](super::trees) were packed.
//!
//! **Invariant:** a part decides and steps as the whole lawbook does. A guard or a rule is left out only
//! if no event that was raised reaches it. A lawbook with errors has no parts.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, FileId, Node, Sources, text};

use super::bundle::Bundle;
use super::conditions::Conditions;
use super::contents::{Book, Document};
use super::layout::{Part, Written};
use super::load::Options;
use super::manifest::{self, Manifest};
use super::memory::{Decoded, Memory};
use super::parse::Place;
use super::source::Source as _;
use super::trees::{Facts, PackedDocument, Trees, numbers};
use crate::guard::packed_on;
use crate::live;
use crate::react::{Event, Rules, WholeTrust, packed_trigger};

/// A part of a lawbook.
#[derive(Debug)]
pub(crate) struct BookPart {
    /// The manifest, saved conditions and entries, and the guards that the event can reach. It has no
    /// rules.
    pub book: Book,
    /// The rules.
    pub rules: PackedRules,
    /// Whether a guard of the whole lawbook reads the state.
    pub reads_state: bool,
    /// Whether a guard of the whole lawbook decides on shell lines.
    pub has_shell: bool,
}

impl BookPart {
    /// The part that an event can reach. `None` if only the whole lawbook can decide.
    pub(crate) fn of(bundle: &Bundle, trees: &Trees, event: &live::Event) -> Option<Self> {
        let Facts { has_rules, reads_state, has_shell, trusted, names } =
            Facts::read(trees.facts()?)?;
        let owned = |texts: Vec<&str>| texts.into_iter().map(Into::into).collect();
        let whole = WholeTrust { variables: owned(trusted), names: owned(names) };
        let mut loader = Loader { bundle, trees, event, sources: Sources::default() };
        let (manifest, document) = loader.manifest()?;
        if manifest.limits.document != trees.limits {
            return None;
        }
        let mut documents = vec![Arc::clone(&document)];
        let mut files = Vec::new();
        for packed in trees.documents.iter().filter(|packed| packed.part != Part::Manifest) {
            let document = loader.document(packed)?;
            if packed.part == Part::Rules {
                files.push(document.file);
            }
            documents.push(Arc::new(document));
        }
        let of_conditions = documents.iter().filter(|document| document.part == Part::Conditions);
        let options = Options::default();
        let conditions = Conditions::unchecked(of_conditions, &options.registry, manifest.limits)?;
        let registry = conditions.registry.clone();
        let (sources, problems) = (loader.sources, Vec::new());
        let memory = Arc::new(Memory {
            options,
            sources: sources.clone(),
            files: BTreeMap::new(),
            folders: BTreeMap::new(),
            manifest: Decoded { document, manifest: manifest.clone(), problems },
            conditions,
        });
        let book = Book { manifest, documents, registry, sources, complete: true, memory };
        let rules = PackedRules { trees: trees.clone(), files, whole, is_empty: !has_rules };
        Some(Self { book, rules, reads_state, has_shell })
    }
}

/// The rules of a lawbook, which are decoded when events reach them.
#[derive(Debug)]
pub(crate) struct PackedRules {
    trees: Trees,
    /// The files of their documents.
    files: Vec<FileId>,
    whole: WholeTrust,
    is_empty: bool,
}

/// Some rules, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection(Vec<bool>);

impl PackedRules {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Adds the rules that events reach, and those that they name; false if all of them were selected
    /// before. `None` if the rules cannot be read.
    pub(crate) fn select<'e>(
        &self,
        selection: &mut Selection,
        events: &(impl Iterator<Item = &'e Event> + Clone),
    ) -> Option<bool> {
        let mut reached: Vec<usize> = Vec::new();
        let mut number = 0;
        self.trees.each_item(Part::Rules, |item| {
            if events.clone().any(|event| packed_trigger::reaches(item.reach, event)) {
                reached.push(number);
                reached.extend(numbers(item.needs));
            }
            number += 1;
        })?;
        selection.0.resize(number, false);
        let mut grown = false;
        for at in reached {
            grown |= !std::mem::replace(selection.0.get_mut(at)?, true);
        }
        Some(grown)
    }

    /// Decodes the selected rules. `None` if they cannot be read.
    pub(crate) fn decode(&self, book: &Book, selection: &Selection) -> Option<Rules> {
        let documents = self.trees.documents.iter().filter(|packed| packed.part == Part::Rules);
        let mut number = 0;
        let mut nodes = Vec::new();
        for (document, file) in documents.zip(&self.files).filter(|(one, _)| one.has_tree()) {
            let node = self.trees.tree_of(document, *file, |_| {
                number += 1;
                selection.0.get(number - 1).copied().unwrap_or_default()
            });
            nodes.push(node?);
        }
        Rules::decode_part(book, &nodes, &self.whole)
    }
}

struct Loader<'l> {
    bundle: &'l Bundle,
    trees: &'l Trees,
    event: &'l live::Event,
    sources: Sources,
}

impl Loader<'_> {
    fn manifest(&mut self) -> Option<(Manifest, Arc<Document>)> {
        let packed = self.trees.documents.iter().find(|packed| packed.part == Part::Manifest)?;
        let document = self.document(packed)?;
        let mut problems = Vec::new();
        let limits = Options::default().limits;
        let manifest = manifest::decode(document.node.as_ref()?, limits, &mut problems);
        let sound = !problems.iter().any(Diagnostic::is_error);
        sound.then(|| (manifest, Arc::new(document)))
    }

    fn document(&mut self, packed: &PackedDocument) -> Option<Document> {
        let file = self.sources.reserve();
        let path = self.trees.path(packed)?;
        let whole = |tree: Option<Node>| Document {
            path: path.to_owned(),
            part: packed.part,
            file,
            node: tree,
            page: None,
            sound: true,
            problems: Vec::new(),
        };
        let tree = match packed.part {
            Part::Guards if packed.has_tree() => {
                let (kind, action) = (self.event.kind(), self.event.action());
                let reached = |reach: &[u8]| packed_on::reaches(reach, kind, action);
                Some(self.trees.tree_of(packed, file, |item| reached(item.reach))?)
            }
            Part::Manifest | Part::Conditions if packed.has_tree() => {
                Some(self.trees.tree_of(packed, file, |_| true)?)
            }
            Part::Entry => {
                let bytes = self.bundle.file(path)?;
                let unreadable =
                    text::put(&mut self.sources, file, &self.bundle.shown(path), bytes);
                let place = Place { path, part: packed.part, written: Some(Written::Page) };
                return Some(place.parse(&self.sources, file, unreadable, &self.trees.limits));
            }
            // Rules are decoded when an event reaches them, and the others never decide here.
            Part::Manifest | Part::Conditions | Part::Guards | Part::Rules => None,
            Part::Fragment | Part::Composition | Part::Conditioning => None,
            Part::Rulespec | Part::Scenario | Part::Envelope => None,
        };
        Some(whole(tree))
    }
}
