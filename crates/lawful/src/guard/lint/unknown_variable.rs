//! A variable that a guard reads and that nothing sets.

use lawful_syntax::Diagnostic;

use super::test;
use crate::cond::Registry;
use crate::guard::guards::Guards;
use crate::path::Segment;
use crate::react::{Piece, Rules, STATE, Source, lint, pieces};

/// Reports what [`unknown-variable`](lint::unknown_variable) reports for rules.
pub(super) fn check(guards: &Guards, rules: &Rules, registry: &Registry) -> Vec<Diagnostic> {
    let known = lint::KnownVariables::of(rules);
    let mut problems = Vec::new();
    for (_, guard) in guards.all() {
        for test in test::of(guard, registry) {
            if let Some((STATE, name)) = test.root() {
                problems.extend(known.report(name, test.path_span));
            }
        }
        for piece in pieces(&guard.reason) {
            if let Piece::Value(Source::Variable(path)) = piece
                && let Some(Segment::Key(name)) = path.segments().first()
            {
                problems.extend(known.report(name, guard.reason_span));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_variable_that_is_not_declared_is_reported() {
        check(
            "- {id: a, when: {path: state.ph, op: gt, value: 2}, deny: No.}\n\
             - {id: b, on: {action: read}, deny: 'No, ${state.mana}.'}\n\
             - {id: c, when: {path: state.hp, op: gt, value: 2}, deny: 'No, ${state.hp}.'}\n",
            "guards/g.yaml:1:24 unknown-variable: unknown variable `ph`\n\
             guards/g.yaml:2:37 unknown-variable: unknown variable `mana`",
        );
    }
}
