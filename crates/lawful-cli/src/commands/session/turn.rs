//! `lawful session turn SESSION --input FILE`
//!
//! The step is worked out from the state that the store has, and committed on condition that it still
//! has it. Where no version was expected and somebody else was faster, it is worked out again.

use std::sync::Arc;

use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, Sources, Span, escape, sort};
use lawful::{Value, code};
use lawful_store::{Effect, Entry, Head, Json, NewTurn, Outcome, Record, Store};
use serde::Serialize;

use super::rewind::conflict;
use super::stored::{self, Trace};
use super::taken::Taken;
use super::{ask, law, open};
use crate::args::{Format, Turn};
use crate::input::step_input;
use crate::lawbook::{Failure, LoadedRules, rules};
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};

/// How often a step is worked out again because somebody else was faster.
const TRIES: usize = 100;

/// `{"result", "version", "state", "effects", "trace"}`
#[derive(Serialize)]
struct View {
    result: &'static str,
    version: u64,
    state: Value,
    effects: Vec<Value>,
    trace: Trace,
    /// The version of the rewind that abandoned it, where it is the duplicate of such a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    abandoned: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Value>,
}

pub(super) fn run(args: &Turn) -> Result<Answer, Failure> {
    let LoadedRules { mut book, rules, problems } = rules(args.place.book.as_deref())?;
    let (input, written) = read(args, &mut book.sources)?;
    let store = open(&args.place.db)?;
    let law = law::pack(&book)?;
    let mut tries = 0;
    loop {
        let head = ask(&store, |store| store.head(&args.session))?;
        let before = stored::state(&head.snapshot)?;
        let taken = Taken::new(&rules, before.clone(), &input)?;
        let mut found = [problems.as_slice(), taken.problems.as_slice()].concat();
        sort(&mut found, &book.sources);
        let views = stored::diagnostics(&found, &book.sources);
        let turn = request(args, &head, &law, &written, taken, views)?;
        let outcome = ask(&store, |store| store.commit(turn.clone()))?;
        let answer = match outcome {
            Outcome::Committed(done) => {
                let shown = Shown {
                    result: "committed",
                    version: done.version,
                    abandoned: None,
                    record: &turn.record,
                    snapshot: &turn.snapshot,
                    effects: &done.effects,
                    before: &before,
                };
                shown.print(args, Vec::new(), &found, &book.sources)?
            }
            Outcome::Duplicate(again) => {
                let entry = &again.entry;
                let before = parent(&store, &args.session, entry)?;
                let kept = stored::value(&entry.record.result)?;
                let kept = stored::items(kept.get("diagnostics")).to_vec();
                let same = again.same_input || says_the_same(&entry.record.input, &written)?;
                let reused = (!same).then(|| reused(args));
                let shown = Shown {
                    result: "duplicate",
                    version: entry.version,
                    abandoned: entry.abandoned,
                    record: &entry.record,
                    snapshot: &entry.snapshot,
                    effects: &entry.effects,
                    before: &before,
                };
                shown.print(args, kept, reused.as_slice(), &book.sources)?
            }
            Outcome::Conflict(_) if args.expect.is_none() && tries < TRIES => {
                tries += 1;
                continue;
            }
            Outcome::Conflict(head) => refuse(args, &head)?,
        };
        return Ok(answer);
    }
}

/// The input, and the text of it that is kept.
fn read(args: &Turn, sources: &mut Sources) -> Result<(Input, Json), Failure> {
    let mut problems = Vec::new();
    let input = step_input(&args.input, sources, &mut problems);
    match (input, problems.iter().any(Diagnostic::is_error)) {
        (Some((input, node)), false) => Ok((input, stored::json(&Value::from_owned_node(node))?)),
        (_, _) => {
            sort(&mut problems, sources);
            Err(Failure { sources: sources.clone(), problems })
        }
    }
}

/// What is kept beside the trace.
#[derive(Serialize)]
struct Kept {
    diagnostics: Vec<lawful::syntax::render::DiagnosticView>,
}

