//! jsonschema: one compiled validator for each rule.
//!
//! A schema says nothing of a key that is missing or of a value of another type unless it is told
//! to, so every step has its `required` and every test its `type`.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::Engine;
use crate::Result;
use crate::vocabulary::DOCUMENT;
use crate::workload::{Kind, Test, Workload};

struct Compiled {
    rules: Vec<Validator>,
    document: Value,
}

impl Engine for Compiled {
    fn decide(&mut self, hits: &mut [bool]) {
        for (hit, rule) in hits.iter_mut().zip(&self.rules) {
            *hit = rule.is_valid(&self.document);
        }
    }
}

pub(super) fn prepare(workload: &Workload) -> Result<Box<dyn Engine>> {
    let mut rules = Vec::new();
    for rule in &workload.rules {
        let any: Vec<Value> = rule.any.iter().map(test).collect();
        let mut all: Vec<Value> = rule.all.iter().map(test).collect();
        all.push(json!({ "anyOf": any }));
        let schema = json!({ "allOf": all });
        rules.push(jsonschema::validator_for(&schema).map_err(|error| error.to_string())?);
    }
    Ok(Box::new(Compiled { rules, document: serde_json::from_str(DOCUMENT)? }))
}

fn test(test: &Test) -> Value {
    let value = &test.value;
    let asked = match test.kind {
        Kind::Equals => json!({ "const": value }),
        Kind::Greater => json!({ "type": "number", "exclusiveMinimum": value }),
        Kind::Contains => json!({ "type": "array", "contains": { "const": value } }),
        Kind::StartsWith => {
            let literal = value.as_str().unwrap_or_default().replace('.', "\\.");
            json!({ "type": "string", "pattern": format!("^{literal}") })
        }
        Kind::Matches => json!({ "type": "string", "pattern": value }),
    };
    test.path.rsplit('.').fold(
        asked,
        |inner, key| json!({ "type": "object", "required": [key], "properties": { key: inner } }),
    )
}
