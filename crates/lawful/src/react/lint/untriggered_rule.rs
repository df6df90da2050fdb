//! A manual rule that nothing triggers.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::{Diagnostic, escape};

use crate::react::action::ActionKind;
use crate::react::rules::{RuleId, Rules};
use crate::react::trigger::On;

lawful_syntax::declare_codes! {
    UNTRIGGERED_RULE = "untriggered-rule", Warning, "no rule triggers a manual rule",
        "A rule with `trigger: {type: manual}` fires only if the action `trigger-rule` of another rule names it. No rule does, or only manual rules that are never triggered themselves.\n\nTrigger it, give it another trigger, or delete it.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    // Which rule triggers which by name.
    let mut named: BTreeMap<RuleId, Vec<RuleId>> = BTreeMap::new();
    for (from, rule) in rules.all() {
        for action in &rule.actions {
            if let ActionKind::Trigger(id) = &action.kind
                && let Some(to) = rules.by_id.get(id)
                && *to != from
            {
                named.entry(from).or_default().push(*to);
            }
        }
    }
    let is_manual = |id: RuleId| rules.rule(id).trigger.on == On::Manual;
    let mut open: Vec<RuleId> =
        rules.all().map(|(id, _)| id).filter(|id| !is_manual(*id)).collect();
    let mut reached: BTreeSet<RuleId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let next = named.get(&id).into_iter().flatten().copied();
        open.extend(next.filter(|next| reached.insert(*next)));
    }
    let by_others: BTreeSet<RuleId> = named.values().flatten().copied().collect();
    rules
        .all()
        .filter(|(id, _)| !reached.contains(id))
        .map(|(id, rule)| {
            let name = escape::name(&rule.id);
            let message = if by_others.contains(&id) {
                format!(
                    "only manual rules that are never triggered trigger the manual rule `{name}`"
                )
            } else {
                format!("nothing triggers the manual rule `{name}`")
            };
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
    #[test]
    fn manual_rules_that_only_trigger_each_other_are_not_triggered() {
        check(
            "",
            "rules:\n\
             \x20 - id: a\n    trigger: {type: manual}\n    actions: [{type: trigger-rule, ruleId: b}]\n\
             \x20 - id: b\n    trigger: {type: manual}\n    actions: [{type: trigger-rule, ruleId: a}]\n\
             \x20 - id: c\n    trigger: {type: manual}\n    actions: [{type: trigger-rule, ruleId: d}]\n\
             \x20 - {id: d, trigger: {type: manual}, actions: []}\n\
             \x20 - id: e\n    trigger: {type: every-turn}\n    actions: [{type: trigger-rule, ruleId: c}]\n",
            "rules/r.yaml:2:9 rule-cycle: rules can trigger each other: `a` -> `b` -> `a`\n\
             rules/r.yaml:2:9 untriggered-rule: only manual rules that are never triggered trigger the manual rule `a`\n\
             rules/r.yaml:5:9 untriggered-rule: only manual rules that are never triggered trigger the manual rule `b`",
        );
    }
}
