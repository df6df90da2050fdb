//! The `trigger` of a rule and the `when` of a reaction.

use serde_json::{Value as Json, json};

use super::build::{
    Object, boolean, by_type, choice, described, id, list, mapping, number, text, whole, with,
    written,
};
use super::condition::test_of;
use crate::cond::PATH;
use crate::react::decode::trigger::TRIGGERS;
use crate::react::trigger::Direction;

pub(super) fn trigger() -> Json {
    let types: Vec<(&str, Json)> =
        TRIGGERS.iter().map(|(name, keys)| (*name, of(name, keys))).collect();
    with(
        by_type("What the rule waits for", &types),
        json!({ "description": "Which events the rule matches" }),
    )
}

fn of(name: &'static str, keys: &[&'static str]) -> Json {
    let all: Vec<&'static str> = ["type"].iter().chain(keys).copied().collect();
    let closed =
        Object::closed(&all).required("type", "What the rule waits for", json!({ "const": name }));
    let variable = "A variable, or a path into one";
    match name {
        "event" => when(),
        "variable-crossed" => closed
            .required("variableId", variable, text())
            .required("direction", "Which way the number crosses", choice(&Direction::NAMES))
            .required("threshold", "What the number crosses", number())
            .build(),
        "state-change" => closed.optional("variableId", variable, text()).build(),
        "turn-count" => {
            let closed = closed.optional("atTurn", "The turn", whole(1)).optional(
                "everyNTurns",
                "Every turn that this divides",
                whole(1),
            );
            let either = json!({ "anyOf": [written("atTurn"), written("everyNTurns")] });
            with(closed.build(), either)
        }
        "keyword" | "ai-keyword" => closed
            .required("keywords", "Texts, or regular expressions as `/…/i`", list(&text()))
            .optional("wholeWord", "Match whole words only", boolean())
            .optional("matchWholeWords", "The same, as recipes write it", boolean())
            .build(),
        "action" => closed.required("actionId", "The action in the user interface", id()).build(),
        _ => closed.build(),
    }
}

pub(super) fn when() -> Json {
    let test = with(
        test_of(PATH.operator),
        json!({ "type": "object", "required": [PATH.operator], "additionalProperties": false }),
    );
    let matched = described("Tests of fields", mapping(&test));
    json!({
        "description": "Which events the reaction matches; every other key is a field that must equal its value",
        "type": "object",
        "properties": {
            "eventType": {
                "description": "An event type, or `ns:*` for every type that starts with `ns:`",
                "type": "string",
                "pattern": "\\S",
            },
            "match": with(matched, json!({ "type": ["object", "null"] })),
        },
        "required": ["eventType"],
    })
}
