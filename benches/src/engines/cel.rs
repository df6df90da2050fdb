//! cel: one compiled program for each rule; the keys of the document are the variables.

use std::collections::HashMap;

use cel::{Context, Program};
use serde_json::Value;

use super::Engine;
use crate::Result;
use crate::vocabulary::DOCUMENT;
use crate::workload::{Kind, Test, Workload};

struct Compiled {
    rules: Vec<Program>,
    document: Context<'static, 'static>,
}

impl Engine for Compiled {
    fn decide(&mut self, hits: &mut [bool]) {
        for (hit, rule) in hits.iter_mut().zip(&self.rules) {
            // A missing key is an error in CEL: the rule does not hold.
            *hit = matches!(rule.execute(&self.document), Ok(cel::Value::Bool(true)));
        }
    }
}

pub(super) fn prepare(workload: &Workload) -> Result<Box<dyn Engine>> {
    let mut rules = Vec::new();
    for rule in &workload.rules {
        let [first, second, third] = rule.all.each_ref().map(test);
        let [text, other] = rule.any.each_ref().map(test);
        let source = format!("{first} && {second} && {third} && ({text} || {other})");
        rules.push(Program::compile(&source).map_err(|error| format!("{source}: {error}"))?);
    }
    let mut document = Context::default();
    if let Value::Object(entries) = serde_json::from_str(DOCUMENT)? {
        for (key, value) in entries {
            document.add_variable_from_value(key, native(value));
        }
    }
    Ok(Box::new(Compiled { rules, document }))
}

fn test(test: &Test) -> String {
    let Test { path, value, .. } = test;
    match test.kind {
        Kind::Equals => format!("{path} == {value}"),
        Kind::Greater => format!("{path} > {value}"),
        Kind::Contains => format!("{value} in {path}"),
        Kind::StartsWith => format!("{path}.startsWith({value})"),
        Kind::Matches => format!("{path}.matches({value})"),
    }
}

/// The value as the engine has it; whole numbers are `int`, as a constant in a rule is.
fn native(value: Value) -> cel::Value {
    match value {
        Value::Null => cel::Value::Null,
        Value::Bool(value) => value.into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::String(text) => text.into(),
        Value::Array(items) => items.into_iter().map(native).collect::<Vec<_>>().into(),
        Value::Object(entries) => entries
            .into_iter()
            .map(|(key, value)| (key, native(value)))
            .collect::<HashMap<_, _>>()
            .into(),
    }
}
