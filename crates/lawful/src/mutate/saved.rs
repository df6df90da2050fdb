//! Mutants of saved conditions.

use lawful_syntax::{Node, escape};

use super::condition;
use super::{Owner, Site, Tree};
use crate::cond::PATH;

pub(super) fn mutants(node: &Node, tree: &mut Tree<'_>) {
    for (at, entry) in node.as_map().unwrap_or_default().iter().enumerate() {
        let name = format!("condition `{}`", escape::name(&entry.key));
        let owner = Owner { name, site: Site::Condition(entry.key.clone()) };
        condition::mutants(&entry.value, &vec![at], &[PATH], &owner, tree);
    }
}
