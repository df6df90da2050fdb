//! `guards/*.yaml`

use serde_json::{Value as Json, json};

use super::build::{Object, choice, definition, described, id, list, names, with};
use super::condition::{CONDITION, condition};
use crate::cond::PATH;
use crate::guard::decode::{DECIDED, KEYS};
use crate::live::field::FIELDS;
use crate::live::{Action, EventKind};

pub(super) fn schema() -> Json {
    with(
        list(&definition("guard")),
        json!({
            "title": "Guards of a lawbook",
            "description": "`guards/*.yaml`",
            "type": ["array", "null"],
            "$defs": { "guard": guard(), CONDITION: condition(&[PATH]) },
        }),
    )
}

fn guard() -> Json {
    let guard = Object::closed(&KEYS)
        .required("id", "Its id", id())
        .optional("on", "The events that it decides on; default: every tool call", on())
        .optional("when", "What must be true of a command, a path or the call", when())
        .optional("deny", "Deny, for this reason", id())
        .optional("ask", "Ask a person, for this reason", id())
        .optional("allow", "Allow, for this reason", id())
        .build();
    let one = |key: &str| json!({ "required": [key] });
    with(guard, json!({ "oneOf": [one("deny"), one("ask"), one("allow")] }))
}

fn when() -> Json {
    definition(CONDITION)
}

fn on() -> Json {
    let one_or_more = |schema: &Json| json!({ "anyOf": [schema, { "type": "array", "items": schema, "minItems": 1 }] });
    let scalar = json!({ "type": ["string", "number", "boolean"] });
    let mut properties = serde_json::Map::new();
    for field in FIELDS.iter().filter(|field| !field.of_thing) {
        let schema = if field.name == "action" { choice(&Action::NAMES) } else { scalar.clone() };
        let description = format!("The `{}` of the event, or one of several", field.name);
        properties.insert(field.name.to_owned(), described(&description, one_or_more(&schema)));
    }
    let event = names(DECIDED.map(EventKind::name));
    properties.insert("event".to_owned(), described("The type of the event", event));
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}
