//! One turn of a session.
//!
//! The step is computed from the stored state, and committed only if that state is still current.
//! If no version was expected and another writer was faster, the step is computed again.

use std::path::Path;
use std::sync::Arc;

use lawful::react::{Input, Session};
use lawful::syntax::render::DiagnosticView;
use lawful::syntax::{Diagnostic, Sources, Span, escape};
use lawful::view::{StepTrace, left_out};
use lawful::{Diagnostics, Lawbook, Value, Verb};
use lawful_store::{Committed, Duplicate, Entry, Head, Json, NewTurn, Outcome, Record, Store};
use serde::Serialize;

use super::step_record::{Detail, StepRecord, StepTexts};
use super::trace::trace;
use super::view::{SessionHead, StepDiagnostic, TurnResult, TurnTaken};
use super::why_not::step_again;
use super::{SessionEffect, Sessions, ask, kept_rules, stored};
use crate::codes;
use crate::failure::Failure;
use crate::input::step_input;

/// How often to retry a step because another writer was faster.
const TRIES: usize = 100;

/// A turn to take.
#[derive(Clone, Debug)]
pub struct TurnRequest {
    /// The session.
    pub session: String,
    /// The idempotency key: a repeated request returns the stored result.
    pub key: Option<String>,
    /// The version that the session must be at.
    pub expect: Option<u64>,
    /// Whether a rule with errors stops the turn. Otherwise the rule is left out.
    pub strict: bool,
    /// Whether to say why each rule that did not fire was held back.
    pub why_not: bool,
    /// The input.
    pub input: Input,
    /// The input as written, which the log stores.
    pub written: Value,
    /// The texts that problems of the input point into, beside those of the book; without them, the
    /// input has no place.
    pub sources: Option<Arc<Sources>>,
    /// The warnings about the input.
    pub warnings: Vec<Diagnostic>,
}

impl TurnRequest {
    /// A turn with this input.
    pub fn new(session: &str, input: Value) -> Result<Self, Failure> {
        Ok(Self {
            session: session.to_owned(),
            key: None,
            expect: None,
            strict: false,
            why_not: false,
            input: Input::from_value(&input)?,
            written: input,
            sources: None,
            warnings: Vec::new(),
        })
    }

    /// A turn whose input is in a file.
    pub fn from_file(session: &str, file: &Path, book: &Lawbook) -> Result<Self, Failure> {
        let (mut sources, mut problems) = ((**book.sources()).clone(), Vec::new());
        let input = step_input(file, &mut sources, &mut problems);
        match (input, problems.iter().any(Diagnostic::is_error)) {
            (Some((input, node)), false) => Ok(Self {
                session: session.to_owned(),
                key: None,
                expect: None,
                strict: false,
                why_not: false,
                input,
                written: Value::from_owned_node(node),
                sources: Some(Arc::new(sources)),
                warnings: problems,
            }),
            (_, _) => Err(Failure::sorted(problems, sources)),
        }
    }
}

impl Sessions {
    /// Takes a turn and stores it.
    pub fn turn(&self, book: &Lawbook, request: &TurnRequest) -> Result<TurnTaken, Failure> {
        if request.strict {
            book.all_rules_ready()?;
        }
        let sources = request.sources.as_ref().unwrap_or(book.sources());
        let detail = if request.why_not { Detail::WhyNot } else { Detail::Fired };
        let reported = book.reported_by(Verb::React);
        let written = stored::json(&request.written)?;
        let kept = kept_rules::pack(book.book())?;
        let mut tries = 0;
        loop {
            let head = ask(&*self.store, |store| store.head(&request.session))?;
            let before = stored::state(&head.snapshot)?;
            let step = StepRecord::with(book.rules(), before.clone(), &request.input, detail);
            let other = other_lawbook(&*self.store, &head, &kept, book)?;
            let found = [
                other.as_slice(),
                reported.as_slice(),
                request.warnings.as_slice(),
                step.problems.as_slice(),
            ];
            let found = found.concat();
            let found = Diagnostics::new(found, sources.clone());
            let texts = step.texts(book.manifest())?;
            let turn = new_turn(request, &head, &kept, &written, (&step, texts), found.views())?;
            return match ask(&*self.store, |store| store.commit(turn))? {
                Outcome::Committed(done) => {
                    let left_out = left_out(book.rules());
                    Ok(committed(request, step, before, (left_out, found), &done))
                }
                Outcome::Duplicate(again) => {
                    duplicate(&*self.store, request, &written, &again, sources)
                }
                Outcome::Conflict(_) if request.expect.is_none() && tries < TRIES => {
                    tries += 1;
                    continue;
                }
                Outcome::Conflict(head) => conflict(head),
            };
        }
    }
}

/// A turn by another lawbook than the turn before. Its variables join those of the session, which
/// is rarely meant. The same lawbook, edited, is ordinary.
fn other_lawbook(
    store: &dyn Store,
    head: &Head,
    kept: &lawful_store::Book,
    book: &Lawbook,
) -> Result<Option<Diagnostic>, Failure> {
    if head.book == kept.hash {
        return Ok(None);
    }
    let now = &*book.manifest().name;
    let before = kept_rules::name(store, &head.book)?.filter(|before| before != now);
    Ok(before.map(|before| {
        let (before, now) = (escape::name(&before), escape::name(now));
        let message = format!(
            "this turn uses the lawbook `{now}`, and the turn before used `{before}`; the variables \
             of both are in the session now"
        );
        Diagnostic::new(&codes::OTHER_LAWBOOK, Span::NONE, message)
            .help("use the same `--book` for every turn of a session")
    }))
}

