//! Sessions as text.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use lawful::Value;
use lawful::react::Session;
use lawful::syntax::escape;
use lawful::view::{StepTrace, Told, left_out_text, request_text, state_diff};
use lawful_host::Failure;
use lawful_host::session::{
    LogEntry, LogRange, PendingEffects, SessionEffect, SessionRewound, SessionWhyNot, Sessions,
    TurnResult, TurnTaken,
};
use lawful_store::{Acknowledged, Status};

/// The maximal number of characters of an input in a line; `--format json` has all of it.
const LONGEST_INPUT: usize = 200;

/// A turn that was taken, now or when its key was first used.
pub(super) fn turn(taken: &TurnTaken) -> String {
    let result = match taken.result {
        TurnResult::Committed => "committed",
        TurnResult::Duplicate => "duplicate",
        TurnResult::Conflict => "conflict",
    };
    let abandoned = taken
        .abandoned
        .map_or_else(String::new, |version| format!(", abandoned by version {version}"));
    let step = step(&taken.before, &taken.state, &taken.trace, taken.effects.iter());
    let left_out = left_out_text(&taken.left_out);
    format!("{left_out}{result}, version {}{abandoned}\n{step}", taken.version)
}

/// What a step did.
fn step<'e>(
    before: &Session,
    after: &Session,
    trace: &StepTrace,
    effects: impl Iterator<Item = &'e SessionEffect>,
) -> String {
    let effects = effects.map(effect_line).collect();
    let not_fired = trace.not_fired.as_deref().unwrap_or_default();
    Told { fired: &trace.fired, not_fired, before, after, effects }.text()
}

/// A stored step, with the rules that did not fire.
pub(super) fn why_not(found: &SessionWhyNot) -> String {
    let step = step(&found.before, &found.after, &found.trace, std::iter::empty());
    format!("version {}\n{step}", found.version)
}

/// The message when a session is not at the expected version.
pub(super) fn conflict(session: &str, version: u64, expected: Option<u64>) -> String {
    let name = escape::line(session);
    let expected = expected.map_or_else(String::new, |version| format!(", not {version}"));
    format!("conflict: session {name} is at version {version}{expected}; nothing was changed\n")
}

/// The head of a session: a summary line, and how its state differs from an empty one.
pub(super) fn head(session: &str, version: u64, state: &Session) -> String {
    let name = escape::line(session);
    let mut out =
        format!("session {name}, version {version}, turn {}, step {}\n", state.turn, state.step);
    for line in state_diff(&Session::new(), state) {
        // Everything differs from an empty state, so the mark carries no information.
        let _ = writeln!(out, "  {}", line.strip_prefix("+ ").unwrap_or(&line));
    }
    out
}

/// The result of a rewind.
pub(super) fn rewound(rewound: &SessionRewound) -> String {
    let mut out = match rewound.abandoned.len() {
        0 => "already there\n".to_owned(),
        1 => "1 step abandoned\n".to_owned(),
        many => format!("{many} steps abandoned\n"),
    };
    for (what, ids) in
        [("withdrawn", &rewound.withdrawn), ("already performed", &rewound.delivered)]
    {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "effects {what}: {}", ids.join(", "));
        }
    }
    out + &head(&rewound.session, rewound.version, &rewound.state)
}

/// Acknowledgements, and the pending effects.
pub(super) fn effects(pending: &PendingEffects) -> String {
    let mut out = String::new();
    for done in &pending.acknowledged {
        let said = match done.result {
            Acknowledged::Now => "acknowledged",
            Acknowledged::Before => "was already acknowledged",
            Acknowledged::Late => "was withdrawn; recorded as performed",
        };
        let _ = writeln!(out, "{} {said}", done.id);
    }
    for effect in &pending.effects {
        let _ = writeln!(out, "{}", effect_line(effect));
    }
    if out.is_empty() { "no pending effects\n".to_owned() } else { out }
}

/// Steps on every branch. Only their text is kept.
pub(super) fn log(sessions: &Sessions, session: &str, range: LogRange) -> Result<String, Failure> {
    let mut out = String::new();
    sessions.each_logged(session, range, |entry, before| {
        out.push_str(&log_entry(entry, before));
        out.push('\n');
        ControlFlow::Continue(())
    })?;
    if out.is_empty() {
        return Ok("no steps\n".to_owned());
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Ok(out)
}

fn log_entry(entry: &LogEntry, before: Option<&Session>) -> String {
    let mut out = format!("version {}", entry.version);
    if let Some(key) = &entry.key {
        let _ = write!(out, ", key {}", escape::line(key));
    }
    if let Some(version) = entry.abandoned {
        let _ = write!(out, ", abandoned by version {version}");
    }
    out.push('\n');
    match (before, &entry.trace) {
        (Some(before), Some(trace)) => {
            let input = entry.input.to_string();
            let input = escape::shorten(&input, LONGEST_INPUT);
            let _ = writeln!(out, "input {}", escape::line(&input));
            let effects = entry.effects.iter().map(|logged| &logged.effect);
            out.push_str(&step(before, &entry.state, trace, effects));
        }
        (None, _) | (_, None) => out.push_str("start\n"),
    }
    out
}

/// An effect on one line, with its status.
fn effect_line(effect: &SessionEffect) -> String {
    let line = format!("{} {}", effect.id, request_line(&effect.body));
    match effect.status {
        Status::Pending => line,
        Status::Acknowledged => format!("{line} (acknowledged)"),
        Status::Withdrawn => format!("{line} (withdrawn)"),
        Status::Repeated => format!("{line} (done before)"),
    }
}

/// The request of an effect, on one line.
pub(crate) fn request_line(body: &Value) -> String {
    let fields = match body {
        Value::Map(map) => map.iter().filter(|(key, _)| *key != "type").collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            Vec::new()
        }
    };
    request_text(body.get("type").and_then(Value::as_text).unwrap_or_default(), fields)
}