/// A step that was taken from where a session stands, to be kept on top of that.
fn request(
    args: &Turn,
    head: &Head,
    law: &Arc<lawful_store::Book>,
    input: &Json,
    taken: Taken,
    diagnostics: Vec<lawful::syntax::render::DiagnosticView>,
) -> Result<NewTurn, Failure> {
    // It may only be kept on top of `head`. If another version is expected, one that never comes makes
    // sure of that, and a key is still looked up.
    let expected = args.expect.unwrap_or(head.version);
    let expect = if expected == head.version { expected } else { u64::MAX };
    let result = stored::json(&Kept { diagnostics })?;
    let Taken { session, snapshot, events, changes, effects, .. } = taken;
    Ok(NewTurn {
        session: args.session.clone(),
        key: args.key.clone(),
        expect,
        turn: session.turn,
        book: Arc::clone(law),
        record: Record { input: input.clone(), events, changes, result },
        snapshot,
        effects,
    })
}

/// The state that a stored step started from.
fn parent(store: &dyn Store, session: &str, entry: &Entry) -> Result<Session, Failure> {
    let Some(version) = entry.parent else { return Ok(Session::new()) };
    let found = ask(store, |store| store.log(session, version.checked_sub(1), 1))?;
    found.first().map_or_else(|| Ok(Session::new()), |parent| stored::state(&parent.snapshot))
}

/// Whether two inputs say the same, however they are written: the order of keys does not count, and
/// neither does a list of no writes.
fn says_the_same(one: &Json, other: &Json) -> Result<bool, Failure> {
    let said = |json: &Json| -> Result<Value, Failure> {
        let mut value = stored::value(json)?;
        if let Value::Map(map) = &mut value
            && map.get("writes").is_some_and(|writes| *writes == Value::List(Vec::new()))
        {
            map.remove("writes");
        }
        Ok(value)
    };
    Ok(said(one)? == said(other)?)
}

fn reused(args: &Turn) -> Diagnostic {
    let key = escape::name(args.key.as_deref().unwrap_or_default()).into_owned();
    let message = format!("the key `{key}` was used before, with another input");
    Diagnostic::new(&code::KEY_REUSED, Span::NONE, message)
        .help("the answer is what was stored then; use a new key for a new request")
}

/// What the store has of a step, to be shown.
struct Shown<'e> {
    result: &'static str,
    version: u64,
    abandoned: Option<u64>,
    record: &'e Record,
    snapshot: &'e Json,
    effects: &'e [Effect],
    before: &'e Session,
}

impl Shown<'_> {
    /// `kept` are the diagnostics of the time when it was stored, `problems` those of now.
    fn print(
        &self,
        args: &Turn,
        mut kept: Vec<Value>,
        problems: &[Diagnostic],
        sources: &Sources,
    ) -> Result<Answer, Failure> {
        let Self { result, version, abandoned, .. } = *self;
        let trace = Trace::of(self.record)?;
        match args.place.format {
            Format::Human => {
                print_error(&diagnostics(problems, sources, stderr_style()));
                let abandoned = abandoned.map_or_else(String::new, |version| {
                    format!(", abandoned by version {version}")
                });
                let told = stored::told(self.before, self.snapshot, &trace, self.effects)?;
                print(&format!("{result}, version {version}{abandoned}\n{told}"));
            }
            Format::Json => {
                let fresh = stored::json(&stored::diagnostics(problems, sources))?;
                kept.extend(stored::items(Some(&stored::value(&fresh)?)).iter().cloned());
                print_json(&View {
                    result,
                    version,
                    state: stored::state_value(self.snapshot)?,
                    effects: stored::handed_out(self.effects)?,
                    trace,
                    abandoned,
                    diagnostics: kept,
                });
            }
        }
        Ok(Answer::Yes)
    }
}

fn refuse(args: &Turn, head: &Head) -> Result<Answer, Failure> {
    match args.place.format {
        Format::Human => print(&conflict(head, args.expect)),
        Format::Json => print_json(&View {
            result: "conflict",
            version: head.version,
            state: stored::state_value(&head.snapshot)?,
            effects: Vec::new(),
            trace: Trace::nothing(),
            abandoned: None,
            diagnostics: Vec::new(),
        }),
    }
    Ok(Answer::No)
}
