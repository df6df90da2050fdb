//! Tests a store against a model: a list of entries in memory, with naive queries.
//!
//! After any sequence and grouping of requests, both have the same answers and the same content.
//! Two properties are checked on the store directly: no effect id is used for two effects, and a
//! state is always the one that its chain of turns produces, so no counter drifts.
//!
//! ```
//! use lawful_store::model::{Config, check};
//! use lawful_store::{Options, Sqlite};
//!
//! # let folder = std::env::temp_dir().join(format!("lawful-store-model-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # let next = std::cell::Cell::new(0);
//! let fresh = || {
//!     let number = next.replace(next.get() + 1);
//!     let file = folder.join(format!("{number}.db"));
//!     move || Sqlite::open(&file, &Options { create: true, ..Options::default() }).unwrap()
//! };
//! let checked = check(Config { cases: 4, ..Config::default() }, fresh);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! assert!(checked.is_ok(), "{checked:?}");
//! ```

mod answers;
mod session;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
pub use proptest::test_runner::Config;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::{Book, EffectId, Error, Fork, Json, NewSession, Rewind, Store, Target};
use answers::{held, told, told_of_rewind};
use session::{Session, state};

/// A difference between a store and the model, after the shortest sequence of requests that shows
/// it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(String);

/// Tests a store against the model, in as many random runs as the configuration says.
///
/// `fresh` creates an empty place for sessions, and returns a function that opens its store. The
/// store is opened repeatedly, each time after the previous one was dropped, and must have kept
/// everything.
pub fn check<S: Store, O: Fn() -> S>(
    config: Config,
    fresh: impl Fn() -> O,
) -> Result<(), Mismatch> {
    let lived = TestRunner::new(config).run(&ops(), |ops| live(&fresh(), ops));
    lived.map_err(|error| Mismatch(error.to_string()))
}

/// The result of a part of a check.
type Checked<T = ()> = Result<T, TestCaseError>;

fn failed(error: impl fmt::Display) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

fn json(text: &str) -> Checked<Json> {
    Json::parse(text).map_err(failed)
}

