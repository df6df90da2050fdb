//! `conditions` and `conditionLogic`: to the one condition language.

use lawful_syntax::{Diagnostic, Entry, Kind, Node};

use crate::code;
use crate::cond::{Condition, ConditionKind, decode};
use crate::decode::{Fields, choice, wrong_type};

/// The condition of a rule. One that is not written, or is an empty list, always holds.
pub(super) fn conditions(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Condition {
    let any = fields.get("conditionLogic").and_then(|node| {
        choice(node, "conditionLogic", &[("all", false), ("any", true)], problems)
    });
    let Some(node) = fields.get("conditions") else { return Condition::always() };
    let items = match &node.kind {
        Kind::List(items) => items,
        Kind::Map(_) => return one(node, problems),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
            let problem = wrong_type(node, "`conditions`", "a list of conditions");
            problems.push(problem.help("write it as `[…]`"));
            return Condition { kind: ConditionKind::Broken, span: node.span };
        }
    };
    let mut all: Vec<Condition> = items.iter().map(|item| one(item, problems)).collect();
    let kind = match (all.len(), any) {
        (0, _) => ConditionKind::Always,
        (1, _) => return all.pop().unwrap_or_else(Condition::always),
        (_, Some(true)) => ConditionKind::Any(all),
        (_, _) => ConditionKind::All(all),
    };
    Condition { kind, span: node.span }
}

/// `{variableId, operator, value}`, or any other form of a condition.
fn one(node: &Node, problems: &mut Vec<Diagnostic>) -> Condition {
    let entries = node.as_map().unwrap_or_default();
    if !entries.iter().any(|entry| matches!(&*entry.key, "variableId" | "operator")) {
        let (condition, found) = decode(node);
        problems.extend(found);
        return condition;
    }
    let broken = Condition { kind: ConditionKind::Broken, span: node.span };
    let what = "a condition";
    let before = problems.len();
    let keys = ["variableId", "operator", "value", "quantifier"];
    let Some(fields) = Fields::of(node, what, &keys, problems) else { return broken };
    let complete = ["variableId", "operator"].map(|key| fields.require(key, what, problems));
    if complete.contains(&None) || problems.len() > before {
        return broken;
    }
    let (condition, found) = decode(&renamed(node, &[("variableId", "path"), ("operator", "op")]));
    problems.extend(found);
    condition
}

/// A mapping with some of its keys under other names.
fn renamed(node: &Node, names: &[(&str, &str)]) -> Node {
    let rename = |entry: &Entry| {
        let name = names.iter().find(|(from, _)| **from == *entry.key).map(|(_, to)| *to);
        Entry { key: name.map_or_else(|| entry.key.clone(), Into::into), ..entry.clone() }
    };
    let entries = node.as_map().unwrap_or_default().iter().map(rename).collect();
    Node { kind: Kind::Map(entries), span: node.span }
}

/// A test of one field of an event: `{op, value}`, or the value it must equal.
pub(super) fn field(
    entry: &Entry,
    test: Option<&Node>,
    problems: &mut Vec<Diagnostic>,
) -> Condition {
    let made = |key: &str, value: Node| Entry { key: key.into(), key_span: entry.key_span, value };
    let mut entries = vec![made("path", Node::text(entry.key.clone(), entry.key_span))];
    match test.map(|test| (test, test.as_map())) {
        None => {
            entries.push(made("op", Node::text("equals", entry.key_span)));
            entries.push(made("value", entry.value.clone()));
        }
        Some((_, Some(parts))) => entries.extend(parts.iter().cloned()),
        Some((test, None)) => {
            let problem = wrong_type(test, "a field of `match`", "a mapping of `op` and `value`");
            problems.push(problem.help("write `{op: gt, value: 3}`, or the field without `match`"));
            return Condition { kind: ConditionKind::Broken, span: test.span };
        }
    }
    let repeated = entries.iter().skip(1).find(|entry| &*entry.key == "path");
    if let Some(repeated) = repeated {
        let message = "a field of `match` is its own path";
        problems.push(Diagnostic::new(&code::UNKNOWN_KEY, repeated.key_span, message));
        return Condition { kind: ConditionKind::Broken, span: repeated.key_span };
    }
    let span = entry.key_span.to(entry.value.span);
    let (condition, found) = decode(&Node { kind: Kind::Map(entries), span });
    problems.extend(found);
    condition
}
