//! `conditions` and `conditionLogic`, decoded to the condition language.

use lawful_syntax::{Diagnostic, Entry, Kind, Node};

use crate::code;
use crate::cond::{Condition, ConditionKind, Leaves, PATH, TestWords, decode, decode_with};
use crate::decode::{Fields, choice, wrong_type};
use crate::path::Path;
use crate::react::source::without_state;

/// How several conditions combine, and whether one of them is enough.
pub(crate) const LOGIC: [(&str, bool); 2] = [("all", false), ("any", true)];
/// `{variableId, operator, value}`
pub(crate) const VARIABLE: TestWords =
    TestWords { subject: "variableId", operator: "operator", reserved: true };

/// The condition of a rule. It is always true if it is absent or an empty list.
pub(super) fn conditions(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> Condition {
    let any = fields
        .get("conditionLogic")
        .and_then(|node| choice(node, "conditionLogic", &LOGIC, problems));
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

/// A condition that also accepts tests of the form `{variableId, operator, value}`.
fn one(node: &Node, problems: &mut Vec<Diagnostic>) -> Condition {
    // `state.hp` and `hp` are one variable, so they become one path.
    let path = |written: &Node, _: &mut Vec<Diagnostic>| {
        let parsed = written.as_text().and_then(|text| Path::parse(text).ok());
        let bare = parsed.as_ref().and_then(without_state);
        Some(
            bare.map_or_else(|| written.clone(), |bare| Node::text(bare.to_string(), written.span)),
        )
    };
    let (condition, found) = decode_with(node, &Leaves { tests: &[VARIABLE, PATH], path: &path });
    problems.extend(found);
    condition
}

/// A test of one field of an event: `{op, value}`, or a value that the field must equal.
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
        let message = "a test in `match` takes no `path`; its key is the path";
        problems.push(Diagnostic::new(&code::UNKNOWN_KEY, repeated.key_span, message));
        return Condition { kind: ConditionKind::Broken, span: repeated.key_span };
    }
    let span = entry.key_span.to(entry.value.span);
    let (condition, found) = decode(&Node { kind: Kind::Map(entries), span });
    problems.extend(found);
    condition
}
