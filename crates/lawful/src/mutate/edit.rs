//! One edit of a tree.

use lawful_syntax::{Entry, Kind, Node};

use super::Steps;

/// An edit. Steps are the numbers of children from the root of the document.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Removes an item of a list or an entry of a mapping.
    Remove(Steps),
    /// Puts another node in its place.
    Put(Steps, Node),
}

impl Edit {
    /// Applies the edit. False if the tree has no such place.
    pub(super) fn apply(&self, tree: &mut Node) -> bool {
        match self {
            Self::Remove(steps) => {
                let Some((last, parents)) = steps.split_last() else { return false };
                let Some(parent) = at(tree, parents) else { return false };
                match &mut parent.kind {
                    Kind::List(items) if *last < items.len() => drop(items.remove(*last)),
                    Kind::Map(entries) if *last < entries.len() => drop(entries.remove(*last)),
                    Kind::List(_) | Kind::Map(_) => return false,
                    Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
                        return false;
                    }
                }
                true
            }
            Self::Put(steps, node) => {
                let Some(place) = at(tree, steps) else { return false };
                *place = node.clone();
                true
            }
        }
    }
}

/// The node at some steps.
fn at<'n>(tree: &'n mut Node, steps: &[usize]) -> Option<&'n mut Node> {
    let mut node = tree;
    for step in steps {
        node = match &mut node.kind {
            Kind::List(items) => items.get_mut(*step)?,
            Kind::Map(entries) => &mut entries.get_mut(*step)?.value,
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
                return None;
            }
        };
    }
    Some(node)
}

/// A number moved by one; `None` if it is no number or has no such neighbour.
pub(super) fn moved(node: &Node, by: i64) -> Option<Node> {
    let kind = match node.kind {
        Kind::Int(number) => Kind::Int(number.checked_add(by)?),
        #[expect(clippy::cast_precision_loss, reason = "it is one or minus one")]
        Kind::Float(number) => Some(number + by as f64)
            .filter(|moved| moved.is_finite() && moved.total_cmp(&number).is_ne())
            .map(Kind::Float)?,
        Kind::Null | Kind::Bool(_) | Kind::Text(_) | Kind::List(_) | Kind::Map(_) => return None,
    };
    Some(Node { kind, span: node.span })
}

/// `{not: NODE}`.
pub(super) fn negated(node: &Node) -> Node {
    mapping("not", node.clone())
}

/// A mapping of one key, at the place of its value.
pub(super) fn mapping(key: &str, value: Node) -> Node {
    let span = value.span;
    let entry = Entry { key: key.into(), key_span: span, value };
    Node { kind: Kind::Map(vec![entry]), span }
}
