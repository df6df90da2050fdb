//! Mutants of rules and reactions: their triggers, conditions and actions.

use lawful_syntax::{Entry, Kind, Node, escape};

use super::condition;
use super::edit::{Edit, mapping, negated};
use super::{Aspect, Owner, Site, Steps, Tree, child, entry, pattern};
use crate::cond::{PATH, TestWords};
use crate::react::RuleKind;
use crate::react::decode::condition::VARIABLE;
use crate::react::decode::kind_of;
use crate::react::decode::rule::words;

/// The lists of a document.
const LISTS: [(&str, RuleKind); 2] = [("rules", RuleKind::Rule), ("reactions", RuleKind::Reaction)];
/// The keys of a test in the conditions of a rule.
const TESTS: [TestWords; 2] = [VARIABLE, PATH];

pub(super) fn mutants(node: &Node, tree: &mut Tree<'_>) {
    if let Some(items) = node.as_list() {
        for (at, item) in items.iter().enumerate() {
            rule(item, kind_of(item), &vec![at], tree);
        }
        return;
    }
    let mut listed = false;
    for (key, kind) in LISTS {
        let Some((at, list)) = entry(node, key) else { continue };
        listed = true;
        for (index, item) in list.value.as_list().unwrap_or_default().iter().enumerate() {
            rule(item, kind, &vec![at, index], tree);
        }
    }
    if !listed {
        rule(node, kind_of(node), &Vec::new(), tree);
    }
}

fn rule(node: &Node, kind: RuleKind, steps: &Steps, tree: &mut Tree<'_>) {
    let Some(id) = node.get("id").and_then(Node::as_text) else { return };
    let what = match kind {
        RuleKind::Rule => "rule",
        RuleKind::Reaction => "reaction",
    };
    let name = format!("{what} `{}`", escape::name(id));
    let owner = |aspect| Owner { name: name.clone(), site: Site::Rule(id.into(), aspect) };
    if steps.is_empty() {
        // The rule is the whole document.
        let none = Node { kind: Kind::List(Vec::new()), span: node.span };
        let (change, site) = (format!("{name} removed"), Site::Rule(id.into(), Aspect::Whole));
        let (document, place) = (tree.document, node.span);
        let edit = Edit::Put(steps.clone(), none);
        tree.found.push(super::Mutant { change, place, site, document, edit });
    } else {
        tree.remove(&owner(Aspect::Whole), node.span, steps.clone());
    }
    let (on, does) = words(kind);
    if let Some((at, trigger)) = entry(node, on) {
        let owner = owner(Aspect::Trigger);
        pattern::mutants(&trigger.value, &child(steps, at), kind, &owner, tree);
    }
    for key in ["cooldownTurns", "maxFireCount"] {
        if let Some((at, number)) = entry(node, key) {
            let owner = owner(Aspect::Trigger);
            tree.bound(&owner, &format!("`{key}`"), &number.value, &child(steps, at));
        }
    }
    conditions(node, steps, &owner(Aspect::Condition), tree);
    if let Some((at, actions)) = entry(node, does) {
        let owner = owner(Aspect::Action);
        for (index, action) in actions.value.as_list().unwrap_or_default().iter().enumerate() {
            let edit = Edit::Remove(child(&child(steps, at), index));
            tree.add(&owner, format!("{} removed", shown(action, index)), action.span, edit);
        }
    }
}

/// An action as a change names it: its index and what it is.
fn shown(action: &Node, index: usize) -> String {
    let text = |key: &str| action.get(key).and_then(Node::as_text);
    let what = [text("type"), text("variableId").or(text("path"))];
    let what: Vec<&str> = what.into_iter().flatten().collect();
    if what.is_empty() {
        return format!("action {index}");
    }
    format!("action {index} (`{}`)", escape::name(&what.join(" ")))
}

/// `conditions`, which is a condition or a list that `conditionLogic` combines.
fn conditions(node: &Node, steps: &Steps, owner: &Owner, tree: &mut Tree<'_>) {
    let Some((at, written)) = entry(node, "conditions") else { return };
    let own = child(steps, at);
    let items = match &written.value.kind {
        Kind::List(items) => items,
        Kind::Map(_) => return condition::mutants(&written.value, &own, &TESTS, owner, tree),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => return,
    };
    if let [only] = items.as_slice() {
        return condition::mutants(only, &child(&own, 0), &TESTS, owner, tree);
    }
    if items.is_empty() {
        return;
    }
    let logic = entry(node, "conditionLogic");
    let word = logic.and_then(|(_, logic)| logic.value.as_text()).unwrap_or("all");
    let other = if word == "any" { "all" } else { "any" };
    let all = mapping(word, written.value.clone());
    let change = "condition negated";
    tree.add(owner, change, written.value.span, Edit::Put(own.clone(), negated(&all)));
    let change = format!("`{word}` became `{other}`");
    let turned = mapping(other, written.value.clone());
    let place = logic.map_or(written.value.span, |(_, logic)| logic.value.span);
    tree.add(owner, change, place, Edit::Put(own.clone(), turned));
    for (index, item) in items.iter().enumerate() {
        let steps = child(&own, index);
        condition::part_negated(item, &steps, &TESTS, owner, tree);
        condition::parts(item, &steps, &TESTS, owner, tree);
    }
}

/// The entries of a mapping without one of them.
pub(super) fn without(entries: &[Entry], at: usize) -> Vec<Entry> {
    let kept = entries.iter().enumerate().filter(|(index, _)| *index != at);
    kept.map(|(_, entry)| entry.clone()).collect()
}
