//! An `allow` without any restriction.

use lawful_syntax::Diagnostic;

use crate::cond::ConditionKind;
use crate::guard::guards::{Decision, Guards};

lawful_syntax::declare_codes! {
    ALLOW_EVERYTHING = "allow-everything", Warning, "an `allow` applies to every tool call",
        "The guard has neither a `when` nor an `on` that restricts it. Every call that no other guard denies or asks about is allowed, and the harness does not ask its user either.\n\nRestrict it, for example with `on: {action: read}`.";
}

pub(super) fn check(guards: &Guards) -> Vec<Diagnostic> {
    let open = guards.all().filter(|(_, guard)| {
        let anything = guard.on.actions.is_empty() && guard.on.fields.is_empty();
        let always = matches!(guard.when.kind, ConditionKind::Always);
        guard.decision == Decision::Allow && anything && always
    });
    let report = |guard: &crate::guard::Guard| {
        Diagnostic::new(&ALLOW_EVERYTHING, guard.id_span, "this `allow` applies to every tool call")
            .help("restrict it with `on` or `when`")
    };
    open.map(|(_, guard)| report(guard)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn an_allow_of_everything_is_reported() {
        check(
            "- {id: a, allow: Yes.}\n",
            "guards/g.yaml:1:8 allow-everything: this `allow` applies to every tool call",
        );
        check(
            "- {id: a, on: {action: read}, allow: Yes.}\n- {id: b, deny: No.}\n",
            "guards/g.yaml:1:8 overruled-guard: the guard `a` never has an effect, because `b` is stricter and always acts with it",
        );
        check("- {id: a, on: {action: read}, allow: Yes.}\n", "");
    }
}
