//! The `actions` of a rule and the `then` of a reaction.

use serde_json::{Map, Value as Json, json};

use super::build::{Object, boolean, by_type, choice, id, names, text, whole, with};
use super::entry::depth;
use crate::insertion::{Position, Role};
use crate::react::OperationKind;
use crate::react::decode::action::{ACTIONS, CHANNELS, STYLES, TRACK_ACTIONS};
use crate::react::decode::then::{EMIT_KEYS, PARTS, PATHS, SET_KEYS};

pub(super) fn action() -> Json {
    let types: Vec<(&str, Json)> =
        ACTIONS.iter().map(|(name, keys)| (*name, of(name, keys))).collect();
    with(by_type("What the action does", &types), json!({ "description": "One action of a rule" }))
}

fn of(name: &'static str, keys: &[&'static str]) -> Json {
    let all: Vec<&'static str> = ["type"].iter().chain(keys).copied().collect();
    let closed =
        Object::closed(&all).required("type", "What the action does", json!({ "const": name }));
    let directive = "The id of the directive";
    match name {
        "modify-variable" => {
            let closed = closed
                .required("variableId", "A variable, or a path into one", variable())
                .required("operation", "How it changes", choice(&OperationKind::NAMES))
                .optional("value", "What the operation works with", Json::Bool(true))
                .optional("valueFrom", VALUE_FROM, text());
            with(closed.build(), needs_value())
        }
        "inject-directive" => closed
            .required("directiveId", directive, id())
            .required("content", "The text", text())
            .optional(
                "position",
                "Its place in the prompt; default `after_char`",
                choice(&Position::NAMES),
            )
            .optional("depth", "With `position: depth`, how many messages from the newest", depth())
            .optional("persistent", "Keep it until it is removed", boolean())
            .optional("duration", "For how many turns", whole(1))
            .build(),
        "remove-directive" => closed.required("directiveId", directive, id()).build(),
        "notify-player" => closed
            .optional("style", "How it looks; default `info`", names(STYLES))
            .required("message", "What it says", text())
            .build(),
        "play-audio" => track(closed.required("trackId", "The id of the track", id()))
            .optional("action", "What it does; default `play`", names(TRACK_ACTIONS))
            .optional("channel", "Where it plays", names(CHANNELS))
            .build(),
        "toggle-entry" => closed
            .required("entryId", "The id of the entry", id())
            .required("enabled", "On or off", boolean())
            .build(),
        "toggle-rule" => closed
            .required("ruleId", "The id of the rule or reaction", id())
            .required("enabled", "On or off", boolean())
            .build(),
        "send-context" => closed
            .required("message", "What is queued for the next turn", text())
            .optional("role", "Who says it; default `system`", choice(&Role::NAMES))
            .build(),
        _ => closed.required("ruleId", "The id of a rule with the trigger `manual`", id()).build(),
    }
}

const VALUE_FROM: &str =
    "Where the value comes from when the action runs: `event.FIELD` or `state.VARIABLE`";

/// How a track plays.
fn track(object: Object) -> Object {
    let seconds = || json!({ "type": ["number", "null"], "minimum": 0 });
    let volume = json!({ "type": ["number", "null"], "minimum": 0, "maximum": 1 });
    object
        .optional("volume", "From 0 to 1", volume)
        .optional("fade", "Seconds to fade", seconds())
        .optional("fadeDuration", "Seconds to fade, as recipes write it", seconds())
        .optional("loop", "Whether it starts again at its end", boolean())
}

/// A path that is not an `@` path.
fn variable() -> Json {
    json!({ "type": "string", "pattern": "^[^@]" })
}

/// Most operations need a value.
fn needs_value() -> Json {
    let needs =
        |kind: OperationKind| !matches!(kind, OperationKind::Toggle | OperationKind::Delete);
    let names = OperationKind::NAMES.iter().filter(|(_, kind)| needs(*kind)).map(|(name, _)| name);
    let names: Vec<&&str> = names.collect();
    json!({
        "if": { "properties": { "operation": { "enum": names } }, "required": ["operation"] },
        "then": { "anyOf": [{ "required": ["value"] }, { "required": ["valueFrom"] }] },
    })
}

pub(super) fn then() -> Json {
    let part =
        |(name, emits): &(&'static str, bool)| (*name, if *emits { emit(name) } else { set(name) });
    let types: Vec<(&str, Json)> = PARTS.iter().map(part).collect();
    let about = json!({ "description": "One part of what the reaction does" });
    with(by_type("What it does", &types), about)
}

fn set(name: &'static str) -> Json {
    let set = Object::closed(&SET_KEYS)
        .required("type", "What it does", json!({ "const": name }))
        .required("path", "A variable, a path into one, or an `@` path", path())
        .optional("value", "What the operation works with", Json::Bool(true))
        .optional("valueFrom", VALUE_FROM, text())
        .optional("operation", "How it changes; default `set`", choice(&OperationKind::NAMES));
    let on_effect = json!({
        "if": { "properties": { "path": { "pattern": "^@" } } },
        "then": {
            "properties": { "operation": { "enum": [OperationKind::Set.name(), null] } },
            "anyOf": [{ "required": ["value"] }, { "required": ["valueFrom"] }],
        },
    });
    with(set.build(), json!({ "allOf": [needs_value(), on_effect] }))
}

/// A path of a variable, or one of the `@` paths.
fn path() -> Json {
    let known = PATHS.iter().map(|path| match path.strip_suffix("ID") {
        Some(front) => format!("{}.*\\S.*", front.replace('.', "\\.")),
        None => path.replace('.', "\\."),
    });
    let known: Vec<String> = known.collect();
    json!({ "type": "string", "pattern": format!("^(?:[^@]|(?:{})$)", known.join("|")) })
}

fn emit(name: &'static str) -> Json {
    let mut properties = Map::new();
    let kind = json!({ "description": "The type of the event", "type": "string" });
    properties.insert("type".to_owned(), kind);
    let event = json!({ "type": "object", "properties": properties, "required": ["type"] });
    Object::closed(&EMIT_KEYS)
        .required("type", "What it does", json!({ "const": name }))
        .required("event", "The event that is raised in the next wave", event)
        .build()
}
