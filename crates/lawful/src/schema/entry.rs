//! The front matter of `entries/*.md`

use serde_json::{Value as Json, json};

use super::build::{Object, boolean, choice, id, with};
use crate::insertion::Position;
use crate::react::Entry;

/// `depth`, wherever a position is written.
pub(super) fn depth() -> Json {
    json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
}

pub(super) fn schema() -> Json {
    let entry = Object::closed(&Entry::KEYS)
        .required("id", "How rules name the entry", id())
        .optional("enabled", "Whether the entry starts enabled; default `true`", boolean())
        .optional(
            "position",
            "Its place in the prompt; default `after_char`",
            choice(&Position::NAMES),
        )
        .optional("depth", "With `position: depth`, how many messages from the newest", depth());
    let about = json!({
        "title": "Front matter of an entry of a lawbook",
        "description": "A page that rules switch on and off",
    });
    with(entry.build(), about)
}
