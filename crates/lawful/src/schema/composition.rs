//! `compositions/*.yaml`

use serde_json::{Value as Json, json};

use super::build::{Object, choice, definition, id, list, text, with, written};
use super::condition::{CONDITION, condition};
use crate::compose::Layer;
use crate::compose::decode::{ACTIONS, KEYS, RULE_KEYS};
use crate::cond::PATH;

pub(super) fn schema() -> Json {
    let ids = list(&text());
    let composition = Object::closed(&KEYS)
        .required("name", "The name of the composition", text())
        .required("base", "The fragments before any rule", ids.clone())
        .optional("rules", "The rules, applied in order", list(&definition("rule")))
        .optional("order", "The order to use if no `order` rule fires", ids)
        .optional("persona", "The fragment that `before_char` and `after_char` refer to", text())
        .optional("layer", "The layer of the prompt", choice(&Layer::NAMES));
    with(
        composition.build(),
        json!({
            "title": "Composition of a lawbook",
            "description": "A base list of fragments, and rules that change it",
            "$defs": { "rule": rule(), CONDITION: condition(&[PATH]) },
        }),
    )
}

fn rule() -> Json {
    let ids = list(&text());
    let pairs = json!({
        "type": "object",
        "additionalProperties": { "type": "string" },
        "minProperties": 1,
    });
    let rule = Object::closed(&RULE_KEYS)
        .optional("id", "How reports name the rule; unique in the composition", id())
        .optional("when", "When the rule applies; without it, always", definition(CONDITION))
        .optional("replace", "Swaps ids in place: `{old: new}`", pairs)
        .optional("add", "Inserts ids after the anchor, or before the last id", ids.clone())
        .optional("after", "The anchor of `add`", text())
        .optional("forbid", "Removes ids from the result", ids.clone())
        .optional("order", "Puts these ids first, in this order", ids);
    let one = |key: &&str| written(key);
    let after = json!({ "if": written("after"), "then": written("add") });
    with(
        rule.build(),
        json!({
            "description": "A rule: a condition and one action",
            "oneOf": ACTIONS.iter().map(one).collect::<Vec<_>>(),
            "allOf": [after],
        }),
    )
}
