//! `lawful react` for people: what fired and why, the changes of the state, and the effects.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful_syntax::escape;
use lawful_syntax::render::to_json;

use super::react::{FiringView, NotFiredView, Stepped};
use crate::react::{Effect, Session};
use crate::value::Value;

/// The result of a step as text.
pub fn step_text(before: &Session, step: &Stepped) -> String {
    let effects = step.effects.iter().map(effect_text).collect();
    let not_fired = step.trace.not_fired.as_deref().unwrap_or_default();
    let (fired, after) = (step.trace.fired.as_slice(), &step.session);
    left_out_text(&step.left_out) + &Told { fired, not_fired, before, after, effects }.text()
}

/// A line that names the rules that were left out, or nothing.
pub fn left_out_text(rules: &[Option<String>]) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let name = |id: &Option<String>| match id {
        Some(id) => escape::line(id).into_owned(),
        None => "a rule without an id".to_owned(),
    };
    let names: Vec<String> = rules.iter().map(name).collect();
    format!("left out, because of errors: {}\n", names.join(", "))
}

/// What is shown of a step, whether it just ran or comes from a log.
#[derive(Debug)]
pub struct Told<'v> {
    /// The rules that fired.
    pub fired: &'v [FiringView],
    /// The rules that did not fire, if requested.
    pub not_fired: &'v [NotFiredView],
    /// The session before the step.
    pub before: &'v Session,
    /// The session after the step.
    pub after: &'v Session,
    /// The effects, each on one line.
    pub effects: Vec<String>,
}

impl Told<'_> {
    /// The lines.
    pub fn text(&self) -> String {
        let mut out = format!("turn {}, step {}\n", self.after.turn, self.after.step);
        for firing in self.fired {
            fired(firing, &mut out);
        }
        if self.fired.is_empty() {
            out.push_str("no rule fired\n");
        }
        for row in self.not_fired {
            let rule = escape::line(&row.rule);
            let _ = writeln!(out, ". {rule}  {}: {}", row.gate.name(), escape::line(&row.why));
        }
        let changes = state_diff(self.before, self.after);
        section("state", &changes, &mut out);
        section("effects", &self.effects, &mut out);
        out
    }
}

fn section(head: &str, lines: &[String], out: &mut String) {
    if !lines.is_empty() {
        let _ = writeln!(out, "{head}\n  {}", lines.join("\n  "));
    }
}

fn fired(firing: &FiringView, out: &mut String) {
    let _ = write!(out, "+ {}  wave {}: ", escape::line(&firing.rule), firing.wave);
    out.push_str(&event_text(&firing.event));
    if let Some(hit) = &firing.matched {
        let (keyword, text) = (short(&hit.keyword), short(&hit.text));
        let _ = write!(out, ", `{keyword}` found as `{text}` at {}..{}", hit.start, hit.end);
    }
    out.push('\n');
    for change in &firing.changes {
        let path = escape::line(&change.path);
        let _ = write!(out, "    {}  {path}: ", change.action);
        let _ = write!(out, "{} -> {}", value(&change.before), value(&change.after));
        let note = change
            .note
            .as_deref()
            .map_or(String::new(), |note| format!(" ({})", escape::line(note)));
        let _ = writeln!(out, "{note}");
    }
}

/// An event in short: its type, and its short fields.
fn event_text(event: &Value) -> String {
    let kind = event.get("type").and_then(Value::as_text).unwrap_or_default();
    if let (Some(variable), true) = (event.get("variableId"), kind == "state:changed") {
        let part = |field: &str| value(event.get(field).unwrap_or(&Value::Null));
        let variable = escape::line(variable.as_text().unwrap_or_default()).into_owned();
        return format!("{variable} went from {} to {}", part("oldValue"), part("newValue"));
    }
    let mut out = escape::line(kind).into_owned();
    if let Value::Map(map) = event {
        for (key, field) in map.iter().filter(|(key, _)| !matches!(*key, "type" | "content")) {
            let _ = write!(out, " {}={}", escape::line(key), value(field));
        }
    }
    escape::shorten(&out, 120).into_owned()
}

