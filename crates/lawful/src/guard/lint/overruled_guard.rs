//! A guard that a stricter one always overrules.

use lawful_syntax::{Diagnostic, escape};

use crate::guard::Guard;

lawful_syntax::declare_codes! {
    OVERRULED_GUARD = "overruled-guard", Warning, "a stricter guard always overrules a guard",
        "Deny takes precedence over ask, and ask over allow. Wherever the condition of this guard is true, that of a stricter guard is true as well, so this guard never has an effect. An `allow` is not an exception to a `deny`.\n\nNarrow the condition of the stricter guard, for example with `not`.";
}

pub(super) fn report(guard: &Guard, other: &Guard) -> Diagnostic {
    let (name, other_name) = (escape::name(&guard.id), escape::name(&other.id));
    let message = format!(
        "the guard `{name}` never has an effect, because `{other_name}` is stricter and always acts with it"
    );
    Diagnostic::new(&OVERRULED_GUARD, guard.id_span, message)
        .label(other.id_span, format!("decides `{}`", other.decision.name()))
        .help(
            "exclude these calls from the stricter guard; deny takes precedence over ask and allow",
        )
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn an_allow_in_a_deny_is_reported() {
        check(
            "- {id: a, when: {event.line: git push}, allow: Yes.}\n\
             - {id: b, when: {path: event.line, op: starts_with, value: git}, deny: No.}\n\
             - {id: c, when: {event.line: git pull}, ask: Sure?}\n",
            "guards/g.yaml:1:8 overruled-guard: the guard `a` never has an effect, because `b` is stricter and always acts with it\n\
             guards/g.yaml:3:8 overruled-guard: the guard `c` never has an effect, because `b` is stricter and always acts with it",
        );
    }

    #[test]
    fn a_deny_in_an_allow_is_an_exception() {
        check(
            "- {id: a, when: {path: event.line, op: starts_with, value: git}, allow: Yes.}\n\
             - {id: b, when: {event.line: git push}, deny: No.}\n",
            "",
        );
    }
}
