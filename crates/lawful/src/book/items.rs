//! A document of guards or rules taken apart into its items, so that some of them can be left out.
//!
//! **Invariant:** a document that is put together from all of its items is the same as before.

use lawful_syntax::{Kind, Node};

/// A document without its items.
pub(super) struct Parted<'n> {
    pub frame: Node,
    /// Every item, and the list that it is in.
    pub items: Vec<(Slot, &'n Node)>,
}

/// Where an item is in its document: the position of a key, or one of these.
pub(super) type Slot = u8;

/// The document is the list.
const LIST: Slot = 255;
/// The document is the item.
const WHOLE: Slot = 254;

/// The keys whose lists have items.
const KEYS: [&str; 2] = ["rules", "reactions"];

/// Takes a document apart.
pub(super) fn part(node: &Node) -> Parted<'_> {
    let span = node.span;
    match &node.kind {
        Kind::List(items) => Parted {
            frame: Node { kind: Kind::List(Vec::new()), span },
            items: items.iter().map(|item| (LIST, item)).collect(),
        },
        Kind::Map(entries)
            if entries.len() < usize::from(WHOLE)
                && entries.iter().any(|entry| has_items(&entry.key, &entry.value)) =>
        {
            let mut items = Vec::new();
            let mut frame = entries.clone();
            for ((slot, left), entry) in (0..).zip(&mut frame).zip(entries) {
                if has_items(&entry.key, &entry.value) {
                    left.value.kind = Kind::List(Vec::new());
                    let list = entry.value.as_list().unwrap_or_default();
                    items.extend(list.iter().map(|item| (slot, item)));
                }
            }
            Parted { frame: Node { kind: Kind::Map(frame), span }, items }
        }
        Kind::Map(_) => whole(node),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
            Parted { frame: node.clone(), items: Vec::new() }
        }
    }
}

fn whole(node: &Node) -> Parted<'_> {
    let frame = Node { kind: Kind::Null, span: node.span };
    Parted { frame, items: vec![(WHOLE, node)] }
}

fn has_items(key: &str, value: &Node) -> bool {
    KEYS.contains(&key) && matches!(value.kind, Kind::List(_))
}

/// Puts an item back. `None` if the document has no such place.
pub(super) fn put_back(frame: &mut Node, slot: Slot, item: Node) -> Option<()> {
    if slot == WHOLE {
        *frame = item;
        return Some(());
    }
    let list = match (&mut frame.kind, slot) {
        (Kind::List(items), LIST) => items,
        (Kind::Map(entries), at) => match &mut entries.get_mut(usize::from(at))?.value.kind {
            Kind::List(items) => items,
            Kind::Null
            | Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Float(_)
            | Kind::Text(_)
            | Kind::Map(_) => return None,
        },
        (
            Kind::List(_)
            | Kind::Null
            | Kind::Bool(_)
            | Kind::Int(_)
            | Kind::Float(_)
            | Kind::Text(_),
            _,
        ) => return None,
    };
    list.push(item);
    Some(())
}
