//! A `trigger-rule` that names a rule that is not manual.

use lawful_syntax::{Diagnostic, escape};

use crate::react::action::ActionKind;
use crate::react::rules::Rules;
use crate::react::trigger::On;

lawful_syntax::declare_codes! {
    NOT_MANUAL = "not-manual", Warning, "a `trigger-rule` names a rule that is not manual",
        "Only a rule with `trigger: {type: manual}` can be triggered by name. For any other rule the action has no effect.\n\nMake the rule manual, or move its actions to a manual rule.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for action in rules.all().flat_map(|(_, rule)| &rule.actions) {
        if let ActionKind::Trigger(id) = &action.kind
            && rules.get(id).is_some_and(|rule| rule.trigger.on != On::Manual)
        {
            let message = format!("`{}` is not a manual rule", escape::name(id));
            found.push(
                Diagnostic::new(&NOT_MANUAL, action.span, message)
                    .help("give it the trigger `{type: manual}`"),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn only_manual_rules_are_triggered_by_name() {
        check(
            "",
            "rules:\n\
             \x20 - id: a\n    trigger: {type: every-turn}\n    actions: [{type: trigger-rule, ruleId: b}]\n\
             \x20 - {id: b, trigger: {type: every-turn}, actions: []}\n",
            "rules/r.yaml:4:15 not-manual: `b` is not a manual rule",
        );
    }
}
