//! Envelopes.

use serde_json::{Value as Json, json};

pub(super) fn schema() -> Json {
    json!({
        "title": "Envelope",
        "description": "What an agent says it did",
        "type": "object",
        "properties": {
            "facts": {
                "description": "The facts; null is absent",
                "type": "object",
                // What the host saw is not for the agent to say.
                "properties": { "observed": false },
            },
        },
        "required": ["facts"],
        "additionalProperties": false,
    })
}
