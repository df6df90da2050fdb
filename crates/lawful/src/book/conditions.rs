//! `conditions/*.yaml`: a mapping of id to condition.

use lawful_syntax::{Diagnostic, Node};

use crate::code;
use crate::cond::{RegistryBuilder, SavedCondition, decode};
use crate::decode::wrong_type;

/// Adds every condition of a document to the registry. One that does not decode is added without
/// its tree, so that a ref to it is not also reported as unknown.
pub fn saved_conditions(
    node: &Node,
    registry: &mut RegistryBuilder,
    problems: &mut Vec<Diagnostic>,
) {
    let Some(entries) = node.as_map() else {
        let problem = wrong_type(node, "a document of conditions", "a mapping of id to condition");
        problems.push(problem.help("write `my-condition: {tone: terse}`"));
        return;
    };
    for entry in entries {
        if entry.key.trim().is_empty() {
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, entry.key_span, "the id of a condition is blank")
                    .help("give it a name"),
            );
            continue;
        }
        let (tree, found) = decode(&entry.value);
        problems.extend(found);
        let id_span = entry.key_span;
        let saved = SavedCondition { id: entry.key.clone(), id_span, tree };
        problems.extend(registry.saved(saved).err());
    }
}
