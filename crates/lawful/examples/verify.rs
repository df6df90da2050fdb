//! Judges an envelope by the rulespec of a lawbook and prints what failed.
//!
//! Run it with `cargo run --package lawful --example verify`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use lawful::verify::Verdict;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/support-desk");
    let book = lawful::Lawbook::open(folder)?;
    let envelope = json!({"facts": {"reply": {"text": "On its way.", "promises": ["refund"]}}});
    let verdict = book.verify(&envelope).observed(&json!({})).run()?;
    for predicate in verdict.predicates.iter().filter(|one| one.outcome == "fail") {
        println!("{}: {}", predicate.name.as_deref().unwrap_or("-"), predicate.reason);
    }
    assert_eq!(verdict.verdict, Verdict::Fail);
    Ok(())
}
