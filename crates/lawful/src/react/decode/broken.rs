//! What a rule with errors writes, as far as that is recognisable.
//!
//! Such a rule does not run, but it may have run before it was edited. So whatever it copies into a
//! variable still counts when the trust of that variable is decided.

use lawful_syntax::{Kind, Node};

use crate::path::Path;
use crate::react::source::Source;
use crate::react::variables::root;

/// A value that a rule with errors copies into a variable.
#[derive(Debug)]
pub(crate) struct BrokenWrite {
    /// The variable; `None` if it is unknown.
    pub variable: Option<Box<str>>,
    /// Where the value comes from; `None` if that is unknown.
    pub from: Option<Source>,
}

/// Every mapping inside a rule that has a `valueFrom`.
pub(super) fn writes(node: &Node) -> Vec<BrokenWrite> {
    let mut found = Vec::new();
    collect(node, &mut found);
    found
}

fn collect(node: &Node, found: &mut Vec<BrokenWrite>) {
    match &node.kind {
        Kind::Map(entries) => {
            let path = |keys: &[&str]| {
                let is_named = |key: &str| keys.iter().any(|known| known.eq_ignore_ascii_case(key));
                let entry = entries.iter().find(|entry| is_named(&entry.key));
                entry.map(|entry| Path::parse(entry.value.as_text()?).ok())
            };
            if let Some(from) = path(&["valueFrom"]) {
                let target = path(&["variableId", "path"]).flatten();
                let variable = target.as_ref().and_then(root).map(Into::into);
                found.push(BrokenWrite { variable, from: from.as_ref().and_then(Source::of) });
            }
            for entry in entries {
                collect(&entry.value, found);
            }
        }
        Kind::List(items) => {
            for item in items {
                collect(item, found);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {}
    }
}
