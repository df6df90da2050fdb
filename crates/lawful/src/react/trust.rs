//! Which values of a session may stand in the system layer.
//!
//! Author text is trusted to speak there. What a user, a tool or the agent wrote is not, so a value
//! qualifies only if it cannot carry their words: a number, a boolean, one of the declared `values`
//! of a variable, or a protected string to which every action writes a literal or something that
//! itself qualifies. `check` and rendering both ask this module.
//!
//! **Invariant:** the analysis is static and errs on the safe side. Whatever rules do, a trusted
//! variable never gets text that did not come from the lawbook or from a write of the host. What it
//! got from the rules of another lawbook, [the session](super::origin) remembers; rendering asks
//! both.

use std::collections::BTreeSet;

use super::action::{Action, ActionKind};
use super::decode::broken::BrokenWrite;
use super::event::Event;
use super::rules::{Rule, RuleId};
use super::session::Session;
use super::source::Source;
use super::trigger::{On, Test};
use super::variables::{Declared, root};
use crate::book::{Variable, VariableType};
use crate::index::IndexVec;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The trusted values of a lawbook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trust {
    /// The variables whose values qualify.
    variables: BTreeSet<Box<str>>,
    /// Those of them whose declarations exclude text of others.
    closed: BTreeSet<Box<str>>,
    /// Whether every rule is known. An unknown one may have written anything to a string.
    complete: bool,
    /// The names of variables that the lawbook itself uses.
    names: BTreeSet<Box<str>>,
}

/// What is trusted because of all rules of a lawbook. Some of them cannot tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WholeTrust {
    /// The variables whose values qualify.
    pub variables: BTreeSet<Box<str>>,
    /// The names of variables that the lawbook itself uses.
    pub names: BTreeSet<Box<str>>,
}

/// The rules that do not run. They may have run before they were edited.
#[derive(Debug, Default)]
pub(super) struct Unused {
    /// Rules that are ignored although they have no error of their own.
    pub rules: Vec<Rule>,
    /// The writes of rules with errors.
    pub writes: Vec<BrokenWrite>,
    /// Whether these are all.
    pub complete: bool,
}

impl Trust {
    pub(super) fn new(
        rules: &IndexVec<RuleId, Rule>,
        unused: &Unused,
        declared: &Declared,
    ) -> Self {
        let all = || rules.ids().map(|id| &rules[id]).chain(&unused.rules);
        let (closed, strings) = classes(declared);
        let mut trust = Self {
            variables: BTreeSet::new(),
            closed,
            complete: unused.complete,
            names: names(rules.ids().map(|id| &rules[id]), declared),
        };
        // Protected strings may be copied into each other, so they qualify together: start with all
        // of them, and remove those that something else is written to until nothing changes.
        trust.variables.extend(trust.closed.iter().chain(&strings).cloned());
        loop {
            let spoiled = |(rule, action): &(&Rule, &Action)| {
                let ActionKind::Write(path, operation) = &action.kind else { return None };
                let written = root(path).filter(|root| trust.variables.contains(*root))?;
                let source = operation.from.as_ref()?;
                let fine = !strings.contains(written) || trust.qualifies(source, rule);
                (!fine).then(|| Box::<str>::from(written))
            };
            let actions = all().flat_map(|rule| rule.actions.iter().map(move |act| (rule, act)));
            let mut found: Vec<Box<str>> = actions.filter_map(|action| spoiled(&action)).collect();
            for write in unused.writes.iter().filter(|write| !trust.is_harmless(write)) {
                let variable = write.variable.as_deref();
                let written = |name: &str| variable.is_none_or(|variable| variable == name);
                let trusted = strings.iter().filter(|name| trust.variables.contains(*name));
                found.extend(trusted.filter(|name| written(name)).cloned());
            }
            if found.is_empty() {
                return trust;
            }
            for spoiled in found {
                trust.variables.remove(&spoiled);
            }
        }
    }

    /// What [`new`](Self::new) found for all rules of a lawbook, none of which has errors.
    pub(super) fn known(whole: &WholeTrust, declared: &Declared) -> Self {
        let WholeTrust { variables, names } = whole.clone();
        Self { variables, closed: classes(declared).0, complete: true, names }
    }

    /// What a part of the lawbook cannot find out.
    pub(super) fn whole(&self) -> WholeTrust {
        WholeTrust { variables: self.variables.clone(), names: self.names.clone() }
    }

    /// The variables whose values may stand in the system layer.
    pub(crate) fn variables(&self) -> &BTreeSet<Box<str>> {
        &self.variables
    }

    /// Whether a write of a rule with errors gives a variable only trusted text.
    fn is_harmless(&self, write: &BrokenWrite) -> bool {
        match &write.from {
            Some(Source::Turn) => true,
            Some(Source::Variable(path)) => self.variable(path),
            // The trigger of the rule is unknown.
            Some(Source::Field(_)) | None => false,
        }
    }

    /// The variables whose values in a session may stand in the system layer.
    pub(super) fn held_by(&self, session: &Session) -> BTreeSet<Box<str>> {
        self.variables.iter().filter(|name| self.is_held(name, session)).cloned().collect()
    }

