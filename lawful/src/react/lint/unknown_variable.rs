//! Variables that are not declared, and in a book that declares none, those that no rule writes.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, did_you_mean, escape};

use crate::cond::{Condition, ConditionKind};
use crate::path::Path;
use crate::react::action::ActionKind;
use crate::react::rules::{Rule, Rules};
use crate::react::trigger::Test;
use crate::react::variables::root;

lawful_syntax::declare_codes! {
    UNKNOWN_VARIABLE = "unknown-variable", Warning, "a rule names a variable that the book does not know",
        "A book that declares `variables` in its manifest means these; another name in a rule is probably misspelt. A book that declares none means those that its rules write.\n\nCorrect the name, or declare the variable.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let declared: BTreeSet<&str> = rules.declared.ids().collect();
    let written: BTreeSet<&str> = rules
        .all()
        .flat_map(|(_, rule)| &rule.actions)
        .filter_map(|action| writes(&action.kind))
        .collect();
    let strict = !rules.declared.is_empty();
    let known = if strict { declared } else { written };
    let mut found = Vec::new();
    for (_, rule) in rules.all() {
        for (variable, span) in named(rule, strict) {
            if !known.contains(&*variable) {
                let message = format!("there is no variable `{}`", escape::name(&variable));
                let help = did_you_mean("variable", &variable, known.iter().copied());
                let help =
                    if known.is_empty() { "declare it in the manifest".into() } else { help };
                found.push(Diagnostic::new(&UNKNOWN_VARIABLE, span, message).help(help));
            }
        }
    }
    found
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
        | ActionKind::Effect(..) => None,
    }
}

/// The variables that a rule names, with their places.
fn named(rule: &Rule, with_writes: bool) -> Vec<(Box<str>, Span)> {
    let mut out: Vec<(Box<str>, Span)> = Vec::new();
    for test in &rule.trigger.tests {
        match test {
            Test::Changed(path) | Test::Crossed { path, .. } => {
                out.extend(root(path).map(|root| (root.into(), rule.trigger.span)));
            }
            Test::Fields { .. } | Test::Turn { .. } | Test::Keywords(_) => {}
        }
    }
    in_condition(&rule.when, &mut out);
    if with_writes {
        for action in &rule.actions {
            out.extend(writes(&action.kind).map(|root| (root.into(), action.span)));
        }
    }
    out
}

/// The variables that the tests of a condition name; saved conditions are looked at by themselves.
fn in_condition(condition: &Condition, out: &mut Vec<(Box<str>, Span)>) {
    match &condition.kind {
        ConditionKind::Always | ConditionKind::Broken => {}
        ConditionKind::All(rules) | ConditionKind::Any(rules) => {
            for rule in rules {
                in_condition(rule, out);
            }
        }
        ConditionKind::Not(rule) => in_condition(rule, out),
        ConditionKind::Ref(reference) => {
            let node = reference.args.as_ref().and_then(|args| args.get("path"));
            let path = node.and_then(|node| Path::parse(node.as_text()?).ok());
            let root = path.as_ref().and_then(root);
            out.extend(node.and_then(|node| Some((root?.into(), node.span))));
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
    fn a_book_that_declares_variables_means_these() {
        check(
            "variables:\n  health: {type: number}\n  gold: {type: object}\n",
            &RULES.replace(
                "variableId: gold, operator: gt, value: 3",
                "variableId: gold, operator: exists",
            ),
            "rules/r.yaml:3:14 unknown-variable: there is no variable `healht`\n\
             rules/r.yaml:4:64 unknown-variable: there is no variable `silver`",
        );
    }

    #[test]
    fn a_book_that_declares_none_means_what_its_rules_write() {
        check(
            "",
            RULES,
            "rules/r.yaml:3:14 unknown-variable: there is no variable `healht`\n\
             rules/r.yaml:4:70 unknown-variable: there is no variable `silver`",
        );
    }
}
