//! Conditions: one schema for every surface, with the words of its tests.

use serde_json::{Map, Value as Json, json};

use super::build::{choice, definition, described, list, names, text};
use crate::cond::decode::{Leaves, STORED, TestWords};
use crate::cond::operator::Operand;
use crate::cond::{Operator, Quantifier};
use crate::verify::decode::CLAIM;

/// The name of the definition that conditions refer to themselves by.
pub(super) const CONDITION: &str = "condition";

/// A condition, for `$defs`. The keys of its tests are those of the surface.
pub(super) fn condition(tests: &[TestWords]) -> Json {
    let itself = definition(CONDITION);
    let mut properties = Map::new();
    let mut property = |key: &str, description: &str, schema: Json| {
        properties.insert(key.to_owned(), described(description, schema));
    };
    property("all", "Holds if every condition holds", list(&itself));
    property("any", "Holds if some condition holds", list(&itself));
    property("not", "Holds if the condition does not", itself.clone());
    property("ref", "The id of a saved condition or a primitive of the host", text());
    property("type", "The stored form", choice(&STORED));
    for test in tests {
        property(test.subject, "What is tested", text());
    }
    let leaves = Leaves { tests, path: &|written, _| Some(written.clone()) };
    let mut forms = Vec::new();
    for (word, keys) in leaves.forms() {
        if word == "type" {
            forms.extend(STORED.iter().map(|(kind, keys)| stored(kind, keys)));
            continue;
        }
        let used = tests.iter().find(|test| [test.subject, test.operator].contains(&word));
        let mut then = match used {
            Some(test) => test_of(test.operator),
            None => json!({ "properties": { "args": arguments() } }),
        };
        if let (Json::Object(then), Some(test)) = (&mut then, used) {
            then.insert("required".to_owned(), json!([test.subject, test.operator]));
        }
        if let Json::Object(then) = &mut then {
            then.insert("propertyNames".to_owned(), json!({ "enum": keys }));
        }
        forms.push(json!({ "if": { "required": [word] }, "then": then }));
    }
    json!({
        "description": "A condition. A mapping without one of the words of the language holds if every key equals its value.",
        "type": "object",
        "properties": properties,
        "allOf": forms,
    })
}

fn stored(kind: &str, keys: &[&str]) -> Json {
    let itself = definition(CONDITION);
    let properties: Map<String, Json> = keys
        .iter()
        .map(|key| {
            let schema = match *key {
                "type" => json!({ "const": kind }),
                "rules" => described("The conditions", list(&itself)),
                "rule" => described("The condition", itself.clone()),
                "args" => arguments(),
                _ => described("The id of a saved condition or a primitive of the host", text()),
            };
            ((*key).to_owned(), schema)
        })
        .collect();
    json!({
        "if": { "properties": { "type": { "const": kind } }, "required": ["type"] },
        "then": {
            "properties": properties,
            "required": keys.iter().take(2).collect::<Vec<_>>(),
            "additionalProperties": false,
        },
    })
}

fn arguments() -> Json {
    json!({ "description": "The arguments of a primitive", "type": ["object", "null"] })
}

/// Every name and alias of an operator.
pub(super) fn operators() -> Json {
    let aliases = Operator::all().filter_map(Operator::alias);
    names(Operator::all().map(Operator::name).chain(aliases))
}

/// The parts of a test beside what it tests; the operator stands under `key`. What each operator
/// compares with is as its table has it.
pub(super) fn test_of(key: &str) -> Json {
    let mut quantifier = choice(&Quantifier::NAMES);
    if let Some(Json::Array(names)) = quantifier.get_mut("enum") {
        names.push(Json::Null);
    }
    if let Json::Object(members) = &mut quantifier {
        members.insert("type".to_owned(), json!(["string", "null"]));
    }
    let operands = [
        Operand::Nothing,
        Operand::Anything,
        Operand::Set,
        Operand::Number,
        Operand::Count,
        Operand::Text,
        Operand::Pattern,
    ];
    let each = operands.into_iter().map(|operand| {
        let of = Operator::all().filter(|operator| operator.operand() == operand);
        let with = of.flat_map(|operator| [Some(operator.name()), operator.alias()]).flatten();
        json!({
            "if": {
                "properties": { key: { "enum": with.collect::<Vec<_>>() } },
                "required": [key],
            },
            "then": compared_with(operand, key),
        })
    });
    json!({
        "properties": {
            key: described("The operator", operators()),
            "value": { "description": "What the operator compares with" },
            "quantifier": described("For a path with `[*]`: how the slots combine", quantifier),
        },
        "allOf": each.collect::<Vec<_>>(),
    })
}

fn compared_with(operand: Operand, key: &str) -> Json {
    let value = match operand {
        // A rulespec ignores a needless value, with a warning.
        Operand::Nothing if key == CLAIM.operator => {
            return json!({ "properties": { "value": { "not": { "const": false } } } });
        }
        Operand::Nothing => return json!({ "properties": { "value": { "type": "null" } } }),
        Operand::Anything => json!({ "type": ["string", "number", "boolean", "array", "object"] }),
        Operand::Set => json!({ "type": "array" }),
        Operand::Number => json!({ "type": "number" }),
        Operand::Count => json!({ "type": "integer", "minimum": 0 }),
        Operand::Text | Operand::Pattern => json!({ "type": "string" }),
    };
    json!({ "properties": { "value": value }, "required": ["value"] })
}