    /// Whether the value of a variable in a session may stand in the system layer.
    pub(super) fn holds(&self, path: &Path, session: &Session) -> bool {
        matches!(path.segments(), [Segment::Key(root)] if self.is_held(root, session))
    }

    fn is_held(&self, name: &str, session: &Session) -> bool {
        let untouched = || self.complete && !session.untrusted.contains(name);
        self.closed.contains(name) || (self.variables.contains(name) && untouched())
    }

    /// Whether the value of a variable may stand in the system layer, by its declaration and the
    /// rules.
    pub(crate) fn variable(&self, path: &Path) -> bool {
        matches!(path.segments(), [Segment::Key(root)] if self.variables.contains(root))
    }

    /// Whether a text of a rule may show a source in the system layer.
    pub(crate) fn shows(&self, source: &Source, rule: &Rule) -> bool {
        match source {
            Source::Field(path) => is_variable_id(path) || of_lawful(&rule.trigger.on),
            Source::Variable(_) | Source::Turn => self.qualifies(source, rule),
        }
    }

    /// Whether a rule writes only trusted text if it writes this source. A name of a variable can
    /// be the agent's, so it qualifies only where the trigger fixes it.
    fn qualifies(&self, source: &Source, rule: &Rule) -> bool {
        match source {
            Source::Turn => true,
            Source::Variable(path) => self.variable(path),
            Source::Field(path) if is_variable_id(path) => {
                of_lawful(&rule.trigger.on) || rule.trigger.tests.iter().any(fixes_variable)
            }
            Source::Field(_) => of_lawful(&rule.trigger.on),
        }
    }

    /// Whether a field of an event that was raised may stand in the system layer.
    pub(super) fn field(&self, event: &Event, path: &Path, value: &Value) -> bool {
        let is_name = || value.as_text().is_some_and(|name| self.names.contains(name));
        is_of_lawful(event.kind()) || (is_variable_id(path) && is_name())
    }
}

/// The declared variables that cannot hold text of others, and those that only rules and the host write.
fn classes(declared: &Declared) -> (BTreeSet<Box<str>>, BTreeSet<Box<str>>) {
    let (mut closed, mut guarded) = (BTreeSet::new(), BTreeSet::new());
    for id in declared.ids() {
        match declared.get(id).map(class) {
            Some(Class::Closed) => drop(closed.insert(id.into())),
            Some(Class::Guarded) => drop(guarded.insert(id.into())),
            Some(Class::Open) | None => {}
        }
    }
    (closed, guarded)
}

/// How far the declaration of a variable restricts its text.
enum Class {
    /// It cannot hold text of others.
    Closed,
    /// Only rules and the host write it.
    Guarded,
    /// Anyone writes anything.
    Open,
}

fn class(variable: &Variable) -> Class {
    match variable.kind {
        _ if !variable.values.is_empty() => Class::Closed,
        VariableType::Number | VariableType::Boolean => Class::Closed,
        VariableType::String if variable.protected => Class::Guarded,
        VariableType::String | VariableType::Array | VariableType::Object => Class::Open,
    }
}

/// The variables that are declared, written by rules, or named by their triggers.
fn names<'r>(rules: impl Iterator<Item = &'r Rule>, declared: &Declared) -> BTreeSet<Box<str>> {
    let mut names: BTreeSet<Box<str>> = declared.ids().map(Into::into).collect();
    for rule in rules {
        for test in &rule.trigger.tests {
            match test {
                Test::Changed(path) | Test::Crossed { path, .. } => {
                    names.extend(root(path).map(Into::into));
                }
                Test::Fields { variables, .. } => {
                    names.extend(variables.iter().map(|(name, _)| name.clone()));
                }
                Test::Turn { .. } | Test::Keywords(_) => {}
            }
        }
        for action in &rule.actions {
            if let ActionKind::Write(path, _) = &action.kind {
                names.extend(root(path).map(Into::into));
            }
        }
    }
    names
}

fn is_variable_id(path: &Path) -> bool {
    matches!(path.segments(), [Segment::Key(key)] if **key == *"variableId")
}

/// Whether a test requires one variable.
fn fixes_variable(test: &Test) -> bool {
    match test {
        Test::Changed(_) | Test::Crossed { .. } => true,
        Test::Fields { key, .. } => key.as_ref().is_some_and(|(key, _)| **key == *"variableId"),
        Test::Turn { .. } | Test::Keywords(_) => false,
    }
}

/// The events whose fields are words of the author or counts.
const OF_LAWFUL: [&str; 2] = ["verify:", "guard:"];
const PREDICATE_FAILED: &str = "predicate:failed";

fn is_of_lawful(kind: &str) -> bool {
    kind == PREDICATE_FAILED || OF_LAWFUL.iter().any(|namespace| kind.starts_with(namespace))
}

/// Whether a trigger matches only such events.
fn of_lawful(on: &On) -> bool {
    match on {
        On::Type(kind) => is_of_lawful(kind),
        On::Namespace(namespace) => OF_LAWFUL.iter().any(|known| namespace.starts_with(known)),
        On::Manual => false,
    }
}
