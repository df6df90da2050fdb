//! A test that is never true for the declared type of a variable.

use lawful_syntax::{Diagnostic, Node};

use super::{Domain, Part};
use crate::book::VariableType;
use crate::cond::Operator;
use crate::path::Path;
use crate::value::Value;

lawful_syntax::declare_codes! {
    TYPE_NEVER_FITS = "type-never-fits", Warning, "an operator is never true for the declared type of a variable",
        "A declared variable keeps its type, and no operator converts between types: a number never matches a regular expression, a string is never greater than 3, and a boolean never equals `\"true\"`. A variable also never has a value outside its declared minimum and maximum.\n\nCorrect the operator or the value, or the declaration in `lawful.yaml`.";
}

pub(super) fn check(
    part: &Part<'_>,
    operator: Operator,
    path: &Path,
    value: Option<&Node>,
    domain: &Domain,
    kind: VariableType,
) -> Vec<Diagnostic> {
    let positive = operator.complement_of().unwrap_or(operator);
    let declared = format!("`{path}` is declared as {}", kind.name());
    let needs = |fits: bool, what: &str| {
        (!fits).then(|| format!("{declared}, but `{}` needs {what}", operator.name()))
    };
    let message = match positive {
        Operator::Exists | Operator::NotExists => None,
        Operator::Equals => value.map(Value::from_node).and_then(|value| {
            (!domain.admits(&value)).then(|| format!("{declared} and is never {value}"))
        }),
        // Each value of a set is reported at its own place.
        Operator::AnyOf => {
            let values = value.and_then(Node::as_list).unwrap_or_default();
            let misfits = values.iter().filter(|node| {
                let value = Value::from_node(node);
                value.present().is_some() && !domain.admits(&value)
            });
            let report = |node: &Node| {
                let message = format!("{declared} and is never {}", node.describe());
                Diagnostic::new(&TYPE_NEVER_FITS, node.span, message)
                    .help("correct the value, or the declaration")
            };
            return misfits.map(report).collect();
        }
        Operator::Contains => {
            let text = value.is_some_and(|value| value.as_text().is_some());
            let fits = kind == VariableType::Array || (text && kind == VariableType::String);
            needs(fits, "a list or a string")
        }
        Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => {
            needs(kind == VariableType::Number, "a number")
        }
        Operator::MinLength | Operator::MaxLength => needs(kind == VariableType::Array, "a list"),
        Operator::Matches | Operator::StartsWith | Operator::EndsWith => {
            needs(kind == VariableType::String, "a string")
        }
        Operator::NotEquals | Operator::NotContains | Operator::NoneOf | Operator::NotMatches => {
            None
        }
    };
    let outcome = if positive == operator { "false" } else { "true" };
    let report = |message: String| {
        Diagnostic::new(&TYPE_NEVER_FITS, part.condition.span, message)
            .help(format!("the test is always {outcome}: correct it, or the declaration"))
    };
    message.map(report).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn every_operator_is_checked_against_the_declared_type() {
        check(
            "{path: health, op: matches, value: x}",
            "1:1 type-never-fits: `health` is declared as a number, but `matches` needs a string",
        );
        check("{path: name, op: not_matches, value: x}", "");
        check(
            "{path: health, op: not_matches, value: x}",
            "1:1 type-never-fits: `health` is declared as a number, but `not_matches` needs a string",
        );
        check(
            "{path: name, op: gt, value: 3}",
            "1:1 type-never-fits: `name` is declared as a string, but `greater_than` needs a number",
        );
        check(
            "{health: full}",
            "1:1 type-never-fits: `health` is declared as a number and is never \"full\"",
        );
        check(
            "{health: 101}",
            "1:1 type-never-fits: `health` is declared as a number and is never 101",
        );
        check("{health: 100}", "");
        check(
            "{path: health, op: any_of, value: [1, 101, full]}",
            "1:39 type-never-fits: `health` is declared as a number and is never 101\n\
             1:44 type-never-fits: `health` is declared as a number and is never \"full\"",
        );
        check("{path: health.x, op: exists}", "1:1 never-true: this condition is never true");
        check("{path: name, op: contains, value: x}", "");
        check(
            "{path: name, op: contains, value: 3}",
            "1:1 type-never-fits: `name` is declared as a string, but `contains` needs a list or a string",
        );
        check(
            "{path: name, op: min_length, value: 3}",
            "1:1 type-never-fits: `name` is declared as a string, but `min_length` needs a list",
        );
    }
}
