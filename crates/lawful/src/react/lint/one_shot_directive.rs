//! A directive that is gone after one turn, on a trigger that fires once.

use lawful_syntax::{Diagnostic, escape};

use crate::react::action::ActionKind;
use crate::react::event::{ACTION_EXECUTED, SESSION_START};
use crate::react::rules::{Rule, RuleKind, Rules};
use crate::react::trigger::{On, Test};

lawful_syntax::declare_codes! {
    ONE_SHOT_DIRECTIVE = "one-shot-directive", Warning, "a directive is in the prompt of one turn only, and its trigger does not come again",
        "Without `persistent` and `duration` a directive is in the prompt of the next turn and then gone. `session-start`, `atTurn`, a crossing and an action do not come again by themselves, so the model forgets what the directive says.\n\nWrite `persistent: true`, or `duration: N`. If one turn is intended, write `persistent: false`.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, rule) in rules.all().filter(|(_, rule)| fires_once(rule)) {
        for action in &rule.actions {
            let ActionKind::Inject(injection) = &action.kind else { continue };
            if injection.is_timed {
                continue;
            }
            let id = escape::name(&injection.id);
            let message = format!("the directive `{id}` is in the prompt of one turn only");
            let help = match rule.kind {
                RuleKind::Rule => {
                    "write `persistent: true` or `duration: N`; write `persistent: false` if one turn is intended"
                }
                RuleKind::Reaction => {
                    "write `value: {content: …, persistent: true}`, or `duration: N` in it; write `persistent: false` if one turn is intended"
                }
            };
            found.push(Diagnostic::new(&ONE_SHOT_DIRECTIVE, action.span, message).help(help));
        }
    }
    found
}

/// Whether the trigger of a rule does not come again by itself.
fn fires_once(rule: &Rule) -> bool {
    let named = match &rule.trigger.on {
        On::Type(kind) => [SESSION_START, ACTION_EXECUTED].contains(&&**kind),
        On::Namespace(_) | On::Manual => false,
    };
    let tested = rule.trigger.tests.iter().any(|test| match test {
        Test::Crossed { .. } | Test::Turn { at: Some(_), every: None } => true,
        Test::Turn { .. } | Test::Fields { .. } | Test::Changed(_) | Test::Keywords(_) => false,
    });
    named || tested
}

#[cfg(test)]
mod tests {
    use super::super::check;

    fn directive(trigger: &str, timing: &str, expected: bool) {
        let rules = format!(
            "rules:\n  - id: r\n    trigger: {{{trigger}}}\n    actions: [{{type: inject-directive, directiveId: d, content: Hi.{timing}}}]\n"
        );
        let says = "rules/r.yaml:4:15 one-shot-directive: the directive `d` is in the prompt of one turn only";
        let manifest = "variables:\n  x: {type: number, initial: 0}\n";
        check(manifest, &rules, if expected { says } else { "" });
    }

    #[test]
    fn a_directive_of_one_turn_needs_a_trigger_that_comes_again() {
        let once = [
            "type: session-start",
            "type: turn-count, atTurn: 3",
            "type: variable-crossed, variableId: x, direction: rises-above, threshold: 3",
            "type: action, actionId: go",
        ];
        for trigger in once {
            directive(trigger, "", true);
            for timing in [", persistent: true", ", persistent: false", ", duration: 2"] {
                directive(trigger, timing, false);
            }
        }
        for trigger in
            ["type: every-turn", "type: turn-count, everyNTurns: 3", "type: keyword, keywords: [a]"]
        {
            directive(trigger, "", false);
        }
    }

    #[test]
    fn a_reaction_is_reported_like_a_rule() {
        let says = "rules/r.yaml:4:12 one-shot-directive: the directive `d` is in the prompt of one turn only";
        for (event, value, expected) in [
            ("session:start", "Hi.", says),
            ("session:start", "{content: Hi.}", says),
            ("session:start", "{content: Hi., persistent: true}", ""),
            ("session:start", "{content: Hi., persistent: false}", ""),
            ("message:user", "Hi.", ""),
        ] {
            let rules = format!(
                "reactions:\n  - id: r\n    when: {{eventType: '{event}'}}\n    then: [{{type: set, path: '@prompt.directive.d', value: {value}}}]\n"
            );
            check("", &rules, expected);
        }
    }
}
