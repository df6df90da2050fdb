//! Scenarios for what no scenario covers, with contexts that the partition found.
//!
//! **Invariant:** a suggestion is played before it is returned, and it covers what it is for.
//! Everything else is in [`Suggestions::without`].

mod draft;
mod tool;

use std::fmt::Write as _;

use lawful_syntax::escape;

use self::draft::{Draft, drafts};
use crate::coverage::{Lack, Missing, Subject};
use crate::lawbook::Lawbook;
use crate::scenario::{Collect, ConditionOf, Scenario, Surroundings, Touched, flow};
use crate::value::{Map, Value};

/// Scenarios that would cover more.
#[derive(Clone, Debug, Default)]
pub struct Suggestions {
    /// The scenarios, in the order of what they cover.
    pub scenarios: Vec<Suggestion>,
    /// What is still not covered.
    pub without: Vec<Missing>,
}

/// A scenario with empty expectations.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// Its path in the lawbook, where no document is.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What it covers, in words.
    pub covers: Vec<String>,
}

pub(crate) fn suggest(
    book: &Lawbook,
    touched: &Touched,
    surroundings: &Surroundings<'_>,
) -> Suggestions {
    let mut reached = touched.clone();
    let mut groups: Vec<(Draft, Vec<String>)> = Vec::new();
    let mut without = Vec::new();
    let coverage = book.coverage(touched);
    for missing in coverage.kinds().into_iter().flat_map(|(_, covered)| &covered.missing) {
        if is_covered(book, missing, &reached) {
            continue;
        }
        let covering = drafts(book, missing).into_iter().find_map(|draft| {
            let scenario = draft.scenario(book)?;
            let played = book.play(&scenario, surroundings, Collect::Touched);
            let covers = played.problems.is_empty() && is_covered(book, missing, &played.touched);
            covers.then_some((draft, played.touched))
        });
        let Some((draft, touched)) = covering else {
            without.push(missing.clone());
            continue;
        };
        reached.merge(&touched);
        let what = missing.what(book);
        match groups.iter_mut().find(|(group, _)| group.takes(&draft)) {
            Some((group, covers)) => {
                group.steps.extend(draft.steps);
                covers.push(what);
            }
            None => groups.push((draft, vec![what])),
        }
    }
    // A later scenario may have covered what was given up before.
    without.retain(|missing| !is_covered(book, missing, &reached));
    let mut scenarios: Vec<Suggestion> = Vec::new();
    for (draft, covers) in groups {
        let taken = |path: &str| {
            let known = book.book().documents.iter().any(|document| document.path == path);
            known || scenarios.iter().any(|suggestion| suggestion.path == path)
        };
        let stem = free(&draft.name, taken);
        let text = draft.text(&stem, &covers);
        scenarios.push(Suggestion { path: path(&stem), text, covers });
    }
    Suggestions { scenarios, without }
}

/// A name of a scenario that no file has.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let names = (1..).map(|number| match number {
        1 => format!("suggested-{name}"),
        _ => format!("suggested-{name}-{number}"),
    });
    let mut names = names.take(10_000);
    names.find(|name| !taken(&path(name))).unwrap_or_else(|| format!("suggested-{name}"))
}

fn path(stem: &str) -> String {
    format!("scenarios/{stem}.yaml")
}

/// Whether scenarios that touched these things cover something.
fn is_covered(book: &Lawbook, missing: &Missing, touched: &Touched) -> bool {
    let side = |seen: Option<&crate::scenario::Seen>, yes: bool| {
        seen.is_some_and(|seen| if yes { seen.yes } else { seen.no })
    };
    match (&missing.subject, missing.lacks) {
        (Subject::CompositionRule(name, index), _) => {
            touched.composition_rules.contains(&(name.clone(), *index))
        }
        (Subject::Rule(id), _) => touched.rules.contains(id),
        (Subject::Condition(of), lack) => side(touched.conditions.get(of), lack == Lack::True),
        (Subject::Fragment(id), _) => touched.fragments.contains(id),
        (Subject::Predicate(index), lack) => {
            side(touched.predicates.get(index), lack == Lack::Pass)
        }
        (Subject::Guard(id), _) => {
            let guard = book.guards().all().find(|(_, guard)| guard.id == *id);
            let decision = guard.map(|(_, guard)| guard.decision.name());
            let decided = touched.guards.get(id);
            decided.zip(decision).is_some_and(|(all, decision)| all.contains(decision))
        }
    }
}

/// The rule or guard that a missing condition belongs to.
fn owner(subject: &Subject) -> Option<Subject> {
    match subject {
        Subject::Condition(of) => match of {
            ConditionOf::Saved(_) => None,
            ConditionOf::Rule(id) => Some(Subject::Rule(id.clone())),
            ConditionOf::CompositionRule(name, index) => {
                Some(Subject::CompositionRule(name.clone(), *index))
            }
            ConditionOf::Guard(id) => Some(Subject::Guard(id.clone())),
            ConditionOf::Predicate(index) => Some(Subject::Predicate(*index)),
        },
        Subject::CompositionRule(..) | Subject::Rule(_) | Subject::Fragment(_) => {
            Some(subject.clone())
        }
        Subject::Predicate(_) | Subject::Guard(_) => Some(subject.clone()),
    }
}

impl Draft {
    /// Whether another draft can be a part of this scenario.
    fn takes(&self, other: &Self) -> bool {
        self.name == other.name && self.state == other.state && self.joins && other.joins
    }

    /// The scenario of the draft, as it will be read.
    fn scenario(&self, book: &Lawbook) -> Option<Scenario> {
        Scenario::parse(book, &path("suggested"), &self.text("suggested", &[]))
    }

    fn text(&self, name: &str, covers: &[String]) -> String {
        let mut text = String::from(
            "# Suggested by `lawful test --suggest`: fill the expectations with `lawful test --bless`, and review them.\n",
        );
        for what in covers {
            let _ = writeln!(text, "# Covers: {}", escape::line(what));
        }
        let _ = writeln!(text, "name: {}", flow(&name.into()));
        if !self.state.is_empty() {
            let _ = writeln!(text, "given:\n  state: {}", flow(&Value::Map(self.state.clone())));
        }
        text.push_str("steps:\n");
        for (at, step) in self.steps.iter().enumerate() {
            let mut entries = step.iter().map(|(key, value)| format!("{key}: {}", flow(value)));
            let _ = writeln!(text, "  - {}", entries.next().unwrap_or_default());
            for entry in entries {
                let _ = writeln!(text, "    {entry}");
            }
            if self.joins || at + 1 == self.steps.len() {
                text.push_str("    expect: {}\n");
            }
        }
        text
    }
}

/// A step with one key.
fn step(key: &str, value: Value) -> Map {
    [(Box::from(key), value)].into_iter().collect()
}

#[cfg(test)]
mod tests;
