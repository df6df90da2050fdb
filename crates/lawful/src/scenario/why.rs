//! Why an expectation does not hold: from the explanations of the surface that decided.
//!
//! Explanations are worked out only here, when an expectation failed.

use std::cell::OnceCell;

use lawful_syntax::escape;

use super::expect::Decided;
use super::happened::{Happened, Prompted};
use crate::guard::{BUILT_IN_GUARDS, GuardResult, GuardRow};
use crate::lawbook::Lawbook;
use crate::view::{PredicateView, RuleView, SectionView, Stepped};

/// The explanations of one step.
pub(super) struct Why<'w> {
    book: &'w Lawbook,
    happened: &'w Happened,
    explained: OnceCell<Vec<Stepped>>,
    guards: OnceCell<Vec<GuardRow>>,
}

/// How many rows of an explanation are shown.
const MOST: usize = 8;

impl<'w> Why<'w> {
    pub(super) fn new(book: &'w Lawbook, happened: &'w Happened) -> Self {
        let (explained, guards) = (OnceCell::new(), OnceCell::new());
        Self { book, happened, explained, guards }
    }

    /// The steps of the session again, with why rules did not fire.
    fn explained(&self) -> &[Stepped] {
        self.explained.get_or_init(|| {
            let taken = self.happened.taken.iter();
            taken.map(|(session, input)| self.book.step_explained(session.clone(), input)).collect()
        })
    }

    /// Why each guard acted or did not.
    fn guards(&self) -> &[GuardRow] {
        self.guards.get_or_init(|| {
            let Some((event, session, host)) = self.happened.decided.as_deref() else {
                return Vec::new();
            };
            let decided = self.book.guard_explained(event, session, host);
            decided.ok().and_then(|decided| decided.guards).unwrap_or_default()
        })
    }

    /// Why a rule did not fire.
    pub(super) fn not_fired(&self, rule: &str) -> Vec<String> {
        let name = escape::name(rule);
        if let Some(prompt) = &self.happened.prompt {
            let row = prompt.rules.iter().find(|row| row.id.as_deref() == Some(rule));
            return vec![match row {
                Some(row) => format!("`{name}` did not fire: {}", row.why),
                None => format!("`{name}` is not a rule of this composition"),
            }];
        }
        let rows = self.explained().iter().flat_map(|step| step.trace.not_fired.iter().flatten());
        let mut rows: Vec<String> = rows
            .filter(|row| row.rule == rule)
            .map(|row| format!("`{name}` stopped at the gate `{}`: {}", row.gate.name(), row.why))
            .collect();
        if rows.is_empty() {
            rows.push(format!("there is no rule `{name}`"));
        }
        rows
    }

    /// Why a rule fired.
    pub(super) fn fired(&self, rule: &str) -> Vec<String> {
        let name = escape::name(rule);
        if let Some(prompt) = &self.happened.prompt {
            let row = prompt.rules.iter().find(|row| row.id.as_deref() == Some(rule));
            return row.map(|row| format!("`{name}` fired: {}", row.why)).into_iter().collect();
        }
        let firings = self.explained().iter().flat_map(|step| &step.trace.fired);
        let firings = firings.filter(|firing| firing.rule == rule);
        firings.map(|firing| format!("`{name}` fired on {}", firing.event)).collect()
    }

