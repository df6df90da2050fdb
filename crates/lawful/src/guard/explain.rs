//! Why each guard acted or did not.

use serde::Serialize;

use super::builtin::{BOOK, LAW, PATHS, on_edit};
use super::decide::{Act, Acts, Decided, INVALID, OPAQUE, Tally, acts};
use super::document::{Documents, Touched};
use super::guards::{Decision, Guard, Guards, On};
use super::reason::shown;
use crate::book::Opaque;
use crate::cond::{Explanation, why};
use crate::live::{Event, EventKind, Unsaid};
use crate::react::Session;

/// Why a guard acted or did not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GuardRow {
    /// Its id.
    pub id: String,
    /// What it decides: `deny`, `ask` or `allow`.
    pub decision: &'static str,
    /// Whether it acted.
    pub result: Result,
    /// The thing that settled it: a line, a path or a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thing: Option<String>,
    /// Why, in one sentence.
    pub why: String,
    /// The condition on that thing, if it was evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// Whether a guard acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Result {
    /// It acted.
    Acted,
    /// Its `on` does not match the event.
    NotAsked,
    /// Its condition is not true.
    DidNotAct,
    /// Its condition could not be evaluated.
    Undecided,
    /// It has errors.
    Invalid,
}

impl Guards {
    /// Why each guard acted or did not: the guards of the lawbook, then the built-in ones.
    pub fn explain(&self, event: &Event, session: &Session, decided: &Decided) -> Vec<GuardRow> {
        let tallies = self.tallies(event, session);
        let mut documents = Documents::new(self, event, session);
        let mut rows: Vec<GuardRow> = Vec::new();
        for (id, guard) in self.all() {
            let tally = tallies.iter().find(|tally| tally.guard == id);
            rows.push(match tally {
                Some(tally) => self.row(guard, tally, event, &mut documents),
                None => not_asked(guard, event),
            });
        }
        for guard in &self.quarantined {
            let applies = guard.includes(event.kind(), event.action());
            let why = match (guard.denies, applies) {
                (false, _) => "it is an `allow` with errors, which never acts",
                (true, true) => "it has errors, so it denies",
                (true, false) => "it has errors, and its `on` does not match",
            };
            rows.push(GuardRow {
                id: guard.id.as_deref().unwrap_or(INVALID).to_owned(),
                decision: if guard.denies { "deny" } else { "allow" },
                result: Result::Invalid,
                thing: None,
                why: why.to_owned(),
                explanation: None,
            });
        }
        if event.kind() == EventKind::ToolCall {
            rows.extend(self.built_in(event, decided));
        }
        rows
    }

