//! Mutants of the trigger of a rule and of the `when` of a reaction: bounds, and tests of fields.

use lawful_syntax::{Entry, Kind, Node, escape};

use super::edit::Edit;
use super::rules::without;
use super::{Owner, Steps, Tree, child, entry, is_bound, opposite};
use crate::cond::Operator;
use crate::react::{RuleKind, STATE_CHANGED};

/// The numbers of triggers.
const BOUNDS: [&str; 3] = ["threshold", "atTurn", "everyNTurns"];

pub(super) fn mutants(
    node: &Node,
    steps: &Steps,
    kind: RuleKind,
    owner: &Owner,
    tree: &mut Tree<'_>,
) {
    let is_pattern = match kind {
        RuleKind::Rule => node.get("type").and_then(Node::as_text) == Some("event"),
        RuleKind::Reaction => true,
    };
    if !is_pattern {
        for key in BOUNDS {
            if let Some((at, number)) = entry(node, key) {
                tree.bound(owner, &format!("`{key}`"), &number.value, &child(steps, at));
            }
        }
        return;
    }
    let changes = node.get("eventType").and_then(Node::as_text) == Some(STATE_CHANGED);
    for (at, field) in node.as_map().unwrap_or_default().iter().enumerate() {
        match &*field.key {
            "eventType" => {}
            "type" if kind == RuleKind::Rule => {}
            "variableId" if changes => {}
            "match" => matched(&field.value, &child(steps, at), owner, tree),
            _ => equality(node, at, field, steps, owner, tree),
        }
    }
}

/// A field that must equal a value: negated, it is a test of `match`.
fn equality(
    node: &Node,
    at: usize,
    field: &Entry,
    steps: &Steps,
    owner: &Owner,
    tree: &mut Tree<'_>,
) {
    let place = field.key_span.to(field.value.span);
    let made = |key: &str, value: Node| Entry { key: key.into(), key_span: place, value };
    let test = vec![
        made("op", Node::text(Operator::NotEquals.name(), place)),
        made("value", field.value.clone()),
    ];
    let test = made(&field.key, Node { kind: Kind::Map(test), span: place });
    let mut entries = without(node.as_map().unwrap_or_default(), at);
    let known = entries.iter_mut().find(|entry| &*entry.key == "match");
    match known.map(|entry| &mut entry.value.kind) {
        Some(Kind::Map(tests)) => tests.push(test),
        Some(_) => return,
        None => entries.push(made("match", Node { kind: Kind::Map(vec![test]), span: place })),
    }
    let turned = Node { kind: Kind::Map(entries), span: node.span };
    let change = format!("`{}` negated", escape::name(&field.key));
    tree.add(owner, change, place, Edit::Put(steps.clone(), turned));
}

/// The tests of `match`: `{op, value}` by field.
fn matched(node: &Node, steps: &Steps, owner: &Owner, tree: &mut Tree<'_>) {
    for (at, field) in node.as_map().unwrap_or_default().iter().enumerate() {
        let steps = child(steps, at);
        let Some((op_at, op)) = entry(&field.value, "op") else { continue };
        let Some(operator) = op.value.as_text().and_then(Operator::find) else { continue };
        let name = escape::name(&field.key);
        if let Some(other) = opposite(operator) {
            let change = format!("`{name}`: `{}` became `{}`", operator.name(), other.name());
            let turned = Node::text(other.name(), op.value.span);
            tree.add(owner, change, op.value.span, Edit::Put(child(&steps, op_at), turned));
        }
        if let Some((value_at, value)) = entry(&field.value, "value").filter(|_| is_bound(operator))
        {
            let what = format!("`{name}` {}", operator.phrase());
            tree.bound(owner, &what, &value.value, &child(&steps, value_at));
        }
    }
}
