//! Nothing seen is not the same as nothing there: what `verify` says of what was not observed.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("lawful-unobserved-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let folder = Self(path);
        folder.write("good.json", "{\"facts\": {\"a\": 1}}");
        folder.write("bad.json", "{\"facts\": {}}");
        folder.write("seen.json", "{\"changed\": []}");
        folder.write("other.json", "{\"files\": [], \"changed\": null}");
        folder
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.0.join(path), text).unwrap();
    }

    /// A rulespec with a predicate on a relation over two others, one of them from this selector.
    fn rulespec(&self, selector: &str, more: &str) {
        self.rulespec_with(selector, ".", more);
    }

    /// The same with another column than the selected value.
    fn rulespec_with(&self, selector: &str, column: &str, more: &str) {
        let text = format!(
            "relations: [{{name: seen, from: '{selector}', columns: ['{column}']}}, {{name: said, from: 'l[*]'}}]\n\
             rules: 'lost(x) :- seen(x), !said(x).'\n\
             claims: [{{name: a, selector: a}}]\n\
             predicates:\n  - {{relation: lost, rule: not_exists{more}}}\n  \
             - {{claim: a, rule: exists}}\n"
        );
        self.write("r.yaml", &text);
    }

    fn verify(&self, words: &[&str]) -> (i32, Value) {
        let output = Command::new(env!("CARGO_BIN_EXE_lawful"))
            .args(["verify", "--rulespec", "r.yaml", "--format", "json"])
            .args(words)
            .current_dir(&self.0)
            .output()
            .unwrap();
        (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The exit code, the verdict, and how many predicates are undecided.
    fn verdict(&self, words: &[&str]) -> (i32, String, Value) {
        let (exit, json) = self.verify(words);
        (exit, json["verdict"].as_str().unwrap().to_owned(), json["undecided"].clone())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_was_not_observed_is_undecided() {
    let folder = Folder::new("key");
    folder.rulespec("observed.changed[*]", "");
    let undecided = || (2, "undecided".to_owned(), json!(1));
    let pass = |count: u64| (0, "pass".to_owned(), json!(count));
    assert_eq!(folder.verdict(&["good.json"]), undecided());
    assert_eq!(folder.verdict(&["good.json", "--observed", "other.json"]), undecided());
    assert_eq!(folder.verdict(&["good.json", "--deny-vacuous"]), undecided());
    assert_eq!(folder.verdict(&["good.json", "--observed", "seen.json"]), pass(0));
    assert_eq!(folder.verdict(&["bad.json"]), (1, "fail".to_owned(), json!(1)));
    let (_, json) = folder.verify(&["good.json"]);
    let found = &json["predicates"][0];
    assert_eq!(found["outcome"], "undecided");
    assert_eq!(found["unobserved"], json!(["observed.changed"]));
    assert_eq!(found["reason"], "`observed.changed` was not observed");
    folder.rulespec("observed.chnged[*]", "");
    assert_eq!(folder.verdict(&["good.json", "--observed", "seen.json"]), undecided());
    folder.rulespec("observed.changed[*]", ", severity: warning");
    assert_eq!(folder.verdict(&["good.json"]), pass(1));
}

#[test]
fn a_column_may_name_the_key() {
    let folder = Folder::new("column");
    let undecided = || (2, "undecided".to_owned(), json!(1));
    folder.rulespec_with("observed", "changed[*]", "");
    let seen = ["good.json", "--observed", "seen.json"];
    assert_eq!(folder.verdict(&seen), (0, "pass".to_owned(), json!(0)));
    assert_eq!(folder.verdict(&["good.json"]), undecided());
    assert_eq!(folder.verdict(&["good.json", "--observed", "other.json"]), undecided());
    folder.rulespec_with("observed", "chnged[*]", "");
    assert_eq!(folder.verdict(&seen), undecided());
    folder.write("runs.json", "{\"runs\": {\"lint\": {\"exit\": 0}}}");
    let runs = ["good.json", "--observed", "runs.json"];
    folder.rulespec_with("observed.runs", "tests.log", "");
    assert_eq!(folder.verdict(&runs), undecided());
    let (_, json) = folder.verify(&runs);
    assert_eq!(json["predicates"][0]["unobserved"], json!(["observed.runs.tests"]));
    folder.rulespec_with("observed.runs", "lint.log", "");
    assert_eq!(folder.verdict(&runs), (0, "pass".to_owned(), json!(0)));
}
