//! A guard that another one makes needless.

use lawful_syntax::{Diagnostic, escape};

use crate::guard::Guard;

lawful_syntax::declare_codes! {
    USELESS_GUARD = "useless-guard", Warning, "another guard always makes the same decision",
        "Wherever the condition of this guard is true, that of another guard with the same decision is true as well. Without this guard, every decision would be the same; only its reason would be missing.\n\nRemove it, or narrow the other one.";
}

pub(super) fn report(guard: &Guard, other: &Guard) -> Diagnostic {
    let (name, other_name) = (escape::name(&guard.id), escape::name(&other.id));
    let message = format!("the guard `{name}` is not needed, because `{other_name}` includes it");
    Diagnostic::new(&USELESS_GUARD, guard.id_span, message)
        .label(other.id_span, format!("also decides `{}`", other.decision.name()))
        .help("remove it, or narrow the other one")
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_guard_in_a_wider_one_is_reported() {
        check(
            "- {id: a, on: {action: shell}, when: {event.line: git push}, deny: No.}\n\
             - {id: b, when: {path: event.line, op: starts_with, value: git}, deny: No.}\n",
            "guards/g.yaml:1:8 useless-guard: the guard `a` is not needed, because `b` includes it",
        );
    }

    #[test]
    fn of_two_equal_guards_the_later_is_reported() {
        check(
            "- {id: a, when: {event.line: ls}, ask: Why?}\n- {id: b, when: {event.line: ls}, ask: Why?}\n",
            "guards/g.yaml:2:8 useless-guard: the guard `b` is not needed, because `a` includes it",
        );
    }

    #[test]
    fn guards_that_only_overlap_are_left_alone() {
        check(
            "- {id: a, on: {action: shell}, when: {event.agent: x}, deny: No.}\n\
             - {id: b, on: {tool: Bash}, when: {event.agent: x}, deny: No.}\n\
             - {id: c, when: {path: event.line, op: matches, value: a}, deny: No.}\n\
             - {id: d, when: {path: event.line, op: matches, value: ab}, deny: No.}\n\
             - {id: e, on: {event: turn:stop}, deny: No.}\n\
             - {id: f, on: {event: agent:stop}, deny: No.}\n",
            "",
        );
    }
}