/// What is stored with the trace.
#[derive(Serialize)]
struct Kept {
    diagnostics: Vec<DiagnosticView>,
}

/// A step from the current head of a session, to be stored on top of it.
fn new_turn(
    request: &TurnRequest,
    head: &Head,
    book: &Arc<lawful_store::Book>,
    written: &Json,
    (step, texts): (&StepRecord, StepTexts),
    diagnostics: Vec<DiagnosticView>,
) -> Result<NewTurn, Failure> {
    // The step can only be stored on top of `head`. If another version is expected, an impossible
    // version ensures that, and the key is still looked up.
    let expected = request.expect.unwrap_or(head.version);
    let expect = if expected == head.version { expected } else { u64::MAX };
    let result = stored::json(&Kept { diagnostics })?;
    let StepTexts { snapshot, events, changes, effects } = texts;
    Ok(NewTurn {
        session: request.session.clone(),
        key: request.key.clone(),
        expect,
        turn: step.session.turn,
        book: Arc::clone(book),
        record: Record { input: written.clone(), events, changes, result },
        snapshot,
        effects,
    })
}

/// The committed step, with the effect ids that the store assigned.
fn committed(
    request: &TurnRequest,
    step: StepRecord,
    before: Session,
    (left_out, problems): (Vec<Option<String>>, Diagnostics),
    done: &Committed,
) -> TurnTaken {
    let effects = done.effects.iter().zip(step.requests).map(|(kept, body)| SessionEffect {
        id: kept.id.clone(),
        status: kept.status,
        body,
    });
    TurnTaken {
        result: TurnResult::Committed,
        left_out,
        version: done.version,
        state: step.session,
        effects: effects.collect(),
        trace: step.trace,
        abandoned: None,
        diagnostics: problems.views().into_iter().map(StepDiagnostic::Now).collect(),
        session: request.session.clone(),
        before,
        problems,
    }
}

/// The step stored under the same key.
fn duplicate(
    store: &dyn Store,
    request: &TurnRequest,
    written: &Json,
    again: &Duplicate,
    sources: &Arc<Sources>,
) -> Result<TurnTaken, Failure> {
    let entry = &again.entry;
    let same = again.same_input || says_the_same(&entry.record.input, written)?;
    let mut list = if same { Vec::new() } else { vec![reused(request)] };
    list.extend(entry.abandoned.map(|by| key_abandoned(request, entry.turn, by)));
    let problems = Diagnostics::in_order(list, sources.clone());
    let result = stored::value(&entry.record.result)?;
    let kept = stored::items(result.get("diagnostics")).iter().cloned();
    let now = problems.views().into_iter().map(StepDiagnostic::Now);
    let effects = entry.effects.iter().map(SessionEffect::stored);
    Ok(TurnTaken {
        result: TurnResult::Duplicate,
        left_out: Vec::new(),
        version: entry.version,
        state: stored::state(&entry.snapshot)?,
        effects: effects.collect::<Result<_, _>>()?,
        trace: if request.why_not {
            why_not(store, request, entry)?
        } else {
            trace(&entry.record)?
        },
        abandoned: entry.abandoned,
        diagnostics: kept.map(StepDiagnostic::Stored).chain(now).collect(),
        session: request.session.clone(),
        before: parent(store, &request.session, entry)?,
        problems,
    })
}

/// The actual head of the session.
fn conflict(head: Head) -> Result<TurnTaken, Failure> {
    let SessionHead { session, version, state } = SessionHead::stored(head)?;
    Ok(TurnTaken {
        result: TurnResult::Conflict,
        left_out: Vec::new(),
        version,
        before: state.clone(),
        state,
        effects: Vec::new(),
        trace: StepTrace::default(),
        abandoned: None,
        diagnostics: Vec::new(),
        session,
        problems: Diagnostics::default(),
    })
}

/// The trace of a stored step, with the rules that did not fire.
fn why_not(store: &dyn Store, request: &TurnRequest, entry: &Entry) -> Result<StepTrace, Failure> {
    let step = step_again(store, &request.session, entry)?;
    Ok(step.record.trace)
}

/// The state before a stored step.
pub(super) fn parent(store: &dyn Store, session: &str, entry: &Entry) -> Result<Session, Failure> {
    let Some(version) = entry.parent else { return Ok(Session::new()) };
    let found = ask(store, |store| store.log(session, version.checked_sub(1), 1))?;
    found.first().map_or_else(|| Ok(Session::new()), |parent| stored::state(&parent.snapshot))
}

/// Whether two inputs are equivalent: the order of keys does not matter, and neither does an empty
/// list of writes.
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

fn key_abandoned(request: &TurnRequest, turn: u64, by: u64) -> Diagnostic {
    let key = escape::name(request.key.as_deref().unwrap_or_default()).into_owned();
    let message = format!(
        "the key `{key}` belongs to a step of turn {turn} that was abandoned by the rewind of \
         version {by}; nothing was applied"
    );
    Diagnostic::new(&codes::KEY_ABANDONED, Span::NONE, message)
        .help("to take the step again, use a new key")
}

fn reused(request: &TurnRequest) -> Diagnostic {
    let key = escape::name(request.key.as_deref().unwrap_or_default()).into_owned();
    let message = format!("the key `{key}` was already used with another input");
    Diagnostic::new(&codes::KEY_REUSED, Span::NONE, message)
        .help("this is the stored result; use a new key for a new request")
}
