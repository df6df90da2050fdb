//! A comparison with a value that the axis does not have.

use lawful_syntax::{Diagnostic, Node, did_you_mean};

use crate::cond::Operator;
use crate::path::Path;
use crate::value::Value;

lawful_syntax::declare_codes! {
    VALUE_OFF_AXIS = "value-off-axis", Warning, "a value is not among the values of its axis",
        "`axes` in `lawful.yaml` lists every value that a context key can have. A condition that compares with any other value is never true. A context with any other value matches no such condition. Either is usually a typo. Types count: the number `1` is not the string `\"1\"`.\n\nCorrect the value, or add it to the axis.";
}

pub(super) fn check(
    operator: Operator,
    path: &Path,
    value: Option<&Node>,
    axis: &[Value],
) -> Vec<Diagnostic> {
    let named: Vec<&Node> = match operator.complement_of().unwrap_or(operator) {
        Operator::Equals => value.into_iter().collect(),
        Operator::AnyOf => value.and_then(Node::as_list).unwrap_or_default().iter().collect(),
        Operator::Exists
        | Operator::NotExists
        | Operator::NotEquals
        | Operator::Contains
        | Operator::NotContains
        | Operator::NoneOf
        | Operator::GreaterThan
        | Operator::LessThan
        | Operator::AtLeast
        | Operator::AtMost
        | Operator::MinLength
        | Operator::MaxLength
        | Operator::Matches
        | Operator::NotMatches
        | Operator::StartsWith
        | Operator::EndsWith => Vec::new(),
    };
    let stray = named.into_iter().filter(|node| {
        let value = Value::from_node(node);
        value.present().is_some() && !axis.contains(&value)
    });
    let report = |node: &Node| {
        let message = format!("the axis `{path}` has no value {}", node.describe());
        let names: Vec<String> = axis
            .iter()
            .map(|value| value.as_text().map_or(value.to_string(), str::to_owned))
            .collect();
        let written = node.as_text().map_or_else(|| node.describe(), str::to_owned);
        let help = did_you_mean("value", &written, names.iter().map(String::as_str));
        Diagnostic::new(&VALUE_OFF_AXIS, node.span, message).help(help)
    };
    stray.map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_value_that_no_axis_has_is_a_slip() {
        check("{tone: ters}", "1:8 value-off-axis: the axis `tone` has no value \"ters\"");
        check("{tone: warm}", "");
        check(
            "{path: tone, op: none_of, value: [warm, cold, 3]}",
            "1:41 value-off-axis: the axis `tone` has no value \"cold\"\n\
             1:47 value-off-axis: the axis `tone` has no value 3",
        );
        check("{path: tone, op: starts_with, value: t}", "");
        check(
            "{path: tone, op: starts_with, value: x}",
            "1:1 never-true: this condition is never true",
        );
    }
}
