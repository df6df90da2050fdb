//! Variables that are not declared, or, in a lawbook without declarations, that no rule writes.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, did_you_mean, escape};

use crate::cond::{Condition, ConditionKind, Registry};
use crate::path::Path;
use crate::react::action::ActionKind;
use crate::react::event::STATE_CHANGED;
use crate::react::rules::{Rule, Rules};
use crate::react::source::Source;
use crate::react::template::sources;
use crate::react::trigger::Test;
use crate::react::variables::root;

lawful_syntax::declare_codes! {
    UNKNOWN_VARIABLE = "unknown-variable", Warning, "a rule or a guard names an unknown variable",
        "If the manifest declares `variables`, these are the known ones. Another name in a rule or in a guard is probably misspelled. If the manifest declares none, the known variables are those that rules write.\n\nCorrect the name, or declare the variable.";
}

pub(super) fn check(rules: &Rules, registry: &Registry) -> Vec<Diagnostic> {
    let known = KnownVariables::of(rules);
    let mut named = Named::default();
    for (_, rule) in rules.all() {
        named.by_rule(rule, !rules.declared.is_empty());
    }
    for entry in rules.entries() {
        for source in sources(&entry.text) {
            named.by_source(Some(&source), entry.text_span);
        }
    }
    named.by_saved(registry);
    named.variables.iter().filter_map(|(variable, span)| known.report(variable, *span)).collect()
}

/// The declared variables or, in a lawbook without declarations, those that rules write.
pub(crate) struct KnownVariables<'r>(BTreeSet<&'r str>);

impl<'r> KnownVariables<'r> {
    pub(crate) fn of(rules: &'r Rules) -> Self {
        if !rules.declared.is_empty() {
            return Self(rules.declared.ids().collect());
        }
        let actions = rules.all().flat_map(|(_, rule)| &rule.actions);
        Self(actions.filter_map(|action| writes(&action.kind)).collect())
    }

    /// The problem with a name, if it is unknown.
    pub(crate) fn report(&self, variable: &str, span: Span) -> Option<Diagnostic> {
        if self.0.contains(variable) {
            return None;
        }
        let message = format!("unknown variable `{}`", escape::name(variable));
        let help = if self.0.is_empty() {
            "declare it in the manifest".to_owned()
        } else {
            did_you_mean("variable", variable, self.0.iter().copied())
        };
        Some(Diagnostic::new(&UNKNOWN_VARIABLE, span, message).help(help))
    }
}

fn writes(action: &ActionKind) -> Option<&str> {
    match action {
        ActionKind::Write(path, _) => root(path),
        ActionKind::Inject(_)
        | ActionKind::Remove(_)
        | ActionKind::Entry(..)
        | ActionKind::Rule(..)
        | ActionKind::Context(..)
        | ActionKind::Emit(_)
        | ActionKind::Trigger(_)
        | ActionKind::Effect(..)
        | ActionKind::SetFrom(..) => None,
    }
}

/// The names that rules use.
#[derive(Default)]
struct Named {
    /// Variables, with their places.
    variables: Vec<(Box<str>, Span)>,
    /// The `ref`s of conditions, some of which name saved conditions.
    refs: BTreeSet<Box<str>>,
    /// Saved conditions that are not searched yet.
    open: Vec<Box<str>>,
}

impl Named {
    fn by_rule(&mut self, rule: &Rule, with_writes: bool) {
        for test in &rule.trigger.tests {
            match test {
                Test::Changed(path) | Test::Crossed { path, .. } => {
                    let place = rule.trigger.span;
                    self.variables.extend(root(path).map(|root| (root.into(), place)));
                }
                Test::Fields { variables, .. } => {
                    // Other events may use `variableId` for anything.
                    if rule.trigger.on.admits(STATE_CHANGED) {
                        self.variables.extend(variables.iter().cloned());
                    }
                }
                Test::Turn { .. } | Test::Keywords(_) => {}
            }
        }
        self.by_condition(&rule.when);
        for action in &rule.actions {
            self.by_source(action.kind.from(), action.span);
            if let Some(text) = action.kind.text().filter(|_| action.kind.from().is_none()) {
                for source in sources(&text.content) {
                    self.by_source(Some(&source), action.span);
                }
            }
        }
        if with_writes {
            for action in &rule.actions {
                let written = writes(&action.kind).map(|root| (root.into(), action.span));
                self.variables.extend(written);
            }
        }
    }

