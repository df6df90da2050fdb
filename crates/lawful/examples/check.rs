//! Checks every shipped lawbook that should have no problems.
//!
//! Run it with `cargo run --package lawful --example check`.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for name in ["support-desk", "harbour-tale", "refactor-crew"] {
        let folder = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let report = lawful::Lawbook::open(folder)?.check();
        println!("{name}: {} errors, {} warnings", report.errors, report.warnings);
        print!("{}", report.diagnostics);
        assert_eq!(report.errors, 0);
    }
    Ok(())
}
