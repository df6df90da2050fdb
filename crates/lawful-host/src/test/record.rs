//! Makes a scenario of a stored session.
//!
//! Every step of the current branch becomes a step of the scenario. What the log says happened is
//! what the scenario expects; what the log does not store, such as the decision of a guard, is what
//! happens with the lawbook of now.

use std::fmt::Write as _;
use std::path::PathBuf;

use lawful::react::Session;
use lawful::scenario::{Collect, Happened, Scenario, block, flow};
use lawful::syntax::escape;
use lawful::{Lawbook, Map, Value};

use super::suggest::write_new;
use super::{TestRequest, Tested};
use crate::failure::Failure;
use crate::session::{LogEntry, Sessions};
use crate::workspace::Workspace;

impl Workspace {
    /// Writes a scenario of a session to `scenarios/recorded-SESSION.yaml`, which must not exist, and
    /// plays it. Returns its file and its result.
    pub fn record(&self, sessions: &Sessions, session: &str) -> Result<(PathBuf, Tested), Failure> {
        let folder = self.folder()?;
        let (book, _) = self.open_tested(&folder)?;
        let mut entries = sessions.log(session)?.entries;
        entries.retain(|entry| entry.abandoned.is_none());
        let recording = Recording::of(&book, session, &entries)?;
        let bare = recording.text(&[]);
        let unplayed = |why: &str| {
            let name = escape::name(session);
            let message = format!("the session `{name}` cannot be written as a scenario: {why}");
            Failure::usage(message, "write the scenario by hand; see `lawful session log`")
        };
        let scenario = Scenario::parse(&book, &recording.path, &bare);
        let scenario =
            scenario.ok_or_else(|| unplayed("a step of it has no form in a scenario"))?;
        let played = book.play(&scenario, &self.surroundings(&folder), Collect::Nothing);
        if let Some(problem) = played.problems.first() {
            return Err(unplayed(&problem.message));
        }
        let expected = recording.expected(played.steps);
        let file = write_new(&folder.join(&recording.path), &recording.text(&expected))?;
        let paths = [file.clone()];
        let tested = self.test(TestRequest { paths: &paths, ..TestRequest::default() })?;
        Ok((file, tested))
    }
}

/// The steps of a session as those of a scenario.
struct Recording<'e> {
    /// The path of the scenario in the lawbook.
    path: String,
    name: String,
    session: &'e str,
    /// The variables that the session started with and the lawbook does not.
    state: Map,
    steps: Vec<Recorded<'e>>,
}

/// A step, the state before it, and the entry of the log.
struct Recorded<'e> {
    step: Map,
    before: &'e Session,
    entry: &'e LogEntry,
}

impl<'e> Recording<'e> {
    fn of(book: &Lawbook, session: &'e str, entries: &'e [LogEntry]) -> Result<Self, Failure> {
        let Some((first, rest)) = entries.split_first() else {
            return Err(Failure::usage("the session has no steps", "take a turn first"));
        };
        let start = book.start().variables;
        let given = variables(&first.state).filter(|(name, value)| start.get(name) != Some(value));
        let state = given.map(|(name, value)| (Box::from(name), value.clone())).collect();
        let mut before = &first.state;
        let mut steps = Vec::new();
        for entry in rest {
            steps.push(Recorded { step: step(&entry.input), before, entry });
            before = &entry.state;
        }
        if steps.is_empty() {
            return Err(Failure::usage("the session has no steps", "take a turn first"));
        }
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
        let name = format!("recorded-{}", session.chars().map(plain).collect::<String>());
        Ok(Self { path: format!("scenarios/{name}.yaml"), name, session, state, steps })
    }

