//! The scenarios of every example: they pass, they cover everything, and a mutant that survives is
//! in the README of the example, with the reason.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod support;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Only lints to look at: it decides nothing.
const WITHOUT_SCENARIOS: [&str; 1] = ["odd-conditions"];

fn report(example: &Path, words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lawful"));
    command.args(["test", "--format", "json", "--book"]).arg(example).args(words);
    let output = command.output().unwrap();
    let said = support::said(&output);
    assert_eq!(support::exit(&output), 0, "{}: {said}", example.display());
    support::document(&output)
}

fn examples() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(EXAMPLES).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        path.join("lawful.yaml").exists() && !WITHOUT_SCENARIOS.contains(&name)
    });
    found.sort();
    assert!(found.len() >= 5, "{found:?}");
    found
}

#[test]
fn every_example_is_covered() {
    for example in examples() {
        let report = report(&example, &["--coverage"]);
        for (kind, covered) in report["coverage"].as_object().unwrap() {
            let missing = covered["missing"].as_array().unwrap();
            assert!(missing.is_empty(), "{}: {kind}: {missing:?}", example.display());
        }
    }
}

#[test]
fn a_surviving_mutant_is_in_the_readme() {
    for example in examples() {
        let readme = fs::read_to_string(example.join("README.md")).unwrap();
        let report = report(&example, &["--mutate"]);
        let mutation = &report["mutation"];
        assert!(mutation["mutants"].as_u64().unwrap() > 0, "{}", example.display());
        for survivor in mutation["survived"].as_array().unwrap() {
            let change = survivor["change"].as_str().unwrap();
            assert!(readme.contains(change), "{}: {survivor}", example.display());
        }
    }
}
