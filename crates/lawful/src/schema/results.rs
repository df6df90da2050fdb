//! The shapes of results that are serialised by hand.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::cond::Outcome;
use crate::diagnostics::Diagnostics;
use crate::react::{Effect, EffectKind, Session};
use crate::value::Value;
use crate::view::StateView;
use lawful_syntax::render::DiagnosticView;

/// The schema of a result, as it is serialised.
pub fn of<T: JsonSchema>() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The schema of a result that a front end prints under a name.
pub fn output<T: JsonSchema>(name: &str) -> serde_json::Value {
    let mut schema = of::<T>();
    if let serde_json::Value::Object(members) = &mut schema {
        members.insert("$id".to_owned(), super::build::urn(name).into());
        members.insert("title".to_owned(), name.into());
    }
    schema
}

impl JsonSchema for Value {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

impl JsonSchema for Diagnostics {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Diagnostics".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<DiagnosticView>>()
    }
}

impl JsonSchema for Session {
    fn schema_name() -> Cow<'static, str> {
        "Session".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        StateView::json_schema(generator)
    }
}

impl JsonSchema for Outcome {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Outcome".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all = [Self::True, Self::False, Self::Error, Self::NotEvaluated];
        json_schema!({ "enum": all.map(Self::name) })
    }
}

impl JsonSchema for Effect {
    fn schema_name() -> Cow<'static, str> {
        "Effect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds = EffectKind::ALL.map(EffectKind::name);
        json_schema!({
            "description": "Something for the host to do, with the fields of its type",
            "type": "object",
            "properties": {
                "id": { "description": "`turn.step.n`: no two of a session are the same", "type": "string" },
                "type": { "description": "What it is", "enum": kinds }
            },
            "required": ["id", "type"],
            "additionalProperties": true
        })
    }
}
