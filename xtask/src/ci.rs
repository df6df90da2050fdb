//! Every check for a change, in the order that fails fastest.

use std::time::Instant;

use crate::workspace::{Result, cargo, run as run_command};
use crate::{clingo, docs, e2e, readme, tidy};

/// Runs every step, and stops at the first failure.
pub(crate) fn run() -> Result {
    let start = Instant::now();
    step("format", || run_command(cargo(&["fmt", "--all", "--check"])))?;
    step("lints", || {
        run_command(cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]))
    })?;
    step("tidy", tidy::run)?;
    // Unit tests, the spec corpus, the tests of the command line, and the examples in doc comments.
    step("tests", || run_command(cargo(&["test", "--workspace", "--locked"])))?;
    step("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--locked", "--quiet"]);
        doc.env("RUSTDOCFLAGS", "-D warnings");
        run_command(doc)
    })?;
    step("clingo", clingo::run)?;
    step("fuzz targets", check_fuzz_targets)?;
    step("docs", docs::check)?;
    step("README", || readme::run(&[]))?;
    step("a real harness", e2e::run_smallest)?;
    println!("\nci: all passed in {:.1} minutes", start.elapsed().as_secs_f64() / 60.0);
    Ok(())
}

/// The fuzz targets are a separate workspace and must still compile. Naming a library instead of
/// libFuzzer avoids its build, which would need a C++ compiler.
fn check_fuzz_targets() -> Result {
    let mut check = cargo(&[
        "check",
        "--locked",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--target-dir",
        "target/fuzz-check",
    ]);
    check.env("CUSTOM_LIBFUZZER_PATH", "unused/libFuzzer.a");
    run_command(check)
}

fn step(name: &str, work: impl FnOnce() -> Result) -> Result {
    println!("\n== {name}");
    let start = Instant::now();
    let result = work();
    let outcome = if result.is_ok() { "passed" } else { "FAILED" };
    println!("== {name}: {outcome} in {:.1} seconds", start.elapsed().as_secs_f64());
    result
}
