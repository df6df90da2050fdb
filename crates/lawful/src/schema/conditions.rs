//! `conditions/*.yaml`

use serde_json::{Value as Json, json};

use super::build::definition;
use super::condition::{CONDITION, condition};
use crate::cond::PATH;

pub(super) fn schema() -> Json {
    json!({
        "title": "Saved conditions of a lawbook",
        "description": "A mapping of id to condition",
        "type": "object",
        "propertyNames": { "pattern": "\\S" },
        "additionalProperties": { "anyOf": [definition(CONDITION), { "type": "null" }] },
        "$defs": { CONDITION: condition(&[PATH]) },
    })
}
