//! Why rules did not fire in a stored step: the pure step again, with the rules that were stored with
//! it.

use lawful::react::Session;
use lawful::syntax::{Diagnostic, Span, escape};
use lawful::view::StepTrace;
use lawful_store::{Entry, Store};
use serde::Serialize;

use super::step_record::{Detail, StepRecord};
use super::turn::parent;
use super::{Sessions, ask, kept_rules, stored};
use crate::codes;
use crate::failure::Failure;

/// `{"session", "version", "turn", "trace"}`: a stored step, with the rules that did not fire.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionWhyNot {
    /// The name of the session.
    pub session: String,
    /// The version of the step.
    pub version: u64,
    /// Its turn.
    pub turn: u64,
    /// Its trace.
    pub trace: StepTrace,
    /// The state before the step.
    #[serde(skip)]
    pub before: Session,
    /// The state after the step.
    #[serde(skip)]
    pub after: Session,
}

impl Sessions {
    /// Explains for every rule that did not fire in a stored step why.
    pub fn why_not(&self, session: &str, version: u64) -> Result<SessionWhyNot, Failure> {
        let store = &*self.store;
        let entry = stored_entry(store, session, version)?;
        if entry.parent.is_none() {
            let name = escape::name(session);
            let message = format!("version {version} of session `{name}` is its start, not a step");
            let problem = Diagnostic::new(&codes::UNKNOWN_VERSION, Span::NONE, message);
            return Err(Failure::of(problem.help("see `lawful session log`")));
        }
        let StepAgain { before, record } = step_again(store, session, &entry)?;
        Ok(SessionWhyNot {
            session: session.to_owned(),
            version,
            turn: record.session.turn,
            trace: record.trace,
            before,
            after: record.session,
        })
    }
}

/// The entry with a version, on any branch.
pub(super) fn stored_entry(
    store: &dyn Store,
    session: &str,
    version: u64,
) -> Result<Entry, Failure> {
    ask(store, |store| {
        let found = store.log(session, version.checked_sub(1), 1)?;
        let found = found.into_iter().find(|entry| entry.version == version);
        let session = session.to_owned();
        found.ok_or(lawful_store::Error::NoVersion { session, version })
    })
}

/// A stored step that was run again.
pub(super) struct StepAgain {
    pub(super) before: Session,
    pub(super) record: StepRecord,
}

/// Runs a stored step again, with its stored rules.
pub(super) fn step_again(
    store: &dyn Store,
    session: &str,
    entry: &Entry,
) -> Result<StepAgain, Failure> {
    let rules = kept_rules::unpack(store, &entry.book)?;
    let before = parent(store, session, entry)?;
    let input = stored::input(&entry.record.input)?;
    let record = StepRecord::with(&rules, before.clone(), &input, Detail::WhyNot);
    Ok(StepAgain { before, record })
}
