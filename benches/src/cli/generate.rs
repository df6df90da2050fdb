//! A lawbook and data, generated: the same every time.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Result;

/// A condition that holds of all data made here.
pub(super) const CONDITION: &str = "\
all:
  - {path: name, op: equals, value: records}
  - {path: 'items[*].id', op: contains, value: item-0000000}
  - {path: 'items[0].score', op: at_least, value: 0}
";

/// Data of a few bytes.
pub(super) const SMALL: &str =
    r#"{"name": "records", "items": [{"id": "item-0000000", "score": 1}]}"#;

/// Writes a lawbook of so many files: a manifest, and saved conditions in all the others.
pub(super) fn lawbook(folder: &Path, files: usize) -> Result<()> {
    let conditions = folder.join("conditions");
    fs::create_dir_all(&conditions)?;
    fs::write(folder.join("lawful.yaml"), "name: generated\n")?;
    for at in 1..files {
        let text = format!(
            "topic-{at}.asked:
  any:
    - {{path: message.tags, op: contains, value: topic-{at}}}
    - {{path: message.subject, op: starts_with, value: 'Topic {at}'}}
    - {{path: message.text, op: matches, value: 'topic (no\\. )?{at}'}}
topic-{at}.large:
  {{path: order.total, op: greater_than, value: {at}}}
topic-{at}.escalate:
  all:
    - ref: topic-{at}.asked
    - ref: topic-{at}.large
    - {{user.tier: gold, status: open}}
    - not: {{path: session.stage, op: any_of, value: [closed, stage-{at}]}}
"
        );
        fs::write(conditions.join(format!("topic-{at:04}.yaml")), text)?;
    }
    Ok(())
}

/// Records as JSON, of about so many bytes.
pub(super) fn json(bytes: usize) -> String {
    let mut text = String::from("{\"name\": \"records\", \"items\": [");
    let mut at = 0;
    while text.len() < bytes {
        let comma = if at == 0 { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{comma}\n  {{\"id\": \"item-{at:07}\", \"score\": {}, \"open\": {}, \"tags\": [\"refund\", \"tag-{}\"], \"note\": \"Second request about invoice {at}\"}}",
            at % 1000,
            at % 2 == 0,
            at % 50,
        );
        at += 1;
    }
    text.push_str("\n]}\n");
    text
}

/// The same records as YAML.
pub(super) fn yaml(bytes: usize) -> String {
    let mut text = String::from("name: records\nitems:\n");
    let mut at = 0;
    while text.len() < bytes {
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "  - id: item-{at:07}\n    score: {}\n    open: {}\n    tags: [refund, tag-{}]\n    note: Second request about invoice {at}\n",
            at % 1000,
            at % 2 == 0,
            at % 50,
        );
        at += 1;
    }
    text
}
