//! Diagnostics as SARIF 2.1.0, the format of code scanning services.

use serde::Serialize;
use serde_json::{Value, json};

use super::{DiagnosticView, details};
use crate::{Code, escape};

/// A SARIF log with one run. `R` serialises to a list of [`SarifResult`]s.
#[derive(Debug, Serialize)]
pub struct SarifLog<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<R>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<R> {
    tool: Value,
    // Columns count characters, not UTF-16 code units.
    column_kind: &'static str,
    results: R,
}

/// A diagnostic as a result of a SARIF log.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    rule_id: &'static str,
    level: &'static str,
    message: Value,
    locations: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Value>,
}

impl<R> SarifLog<R> {
    /// A log of the results of `lawful` of this version. `codes` are the codes that they have.
    pub fn new(version: &str, codes: &[&Code], results: R) -> Self {
        let rules: Vec<Value> = codes.iter().map(|code| rule(code)).collect();
        let driver = json!({ "name": "lawful", "version": version, "rules": rules });
        Self {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: json!({ "driver": driver }),
                column_kind: "unicodeCodePoints",
                results,
            }],
        }
    }
}

impl SarifResult {
    /// The result of a diagnostic.
    pub fn new(problem: &DiagnosticView) -> Self {
        let place = problem.file.as_deref().zip(problem.line).zip(problem.column);
        let place = place.map(|((file, line), column)| location(file, line, column));
        let related = problem.labels.iter().map(|label| {
            let mut place = location(&label.file, label.line, label.column);
            if let Value::Object(place) = &mut place {
                place.insert("message".to_owned(), message(&escape::line(&label.message)));
            }
            place
        });
        Self {
            rule_id: problem.code,
            level: problem.severity,
            message: message(&details(problem).join("\n")),
            locations: place.into_iter().collect(),
            related_locations: related.collect(),
        }
    }
}

fn rule(code: &Code) -> Value {
    json!({
        "id": code.name,
        "shortDescription": { "text": code.summary },
        "help": { "text": code.details, "markdown": code.details },
        "defaultConfiguration": { "level": code.severity.name() },
    })
}

fn location(file: &str, line: usize, column: usize) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": escape::uri(file) },
            "region": { "startLine": line, "startColumn": column },
        },
    })
}

/// A message. A viewer makes a link of `[text](target)`, so text from outside must not have one.
fn message(text: &str) -> Value {
    json!({ "text": text.replace("](", "] (") })
}
