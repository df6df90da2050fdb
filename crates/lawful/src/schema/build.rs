//! The pieces that schemas are built from.

use serde_json::{Map, Value as Json, json};

/// A mapping with the keys of a table.
pub(super) struct Object {
    keys: Vec<&'static str>,
    properties: Map<String, Json>,
    required: Vec<&'static str>,
}

impl Object {
    /// A mapping that may have these keys and no others.
    pub(super) fn closed(keys: &[&'static str]) -> Self {
        Self { keys: keys.to_vec(), properties: Map::new(), required: Vec::new() }
    }

    /// A key that must be there.
    pub(super) fn required(mut self, key: &'static str, description: &str, schema: Json) -> Self {
        self.required.push(key);
        self.property(key, description, schema)
    }

    /// A key that may be missing or null.
    pub(super) fn optional(self, key: &'static str, description: &str, schema: Json) -> Self {
        self.property(key, description, nullable(schema))
    }

    /// A key that may be missing, but not null.
    pub(super) fn always(self, key: &'static str, description: &str, schema: Json) -> Self {
        self.property(key, description, schema)
    }

    fn property(mut self, key: &'static str, description: &str, schema: Json) -> Self {
        self.properties.insert(key.to_owned(), described(description, schema));
        self
    }

    /// The schema. Every key of the table must have been given, and no other.
    pub(super) fn build(self) -> Json {
        debug_assert!(
            self.keys.len() == self.properties.len()
                && self.keys.iter().all(|key| self.properties.contains_key(*key)),
            "the schema has {:?} and decoding reads {:?}",
            self.properties.keys().collect::<Vec<_>>(),
            self.keys
        );
        json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": false,
        })
    }
}

/// A whole document: its schema with a name.
pub(super) fn document(name: &str, schema: Json) -> Json {
    let mut out = Map::new();
    out.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    out.insert("$id".to_owned(), json!(urn(name)));
    if let Json::Object(schema) = schema {
        out.extend(schema);
    }
    Json::Object(out)
}

/// The `$id` of a schema.
pub(super) fn urn(name: &str) -> String {
    format!("urn:lawful:schema:{name}")
}

/// A schema with more members: `title`, `$defs`, `allOf`.
pub(super) fn with(mut schema: Json, members: Json) -> Json {
    if let (Json::Object(schema), Json::Object(members)) = (&mut schema, members) {
        schema.extend(members);
    }
    schema
}

/// A schema with a description.
pub(super) fn described(description: &str, schema: Json) -> Json {
    match schema {
        Json::Object(_) => with(schema, json!({ "description": description })),
        // The schema that admits everything.
        Json::Bool(_) | Json::Null | Json::Number(_) | Json::String(_) | Json::Array(_) => {
            json!({ "description": description })
        }
    }
}

/// The same, or null: the value of a key that decoding takes for missing.
fn nullable(schema: Json) -> Json {
    let Json::Object(mut members) = schema else { return schema };
    if let Some(Json::Array(names)) = members.get_mut("enum") {
        names.push(Json::Null);
    }
    match members.get("type") {
        Some(Json::String(one)) => {
            let both = json!([one, "null"]);
            members.insert("type".to_owned(), both);
            Json::Object(members)
        }
        Some(_) | None => json!({ "anyOf": [members, { "type": "null" }] }),
    }
}

/// One of a table of names.
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> Json {
    let names: Vec<&str> = names.into_iter().collect();
    json!({ "type": "string", "enum": names })
}

/// One of a table of names that each stand for something.
pub(super) fn choice<T>(table: &[(&str, T)]) -> Json {
    names(table.iter().map(|(name, _)| *name))
}

/// A string.
pub(super) fn text() -> Json {
    json!({ "type": "string" })
}

/// A string that is not blank.
pub(super) fn id() -> Json {
    json!({ "type": "string", "pattern": "\\S" })
}

/// `true` or `false`.
pub(super) fn boolean() -> Json {
    json!({ "type": "boolean" })
}

/// A number.
pub(super) fn number() -> Json {
    json!({ "type": "number" })
}

/// A whole number from `least` up.
pub(super) fn whole(least: u64) -> Json {
    json!({ "type": "integer", "minimum": least })
}

/// A list.
pub(super) fn list(items: &Json) -> Json {
    json!({ "type": "array", "items": items })
}

/// A mapping of any keys to values of one schema.
pub(super) fn mapping(values: &Json) -> Json {
    json!({ "type": "object", "additionalProperties": values })
}

/// A mapping that has a key. One that is null counts as missing.
pub(super) fn written(key: &str) -> Json {
    json!({
        "if": { "required": [key], "properties": { key: { "type": "null" } } },
        "then": false,
        "else": { "required": [key] },
    })
}

/// A schema under `$defs`.
pub(super) fn definition(name: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A mapping whose `type` decides what else it has: each type with the schema of the whole mapping.
pub(super) fn by_type(description: &str, types: &[(&str, Json)]) -> Json {
    let each = types.iter().map(|(name, schema)| {
        json!({
            "if": { "properties": { "type": { "const": name } }, "required": ["type"] },
            "then": schema,
        })
    });
    json!({
        "type": "object",
        "properties": { "type": described(description, choice(types)) },
        "required": ["type"],
        "allOf": each.collect::<Vec<_>>(),
    })
}
