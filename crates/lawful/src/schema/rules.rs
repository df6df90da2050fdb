//! `rules/*.yaml`

use serde_json::{Value as Json, json};

use super::action::{action, then};
use super::build::{Object, boolean, choice, definition, id, list, number, text, whole, with};
use super::condition::{CONDITION, condition};
use super::trigger::{trigger, when};
use crate::cond::PATH;
use crate::react::RuleKind;
use crate::react::decode::condition::{LOGIC, VARIABLE};
use crate::react::decode::rule::{keys, words};
use crate::react::decode::{KEYS, ONE_KEYS};

pub(super) fn schema() -> Json {
    let document = Object::closed(&KEYS)
        .optional("rules", "Rules on triggers", list(&definition("rule")))
        .optional("reactions", "Rules on any event", list(&definition("reaction")));
    let has = |key: &&str| json!({ "required": [key] });
    json!({
        "title": "Rules of a lawbook",
        "description": "Rules and reactions: a mapping of both, a list of either, or one of them",
        "type": ["object", "array", "null"],
        "if": { "type": "array" },
        "then": { "items": definition("either") },
        "else": {
            "if": {
                "type": "object",
                "anyOf": ONE_KEYS.iter().map(has).collect::<Vec<_>>(),
                "not": { "anyOf": KEYS.iter().map(has).collect::<Vec<_>>() },
            },
            "then": definition("either"),
            "else": with(document.build(), json!({ "type": ["object", "null"] })),
        },
        "$defs": {
            "either": either(),
            "rule": rule(RuleKind::Rule),
            "reaction": rule(RuleKind::Reaction),
            CONDITION: condition(&[VARIABLE, PATH]),
        },
    })
}

/// A rule, or a reaction where it is known by its keys.
fn either() -> Json {
    let has_one = |kind: RuleKind| {
        let (on, does) = words(kind);
        json!({ "anyOf": [{ "required": [on] }, { "required": [does] }] })
    };
    json!({
        "if": { "allOf": [has_one(RuleKind::Reaction), { "not": has_one(RuleKind::Rule) }] },
        "then": definition("reaction"),
        "else": definition("rule"),
    })
}

fn rule(kind: RuleKind) -> Json {
    let (on, does) = words(kind);
    let (pattern, act) = match kind {
        RuleKind::Rule => (trigger(), action()),
        RuleKind::Reaction => (when(), then()),
    };
    let itself = definition(CONDITION);
    let several = json!({ "anyOf": [itself, list(&itself)] });
    let rule = Object::closed(&keys(kind))
        .required("id", "Unique among rules and reactions", id())
        .optional("name", "For people", text())
        .optional("description", "For people", text())
        .required(on, "Which events it matches", pattern)
        .optional("conditions", "What must hold of the variables", several)
        .optional(
            "conditionLogic",
            "How a list of conditions combines; default `all`",
            choice(&LOGIC),
        )
        .required(does, "What it does", list(&act))
        .optional("priority", "Higher acts first; default 0", number())
        .optional("enabled", "Whether it starts enabled; default `true`", boolean())
        .optional(
            "cooldownTurns",
            "After firing in turn t, it is eligible again in turn t + N",
            whole(0),
        )
        .optional("maxFireCount", "How often it may fire in a session", whole(0));
    let what = match kind {
        RuleKind::Rule => "A rule: a trigger, conditions and actions",
        RuleKind::Reaction => "A reaction: a rule on any event",
    };
    with(rule.build(), json!({ "description": what }))
}
