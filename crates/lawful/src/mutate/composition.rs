//! Mutants of a composition: its rules, their conditions and their actions.

use lawful_syntax::{Kind, Node, escape};

use super::condition;
use super::edit::Edit;
use super::{Aspect, Owner, Site, Tree, child, entry};
use crate::compose::decode::ACTIONS;
use crate::cond::PATH;

pub(super) fn mutants(node: &Node, tree: &mut Tree<'_>) {
    let Some(name) = node.get("name").and_then(Node::as_text) else { return };
    let Some((rules_at, rules)) = entry(node, "rules") else { return };
    for (index, rule) in rules.value.as_list().unwrap_or_default().iter().enumerate() {
        let steps = vec![rules_at, index];
        let named = match rule.get("id").and_then(Node::as_text) {
            Some(id) => {
                format!("rule {index} (`{}`) of `{}`", escape::name(id), escape::name(name))
            }
            None => format!("rule {index} of `{}`", escape::name(name)),
        };
        let owner = |aspect: Aspect| Owner {
            name: named.clone(),
            site: Site::CompositionRule(name.into(), index, aspect),
        };
        let action = ACTIONS.iter().find_map(|key| entry(rule, key));
        let Some((action_at, action)) = action else { continue };
        let whole = owner(Aspect::Whole);
        let whole = Owner { name: format!("{} (`{}`)", whole.name, action.key), ..whole };
        tree.remove(&whole, rule.span, steps.clone());
        if let Some((at, when)) = entry(rule, "when") {
            let owner = owner(Aspect::Condition);
            condition::mutants(&when.value, &child(&steps, at), &[PATH], &owner, tree);
        }
        let own = child(&steps, action_at);
        let owner = owner(Aspect::Action);
        // With one id, the action is the rule.
        match &action.value.kind {
            Kind::List(ids) if ids.len() > 1 => {
                for (at, id) in ids.iter().enumerate() {
                    let change = format!("`{}` of {} removed", action.key, tree.shown(id));
                    tree.add(&owner, change, id.span, Edit::Remove(child(&own, at)));
                }
            }
            Kind::Map(pairs) if pairs.len() > 1 => {
                for (at, pair) in pairs.iter().enumerate() {
                    let from = escape::name(&pair.key);
                    let change = format!("`{}` of `{from}` removed", action.key);
                    let place = pair.key_span.to(pair.value.span);
                    tree.add(&owner, change, place, Edit::Remove(child(&own, at)));
                }
            }
            Kind::List(_) | Kind::Map(_) => {}
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {}
        }
    }
}
