//! Runs the pages of `spec/live`: the whole program, with a project, a home and a state folder of its own.
//!
//! The pages are read as `crates/lawful/tests/spec` reads the others; `UPDATE_SPEC=1` rewrites expectations.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    unused_crate_dependencies,
    reason = "this is a test"
)]

#[cfg(unix)]
mod live;
#[cfg(unix)]
#[path = "../../../lawful/tests/spec/page.rs"]
mod page;
#[cfg(unix)]
#[path = "../../../lawful/tests/spec/runner.rs"]
mod runner;
#[cfg(unix)]
#[path = "../support/mod.rs"]
mod support;

fn main() {
    #[cfg(unix)]
    runner::main(|folder| folder == "live", |_| Some(Box::new(live::Machine::new())));
}
