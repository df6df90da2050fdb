//! The names that rules define or use, for whoever names them from outside.

use std::collections::BTreeSet;

use super::action::ActionKind;
use super::event::ACTION_EXECUTED;
use super::rules::Rules;
use super::source::{EVENT, STATE};
use super::trigger::{On, Test};
use super::variables::root;
use crate::path::{Path, Segment};
use crate::value::Value;

impl Rules {
    /// Whether the manifest declares variables, so that there are no others.
    pub(crate) fn declares_variables(&self) -> bool {
        !self.declared.is_empty()
    }

    /// The declared variables, or those that rules name if none are declared.
    pub(crate) fn variable_ids(&self) -> BTreeSet<&str> {
        if self.declares_variables() {
            return self.declared.ids().collect();
        }
        let mut named: BTreeSet<&str> = self.conditions.paths().filter_map(variable).collect();
        for (_, rule) in self.all() {
            for action in &rule.actions {
                if let ActionKind::Write(path, _) = &action.kind {
                    named.extend(root(path));
                }
            }
            for test in &rule.trigger.tests {
                match test {
                    Test::Changed(path) | Test::Crossed { path, .. } => named.extend(root(path)),
                    Test::Fields { variables, .. } => {
                        named.extend(variables.iter().map(|(name, _)| &**name));
                    }
                    Test::Turn { .. } | Test::Keywords(_) => {}
                }
            }
        }
        named
    }

    /// The directives that rules inject.
    pub(crate) fn directive_ids(&self) -> BTreeSet<&str> {
        let actions = self.all().flat_map(|(_, rule)| &rule.actions);
        actions.filter_map(|action| action.kind.directive()).collect()
    }

    /// Whether some rule reacts to events of a type.
    pub(crate) fn reacts_to(&self, kind: &str) -> bool {
        self.all().any(|(_, rule)| rule.trigger.on.admits(kind))
    }

    /// The types of events that rules react to, without those that they match by a namespace.
    pub(crate) fn event_types(&self) -> BTreeSet<&str> {
        let types = self.all().filter_map(|(_, rule)| match &rule.trigger.on {
            On::Type(exact) => Some(&**exact),
            On::Namespace(_) | On::Manual => None,
        });
        types.collect()
    }

    /// The actions of the user interface that rules react to; `None` if rules react to any action, or
    /// to none.
    pub(crate) fn action_ids(&self) -> Option<BTreeSet<&str>> {
        let mut ids = BTreeSet::new();
        for (_, rule) in self.all() {
            if !rule.trigger.on.admits(ACTION_EXECUTED) {
                continue;
            }
            let named = rule.trigger.tests.iter().find_map(|test| match test {
                Test::Fields { key: Some((field, Value::Text(id))), .. }
                    if **field == *"actionId" =>
                {
                    Some(&**id)
                }
                Test::Fields { .. }
                | Test::Changed(_)
                | Test::Crossed { .. }
                | Test::Turn { .. }
                | Test::Keywords(_) => None,
            });
            ids.insert(named?);
        }
        (!ids.is_empty()).then_some(ids)
    }
}

/// The variable that a path of a condition reads, by its name or under `state`.
pub(crate) fn variable(path: &Path) -> Option<&str> {
    match path.segments() {
        [Segment::Key(first), Segment::Key(second), ..] if **first == *STATE => Some(second),
        [Segment::Key(first), ..] if [STATE, EVENT].contains(&&**first) => None,
        [Segment::Key(first), ..] => Some(first),
        [] | [Segment::Index(_) | Segment::Each, ..] => None,
    }
}
