//! A guard whose `on` and `when` exclude each other.

use lawful_syntax::Diagnostic;

use super::{Partition, Scoped};

lawful_syntax::declare_codes! {
    DEAD_GUARD = "dead-guard", Warning, "the `on` and the `when` of a guard exclude each other",
        "Each of them can be true, but never both, so the guard never acts. Example: `on: {action: shell}` with `when: {event.action: read}`.\n\nCorrect one of them.";
}

/// A condition that is never true by itself is reported as such.
pub(super) fn check(scoped: &Scoped<'_>, partition: &Partition<'_>) -> Option<Diagnostic> {
    let guard = scoped.guard;
    (!partition.is_never(scoped.when)).then(|| {
        let message = "the `on` and the `when` of this guard exclude each other";
        Diagnostic::new(&DEAD_GUARD, guard.id_span, message)
            .label(guard.when.span, "never true for these events")
            .help("correct or remove it; the guard never acts")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn an_on_that_excludes_the_condition_is_reported() {
        check(
            "- {id: a, on: {action: shell}, when: {event.action: read}, deny: No.}\n",
            "guards/g.yaml:1:8 dead-guard: the `on` and the `when` of this guard exclude each other",
        );
    }

    #[test]
    fn a_condition_that_is_never_true_is_reported_once() {
        check(
            "- {id: a, when: {path: state.hp, op: gt, value: 20}, deny: No.}\n",
            "guards/g.yaml:1:17 never-true: this condition is never true",
        );
        check("- {id: a, on: {tool: Bash}, when: {event.tool: Bash}, deny: No.}\n", "");
    }
}