    /// Why the decision is another.
    pub(super) fn decision(&self, expected: Decided) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        if let Some(reason) = &self.happened.reason {
            let by: Vec<String> =
                self.happened.by.iter().map(|id| format!("`{}`", escape::name(id))).collect();
            lines.push(format!("decided by {}: {reason}", by.join(", ")));
        }
        // What protects the law is not what the author of a scenario has in mind.
        let own = |row: &&GuardRow| !BUILT_IN_GUARDS.contains(&&*row.id);
        let rows = || self.guards().iter().filter(own);
        let wanted = rows().filter(|row| row.decision == expected.name() && is_open(row));
        lines.extend(wanted.take(MOST).map(guard_line));
        if lines.is_empty() {
            lines.extend(rows().take(MOST).map(guard_line));
        }
        if lines.is_empty() {
            lines.push("the lawbook has no guards".to_owned());
        }
        lines.extend(self.verdict_lines());
        lines
    }

    /// Why a guard is not among those that made the decision.
    pub(super) fn not_by(&self, id: &str) -> Vec<String> {
        let mut rows: Vec<String> =
            self.guards().iter().filter(|row| row.id == id).map(guard_line).collect();
        if rows.is_empty() {
            let name = escape::name(id);
            rows.push(match self.happened.decided {
                Some(_) => format!("`{name}` did not decide"),
                None => format!("there was nothing for `{name}` to decide"),
            });
        }
        rows
    }

    /// Why a guard is among those that made the decision.
    pub(super) fn by(&self, id: &str) -> Vec<String> {
        self.guards().iter().filter(|row| row.id == id).map(guard_line).collect()
    }

    /// Why a directive is not in force.
    pub(super) fn no_directive(&self, id: &str) -> Vec<String> {
        let injects = |action: &crate::react::Action| action.kind.directive() == Some(id);
        let rules = self.book.rules().all().map(|(_, rule)| rule);
        let injecting = rules.filter(|rule| rule.actions.iter().any(injects));
        let fired = |rule: &str| self.happened.fired.iter().any(|known| **known == *rule);
        let mut lines = Vec::new();
        for rule in injecting {
            if fired(&rule.id) {
                let (rule, id) = (escape::name(&rule.id), escape::name(id));
                lines.push(format!("`{rule}` fired, and `{id}` was removed or has ended"));
            } else if !self.happened.taken.is_empty() {
                lines.extend(self.not_fired(&rule.id));
            }
        }
        lines
    }

    /// What a diagnostic says.
    pub(super) fn diagnostic(&self, code: &str) -> Vec<String> {
        let found = self.happened.diagnostics.iter().filter(|problem| problem.code.name == code);
        found.map(|problem| format!("{}: {}", problem.code.name, problem.message)).collect()
    }

    /// Writes that had no effect.
    pub(super) fn refused_writes(&self) -> Vec<String> {
        let codes = ["refused-write", "clamped-write"];
        let found = self.happened.diagnostics.iter();
        let found = found.filter(|problem| codes.contains(&problem.code.name));
        found.map(|problem| format!("{}: {}", problem.code.name, problem.message)).collect()
    }

    /// Why the verdict is what it is.
    pub(super) fn verdict(&self) -> Vec<String> {
        let lines = self.verdict_lines();
        if !lines.is_empty() {
            return lines;
        }
        vec![match (&self.happened.verification, &self.happened.reason) {
            (Some(_), _) => "every predicate passed or was skipped".to_owned(),
            (None, Some(reason)) => format!("nothing was judged: {reason}"),
            (None, None) => "nothing was judged".to_owned(),
        }]
    }

    /// The predicates that did not pass.
    fn verdict_lines(&self) -> Vec<String> {
        let others = self.predicates().iter().filter(|one| one.outcome != "pass");
        others.take(MOST).map(predicate_line).collect()
    }

    fn predicates(&self) -> &[PredicateView] {
        self.happened.verification.as_ref().map_or(&[], |one| one.predicates.as_slice())
    }

    /// What became of a predicate.
    pub(super) fn predicate(&self, label: &str) -> Vec<String> {
        let is_it = |one: &&PredicateView| match &one.name {
            Some(name) => name == label,
            None => one.index.to_string() == label,
        };
        let found: Vec<String> =
            self.predicates().iter().filter(is_it).map(predicate_line).collect();
        if found.is_empty() { self.verdict() } else { found }
    }
}

/// Why something is not in a prompt: what the rules of its composition did.
pub(super) fn not_in_prompt(prompt: &Prompted) -> Vec<String> {
    prompt.rules.iter().take(MOST).map(rule_line).collect()
}

/// Which parts of a prompt contain a text.
pub(super) fn in_prompt(prompt: &Prompted, text: &str) -> Vec<String> {
    let parts = prompt.sections.iter().filter(|section| section.text.contains(text));
    let line = |section: &SectionView| {
        let id = escape::name(&section.id);
        let file = section.file.as_ref().map_or(String::new(), |file| format!(" ({file})"));
        format!("it is in `{id}`{file}")
    };
    let mut lines: Vec<String> = parts.map(line).collect();
    lines.extend(not_in_prompt(prompt));
    lines
}

/// Whether a guard was asked and could have acted.
fn is_open(row: &GuardRow) -> bool {
    match row.result {
        GuardResult::DidNotAct | GuardResult::Undecided | GuardResult::Acted => true,
        GuardResult::Invalid => true,
        GuardResult::NotAsked => false,
    }
}

fn guard_line(row: &GuardRow) -> String {
    let result = match row.result {
        GuardResult::Acted => "acted",
        GuardResult::NotAsked => "does not apply",
        GuardResult::DidNotAct => "did not act",
        GuardResult::Undecided => "could not be evaluated",
        GuardResult::Invalid => "has errors",
    };
    let thing = row.thing.as_ref().map_or(String::new(), |thing| format!(" on `{thing}`"));
    format!("`{}` ({}) {result}{thing}: {}", escape::name(&row.id), row.decision, row.why)
}

fn predicate_line(predicate: &PredicateView) -> String {
    let label = match &predicate.name {
        Some(name) => format!("`{}`", escape::name(name)),
        None => format!("predicate {}", predicate.index),
    };
    format!("{label} ({}): {}", predicate.outcome, predicate.reason)
}

fn rule_line(rule: &RuleView) -> String {
    let label = match &rule.id {
        Some(id) => format!("rule {} (`{}`)", rule.index, escape::name(id)),
        None => format!("rule {}", rule.index),
    };
    let line = rule.line.map_or(String::new(), |line| format!(" on line {line}"));
    if rule.fired {
        format!("{label}{line} fired: {}", rule.effect)
    } else {
        format!("{label}{line} did not fire: {}", rule.why)
    }
}
