//! Takes two steps of a session and prints what the host is asked to do.
//!
//! Run it with `cargo run --package lawful --example step`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/harbour-tale");
    let book = lawful::Lawbook::open(folder)?;
    let first = book.step(book.start(), &json!({"user": "Hello, what do you sell?"}).try_into()?);
    let second = book.step(first.session.clone(), &json!({"action": "buy-lamp"}).try_into()?);
    for step in [&first, &second] {
        println!("turn {}, step {}", step.session.turn, step.session.step);
        for firing in &step.trace.fired {
            println!("  {} in wave {}", firing.rule, firing.wave);
        }
        for effect in &step.effects {
            println!("  effect {} {}", effect.id, effect.kind.name());
        }
    }
    assert_eq!(second.session.turn, 1);
    Ok(())
}