/// An effect on one line.
pub fn effect_text(effect: &Effect) -> String {
    format!("{} {}", effect.id, request_text(effect.kind.name(), effect.fields.iter()))
}

/// The request of an effect on one line.
pub fn request_text<'v>(
    kind: &str,
    fields: impl IntoIterator<Item = (&'v str, &'v Value)>,
) -> String {
    let mut out = escape::line(kind).into_owned();
    for (key, field) in fields {
        let _ = write!(out, " {}={}", escape::line(key), value(field));
    }
    out
}

/// The differences between two sessions, one line each: `+` is new, `-` is gone, `~` has changed.
pub fn state_diff(before: &Session, after: &Session) -> Vec<String> {
    let (old, new) = (parts(before), parts(after));
    let mut out = Vec::new();
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let shown = escape::line(name);
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) if old.exact == new.exact => {}
            (Some(old), Some(new)) if old.shown == new.shown => {
                out.push(format!("~ {shown}: {}, and differs in what is not shown", new.shown));
            }
            (Some(old), Some(new)) => {
                out.push(format!("~ {shown}: {} -> {}", old.shown, new.shown));
            }
            (None, Some(new)) => out.push(format!("+ {shown}: {}", new.shown)),
            (Some(old), None) => out.push(format!("- {shown}: {}", old.shown)),
            (None, None) => {}
        }
    }
    out
}

/// A part of a session.
struct SessionPart {
    /// All of it, to compare.
    exact: String,
    /// On one line, cut.
    shown: String,
}

impl SessionPart {
    fn short(text: String) -> Self {
        Self { exact: text.clone(), shown: text }
    }
}

fn parts(session: &Session) -> BTreeMap<String, SessionPart> {
    let mut out = BTreeMap::new();
    if let Value::Map(map) = &session.variables {
        let present = map.iter().filter(|(_, value)| value.present().is_some());
        out.extend(present.map(|(key, field)| {
            let part = SessionPart { exact: field.to_string(), shown: value(field) };
            (key.to_owned(), part)
        }));
    }
    for directive in &session.directives {
        let until = directive.until.map_or("on".to_owned(), |until| format!("to {until}"));
        let position = match directive.position.depth() {
            Some(depth) => format!("depth {depth}"),
            None => directive.position.name().to_owned(),
        };
        let line = |text: &str| format!("\"{text}\" {position}, turns {} {until}", directive.from);
        let part = SessionPart {
            exact: line(&directive.content),
            shown: line(&short(&directive.content)),
        };
        out.insert(format!("@prompt.directive.{}", directive.id), part);
    }
    for (id, on) in &session.entries {
        out.insert(format!("@prompt.entry.{id}"), SessionPart::short(on.to_string()));
    }
    for (id, on) in &session.rules {
        out.insert(format!("@rules.disabled.{id}"), SessionPart::short((!on).to_string()));
    }
    for (at, queued) in session.context.iter().enumerate() {
        let line = |text: &str| format!("\"{text}\" as {}", queued.role.name());
        let part =
            SessionPart { exact: line(&queued.message), shown: line(&short(&queued.message)) };
        out.insert(format!("@prompt.context[{at}]"), part);
    }
    out
}

fn value(value: &Value) -> String {
    escape::shorten(&value.to_string(), 120).into_owned()
}

fn short(text: &str) -> String {
    escape::line(&escape::shorten(text, 80)).into_owned()
}

impl Session {
    /// The session as JSON, which [`from_json`](Self::from_json) reads.
    pub fn to_json(&self) -> String {
        // A session has only strings, numbers and maps with string keys, so it is always valid
        // JSON.
        to_json(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_behind_the_cut_is_a_change() {
        let session = |end: &str| {
            let text = format!("{{\"variables\": {{\"log\": \"{}{end}\"}}}}", "a".repeat(200));
            Session::from_json(&text).unwrap()
        };
        let found = state_diff(&session("b"), &session("c"));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found.iter().all(|line| line.ends_with("and differs in what is not shown")));
        assert!(state_diff(&session("b"), &session("b")).is_empty());
    }
}