fn book() -> Checked<Arc<Book>> {
    Ok(Arc::new(Book { hash: "5ca1ab1e".to_owned(), text: json(r#"{"rules":[]}"#)? }))
}

/// Turns are taken in the first two; the others are copies.
const SESSIONS: [&str; 4] = ["a", "b", "copy", "import"];

/// The name of a session.
fn name(at: usize) -> &'static str {
    SESSIONS.get(at).copied().unwrap_or_default()
}

#[derive(Clone, Debug)]
enum Op {
    New(usize),
    /// Turns that are submitted together.
    Turns(Vec<Turn>),
    Rewind {
        session: usize,
        to: Target,
        stale: bool,
    },
    /// Copies a session, at a version that may not exist.
    Fork {
        session: usize,
        name: usize,
        at: Option<u64>,
    },
    /// Exports a session, and imports it under another name.
    Import {
        session: usize,
        name: usize,
    },
    Delete(usize),
    /// Acknowledges one of all effects so far.
    Acknowledge {
        session: usize,
        pick: usize,
    },
    Reopen,
}

#[derive(Clone, Debug)]
struct Turn {
    session: usize,
    key: Option<u8>,
    /// How far behind the expected version is.
    behind: u64,
    /// Whether it is a turn, or a step between turns.
    advances: bool,
    effects: Vec<u8>,
}

fn turns() -> impl Strategy<Value = Turn> {
    let behind = prop_oneof![5 => Just(0_u64), 1 => 1_u64..3];
    (0..2_usize, option::of(0..12_u8), behind, prop::bool::weighted(0.7), vec(0..3_u8, 0..4))
        .prop_map(|(session, key, behind, advances, effects)| Turn {
            session,
            key,
            behind,
            advances,
            effects,
        })
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let target =
        prop_oneof![(0..5_u64).prop_map(Target::Turn), (0..12_u64).prop_map(Target::Version)];
    let rewind = (0..4_usize, target, prop::bool::weighted(0.1))
        .prop_map(|(session, to, stale)| Op::Rewind { session, to, stale });
    let acknowledge =
        (0..4_usize, any::<usize>()).prop_map(|(session, pick)| Op::Acknowledge { session, pick });
    let fork = (0..4_usize, 0..4_usize, option::of(0..12_u64))
        .prop_map(|(session, name, at)| Op::Fork { session, name, at });
    let import = (0..4_usize, 0..4_usize).prop_map(|(session, name)| Op::Import { session, name });
    let op = prop_oneof![
        1 => (0..2_usize).prop_map(Op::New),
        8 => vec(turns(), 1..5).prop_map(Op::Turns),
        3 => rewind,
        5 => acknowledge,
        1 => fork,
        1 => import,
        1 => (0..4_usize).prop_map(Op::Delete),
        1 => Just(Op::Reopen),
    ];
    vec(op, 1..40)
}

/// Every effect id that was ever pending, with its request.
type Seen = BTreeMap<(String, EffectId), (u64, String)>;

/// One run of a store.
fn live<S: Store>(open: &impl Fn() -> S, ops: Vec<Op>) -> Checked {
    let mut store = open();
    // In the order of creation.
    let mut model: Vec<Session> = Vec::new();
    let mut seen = Seen::new();
    for op in ops {
        match op {
            Op::Reopen => {
                drop(store);
                store = open();
            }
            Op::New(at) => start(&store, &mut model, name(at))?,
            Op::Turns(turns) => submit(&store, &mut model, &turns)?,
            Op::Rewind { session, to, stale } => {
                let Some(session) = find(&mut model, session) else { continue };
                let expect = Some(session.version + u64::from(stale));
                let request = Rewind { session: session.name.clone(), to, expect };
                let found = told_of_rewind(store.rewind(request))?;
                prop_assert_eq!(found, session.rewind(to, expect));
            }
            Op::Fork { session, name: at_name, at } => {
                fork(&store, &mut model, (name(session), name(at_name)), at)?;
                forget(&mut seen, &model);
            }
            Op::Import { session, name: at_name } => {
                import(&store, &mut model, (name(session), name(at_name)))?;
                forget(&mut seen, &model);
            }
            Op::Delete(at) => {
                let known = model.iter().position(|session| session.name == name(at));
                let deleted = store.delete(name(at));
                let missing = Error::NoSession { session: name(at).to_owned() };
                prop_assert_eq!(deleted, known.map(|_| ()).ok_or(missing));
                known.map(|at| model.remove(at));
                forget(&mut seen, &model);
            }
            Op::Acknowledge { session, pick } => {
                let Some(session) = find(&mut model, session) else { continue };
                let ids: Vec<EffectId> = session.effects().map(|(id, ..)| id.clone()).collect();
                let Some(id) = ids.get(pick % ids.len().max(1)) else { continue };
                let found = store.acknowledge(&session.name, id).map_err(failed)?;
                prop_assert_eq!(found, session.acknowledge(id)?);
            }
        }
        compare(&store, &model, &mut seen)?;
    }
    refusals(&store, &model)?;
    compare(&store, &model, &mut seen)
}

/// The session of an operation, if it was started.
fn find(model: &mut [Session], at: usize) -> Option<&mut Session> {
    model.iter_mut().find(|session| session.name == name(at))
}

fn start(store: &dyn Store, model: &mut Vec<Session>, name: &str) -> Checked {
    let snapshot = state(0, 0)?;
    let new = NewSession { name: Some(name.to_owned()), book: book()?, turn: 0, snapshot };
    let answer = store.create(new);
    if model.iter().any(|session| session.name == name) {
        prop_assert_eq!(answer, Err(Error::SessionExists { session: name.to_owned() }));
    } else {
        let created = answer.map_err(failed)?;
        prop_assert_eq!((&*created.session, created.version), (name, 0));
        model.push(Session::new(name));
    }
    Ok(())
}

fn fork(
    store: &dyn Store,
    model: &mut Vec<Session>,
    (from, to): (&str, &str),
    at: Option<u64>,
) -> Checked {
    let request = Fork { session: from.to_owned(), name: to.to_owned(), at };
    let answer = store.fork(request);
    let taken = model.iter().any(|session| session.name == to);
    let Some(session) = model.iter().find(|session| session.name == from) else {
        prop_assert_eq!(answer, Err(Error::NoSession { session: from.to_owned() }));
        return Ok(());
    };
    match session.fork(to, at) {
        None => {
            let (session, version) = (from.to_owned(), at.unwrap_or_default());
            prop_assert_eq!(answer, Err(Error::NoVersion { session, version }));
        }
        Some(_) if taken => {
            prop_assert_eq!(answer, Err(Error::SessionExists { session: to.to_owned() }));
        }
        Some(copy) => {
            prop_assert_eq!(answer.map_err(failed)?.version, copy.version);
            model.push(copy);
        }
    }
    Ok(())
}

fn import(store: &dyn Store, model: &mut Vec<Session>, (from, to): (&str, &str)) -> Checked {
    let Some(session) = model.iter().find(|session| session.name == from) else { return Ok(()) };
    let mut export = store.export(from).map_err(failed)?;
    to.clone_into(&mut export.session);
    let answer = store.import(export.clone());
    if model.iter().any(|session| session.name == to) {
        prop_assert_eq!(answer, Err(Error::SessionExists { session: to.to_owned() }));
        return Ok(());
    }
    prop_assert_eq!(answer.map_err(failed)?.version, session.version);
    prop_assert_eq!(store.export(to).map_err(failed)?, export, "an import is not the same");
    model.push(Session { name: to.to_owned(), ..session.clone() });
    Ok(())
}

/// A session that is new under an old name starts its ids anew.
fn forget(seen: &mut Seen, model: &[Session]) {
    seen.retain(|(name, id), _| {
        let session = model.iter().find(|session| session.name == *name);
        session.is_some_and(|session| session.effects().any(|(other, ..)| other == id))
    });
}

fn submit(store: &dyn Store, model: &mut [Session], turns: &[Turn]) -> Checked {
    let (mut requests, mut answers) = (Vec::new(), Vec::new());
    for turn in turns {
        let Some(session) = find(model, turn.session) else { continue };
        let request = session.request(turn)?;
        answers.push(session.commit(turn, &request)?);
        requests.push(request);
    }
    let tickets = store.submit(requests);
    prop_assert_eq!(tickets.len(), answers.len(), "one ticket per turn");
    for (expected, ticket) in answers.into_iter().zip(tickets) {
        prop_assert_eq!(told(ticket.wait())?, expected);
    }
    Ok(())
}

/// Compares every query.
fn compare(store: &dyn Store, model: &[Session], seen: &mut Seen) -> Checked {
    let list = store.list().map_err(failed)?;
    prop_assert_eq!(list.len(), model.len());
    for (session, summary) in model.iter().zip(list) {
        let name = &*session.name;
        prop_assert_eq!(&held(store, name)?, session);
        let line = session.line(session.head)?;
        let expected = (name, session.version, line.turn, session.branch);
        let head = store.head(name).map_err(failed)?;
        prop_assert_eq!((&*head.session, head.version, head.turn, head.branch), expected);
        let found = (&*summary.session, summary.version, summary.turn, summary.branch);
        prop_assert_eq!(found, expected);
        let (mut at, mut steps) = (line, 0);
        while let Some(parent) = at.parent {
            at = session.line(parent)?;
            steps += 1;
        }
        prop_assert_eq!(steps, line.step, "the counter of steps has drifted");
        let waiting = store.pending(name).map_err(failed)?;
        prop_assert_eq!(summary.pending, waiting.len() as u64);
        for effect in waiting {
            let what = (effect.version, effect.body.text().to_owned());
            let first = seen.entry((name.to_owned(), effect.id)).or_insert_with(|| what.clone());
            prop_assert_eq!(&*first, &what, "an id was used for two effects");
        }
    }
    Ok(())
}

/// Invalid requests are refused and change nothing.
fn refusals(store: &dyn Store, model: &[Session]) -> Checked {
    let missing = Error::NoSession { session: "nobody".to_owned() };
    prop_assert_eq!(store.head("nobody"), Err(missing.clone()));
    prop_assert_eq!(store.export("nobody"), Err(missing.clone()));
    prop_assert_eq!(store.log("nobody", None, 1), Err(missing.clone()));
    prop_assert_eq!(store.pending("nobody"), Err(missing.clone()));
    prop_assert_eq!(store.acknowledge_all("nobody", &[]), Err(missing.clone()));
    let rewind = Rewind { session: "nobody".to_owned(), to: Target::Turn(0), expect: None };
    prop_assert_eq!(store.rewind(rewind), Err(missing.clone()));
    let fork = Fork { session: "nobody".to_owned(), name: "x".to_owned(), at: None };
    prop_assert_eq!(store.fork(fork), Err(missing.clone()));
    prop_assert_eq!(store.delete("nobody"), Err(missing.clone()));
    prop_assert_eq!(store.book("nothing"), Ok(None));
    for session in model {
        let mut export = store.export(&session.name).map_err(failed)?;
        "x".clone_into(&mut export.session);
        export.head += 1;
        let refused = matches!(store.import(export), Err(Error::BadExport { .. }));
        prop_assert!(refused, "an export that contradicts itself is accepted");
        let turn = Turn { session: 0, key: None, behind: 0, advances: true, effects: Vec::new() };
        let mut request = session.request(&turn)?;
        request.key = Some(String::new());
        let refused = matches!(store.commit(request.clone()), Err(Error::BadName { .. }));
        prop_assert!(refused, "an empty key is accepted");
        request = crate::NewTurn { session: "nobody".to_owned(), key: None, ..request };
        prop_assert_eq!(store.commit(request), Err(missing.clone()));
        let unknown = EffectId { stem: "0.0".to_owned(), number: 0 };
        let mut effects: Vec<EffectId> = session.effects().map(|(id, ..)| id.clone()).collect();
        effects.push(unknown.clone());
        let expected =
            Error::NoEffect { session: session.name.clone(), effect: unknown.to_string() };
        prop_assert_eq!(store.acknowledge_all(&session.name, &effects), Err(expected));
    }
    Ok(())
}