    /// What each step expects: what happened, as the log has it.
    fn expected(&self, played: Vec<Happened>) -> Vec<Map> {
        let steps = self.steps.iter().zip(played);
        let logged = steps.map(|(recorded, mut happened)| {
            let Recorded { before, entry, .. } = recorded;
            let fired = entry.trace.iter().flat_map(|trace| &trace.fired);
            happened.fired = fired.map(|firing| firing.rule.as_str().into()).collect();
            happened.directives = entry.state.directives.iter().map(|one| one.id.clone()).collect();
            happened.effects = entry.effects.iter().map(|one| one.effect.body.clone()).collect();
            happened.changed = changed(before, &entry.state);
            happened.expectation()
        });
        logged.collect()
    }

    /// The text of the scenario; without expectations if there are none.
    fn text(&self, expected: &[Map]) -> String {
        let mut text = format!("# Recorded from the session `{}`.\n", escape::line(self.session));
        let _ = writeln!(text, "name: {}", flow(&self.name.as_str().into()));
        if !self.state.is_empty() {
            let _ = writeln!(text, "given:\n  state: {}", flow(&Value::Map(self.state.clone())));
        }
        text.push_str("steps:\n");
        for (at, Recorded { step, .. }) in self.steps.iter().enumerate() {
            let entries: Vec<String> =
                step.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            let _ = writeln!(text, "  - {}", entries.join("\n    "));
            if let Some(expect) = expected.get(at).filter(|expect| !expect.is_empty()) {
                let _ = writeln!(text, "    expect:\n{}", block(expect, 6));
            }
        }
        text
    }
}

/// The variables of a session.
fn variables(session: &Session) -> impl Iterator<Item = (&str, &Value)> {
    let map = if let Value::Map(map) = &session.variables { Some(map) } else { None };
    map.into_iter().flat_map(Map::iter)
}

/// The variables that changed, with their values afterwards.
fn changed(before: &Session, after: &Session) -> Map {
    let mut changed = Map::new();
    for (name, value) in variables(after) {
        if before.variables.get(name) != Some(value) {
            changed.insert(name, value.clone());
        }
    }
    for (name, _) in variables(before).filter(|(name, _)| after.variables.get(name).is_none()) {
        changed.insert(name, Value::Null);
    }
    changed
}

/// The step of a scenario for an input as the log stores it.
fn step(input: &Value) -> Map {
    let one = |key: &str, value: Value| -> Map { [(Box::from(key), value)].into_iter().collect() };
    for key in ["event", "set", "prompt"] {
        if let Some(value) = input.get(key).and_then(Value::present) {
            return one(key, value.clone());
        }
    }
    if let Some(Value::List(events)) = input.get("live") {
        return events.first().map_or_else(Map::new, live);
    }
    let present = |input: &Value| -> Map {
        let Value::Map(fields) = input else { return Map::new() };
        let present = fields.iter().filter(|(_, value)| value.present().is_some());
        present.map(|(key, value)| (Box::from(key), value.clone())).collect()
    };
    let fields = present(input);
    match fields.get("action") {
        Some(id) if fields.len() == 1 => one("action", id.clone()),
        Some(_) => one("action", Value::Map(fields)),
        None => one("turn", Value::Map(fields)),
    }
}

/// The fields of an event that a scenario names.
const FIELDS: [&str; 17] = [
    "type", "action", "tool", "agent", "input", "command", "paths", "url", "server", "name", "ok",
    "output", "source", "content", "message", "trigger", "folder",
];

/// The step for an event of a harness.
fn live(event: &Value) -> Map {
    let one = |key: &str, value: Value| -> Map { [(Box::from(key), value)].into_iter().collect() };
    match event.get("type").and_then(Value::as_text) {
        Some("message:user") => {
            one("prompt", event.get("content").cloned().unwrap_or_else(|| "".into()))
        }
        // A step `stop` would verify the work too, of which the log says nothing.
        Some("turn:stop") => one("event", event.clone()),
        Some(kind) => {
            let mut fields = Map::new();
            for key in FIELDS {
                // A call is the usual event.
                if key == "type" && kind == "tool:call" {
                    continue;
                }
                if let Some(value) = event.get(key).and_then(Value::present) {
                    fields.insert(key, value.clone());
                }
            }
            one("tool", Value::Map(fields))
        }
        None => one("event", event.clone()),
    }
}
