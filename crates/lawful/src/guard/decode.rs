//! Decodes documents to guards: `guards/*.yaml`, a list.
//!
//! Every problem of every guard is reported. A guard with an error is quarantined; what it decides
//! on is kept as far as it can be decoded.

mod on;

use std::cell::RefCell;

use lawful_syntax::{Diagnostic, Node, Span, did_you_mean, escape};

use super::codes::{BAD_GUARD, UNKNOWN_FIELD};
use super::guards::{Decision, Guard, On};
use crate::cond::{
    CondId, Condition, ConditionKind, Leaves, Operator, PATH, SetBuilder, Surface, decode_with,
    without_echoes,
};
use crate::decode::{Fields, id, narrow, text};
use crate::live::EventKind;
use crate::live::field::{FIELDS, Field};
use crate::path::{Path, Segment};
use crate::react::{EVENT, Piece, STATE, Source, pieces};

pub(crate) use on::DECIDED;

/// A guard, as far as it could be decoded.
pub(super) struct Decoded {
    pub id: Option<(Box<str>, Span)>,
    pub span: Span,
    pub on: Option<On>,
    /// Whether it denies if it has an error.
    pub denies: bool,
    /// `None` if it has an error.
    pub guard: Option<Guard>,
}

/// The keys of a guard.
pub(crate) const KEYS: [&str; 6] = ["id", "on", "when", "deny", "ask", "allow"];
/// What the ids of built-in guards start with.
pub(crate) const BUILT_IN: [&str; 2] = ["protect.", "guards."];

/// Decodes a document: a list of guards.
pub(super) fn document(
    node: &Node,
    conditions: &mut SetBuilder<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Decoded> {
    if node.is_null() {
        return Vec::new();
    }
    let Some(items) = node.as_list() else {
        let problem = crate::decode::wrong_type(node, "a document of guards", "a list of guards");
        problems.push(problem.help("start each guard with `- id: …`"));
        // Whatever it means, it may have denied everything.
        return vec![Decoded { id: None, span: node.span, on: None, denies: true, guard: None }];
    };
    items.iter().map(|item| guard(item, conditions, problems)).collect()
}

fn guard(node: &Node, conditions: &mut SetBuilder<'_>, problems: &mut Vec<Diagnostic>) -> Decoded {
    let before = problems.len();
    let name = node.get("id").and_then(|id| Some((id.as_text()?.into(), id.span)));
    let is_only_allow = node.get("allow").is_some_and(|reason| !reason.is_null())
        && ["deny", "ask"].iter().all(|key| node.get(key).is_none());
    let (on, guard) = parts(node, conditions, problems);
    let found = problems.get(before..).unwrap_or_default();
    let sound = !found.iter().any(Diagnostic::is_error);
    let guard = guard.filter(|_| sound);
    Decoded { id: name, span: node.span, on, denies: !is_only_allow, guard }
}

fn parts(
    node: &Node,
    conditions: &mut SetBuilder<'_>,
    problems: &mut Vec<Diagnostic>,
) -> (Option<On>, Option<Guard>) {
    let what = "a guard";
    let Some(fields) = Fields::of(node, what, &KEYS, problems) else { return (None, None) };
    let name = fields.require("id", what, problems);
    let name = name.and_then(|node| Some((guard_id(node, problems)?, node.span)));
    let on = match fields.get("on") {
        None if fields.has_in_other_case("on") => None,
        None => Some(On::default()),
        Some(node) => on::on(node, problems),
    };
    let event = on.as_ref().map(|on| on.event);
    let decision = decision(node, &fields, event, problems);
    let known = problems.len();
    let tree = when(fields.get("when"), problems);
    let (condition, found) = conditions.add(&tree, Surface::When);
    let decoded = problems.get(known..).unwrap_or_default();
    let found = without_echoes(found, decoded);
    let told = !decoded.is_empty();
    problems.extend(found);
    if let Some(condition) = condition.filter(|_| !told && refers(&tree)) {
        saved_reads(condition, &tree, conditions, problems);
    }
    let made = || {
        let (decision, reason) = decision?;
        let (id, id_span) = name?;
        Some(Guard {
            id: id.into(),
            id_span,
            span: node.span,
            on: on.clone()?,
            when: tree,
            condition: condition?,
            decision,
            reason: reason.as_text()?.trim_end().into(),
            reason_span: reason.span,
        })
    };
    let guard = made();
    (on, guard)
}

fn guard_id<'n>(node: &'n Node, problems: &mut Vec<Diagnostic>) -> Option<&'n str> {
    let found = id(node, "`id`", problems)?;
    let prefix = BUILT_IN.iter().find(|prefix| found.starts_with(**prefix));
    if let Some(prefix) = prefix {
        let message = format!("an id cannot start with `{prefix}`: `{}`", escape::name(found));
        problems.push(
            Diagnostic::new(&BAD_GUARD, node.span, message)
                .help("rename it; such ids belong to built-in guards"),
        );
    }
    prefix.is_none().then_some(found)
}

