//! Decodes the `trigger` of a rule and the `when` of a reaction to the same kind of pattern.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Span, did_you_mean, escape};

use super::Context;
use super::action::{Target, target};
use super::condition::field;
use crate::cond::{Condition, ConditionKind, Operator, Ref};
use crate::decode::{Fields, boolean, choice, id, number, text, whole};
use crate::path::Path;
use crate::react::codes::{BAD_EVENT, UNKNOWN_TRIGGER};
use crate::react::event::{
    ACTION_EXECUTED, MESSAGE_AI, MESSAGE_USER, SESSION_START, STATE_CHANGED, TURN_COMPLETE,
};
use crate::react::keyword::{Side, Written};
use crate::react::trigger::{Direction, On, Test, Trigger};
use crate::value::Value;

/// The triggers, and the keys that each accepts besides `type`.
pub(crate) const TRIGGERS: [(&str, &[&str]); 10] = [
    ("variable-crossed", &["variableId", "direction", "threshold"]),
    ("state-change", &["variableId"]),
    ("turn-count", &["atTurn", "everyNTurns"]),
    ("session-start", &[]),
    ("keyword", &["keywords", "wholeWord", "matchWholeWords"]),
    ("ai-keyword", &["keywords", "wholeWord", "matchWholeWords"]),
    ("every-turn", &[]),
    ("action", &["actionId"]),
    ("manual", &[]),
    ("event", &["eventType", "match"]),
];

/// A trigger, and its keywords if it has any.
pub(super) type Decoded = (Trigger, Option<Written>);

/// Decodes the `trigger` of a rule.
pub(super) fn trigger(node: &Node, context: &mut Context<'_, '_>) -> Option<Decoded> {
    let entries = node.as_map().unwrap_or_default();
    let all: Vec<&str> = entries.iter().map(|entry| &*entry.key).collect();
    let problems = &mut *context.problems;
    let fields = Fields::of(node, "a trigger", &all, problems)?;
    let written = fields.require("type", "a trigger", problems)?;
    let name = text(written, "`type`", problems)?;
    let Some((name, keys)) = TRIGGERS.iter().find(|(known, _)| *known == name) else {
        let message = format!("unknown trigger `{}`", escape::name(name));
        let names = TRIGGERS.iter().map(|(name, _)| *name);
        problems.push(
            Diagnostic::new(&UNKNOWN_TRIGGER, written.span, message)
                .help(did_you_mean("trigger", name, names)),
        );
        return None;
    };
    if *name == "event" {
        return pattern(node, "the trigger `event`", Some("type"), context);
    }
    let what = format!("the trigger `{name}`");
    let known: Vec<&str> = ["type"].iter().chain(*keys).copied().collect();
    let fields = Fields::of(node, &what, &known, problems)?;
    let plain = |on: &str, tests: Vec<Test>| {
        Some((
            Trigger { on: On::Type(on.into()), tests, keywords: Vec::new(), span: node.span },
            None,
        ))
    };
    match *name {
        "variable-crossed" => {
            let path = fields.require("variableId", &what, problems);
            let path = path.and_then(|node| variable(node, problems));
            let direction = fields.require("direction", &what, problems);
            let direction =
                direction.and_then(|node| choice(node, "direction", &Direction::NAMES, problems));
            let threshold = fields.require("threshold", &what, problems);
            let threshold = threshold.and_then(|node| number(node, "`threshold`", problems));
            let test = Test::Crossed { path: path?, direction: direction?, threshold: threshold? };
            plain(STATE_CHANGED, vec![test])
        }
        "state-change" => match fields.get("variableId") {
            None => plain(STATE_CHANGED, Vec::new()),
            Some(node) => {
                let path = variable(node, problems)?;
                plain(STATE_CHANGED, vec![Test::Changed(path)])
            }
        },
        "turn-count" => plain(TURN_COMPLETE, vec![turns(&fields, node.span, problems)?]),
        "session-start" => plain(SESSION_START, Vec::new()),
        "every-turn" => plain(TURN_COMPLETE, Vec::new()),
        "action" => {
            let written = fields.require("actionId", &what, problems)?;
            id(written, "`actionId`", problems)?;
            let entry =
                Entry { key: "actionId".into(), key_span: written.span, value: written.clone() };
            let test = context.fields(&[(&entry, None)], node.span)?;
            plain(ACTION_EXECUTED, vec![test])
        }
        "manual" => {
            let (tests, keywords) = (Vec::new(), Vec::new());
            Some((Trigger { on: On::Manual, tests, keywords, span: node.span }, None))
        }
        _ => keywords(*name == "ai-keyword", &fields, &what, node.span, context),
    }
}

fn variable(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Path> {
    match target(node, "`variableId`", problems)? {
        Target::Variable(path) => Some(path),
        Target::Effect => {
            let message = "an `@` path is not a variable";
            problems.push(Diagnostic::new(&crate::code::BAD_PATH, node.span, message));
            None
        }
    }
}

fn turns(fields: &Fields<'_>, span: Span, problems: &mut Vec<Diagnostic>) -> Option<Test> {
    let mut turn = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => whole(node, &format!("`{key}`"), 1, problems).map(Some),
    };
    let (at, every) = (turn("atTurn"), turn("everyNTurns"));
    let (at, every) = (at?, every?);
    if at.is_none() && every.is_none() {
        let message = "the trigger `turn-count` needs `atTurn` or `everyNTurns`";
        problems.push(
            Diagnostic::new(&crate::code::MISSING_KEY, span, message).help("add one of them"),
        );
        return None;
    }
    Some(Test::Turn { at, every })
}

