//! Composes a prompt for one ticket and prints it with the rules that fired.
//!
//! Run it with `cargo run --package lawful --example compose`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/support-desk");
    let book = lawful::Lawbook::open(folder)?;
    let composed = book.compose("reply").context(json!({"tone": "terse"})).run()?;
    for rule in composed.trace.rules.iter().filter(|rule| rule.fired) {
        println!("rule {} ({}): {}", rule.index, rule.action, rule.why);
    }
    println!("order: {}\n\n{}", composed.order.join(", "), composed.text);
    assert!(composed.order.contains(&"tone-terse".to_owned()));
    Ok(())
}
