//! Mutants of a rulespec: its predicates.

use lawful_syntax::{Node, escape};

use super::condition;
use super::edit::Edit;
use super::{Aspect, Owner, Site, Tree, child, entry, is_bound, opposite};
use crate::cond::Operator;
use crate::verify::decode::CLAIM;

pub(super) fn mutants(node: &Node, tree: &mut Tree<'_>) {
    let Some((at, predicates)) = entry(node, "predicates") else { return };
    for (index, predicate) in predicates.value.as_list().unwrap_or_default().iter().enumerate() {
        let steps = vec![at, index];
        let name = match predicate.get("name").and_then(Node::as_text) {
            Some(name) => format!("predicate `{}`", escape::name(name)),
            None => format!("predicate {index}"),
        };
        let owner = |aspect| Owner { name: name.clone(), site: Site::Predicate(index, aspect) };
        tree.remove(&owner(Aspect::Whole), predicate.span, steps.clone());
        if let Some((at, when)) = entry(predicate, "when") {
            let owner = owner(Aspect::Condition);
            condition::mutants(&when.value, &child(&steps, at), &[CLAIM], &owner, tree);
        }
        let Some((rule_at, rule)) = entry(predicate, "rule") else { continue };
        let Some(operator) = rule.value.as_text().and_then(Operator::find) else { continue };
        let owner = owner(Aspect::Action);
        if let Some(other) = opposite(operator) {
            let change = format!("`{}` became `{}`", operator.name(), other.name());
            let turned = Node::text(other.name(), rule.value.span);
            let edit = Edit::Put(child(&steps, rule_at), turned);
            tree.add(&owner, change, rule.value.span, edit);
        }
        if let Some((value_at, value)) = entry(predicate, "value").filter(|_| is_bound(operator)) {
            let what = format!("`{}`", operator.name());
            tree.bound(&owner, &what, &value.value, &child(&steps, value_at));
        }
    }
}