fn keywords(
    ai: bool,
    fields: &Fields<'_>,
    what: &str,
    span: Span,
    context: &mut Context<'_, '_>,
) -> Option<Decoded> {
    let problems = &mut *context.problems;
    let mut whole_word = Some(false);
    // The second is the name that recipes use.
    for key in ["wholeWord", "matchWholeWords"] {
        if let Some(node) = fields.get(key) {
            whole_word = boolean(node, &format!("`{key}`"), problems);
        }
    }
    let node = fields.require("keywords", what, problems)?;
    let written = context.keywords.decode(node, whole_word?, context.limits, problems);
    let (on, side) = if ai { (MESSAGE_AI, Side::Ai) } else { (MESSAGE_USER, Side::User) };
    let tests = vec![Test::Keywords(side)];
    let items = node.as_list().unwrap_or_default().iter();
    let keywords = items.filter_map(|item| item.as_text().map(Into::into)).collect();
    Some((Trigger { on: On::Type(on.into()), tests, keywords, span }, Some(written)))
}

/// Decodes the `when` of a reaction: `eventType`, fields and `match`.
pub(super) fn when(node: &Node, context: &mut Context<'_, '_>) -> Option<Decoded> {
    pattern(node, "`when`", None, context)
}

/// A pattern of any event. `own` is a key that is not a field of the event.
fn pattern(
    node: &Node,
    what: &str,
    own: Option<&str>,
    context: &mut Context<'_, '_>,
) -> Option<Decoded> {
    let entries = node.as_map().unwrap_or_default();
    let all: Vec<&str> = entries.iter().map(|entry| &*entry.key).collect();
    let fields = Fields::of(node, what, &all, context.problems)?;
    let kind = fields.require("eventType", what, context.problems);
    let on = kind.and_then(|node| event_type(node, context.problems));
    let changes = on == Some(On::Type(STATE_CHANGED.into()));
    let mut tests = Vec::new();
    let mut asked: Vec<(&Entry, Option<&Node>)> = Vec::new();
    for entry in entries {
        match &*entry.key {
            "eventType" | "match" => {}
            key if Some(key) == own => {}
            // The variable is a path here, as it is in a trigger.
            "variableId" if changes && entry.value.as_text().is_some() => {
                let path = variable(&entry.value, context.problems)?;
                tests.push(Test::Changed(path));
            }
            _ => asked.push((entry, None)),
        }
    }
    if let Some(written) = fields.get("match") {
        let Kind::Map(entries) = &written.kind else {
            let problem = crate::decode::wrong_type(written, "`match`", "a mapping of fields");
            context.problems.push(problem.help("write `match: {zone: {op: eq, value: forest}}`"));
            return None;
        };
        asked.extend(entries.iter().map(|entry| (entry, Some(&entry.value))));
    }
    if !asked.is_empty() {
        tests.push(context.fields(&asked, node.span)?);
    }
    Some((Trigger { on: on?, tests, keywords: Vec::new(), span: node.span }, None))
}

fn event_type(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<On> {
    let written = text(node, "`eventType`", problems)?;
    let Some(namespace) = written.strip_suffix('*') else {
        return id(node, "`eventType`", problems).map(|kind| On::Type(kind.into()));
    };
    if !namespace.ends_with(':') || namespace.len() < 2 || namespace.contains('*') {
        let message = format!("`{}` is not a valid event pattern", escape::name(written));
        problems.push(Diagnostic::new(&BAD_EVENT, node.span, message).help(
            "write the full type, or `spatial:*` for every type that starts with `spatial:`",
        ));
        return None;
    }
    Some(On::Namespace(namespace.into()))
}

impl Context<'_, '_> {
    /// The test of the fields of an event.
    fn fields(&mut self, asked: &[(&Entry, Option<&Node>)], span: Span) -> Option<Test> {
        let before = self.problems.len();
        let mut all: Vec<Condition> = Vec::new();
        for (entry, test) in asked {
            all.push(field(entry, *test, self.problems));
        }
        let variables = all.iter().filter_map(variable_asked).collect();
        let tree = match all.len() {
            1 => all.pop()?,
            _ => Condition { kind: ConditionKind::All(all), span },
        };
        let condition = self.compile_pattern(&tree, before)?;
        let flat = asked.iter().filter(|(_, test)| test.is_none());
        let key = flat.map(|(entry, _)| *entry).find_map(index_key);
        Some(Test::Fields { condition, key, variables })
    }
}

/// The variable that a test of a field requires.
fn variable_asked(test: &Condition) -> Option<(Box<str>, Span)> {
    let ConditionKind::Ref(Ref { id, args: Some(args), .. }) = &test.kind else { return None };
    let about = args.get("path").and_then(Node::as_text) == Some("variableId");
    let value = args.get("value").filter(|_| about && **id == *Operator::Equals.id())?;
    Some((value.as_text()?.into(), value.span))
}

/// The key for the index: a field that must equal a single value.
fn index_key(entry: &Entry) -> Option<(Box<str>, Value)> {
    let simple = matches!(Path::parse(&entry.key), Ok(path) if path.segments().len() == 1);
    let value = match Value::from_node(&entry.value) {
        value @ (Value::Bool(_) | Value::Number(_) | Value::Text(_)) => value,
        Value::Null | Value::List(_) | Value::Map(_) => return None,
    };
    // A quoted key differs from its written form.
    (simple && !entry.key.starts_with('[')).then(|| (entry.key.clone(), value))
}
