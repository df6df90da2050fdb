//! The parts of a lawbook by name, so that a person sees what changed and not only where.

use std::collections::BTreeMap;

use lawful::book::{Book, Document, Observation, Part, Run};
use lawful::syntax::Node;
use serde::Serialize;

/// A kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A command of the manifest.
    Command,
    /// Another key of the manifest.
    Setting,
    /// A guard.
    Guard,
    /// A rule or a reaction.
    Rule,
    /// A claim of a rulespec.
    Claim,
    /// A predicate of a rulespec.
    Predicate,
    /// A saved condition.
    Condition,
    /// A composition.
    Composition,
    /// A fragment.
    Fragment,
    /// An entry.
    Entry,
    /// A file of the conditioning.
    Conditioning,
}

impl PartKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Setting => "setting",
            Self::Guard => "guard",
            Self::Rule => "rule",
            Self::Claim => "claim",
            Self::Predicate => "predicate",
            Self::Condition => "condition",
            Self::Composition => "composition",
            Self::Fragment => "fragment",
            Self::Entry => "entry",
            Self::Conditioning => "conditioning",
        }
    }
}

/// Every part with its text.
pub(super) type Inventory = BTreeMap<(PartKind, String), String>;

/// The parts of a lawbook. What has errors is named by its file.
pub(super) fn inventory(book: &Book) -> Inventory {
    let mut parts = Inventory::new();
    for command in &book.manifest.observe {
        parts.insert((PartKind::Command, command.name.to_string()), command_line(command));
    }
    for document in &book.documents {
        add(book, document, &mut parts);
    }
    parts
}

/// What a command runs, as a person would read it.
pub(super) fn command_line(command: &Observation) -> String {
    let line = match &command.run {
        Run::Words(words) => format!("[{}]", words.join(", ")),
        Run::Shell(line) => format!("sh -c `{line}`"),
    };
    match &*command.folder {
        "" => line,
        folder => format!("{line} in `{folder}`"),
    }
}

fn add(book: &Book, document: &Document, parts: &mut Inventory) {
    let text =
        || book.sources.file(document.file).map_or("", lawful::syntax::File::text).to_owned();
    let by_path = |kind| ((kind, document.path.clone()), text());
    let by_id = |kind, key: &str| {
        let front = document.page.as_ref().and_then(|page| page.front.as_ref());
        let node = front.or(document.node.as_ref());
        let id = node.and_then(|node| node.get(key)).and_then(Node::as_text);
        ((kind, id.unwrap_or(&document.path).to_owned()), text())
    };
    match document.part {
        Part::Manifest => {
            for entry in document.node.iter().filter_map(Node::as_map).flatten() {
                if &*entry.key != "observe" {
                    let name = (PartKind::Setting, entry.key.to_string());
                    parts.insert(name, book.sources.slice(entry.value.span).to_owned());
                }
            }
        }
        Part::Fragment => parts.extend([by_id(PartKind::Fragment, "id")]),
        Part::Entry => parts.extend([by_id(PartKind::Entry, "id")]),
        Part::Composition => parts.extend([by_id(PartKind::Composition, "name")]),
        Part::Conditioning => parts.extend([by_path(PartKind::Conditioning)]),
        Part::Conditions => {
            for entry in document.node.iter().filter_map(Node::as_map).flatten() {
                let name = (PartKind::Condition, entry.key.to_string());
                parts.insert(name, book.sources.slice(entry.value.span).to_owned());
            }
        }
        Part::Rules => {
            listed(book, document, &["rules", "reactions"], "id", PartKind::Rule, parts);
        }
        Part::Rulespec => {
            listed(book, document, &["claims"], "name", PartKind::Claim, parts);
            listed(book, document, &["predicates"], "name", PartKind::Predicate, parts);
        }
        Part::Guards => listed(book, document, &[], "id", PartKind::Guard, parts),
        Part::Scenario | Part::Envelope => {}
    }
}

/// The elements of the lists of a document, or of the document if it is one. An element without a name
/// has that of its file and its position.
fn listed(
    book: &Book,
    document: &Document,
    keys: &[&str],
    id: &str,
    kind: PartKind,
    parts: &mut Inventory,
) {
    let Some(node) = &document.node else { return };
    let lists: Vec<&[Node]> = match node.as_list() {
        Some(list) => vec![list],
        None => keys.iter().filter_map(|key| node.get(key)).filter_map(Node::as_list).collect(),
    };
    for (index, item) in lists.into_iter().flatten().enumerate() {
        let name = item.get(id).and_then(Node::as_text).map(ToOwned::to_owned);
        let name = name.unwrap_or_else(|| format!("{} {index}", document.path));
        let text = book.sources.slice(item.span);
        // Equal names are an error in most parts, and must not hide a change in the others.
        let all = parts.entry((kind, name)).or_default();
        all.push_str(text);
        all.push('\n');
    }
}
