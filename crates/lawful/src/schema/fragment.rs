//! The front matter of `fragments/**/*.md`

use serde_json::{Value as Json, json};

use super::build::{Object, choice, id, list, text, with};
use crate::compose::{Fragment, Layer};

pub(super) fn schema() -> Json {
    let strings = list(&text());
    let fragment = Object::closed(&Fragment::KEYS)
        .optional(
            "id",
            "How compositions name the fragment; by default, the name of the file",
            id(),
        )
        .optional("title", "For people", text())
        .optional("kind", "For people and other programs", text())
        .optional("tags", "For people", strings.clone())
        .optional("layer", "The layer that the text belongs to", choice(&Layer::NAMES))
        .optional("teaches", "The predicates that the text teaches", strings);
    let about = json!({
        "title": "Front matter of a fragment of a lawbook",
        "description": "A piece of a prompt",
    });
    with(fragment.build(), about)
}
