//! A test that does not fit the type of the field that it tests.

use lawful_syntax::{Diagnostic, Kind, Node};

use super::test::{self, Test};
use crate::cond::{Operator, Registry};
use crate::guard::guards::Guards;
use crate::live::field::{Field, Holds};
use crate::react::EVENT;

lawful_syntax::declare_codes! {
    FIELD_TYPE = "field-type", Warning, "a test of a guard does not fit the type of the field",
        "`lines`, `programs`, `args`, `writes`, `reads` and `paths` are lists of strings. A list never starts with a text, never matches a regular expression and never equals a string. `event.writes[*]` tests the elements of the list, and `contains` looks for one of them.\n\nThe other way round, `line`, `program`, `path` and other strings have no elements, and no length.";
}

pub(super) fn check(guards: &Guards, registry: &Registry) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (_, guard) in guards.all() {
        for test in test::of(guard, registry) {
            let field = test.root().filter(|(root, _)| *root == EVENT);
            let Some(field) = field.and_then(|(_, name)| Field::find(name)) else { continue };
            let problem = match field.holds {
                Holds::List => of_list(field, &test),
                Holds::Text => of_text(field, &test),
                Holds::Truth | Holds::Anything => None,
            };
            problems.extend(problem);
        }
    }
    problems
}

fn of_list(field: &Field, test: &Test<'_>) -> Option<Diagnostic> {
    let never = test.rest().is_empty()
        && match positive(test.operator) {
            Operator::Matches | Operator::StartsWith | Operator::EndsWith => true,
            Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => {
                true
            }
            Operator::Equals | Operator::AnyOf => !test.values().iter().any(may_be_list),
            Operator::Exists | Operator::Contains | Operator::MinLength | Operator::MaxLength => {
                false
            }
            Operator::NotExists | Operator::NotEquals | Operator::NotContains => false,
            Operator::NoneOf | Operator::NotMatches => false,
        };
    let name = field.name;
    never.then(|| {
        let message = format!(
            "`event.{name}` is a list, so `{}` is always {}",
            test.operator.name(),
            outcome(test.operator)
        );
        let elements = format!("test the elements with `event.{name}[*]`");
        let help = if positive(test.operator) == Operator::Equals {
            format!("write `{{path: event.{name}, op: contains, …}}`, or {elements}")
        } else {
            elements
        };
        Diagnostic::new(&FIELD_TYPE, test.path_span, message).help(help)
    })
}

fn of_text(field: &Field, test: &Test<'_>) -> Option<Diagnostic> {
    let name = field.name;
    if !test.rest().is_empty() {
        let message = format!("`event.{name}` is a string and has no parts");
        let help = format!("write `event.{name}`");
        return Some(Diagnostic::new(&FIELD_TYPE, test.path_span, message).help(help));
    }
    let misfit = match positive(test.operator) {
        Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => true,
        Operator::MinLength | Operator::MaxLength => true,
        Operator::Equals | Operator::AnyOf | Operator::Contains => {
            !test.values().is_empty() && !test.values().iter().any(may_be_text)
        }
        Operator::Exists | Operator::Matches | Operator::StartsWith | Operator::EndsWith => false,
        Operator::NotExists | Operator::NotEquals | Operator::NotContains => false,
        Operator::NoneOf | Operator::NotMatches => false,
    };
    misfit.then(|| {
        let (operator, outcome) = (test.operator.name(), outcome(test.operator));
        let message =
            format!("`event.{name}` is a string, so `{operator}` is always {outcome} here");
        Diagnostic::new(&FIELD_TYPE, test.span, message)
            .help("compare it with a string; `matches` takes a regular expression")
    })
}

fn positive(operator: Operator) -> Operator {
    operator.complement_of().unwrap_or(operator)
}

fn outcome(operator: Operator) -> &'static str {
    if operator.complement_of().is_some() { "true" } else { "false" }
}

fn may_be_list(value: &Node) -> bool {
    matches!(value.kind, Kind::List(_) | Kind::Null)
}

fn may_be_text(value: &Node) -> bool {
    matches!(value.kind, Kind::Text(_) | Kind::Null)
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_text_operator_on_a_list_is_reported() {
        check(
            "- {id: a, when: {path: event.writes, op: starts_with, value: ci/}, deny: No.}\n\
             - {id: b, when: {event.programs: curl}, deny: No.}\n\
             - {id: c, when: {path: event.args, op: not_matches, value: x}, deny: No.}\n",
            "guards/g.yaml:1:24 field-type: `event.writes` is a list, so `starts_with` is always false\n\
             guards/g.yaml:2:18 field-type: `event.programs` is a list, so `equals` is always false\n\
             guards/g.yaml:3:24 field-type: `event.args` is a list, so `not_matches` is always true",
        );
    }

    #[test]
    fn elements_of_a_string_and_its_length_are_reported() {
        check(
            "- {id: a, when: {'event.line[*]': ls}, deny: No.}\n\
             - {id: b, when: {path: event.path, op: min_length, value: 9}, deny: No.}\n\
             - {id: c, when: {event.program: 7}, deny: No.}\n",
            "guards/g.yaml:1:18 field-type: `event.line` is a string and has no parts\n\
             guards/g.yaml:2:17 field-type: `event.path` is a string, so `min_length` is always false here\n\
             guards/g.yaml:3:17 field-type: `event.program` is a string, so `equals` is always false here",
        );
    }

    #[test]
    fn what_fits_is_left_alone() {
        check(
            "- {id: a, when: {path: 'event.writes[*]', op: starts_with, value: ci/}, deny: No.}\n\
             - {id: b, when: {path: event.args, op: contains, value: --force}, deny: No.}\n\
             - {id: d, when: {path: event.reads, op: min_length, value: 1}, deny: No.}\n\
             - {id: e, when: {path: event.line, op: contains, value: x}, deny: No.}\n\
             - {id: f, when: {path: event.input.items, op: starts_with, value: x}, deny: No.}\n",
            "",
        );
    }
}