/// The decision of a guard, and its reason.
fn decision<'n>(
    node: &Node,
    fields: &Fields<'n>,
    event: Option<EventKind>,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Decision, &'n Node)> {
    let written: Vec<(&str, Decision, &Node)> = Decision::NAMES
        .iter()
        .filter_map(|(name, decision)| Some((*name, *decision, fields.written(name)?)))
        .collect();
    let start = Span { end: node.span.start, ..node.span };
    let (name, decision, reason) = match &*written {
        [] => {
            if !Decision::NAMES.iter().any(|(name, _)| fields.has_in_other_case(name)) {
                let message = "a guard is missing a decision";
                problems.push(
                    Diagnostic::new(&BAD_GUARD, start, message)
                        .help("write one of `deny`, `ask` and `allow`, with the reason"),
                );
            }
            return None;
        }
        [one] => *one,
        [first, .., last] => {
            let message =
                format!("a guard must have one decision, found `{}` and `{}`", first.0, last.0);
            problems
                .push(Diagnostic::new(&BAD_GUARD, start, message).help("split it into two guards"));
            return None;
        }
    };
    let said = text(reason, &format!("`{name}`"), problems)?;
    if said.trim().is_empty() {
        let message = format!("the reason of `{name}` is blank");
        problems.push(
            Diagnostic::new(&BAD_GUARD, reason.span, message)
                .help("say what to do instead; the agent reads it"),
        );
        return None;
    }
    placeholders(reason, said, event, problems);
    let only_deny = event.filter(|event| *event != EventKind::ToolCall);
    if let Some(event) = only_deny.filter(|_| decision != Decision::Deny) {
        let message = format!("a guard on `{}` cannot `{name}`", event.name());
        problems.push(
            Diagnostic::new(&BAD_GUARD, reason.span, message)
                .help("write `deny`; only a tool call can be asked about or allowed"),
        );
        return None;
    }
    Some((decision, reason))
}

/// Decodes a `when` whose paths start with `event` or `state`.
fn when(node: Option<&Node>, problems: &mut Vec<Diagnostic>) -> Condition {
    let Some(node) = node else { return Condition::always() };
    let unknown = RefCell::new(Vec::new());
    let path = |written: &Node, _: &mut Vec<Diagnostic>| {
        if let Some(text) = written.as_text()
            && let Ok(path) = Path::parse(text)
        {
            unknown.borrow_mut().extend(unreadable(&path, written.span));
        }
        Some(written.clone())
    };
    let (condition, found) = decode_with(node, &Leaves { tests: &[PATH], path: &path });
    problems.extend(found);
    problems.append(&mut unknown.borrow_mut());
    condition
}

/// Whether a condition refers to a saved one or to a primitive of the host.
fn refers(tree: &Condition) -> bool {
    match &tree.kind {
        ConditionKind::All(parts) | ConditionKind::Any(parts) => parts.iter().any(refers),
        ConditionKind::Not(part) => refers(part),
        ConditionKind::Ref(reference) => Operator::with_id(&reference.id).is_none(),
        ConditionKind::Always | ConditionKind::Broken => false,
    }
}

/// Reports what saved conditions and primitives read that a guard does not have.
fn saved_reads(
    condition: CondId,
    tree: &Condition,
    conditions: &SetBuilder<'_>,
    problems: &mut Vec<Diagnostic>,
) {
    let reads = conditions.reads(condition);
    problems.extend(reads.into_iter().filter_map(|path| unreadable(path, tree.span)));
}

/// The problem with a path that no guard can read.
fn unreadable(path: &Path, span: Span) -> Option<Diagnostic> {
    let help_state = "write `event.FIELD` or `state.VARIABLE`";
    let (message, help) = match path.segments() {
        [Segment::Key(root), Segment::Key(field), ..] if **root == *EVENT => {
            if Field::find(field).is_some() {
                return None;
            }
            let names = FIELDS.iter().map(|field| field.name);
            let help = did_you_mean("field", field, names);
            (format!("no event has a field `{}`", escape::name(field)), help)
        }
        [Segment::Key(root), Segment::Key(_), ..] if **root == *STATE => return None,
        _ => {
            let path = path.to_string();
            let path = escape::name(&path);
            let is_field = Field::find(&path).is_some();
            let help = if is_field { format!("write `event.{path}`") } else { help_state.into() };
            (format!("a guard cannot read `{path}`"), help)
        }
    };
    Some(Diagnostic::new(&UNKNOWN_FIELD, span, message).help(help))
}

/// Reports placeholders of a reason that can never have a value.
fn placeholders(
    node: &Node,
    reason: &str,
    event: Option<EventKind>,
    problems: &mut Vec<Diagnostic>,
) {
    for piece in pieces(reason) {
        let (written, problem) = match &piece {
            Piece::Text(_) => continue,
            Piece::Other(written) => {
                let message =
                    format!("`{}` is not a placeholder of a reason", escape::name(written));
                let help = "write `${event.FIELD}`, `${state.VARIABLE}` or `${session.turn}`; \
                            `\\${` is a literal `${`";
                ((*written).to_owned(), Some((message, help.to_owned())))
            }
            Piece::Value(Source::Field(path)) => {
                let Some(Segment::Key(name)) = path.segments().first() else { continue };
                let names = FIELDS
                    .iter()
                    .filter(|field| event.is_none_or(|event| field.of.contains(&event)));
                let names: Vec<&str> = names.map(|field| field.name).collect();
                let problem = (!names.contains(&&**name)).then(|| {
                    let message = format!("the event has no field `{}`", escape::name(name));
                    (message, did_you_mean("field", name, names.iter().copied()))
                });
                (format!("${{event.{path}"), problem)
            }
            Piece::Value(Source::Variable(_) | Source::Turn) => continue,
        };
        if let Some((message, help)) = problem {
            let at = reason.find(&written).map(|at| narrow(node, reason, at..at + written.len()));
            let span = at.unwrap_or(node.span);
            problems.push(Diagnostic::new(&UNKNOWN_FIELD, span, message).help(help));
        }
    }
}
