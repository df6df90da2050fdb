//! The shapes of results that are serialised by hand, for the feature `schema`.

use std::borrow::Cow;

use lawful::book::Observable;
use lawful::react::Effect;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::observe::Observed;
use crate::session::SessionEffect;

/// An effect that was stored has the shape of one that a step asks for.
impl JsonSchema for SessionEffect {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SessionEffect".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Effect>()
    }
}

impl JsonSchema for Observed {
    fn schema_name() -> Cow<'static, str> {
        "Observed".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let keys: Map<String, Value> = Observable::KEYS
            .iter()
            .map(|(key, kind)| ((*key).to_owned(), seen(key, *kind)))
            .collect();
        json_schema!({
            "description": "What the host saw; a key is there exactly if it was asked for",
            "type": "object",
            "properties": keys,
            "additionalProperties": false
        })
    }
}

fn seen(key: &str, kind: Observable) -> Value {
    let names =
        |what: &str| json!({ "description": what, "type": "array", "items": { "type": "string" } });
    match kind {
        Observable::Git => names("Paths from the root of the repository"),
        Observable::Files => names("Existing files that match"),
        Observable::Junit if key == "failing" => names("The names of tests that failed"),
        Observable::Junit => json!({
            "description": "The result of each test, by name",
            "type": "object",
            "additionalProperties": { "enum": ["passed", "failed", "error", "skipped"] },
        }),
        Observable::Run => json!({
            "description": "The result of each command, by name",
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "exit": {
                        "description": "The exit code; null if it was killed",
                        "type": ["integer", "null"],
                    },
                    "signal": { "description": "The signal that killed it", "type": "integer" },
                    "timeout": { "description": "It took too long", "const": true },
                    "seconds": { "description": "How long it took", "type": "number" },
                },
                "required": ["exit", "seconds"],
                "additionalProperties": false,
            },
        }),
    }
}
