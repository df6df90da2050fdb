//! Replaying the steps of a session.
//!
//! Every step on the current branch is replayed from the one before it, with its stored lawbook or
//! with another. A step is the same if its events, fired rules, changes, effects and state are the
//! same. Effect ids are not compared, because the store assigns them after a rewind.

use std::collections::BTreeMap;

use lawful::react::{Rules, Session};
use lawful::syntax::escape;
use lawful::view::{StepTrace, state_diff};
use lawful::{Diagnostics, Lawbook, Value, Verb};
use lawful_store::{Entry, Store};
use serde::Serialize;

use super::step_record::StepRecord;
use super::trace::trace;
use super::{Sessions, ask, kept_rules, stored};
use crate::answer::Answer;
use crate::failure::Failure;

/// `{"session", "same", "steps", "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replayed {
    /// The name of the session.
    pub session: String,
    /// Whether every step is the same.
    pub same: bool,
    /// Every step on the current branch; the first is the start.
    pub steps: Vec<ReplayedStep>,
    /// Problems of rules in the other lawbook that are left out.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub diagnostics: Diagnostics,
}

impl Replayed {
    /// `Yes` if every step is the same.
    pub fn answer(&self) -> Answer {
        Answer::of(self.same)
    }
}

/// `{"version", "turn", "same", "differs"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayedStep {
    /// The version of the step; 0 is the start.
    pub version: u64,
    /// Its turn.
    pub turn: u64,
    /// Whether it is the same.
    pub same: bool,
    /// The differences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<StepDifference>,
}

/// What was stored, and what the replay produced.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StepDifference {
    /// Rules that fired only in the stored step, and only in the replay.
    pub fired: Sides<Vec<String>>,
    /// Effects only of the stored step, and only of the replay.
    pub effects: Sides<Vec<Value>>,
    /// The states.
    pub state: Sides<Session>,
    /// The differences between the states, one per line.
    pub changes: Vec<String>,
}

/// `{"stored", "replayed"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sides<T> {
    /// What the log has.
    pub stored: T,
    /// What the replay produced.
    pub replayed: T,
}

impl Sessions {
    /// Replays every step of a session, with its stored rules or with others.
    pub fn replay(&self, session: &str, with: Option<&Lawbook>) -> Result<Replayed, Failure> {
        let other = with.map(Lawbook::rules);
        let diagnostics = with.map_or_else(Diagnostics::default, |book| {
            let mut problems = book.reported_by(Verb::React);
            problems.extend(book.rules().left_out().cloned());
            Diagnostics::new(problems, book.sources().clone())
        });
        let mut entries = ask(&*self.store, |store| store.log(session, None, usize::MAX))?;
        entries.retain(|entry| entry.abandoned.is_none());
        let own = match other {
            Some(_) => BTreeMap::new(),
            None => kept(&*self.store, &entries)?,
        };
        let mut steps = Vec::new();
        let mut state = Session::new();
        for entry in &entries {
            let rules = other.or_else(|| own.get(entry.book.as_str()));
            let Some(rules) = rules else { continue };
            let then = Account::stored(entry)?;
            let now = match entry.parent {
                Some(_) => {
                    let input = stored::input(&entry.record.input)?;
                    Account::taken(StepRecord::new(rules, state, &input))
                }
                // With its own rules a session starts from its stored state; other rules have their
                // own start.
                None if other.is_some() => Account { state: rules.start(), ..then.clone() },
                None => then.clone(),
            };
            state = now.state.clone();
            let differs = (then != now).then(|| compare(then, now));
            let (version, turn, same) = (entry.version, entry.turn, differs.is_none());
            steps.push(ReplayedStep { version, turn, same, differs });
        }
        let same = steps.iter().all(|step| step.same);
        Ok(Replayed { session: session.to_owned(), same, steps, diagnostics })
    }
}

/// The rules of every step; each lawbook is loaded once.
fn kept<'e>(store: &dyn Store, entries: &'e [Entry]) -> Result<BTreeMap<&'e str, Rules>, Failure> {
    let mut books = BTreeMap::new();
    for entry in entries {
        if !books.contains_key(entry.book.as_str()) {
            books.insert(entry.book.as_str(), kept_rules::unpack(store, &entry.book)?);
        }
    }
    Ok(books)
}

/// Everything that a step produced, without effect ids.
#[derive(Clone, PartialEq)]
struct Account {
    state: Session,
    trace: StepTrace,
    effects: Vec<Value>,
}

impl Account {
    fn stored(entry: &Entry) -> Result<Self, Failure> {
        let effects = entry.effects.iter().map(|effect| stored::value(&effect.body));
        Ok(Self {
            state: stored::state(&entry.snapshot)?,
            trace: trace(&entry.record)?,
            effects: effects.collect::<Result<_, _>>()?,
        })
    }

    fn taken(step: StepRecord) -> Self {
        Self { state: step.session, trace: step.trace, effects: step.requests }
    }

    fn rules(&self) -> Vec<String> {
        self.trace.fired.iter().map(|firing| firing.rule.clone()).collect()
    }
}

fn compare(then: Account, now: Account) -> StepDifference {
    let mut changes = state_diff(&then.state, &now.state);
    changes.extend(counters(&then.state, &now.state));
    StepDifference {
        fired: apart(&then.rules(), &now.rules()),
        effects: apart(&then.effects, &now.effects),
        state: Sides { stored: then.state, replayed: now.state },
        changes,
    }
}

/// What each side has more often than the other.
fn apart<T: Clone + PartialEq>(then: &[T], now: &[T]) -> Sides<Vec<T>> {
    let mut replayed = now.to_vec();
    let mut stored = Vec::new();
    for item in then {
        match replayed.iter().position(|other| other == item) {
            Some(at) => drop(replayed.remove(at)),
            None => stored.push(item.clone()),
        }
    }
    Sides { stored, replayed }
}

/// The rule counters that differ.
fn counters(then: &Session, now: &Session) -> Vec<String> {
    let mut rules: Vec<&str> = then.fired.keys().chain(now.fired.keys()).map(|id| &**id).collect();
    rules.sort_unstable();
    rules.dedup();
    let line = |rule: &&str| {
        let (old, new) = (then.fired(rule), now.fired(rule));
        let shown = |fired: lawful::react::Fired| match fired.count {
            0 => "never".to_owned(),
            count => format!("{count} times, last in turn {}", fired.last_turn),
        };
        let rule = escape::line(rule);
        (old != new).then(|| format!("~ {rule} fired: {} -> {}", shown(old), shown(new)))
    };
    rules.iter().filter_map(line).collect()
}