    fn row(
        &self,
        guard: &Guard,
        tally: &Tally<'_>,
        event: &Event,
        documents: &mut Documents<'_>,
    ) -> GuardRow {
        let explained = |touched: Touched<'_>| {
            let document = documents.of(touched.spelling);
            let mut run = self.conditions.run(document);
            run.outcome(guard.condition);
            self.conditions.explain(guard.condition, document, &run.finish())
        };
        let (result, touched) = match acts(guard, tally, event) {
            Acts::Yes(touched) => (Result::Acted, Some(touched)),
            Acts::Undecided(touched) => (Result::Undecided, Some(touched)),
            Acts::No => (Result::DidNotAct, tally.first_other.or(tally.first_true)),
        };
        let explanation = touched.map(explained);
        let because = explanation.as_ref().map(why).unwrap_or_default();
        let untested = result == Result::DidNotAct
            && guard.decision == Decision::Allow
            && tally.first_other.is_none();
        let why = match (event.opaque(), tally.first_unsaid) {
            (Some(opaque), _) if untested => {
                format!("the line cannot be read in full: {opaque}")
            }
            (None, Some((_, unsaid))) if untested => because_of(unsaid).to_owned(),
            (Some(_) | None, _) => because,
        };
        let unsaid = tally.first_unsaid.filter(|_| untested && event.opaque().is_none());
        let thing = unsaid.map(|(thing, _)| thing).or(touched.map(|touched| touched.thing));
        GuardRow {
            id: guard.id.to_string(),
            decision: guard.decision.name(),
            result,
            thing: thing.map(|thing| shown(&thing.shown)),
            why,
            explanation,
        }
    }

    fn built_in(&self, event: &Event, decided: &Decided) -> Vec<GuardRow> {
        let row = |id: &str, decision: Decision, why: &str| -> Vec<GuardRow> {
            let acts: Vec<&Act> = decided.acts.iter().filter(|act| &*act.id == id).collect();
            if acts.is_empty() {
                return vec![GuardRow {
                    id: id.to_owned(),
                    decision: decision.name(),
                    result: Result::DidNotAct,
                    thing: None,
                    why: why.to_owned(),
                    explanation: None,
                }];
            }
            let row = |act: &&Act| GuardRow {
                id: id.to_owned(),
                decision: act.decision.name(),
                result: Result::Acted,
                thing: act.thing.as_deref().map(shown),
                why: act.reason.clone(),
                explanation: None,
            };
            acts.iter().map(row).collect()
        };
        let mut rows = Vec::new();
        if self.protect.law {
            let why =
                "it writes no settings or state of Lawful, and runs no command that is denied";
            rows.extend(row(LAW, Decision::Deny, why));
        }
        if let Some(choice) = self.protect.book {
            rows.extend(row(BOOK, on_edit(choice), "it writes no file of the lawbook"));
        }
        if !self.protect.paths.is_empty() {
            rows.extend(row(PATHS, Decision::Deny, "it writes no protected path"));
        }
        if let Some(setting) = self.opaque_setting(event) {
            let decision = match setting {
                Opaque::Ask => Decision::Ask,
                Opaque::Deny => Decision::Deny,
                Opaque::Allow => Decision::Allow,
            };
            let why = match event.opaque() {
                Some(_) => "another guard denies",
                None => "everything that the call does is known",
            };
            rows.extend(row(OPAQUE, decision, why));
        }
        rows
    }
}

/// Why an `allow` does not act on a command that does more than its line says.
fn because_of(unsaid: Unsaid) -> &'static str {
    match unsaid {
        Unsaid::Program => "the program is not one of a system folder",
        Unsaid::Variable => "the shell line sets a variable",
        Unsaid::Link => "a path leads through a link that the shell line makes",
        Unsaid::Writes => {
            "a redirection writes a file, and the condition does not test `event.writes`"
        }
        Unsaid::Reads => {
            "a redirection reads a file, and the condition does not test `event.reads`"
        }
    }
}

fn not_asked(guard: &Guard, event: &Event) -> GuardRow {
    GuardRow {
        id: guard.id.to_string(),
        decision: guard.decision.name(),
        result: Result::NotAsked,
        thing: None,
        why: difference(&guard.on, event),
        explanation: None,
    }
}

/// Why an `on` does not match an event.
fn difference(on: &On, event: &Event) -> String {
    if on.event != event.kind() {
        return format!("it decides on `{}`, not on `{}`", on.event.name(), event.kind().name());
    }
    let action = event.action();
    if let Some(action) = action.filter(|action| !on.includes(on.event, Some(*action))) {
        let wanted: Vec<String> =
            on.actions.iter().map(|action| format!("`{}`", action.name())).collect();
        return format!("the action is `{}`, not {}", action.name(), wanted.join(" or "));
    }
    match on.differing(event.body()) {
        Some((field, values)) => {
            let wanted: Vec<String> = values.iter().map(ToString::to_string).collect();
            let actual = event.body().get(field);
            let actual = actual.map_or("absent".to_owned(), |value| shown(&value.to_string()));
            format!("`{field}` is {actual}, not {}", shown(&wanted.join(" or ")))
        }
        None => "it does not apply".to_owned(),
    }
}
