//! Envelopes and records.

use serde_json::{Value as Json, json};

use super::build::with;
use crate::verify::envelope::KNOWN;

pub(super) fn schema() -> Json {
    with(
        // What the host saw is not for the agent to say.
        document(Json::Bool(false)),
        json!({
            "title": "Envelope",
            "description": "What an agent says it did; keys other than `facts` are not judged",
        }),
    )
}

/// A record: one line of what `lawful verify --records` reads.
pub(super) fn record() -> Json {
    let observed = json!({
        "description": "What the host saw, as `lawful observe` prints it; null if it did not look",
        "type": ["object", "null"],
    });
    let mut record = document(observed);
    if let Some(id) = record.pointer_mut("/properties/id") {
        *id = with(id.take(), json!({ "type": ["string", "integer", "null"] }));
    }
    with(
        record,
        json!({
            "title": "Record",
            "description": "What a host wrote down of one run: what the agent stated, and what the host saw",
        }),
    )
}

fn document(observed: Json) -> Json {
    let mut properties = serde_json::Map::new();
    for key in KNOWN {
        let description = match key {
            "id" => "A string or an integer that names the document in results",
            _ => "Not judged",
        };
        properties.insert(key.to_owned(), json!({ "description": description }));
    }
    let facts = json!({
        "description": "The facts; null is absent",
        "type": "object",
        "properties": { "observed": false },
    });
    properties.insert("facts".to_owned(), facts);
    properties.insert("observed".to_owned(), observed);
    json!({ "type": "object", "properties": properties, "required": ["facts"] })
}
