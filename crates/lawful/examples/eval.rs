//! Evaluates a condition over a document and explains the answer.
//!
//! Run it with `cargo run --package lawful --example eval`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use lawful::cond::{Condition, Outcome};
use lawful::view::explanation_text;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/support-desk");
    let book = lawful::Lawbook::open(folder)?;
    let condition: Condition = "all: [{ref: paying}, {waited.minutes: 30}]".parse()?;
    let answer = book.eval(&condition, &json!({"tier": "vip", "waited": {"minutes": 12}}))?;
    if let Some(explanation) = &answer.explanation {
        print!("{}", explanation_text(explanation));
    }
    assert_eq!(answer.result, Outcome::False);
    Ok(())
}