    fn by_source(&mut self, source: Option<&Source>, span: Span) {
        if let Some(Source::Variable(path)) = source {
            self.variables.extend(root(path).map(|root| (root.into(), span)));
        }
    }

    fn by_condition(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionKind::Always | ConditionKind::Broken => {}
            ConditionKind::All(rules) | ConditionKind::Any(rules) => {
                for rule in rules {
                    self.by_condition(rule);
                }
            }
            ConditionKind::Not(rule) => self.by_condition(rule),
            ConditionKind::Ref(reference) => {
                let node = reference.args.as_ref().and_then(|args| args.get("path"));
                let path = node.and_then(|node| Path::parse(node.as_text()?).ok());
                let variable = path.and_then(|path| match Source::of(&path)? {
                    Source::Variable(path) => Some(Box::<str>::from(root(&path)?)),
                    Source::Field(_) | Source::Turn => None,
                });
                self.variables.extend(node.and_then(|node| Some((variable?, node.span))));
                if self.refs.insert(reference.id.clone()) {
                    self.open.push(reference.id.clone());
                }
            }
        }
    }

    /// Adds the names used by the saved conditions that rules refer to, directly or through others.
    /// A saved condition that no rule refers to may be for another document.
    fn by_saved(&mut self, registry: &Registry) {
        while let Some(id) = self.open.pop() {
            if let Some(tree) = registry.saved_tree(&id) {
                self.by_condition(tree);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;

    const RULES: &str = "rules:\n\
        \x20 - id: a\n    trigger: {type: state-change, variableId: healht}\n\
        \x20   conditions: [{variableId: gold, operator: gt, value: 3}, {all: [{silver: 1}]}]\n\
        \x20   actions: [{type: modify-variable, variableId: gold.coins, operation: add, value: 1}]\n";

    #[test]
    fn declared_variables_are_known() {
        check(
            "variables:\n  health: {type: number}\n  gold: {type: object}\n",
            &RULES.replace(
                "variableId: gold, operator: gt, value: 3",
                "variableId: gold, operator: exists",
            ),
            "rules/r.yaml:3:14 unknown-variable: unknown variable `healht`\n\
             rules/r.yaml:4:64 unknown-variable: unknown variable `silver`",
        );
    }

    #[test]
    fn a_variable_in_an_event_pattern_is_checked() {
        check(
            "variables:\n  hp: {type: number}\n",
            "reactions:\n\
             \x20 - {id: a, when: {eventType: state:changed, match: {variableId: {op: eq, value: hpp}}}, then: []}\n\
             \x20 - {id: b, when: {eventType: 'state:*', variableId: hpp}, then: []}\n\
             \x20 - {id: c, when: {eventType: 'state:*', variableId: hp}, then: []}\n\
             \x20 - {id: d, when: {eventType: door:opened, variableId: hpp}, then: []}\n",
            "rules/r.yaml:2:82 unknown-variable: unknown variable `hpp`\n\
             rules/r.yaml:3:54 unknown-variable: unknown variable `hpp`",
        );
    }

    #[test]
    fn without_declarations_the_written_variables_are_known() {
        check(
            "",
            RULES,
            "rules/r.yaml:3:14 unknown-variable: unknown variable `healht`\n\
             rules/r.yaml:4:70 unknown-variable: unknown variable `silver`",
        );
    }
}
