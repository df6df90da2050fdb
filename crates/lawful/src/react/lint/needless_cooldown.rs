//! A cooldown that has no effect.

use lawful_syntax::{Diagnostic, escape};

use crate::react::event::{MESSAGE_AI, MESSAGE_USER, SESSION_START, TURN_COMPLETE};
use crate::react::rules::Rules;
use crate::react::trigger::On;

lawful_syntax::declare_codes! {
    NEEDLESS_COOLDOWN = "needless-cooldown", Warning, "a cooldown of 1 has no effect on a rule that only turns trigger",
        "A rule with `cooldownTurns: 1` that fires at turn t may fire again at turn t+1. If only turns trigger the rule, it cannot fire before that anyway.\n\nWrite 2 to skip one turn, or remove the cooldown.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let by_turns = |on: &On| match on {
        On::Type(kind) => {
            [SESSION_START, MESSAGE_USER, MESSAGE_AI, TURN_COMPLETE].contains(&&**kind)
        }
        On::Namespace(_) | On::Manual => false,
    };
    let needless = rules.all().filter(|(_, rule)| rule.cooldown == 1 && by_turns(&rule.trigger.on));
    needless
        .map(|(_, rule)| {
            let id = escape::name(&rule.id);
            let message = format!("the cooldown of `{id}` has no effect");
            Diagnostic::new(&NEEDLESS_COOLDOWN, rule.id_span, message)
                .help("write `cooldownTurns: 2` to skip one turn, or remove it")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_cooldown_of_one_turn_has_no_effect_on_turns() {
        check(
            "",
            "rules:\n\
             \x20 - {id: a, trigger: {type: every-turn}, cooldownTurns: 1, actions: []}\n\
             \x20 - {id: b, trigger: {type: every-turn}, cooldownTurns: 2, actions: []}\n\
             \x20 - {id: c, trigger: {type: action, actionId: x}, cooldownTurns: 1, actions: []}\n",
            "rules/r.yaml:2:10 needless-cooldown: the cooldown of `a` has no effect",
        );
    }
}
