//! Rules that use a declared variable as another type.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::book::{Variable, VariableType};
use crate::path::{Path, Segment};
use crate::react::action::ActionKind;
use crate::react::operation::{Operation, OperationKind};
use crate::react::rules::Rules;
use crate::react::trigger::Test;
use crate::react::variables::root;
use crate::value::Value;

lawful_syntax::declare_codes! {
    VARIABLE_TYPE = "variable-type", Warning, "a rule uses a variable as a type that it never has",
        "A declared variable keeps its type. Only a number crosses a threshold or takes `add`, `subtract` and `multiply`. Only a string takes `append`, a list `push`, a boolean `toggle`, and an object `merge`. The rule never has its effect.\n\nCorrect the rule, or the `type` of the variable.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let declared = |path: &Path| {
        let whole = matches!(path.segments(), [Segment::Key(_)]);
        root(path).filter(|_| whole).and_then(|root| rules.declared.get(root))
    };
    let report = |variable: &Variable, what: &str, span: Span| {
        let (id, is) = (escape::name(&variable.id), variable.kind.name());
        Diagnostic::new(&VARIABLE_TYPE, span, format!("`{id}` is {is}, and {what}"))
            .label(variable.span, "declared here")
            .help("correct the rule, or the type of the variable")
    };
    for (_, rule) in rules.all() {
        for test in &rule.trigger.tests {
            let Test::Crossed { path, .. } = test else { continue };
            if let Some(variable) = declared(path).filter(|v| v.kind != VariableType::Number) {
                found.push(report(
                    variable,
                    "only a number crosses a threshold",
                    rule.trigger.span,
                ));
            }
        }
        for action in &rule.actions {
            let ActionKind::Write(path, operation) = &action.kind else { continue };
            let Some(variable) = declared(path) else { continue };
            // The type of a value that is looked up later is not known.
            if operation.from.is_some() {
                continue;
            }
            if let Some(what) = misfit(operation, variable.kind) {
                found.push(report(variable, &what, action.span));
            }
        }
    }
    found
}

/// Why an operation never has an effect on a variable of a type.
fn misfit(operation: &Operation, kind: VariableType) -> Option<String> {
    let name = operation.kind.name();
    let needed = match operation.kind {
        OperationKind::Set => {
            let value = &operation.value;
            let is = value.kind_name();
            return (!kind.admits(value)).then(|| format!("`set` would make it {is}"));
        }
        OperationKind::Delete => {
            let fits = match &operation.value {
                Value::Text(_) => kind == VariableType::Object,
                Value::Number(_) => kind == VariableType::Array,
                Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => true,
            };
            let has = "it has no such part to delete".to_owned();
            return (!fits).then_some(has);
        }
        OperationKind::Add | OperationKind::Subtract | OperationKind::Multiply => {
            VariableType::Number
        }
        OperationKind::Toggle => VariableType::Boolean,
        OperationKind::Append => VariableType::String,
        OperationKind::Push => VariableType::Array,
        OperationKind::Merge => VariableType::Object,
    };
    (kind != needed).then(|| format!("`{name}` needs {}", needed.name()))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    const MANIFEST: &str = "variables:\n  s: {type: string, initial: x}\n  n: {type: number, initial: 0}\n  l: {type: array, initial: []}\n  o: {type: object, initial: {}}\n";

    fn operation(variable: &str, operation: &str, expected: &str) {
        let rules = format!(
            "rules:\n  - id: a\n    trigger: {{type: every-turn}}\n    actions: [{{type: modify-variable, variableId: {variable}, {operation}}}]\n"
        );
        let says = if expected.is_empty() {
            String::new()
        } else {
            format!("rules/r.yaml:4:15 variable-type: {expected}")
        };
        check(MANIFEST, &rules, &says);
    }

    #[test]
    fn an_operation_fits_the_type_of_its_variable() {
        operation("s", "operation: add, value: 1", "`s` is a string, and `add` needs a number");
        operation("s", "operation: append, value: y", "");
        operation(
            "s",
            "operation: set, value: 1",
            "`s` is a string, and `set` would make it a number",
        );
        operation("s", "operation: set, value: y", "");
        operation("n", "operation: toggle", "`n` is a number, and `toggle` needs a boolean");
        operation("n", "operation: push, value: 1", "`n` is a number, and `push` needs a list");
        operation("n", "operation: delete", "");
        operation("l", "operation: delete, value: 0", "");
        operation(
            "l",
            "operation: delete, value: k",
            "`l` is a list, and it has no such part to delete",
        );
        operation("o", "operation: merge, value: {k: 1}", "");
        operation("o.k", "operation: add, value: 1", "");
    }

    #[test]
    fn only_a_number_crosses_a_threshold() {
        check(
            MANIFEST,
            "rules:\n\
             \x20 - id: a\n    trigger: {type: variable-crossed, variableId: s, direction: rises-above, threshold: 3}\n    actions: [{type: modify-variable, variableId: s, operation: append, value: y}]\n",
            "rules/r.yaml:3:14 variable-type: `s` is a string, and only a number crosses a threshold",
        );
    }
}
