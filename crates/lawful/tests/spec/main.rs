//! Runs the literate specification: every section of every page under `spec/` is a test.
//!
//! A section is prose, fenced inputs and fenced expectations. Inputs stay in force until the
//! section gives another of the same kind; an expectation is compared with what the inputs before
//! it produce. `UPDATE_SPEC=1 cargo test --test spec` rewrites expectations in place; read the
//! difference before you commit it.
//!
//! The folder under `spec/` decides who understands the fences: see [`surface`]. The pages of `spec/live`
//! need a machine, so the tests of the command line run them.

#![allow(
    clippy::expect_used,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "this is a test"
)]

mod compose;
mod cond;
mod guard;
mod page;
mod problems;
mod react;
mod read;
mod runner;
mod scenario;
mod verify;

use runner::Surface;

fn main() {
    runner::main(|folder| folder != "live", surface);
}

fn surface(folder: &str) -> Option<Box<dyn Surface>> {
    match folder {
        "compose" => Some(Box::new(compose::Composing::default())),
        "cond" => Some(Box::new(cond::Conditions::default())),
        "guard" => Some(Box::new(guard::Guarding::default())),
        "react" => Some(Box::new(react::Reacting::default())),
        "scenario" => Some(Box::new(scenario::Scenarios::default())),
        "verify" => Some(Box::new(verify::Verifying::default())),
        _ => None,
    }
}
