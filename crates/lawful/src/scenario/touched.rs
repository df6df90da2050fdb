//! What a scenario touched: what coverage counts, and what a change of the book could alter.

use std::collections::{BTreeMap, BTreeSet};

use crate::cond::Outcome;

/// What scenarios touched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The rules and reactions of `rules/` that fired, by id.
    pub rules: BTreeSet<Box<str>>,
    /// The rules of compositions that fired: the composition, and the index of the rule.
    pub composition_rules: BTreeSet<(Box<str>, usize)>,
    /// The conditions that were evaluated. A `when` that is not written has no row.
    pub conditions: BTreeMap<ConditionOf, Seen>,
    /// The fragments whose text was in a prompt.
    pub fragments: BTreeSet<Box<str>>,
    /// The predicates, by index: `yes` if it passed, `no` if it failed.
    pub predicates: BTreeMap<usize, Seen>,
    /// The guards that acted, and what they decided, with the built-in ones.
    pub guards: BTreeMap<Box<str>, BTreeSet<&'static str>>,
    /// The rules that some event could trigger by its type, or that another rule triggered. A change
    /// of any other rule alters nothing.
    pub asked_rules: BTreeSet<Box<str>>,
    /// The guards that decide on the kind of event and tool of some step.
    pub asked_guards: BTreeSet<Box<str>>,
    /// The compositions that were resolved, also for a role.
    pub compositions: BTreeSet<Box<str>>,
    /// Whether the prompt of a role was composed, for which all roles are.
    pub roles: bool,
    /// Whether an envelope was judged.
    pub rulespec: bool,
}

/// Whose condition it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionOf {
    /// A saved condition, by id.
    Saved(Box<str>),
    /// A rule or reaction, by id.
    Rule(Box<str>),
    /// A rule of a composition: the composition, and the index of the rule.
    CompositionRule(Box<str>, usize),
    /// A guard, by id.
    Guard(Box<str>),
    /// The `when` of a predicate, by index.
    Predicate(usize),
}

/// What was seen of something that is true or false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// It was true.
    pub yes: bool,
    /// It was false.
    pub no: bool,
}

impl Seen {
    /// Adds what else was seen.
    pub fn merge(&mut self, other: Self) {
        self.yes |= other.yes;
        self.no |= other.no;
    }

    /// Whether it was seen true and false.
    pub fn both(self) -> bool {
        self.yes && self.no
    }
}

impl From<Outcome> for Seen {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::True => Self { yes: true, no: false },
            Outcome::False => Self { yes: false, no: true },
            Outcome::Error | Outcome::NotEvaluated => Self::default(),
        }
    }
}

impl Touched {
    /// Adds what another scenario touched.
    pub fn merge(&mut self, other: &Self) {
        let Self { rules, composition_rules, conditions, fragments, predicates, .. } = other;
        let Self { guards, asked_rules, asked_guards, compositions, roles, rulespec, .. } = other;
        self.rules.extend(rules.iter().cloned());
        self.composition_rules.extend(composition_rules.iter().cloned());
        for (of, seen) in conditions {
            self.conditions.entry(of.clone()).or_default().merge(*seen);
        }
        self.fragments.extend(fragments.iter().cloned());
        for (index, seen) in predicates {
            self.predicates.entry(*index).or_default().merge(*seen);
        }
        for (id, decisions) in guards {
            self.guards.entry(id.clone()).or_default().extend(decisions);
        }
        self.asked_rules.extend(asked_rules.iter().cloned());
        self.asked_guards.extend(asked_guards.iter().cloned());
        self.compositions.extend(compositions.iter().cloned());
        self.roles |= roles;
        self.rulespec |= rulespec;
    }

    pub(super) fn saw(&mut self, of: ConditionOf, outcome: Outcome) {
        self.conditions.entry(of).or_default().merge(outcome.into());
    }

    pub(super) fn saw_saved(&mut self, saved: Vec<(Box<str>, Outcome)>) {
        for (id, outcome) in saved {
            self.saw(ConditionOf::Saved(id), outcome);
        }
    }
}
