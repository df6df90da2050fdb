//! JSON Schemas (2020-12) of every document of a lawbook, and of every result.
//!
//! Documents are decoded by hand, so their schemas are written by hand too. Keys and closed sets of
//! names come from the tables that decoding itself reads, so that the two cannot drift apart. A
//! schema never refuses a document that decodes. It lets some pass that do not: what needs more than
//! one document to see, such as an unknown id, is left to `lawful check`.
//!
//! ```
//! let schema = lawful::schema::document("composition").unwrap();
//! assert_eq!(schema["required"], serde_json::json!(["name", "base"]));
//!
//! let schema = lawful::schema::of::<lawful::view::Evaluation>();
//! assert_eq!(schema["properties"]["result"]["enum"][0], "true");
//! ```

mod action;
mod build;
mod composition;
mod condition;
mod conditions;
mod entry;
mod envelope;
mod fragment;
mod guards;
mod manifest;
mod results;
mod rules;
mod rulespec;
mod scenario;
mod trigger;

pub use results::{of, output};

/// A document, and what makes its schema.
type Document = (&'static str, fn() -> serde_json::Value);

const DOCUMENTS: [Document; 11] = [
    ("manifest", manifest::schema),
    ("composition", composition::schema),
    ("conditions", conditions::schema),
    ("rules", rules::schema),
    ("guards", guards::schema),
    ("entry", entry::schema),
    ("fragment", fragment::schema),
    ("rulespec", rulespec::schema),
    ("scenario", scenario::schema),
    ("envelope", envelope::schema),
    ("record", envelope::record),
];

/// The names of the documents that have a schema. Of a page, it is the schema of its front matter.
pub fn documents() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|(name, _)| *name)
}

/// The schema of a document.
pub fn document(name: &str) -> Option<serde_json::Value> {
    let (name, schema) = DOCUMENTS.iter().find(|(known, _)| *known == name)?;
    Some(build::document(name, schema()))
}
