//! A manual rule that nothing triggers.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, escape};

use crate::react::action::ActionKind;
use crate::react::rules::Rules;
use crate::react::trigger::On;

lawful_syntax::declare_codes! {
    UNTRIGGERED_RULE = "untriggered-rule", Warning, "a manual rule is triggered by no other rule",
        "A rule with `trigger: {type: manual}` fires only where the action `trigger-rule` of another rule names it. None does.\n\nTrigger it, give it another trigger, or delete it.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut triggered: BTreeSet<&str> = BTreeSet::new();
    for (_, rule) in rules.all() {
        for action in &rule.actions {
            if let ActionKind::Trigger(id) = &action.kind
                && *id != rule.id
            {
                triggered.insert(id);
            }
        }
    }
    let manual = rules.all().filter(|(_, rule)| rule.trigger.on == On::Manual);
    manual
        .filter(|(_, rule)| !triggered.contains(&*rule.id))
        .map(|(_, rule)| {
            let message = format!("nothing triggers the manual rule `{}`", escape::name(&rule.id));
            Diagnostic::new(&UNTRIGGERED_RULE, rule.id_span, message)
                .help("trigger it with `trigger-rule`, or give it another trigger")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_rule_that_only_triggers_itself_is_not_triggered() {
        check(
            "",
            "rules:\n\
             \x20 - id: a\n    trigger: {type: manual}\n    actions: [{type: trigger-rule, ruleId: a}]\n\
             \x20 - {id: b, trigger: {type: manual}, actions: []}\n\
             \x20 - id: c\n    trigger: {type: every-turn}\n    actions: [{type: trigger-rule, ruleId: b}]\n",
            "rules/r.yaml:2:9 rule-cycle: rules can trigger each other: `a` -> `a`\n\
             rules/r.yaml:2:9 untriggered-rule: nothing triggers the manual rule `a`",
        );
    }
}
