//! `analysis/rulespec.yaml`

use serde_json::{Value as Json, json};

use super::build::{Object, choice, definition, list, names, text, with, written};
use super::condition::{CONDITION, condition, operators, test_of};
use crate::cond::{Operator, Quantifier};
use crate::verify::decode::{CLAIM, CLAIM_KEYS, KEYS, PREDICATE_KEYS, SEVERITIES};
use crate::verify::relations;

pub(super) fn schema() -> Json {
    let claim = Object::closed(&CLAIM_KEYS)
        .required(
            "name",
            "How predicates name the selection",
            json!({ "type": "string", "minLength": 1 }),
        )
        .required("selector", "A path into the facts, or into `observed`", text());
    let predicates = json!({ "type": "array", "items": definition("predicate"), "minItems": 1 });
    let rulespec = Object::closed(&KEYS)
        .optional("claims", "Named selections of facts", list(&claim.build()))
        .required("predicates", "What must be true", predicates)
        .optional("relations", "Tables made from facts", list(&relation()))
        .optional("rules", "Datalog over the relations", text());
    with(
        rulespec.build(),
        json!({
            "title": "Rulespec of a lawbook",
            "description": "What must be true of an envelope",
            "$defs": { "predicate": predicate(), CONDITION: condition(&[CLAIM]) },
        }),
    )
}

fn relation() -> Json {
    let columns = json!({
        "type": "array",
        "items": { "type": "string" },
        "minItems": 1,
        "maxItems": relations::WIDEST,
    });
    Object::closed(&relations::KEYS)
        .required(
            "name",
            "The name of the table in `rules`",
            json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }),
        )
        .required("from", "A selector: one tuple for each present value", text())
        .optional("columns", "Selectors inside that value; `.` is the value itself", columns)
        .build()
}

fn predicate() -> Json {
    let predicate = Object::closed(&PREDICATE_KEYS)
        .optional("name", "For reports and `teaches`", text())
        .optional("claim", "The claim that it judges", text())
        .optional("relation", "The relation that it judges", text())
        .required("rule", "The operator", operators())
        .optional("value", "What the operator compares with", Json::Bool(true))
        .optional(
            "quantifier",
            "For a claim with `[*]`: how the slots combine",
            choice(&Quantifier::NAMES),
        )
        .optional("when", "The predicate is skipped if this does not hold", definition(CONDITION))
        .optional(
            "severity",
            "Whether a failure changes the verdict; default `error`",
            choice(&SEVERITIES),
        )
        .optional("source", "Where the requirement comes from", text())
        .optional("notes", "Shown when it fails", text());
    let of_relation = |name: &&str| Operator::find(name);
    let rules = relations::RULES.iter().filter_map(of_relation);
    let rules = rules.flat_map(|rule| [Some(rule.name()), rule.alias()]).flatten();
    with(
        predicate.build(),
        json!({
            "description": "A claim or a relation, and the rule it must meet",
            "oneOf": [written("claim"), written("relation")],
            "allOf": [
                test_of(CLAIM.operator),
                {
                    "if": written("relation"),
                    "then": {
                        "properties": { "rule": names(rules), "quantifier": { "type": "null" } },
                    },
                },
            ],
        }),
    )
}
