//! Mutants of guards.

use lawful_syntax::{Node, escape};

use super::condition;
use super::{Aspect, Owner, Site, Tree, child, entry};
use crate::cond::PATH;

pub(super) fn mutants(node: &Node, tree: &mut Tree<'_>) {
    for (index, guard) in node.as_list().unwrap_or_default().iter().enumerate() {
        let Some(id) = guard.get("id").and_then(Node::as_text) else { continue };
        let steps = vec![index];
        let name = format!("guard `{}`", escape::name(id));
        let owner = |aspect| Owner { name: name.clone(), site: Site::Guard(id.into(), aspect) };
        tree.remove(&owner(Aspect::Whole), guard.span, steps.clone());
        if let Some((at, when)) = entry(guard, "when") {
            let owner = owner(Aspect::Condition);
            condition::mutants(&when.value, &child(&steps, at), &[PATH], &owner, tree);
        }
    }
}
