//! `lawful schema`: every JSON output has one, and is as it says.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

mod support;

const CMD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Outputs by name, held to schemas that admit no key they do not name.
struct Outputs {
    folder: support::Folder,
    schemas: BTreeMap<String, Validator>,
    seen: BTreeSet<String>,
}

impl Outputs {
    fn new(folder: support::Folder) -> Self {
        let listed = folder.output(&["schema"]);
        let names = String::from_utf8(listed.stdout).unwrap();
        let names = names.lines().filter(|name| name.starts_with("output."));
        let schema = |name: &str| {
            let mut schema = support::document(&folder.output(&["schema", name]));
            assert_eq!(schema["$id"], format!("urn:lawful:schema:{name}"));
            close(&mut schema);
            (name.to_owned(), jsonschema::draft202012::new(&schema).unwrap())
        };
        let schemas = names.map(schema).collect();
        Self { folder, schemas, seen: BTreeSet::new() }
    }

    /// Runs a command, and validates what it prints against the schema of this name.
    fn hold(&mut self, name: &str, exit: i32, words: &[&str]) -> Value {
        let mut command = self.folder.lawful(&[words, &["--format", "json"]].concat());
        let home = self.folder.join("home");
        command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
        let output = command.output().unwrap();
        let said = support::said(&output);
        assert_eq!(support::exit(&output), exit, "{words:?}: {said}");
        self.validate(name, support::document(&output), words)
    }

    /// Validates a document against the schema of this name.
    fn validate(&mut self, name: &str, document: Value, words: &[&str]) -> Value {
        let errors: Vec<String> = self.schemas[name]
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{name}: {words:?}: {errors:?}");
        self.seen.insert(name.to_owned());
        document
    }
}

/// Lets no mapping have keys that its schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let named = members.contains_key("properties");
            members.values_mut().for_each(close);
            if named && !members.contains_key("additionalProperties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

#[test]
fn every_output_is_as_its_schema_says() {
    let folder = support::Folder::new("schema-outputs");
    let scenes =
        ["compose", "envelope", "install", "list", "observe", "react", "role", "session", "verify"];
    for scene in scenes {
        let from = Path::new(CMD).join(format!("{scene}.in"));
        copy(&from, &folder.join(scene));
    }
    for example in ["harbour-tale", "odd-conditions", "support-desk"] {
        copy(&Path::new(EXAMPLES).join(example), &folder.join(example));
    }
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(&folder).status().unwrap();
    assert!(git.success());
    let mut outputs = Outputs::new(folder);
    documents(&mut outputs);
    prompts(&mut outputs);
    work(&mut outputs);
    sessions(&mut outputs);
    delivery(&mut outputs);
    #[cfg(unix)]
    live(&mut outputs);
    let known: Vec<&String> = outputs.schemas.keys().collect();
    let seen: Vec<&String> = outputs.seen.iter().collect();
    assert_eq!(known, seen);
}

fn documents(outputs: &mut Outputs) {
    outputs.hold("output.check", 0, &["check", "odd-conditions"]);
    outputs.hold("output.check", 0, &["check", "harbour-tale", "--graph", "dot"]);
    outputs.hold("output.check", 2, &["check", "nowhere"]);
    outputs.folder.write("tests/lawful.yaml", "name: t");
    let steps = "steps: [{turn: null, expect: {fired: {exactly: []}}}]";
    outputs.folder.write("tests/scenarios/a.yaml", steps);
    outputs.hold("output.test", 0, &["test", "--book", "tests"]);
    let steps = "steps: [{turn: null, expect: {state: {hp: 3}}}]";
    outputs.folder.write("tests/scenarios/b.yaml", steps);
    outputs.hold("output.test", 1, &["test", "--book", "tests"]);
    outputs.folder.write("tests/scenarios/c.yaml", "steps: [{trun: null}]");
    outputs.hold("output.test", 2, &["test", "--book", "tests"]);
    outputs.hold("output.check", 2, &["test", "--book", "tests", "--filter", "nothing"]);
    outputs.hold("output.check", 2, &["check", "--denny"]);
    outputs.hold("output.list", 0, &["list", "--book", "list"]);
    outputs.hold("output.list", 0, &["list", "roles", "--book", "list"]);
    outputs.hold("output.list", 2, &["list", "--book", "list/broken"]);
    outputs.hold("output.explain", 0, &["explain", "unknown-ref"]);
    outputs.hold("output.explain-list", 0, &["explain"]);
    outputs.hold("output.schema-list", 0, &["schema"]);
    outputs.hold("output.check", 2, &["schema", "output.compos"]);
    outputs.hold("output.help", 0, &["check", "--help"]);
    outputs.hold("output.completions", 0, &["completions", "bash"]);
    outputs
        .folder
        .write("when.yaml", "any: [{not: {a: 1}}, {path: b, op: gt, value: x}, {ref: c}]");
    outputs
        .folder
        .write("then.yaml", "all: [{not: {a: 1}}, {path: b, op: gt, value: 2}, {ref: c}]");
    outputs.folder.write("data.yaml", "{b: text, a: 2}");
    outputs.folder.write("saved.yaml", "c: {d: 1}");
    let with = ["--data", "data.yaml", "--conditions", "saved.yaml"];
    outputs.hold("output.eval", 1, &[&["eval", "then.yaml"], &with[..]].concat());
    outputs.hold("output.eval", 2, &[&["eval", "when.yaml"], &with[..]].concat());
}

fn prompts(outputs: &mut Outputs) {
    let desk = ["--book", "support-desk", "--context", "tier=free", "--context", "region=eu"];
    outputs.hold("output.compose", 0, &[&["compose", "note"], &desk[..]].concat());
    let tale = ["--book", "harbour-tale", "--state", "harbour-tale/states/storm.json"];
    outputs.hold("output.compose", 0, &[&["compose", "scene"], &tale[..]].concat());
    outputs.hold("output.blame", 0, &[&["blame", "note"], &desk[..]].concat());
    outputs.hold("output.blame", 0, &[&["blame", "scene"], &tale[..]].concat());
    outputs.hold("output.diff", 1, &["diff", "note", "reply", "--book", "support-desk"]);
    outputs.hold("output.diff", 0, &["diff", "note", "note", "--book", "support-desk"]);
    let matrix = ["matrix", "note", "--book", "support-desk"];
    outputs.hold("output.matrix", 0, &matrix);
    let named = ["--book", "list", "--context", "tone=terse", "--context", "tnoe=warm"];
    outputs.hold("output.compose", 0, &[&["compose", "reply"], &named[..]].concat());
    outputs.hold("output.blame", 0, &[&["blame", "reply"], &named[..]].concat());
    outputs.hold("output.matrix", 0, &["matrix", "reply", "--book", "list"]);
    let role = ["compose", "--role", "clerk", "--book", "role"];
    outputs.hold("output.compose-role", 0, &[&role[..], &["--layers"]].concat());
    let gaps = outputs.hold("output.align", 1, &["align", "--book", "role", "--deny", "gaps"]);
    assert!(!gaps["untaught"].as_array().unwrap().is_empty(), "{gaps}");
    outputs.hold("output.check", 1, &["compose", "--book", "role/broken", "--role", "miller"]);
}

fn work(outputs: &mut Outputs) {
    let seen = ["--book", "verify", "--observed", "verify/seen.json"];
    outputs.hold("output.verify", 0, &["verify", "verify/good.yaml", "--book", "verify"]);
    outputs.hold("output.verify", 0, &[&["verify", "verify/good.yaml"], &seen[..]].concat());
    let explain = ["verify", "verify/bad.yaml", "--explain"];
    outputs.hold("output.verify", 1, &[&explain, &seen[..]].concat());
    let circle = ["--rulespec", "verify/cycle.yaml", "verify/modules.yaml", "--explain"];
    outputs.hold("output.verify", 1, &[&["verify"], &circle[..]].concat());
    outputs.hold("output.check", 2, &["verify", "verify/no-facts.yaml", "--book", "verify"]);
    let many = ["verify", "verify/runs", "verify/bad.yaml", "--book", "verify"];
    outputs.hold("output.verify-many", 2, &[&many[..], &["--max-failures", "1"]].concat());
    let lines = [&many[..], &["--format", "jsonl"]].concat();
    let said = support::said(&outputs.folder.output(&lines));
    for line in said.lines() {
        outputs.validate("output.verify-line", serde_json::from_str(line).unwrap(), &lines);
    }
    let dir = ["--book", "envelope", "--dir", "out"];
    let write = ["envelope", "write", "--facts", "envelope/facts.json"];
    outputs.hold("output.envelope.write", 1, &[&write, &dir[..]].concat());
    outputs.hold("output.envelope.check", 1, &[&["envelope", "check"], &dir[..]].concat());
    let observed = ["observe", "--book", "observe", "--files", "observe/**/*.xml"];
    let report = ["--junit", "observe/reports/login.xml"];
    outputs.hold("output.observe", 0, &[&observed[..], &report].concat());
    outputs.folder.write("run/lawful.yaml", "name: run\nobserve: {no: exit 3}\n");
    outputs.hold("output.observe", 0, &["observe", "--book", "run", "--run", "no"]);
}

fn sessions(outputs: &mut Outputs) {
    let asked = ["--state", "harbour-tale/states/asked.json", "--why-not"];
    let react = ["react", "--book", "harbour-tale", "--input"];
    let lamp = "harbour-tale/inputs/buy-lamp.json";
    let fall = "harbour-tale/inputs/fall.json";
    outputs.hold("output.react", 0, &[&react[..], &[lamp], &asked[..]].concat());
    outputs.hold("output.react", 0, &[&react[..], &[fall], &asked[..]].concat());
    outputs.hold("output.check", 2, &[&react[..], &["nowhere.json"]].concat());
    let db = ["--db", "tales.db"];
    let kept = ["--db", "tales.db", "--book", "session"];
    let turn = ["session", "turn", "keeper", "--input"];
    outputs.hold("output.session.new", 0, &[&["session", "new", "keeper"], &kept[..]].concat());
    let light = ["session/light.json", "--key", "first"];
    outputs.hold("output.session.turn", 0, &[&turn[..], &light, &kept].concat());
    outputs.hold("output.session.turn", 0, &[&turn[..], &light, &kept].concat());
    let stale = ["session/wait.json", "--expect", "0"];
    outputs.hold("output.session.turn", 1, &[&turn[..], &stale, &kept].concat());
    outputs.hold("output.session.turn", 0, &[&turn[..], &["session/wait.json"], &kept].concat());
    outputs.hold("output.session.show", 0, &[&["session", "show", "keeper"], &db[..]].concat());
    let ack = ["session", "effects", "keeper", "--ack", "1.1.1"];
    outputs.hold("output.session.effects", 0, &[&ack, &db[..]].concat());
    outputs.hold("output.session.effects", 0, &[&ack[..3], &db].concat());
    outputs.hold("output.session.list", 0, &[&["session", "list"], &db[..]].concat());
    outputs.hold("output.replay", 0, &[&["replay", "keeper"], &db[..]].concat());
    let brighter = ["replay", "keeper", "--with", "session/brighter"];
    outputs.hold("output.replay", 1, &[&brighter, &db[..]].concat());
    let rewind = ["session", "rewind", "keeper", "--to", "1"];
    outputs.hold("output.session.rewind", 0, &[&rewind, &db[..]].concat());
    outputs.hold("output.session.log", 0, &[&["session", "log", "keeper"], &db[..]].concat());
    outputs.hold("output.session.export", 0, &[&["session", "export", "keeper"], &db[..]].concat());
    let late = ["session/light.json", "--key", "first", "--why-not"];
    outputs.hold("output.session.turn", 0, &[&turn[..], &late, &kept].concat());
    let broken = ["--db", "tales.db", "--book", "session/misspelt"];
    outputs.hold("output.session.turn", 0, &[&turn[..], &["session/wait.json"], &broken].concat());
    let why_not = ["session", "why-not", "keeper", "--version", "1"];
    outputs.hold("output.session.why-not", 0, &[&why_not, &db[..]].concat());
    let fork = ["session", "fork", "keeper", "other", "--at", "2"];
    outputs.hold("output.session.fork", 0, &[&fork, &db[..]].concat());
    let exported = outputs.folder.output(&["session", "export", "keeper", "--db", "tales.db"]);
    outputs.folder.write("exported.json", exported.stdout);
    let import = ["session", "import", "exported.json", "--name", "third"];
    outputs.hold("output.session.import", 0, &[&import, &db[..]].concat());
    let delete = ["session", "delete", "third", "--yes"];
    outputs.hold("output.session.delete", 0, &[&delete, &db[..]].concat());
    outputs.hold("output.check", 2, &[&delete[..3], &db].concat());
}

fn delivery(outputs: &mut Outputs) {
    outputs.hold("output.harnesses", 0, &["harnesses"]);
    let law = ["--book", "install/law", "--harness", "agents-md", "claude-code"];
    let install = [&["install"], &law[..]].concat();
    outputs.hold("output.install", 0, &[&install[..], &["--dry-run"]].concat());
    outputs.hold("output.install", 0, &install);
    outputs.hold("output.install", 2, &["install", "--book", "nowhere"]);
    outputs.hold("output.status", 0, &["status", "--scope", "project"]);
    outputs.hold("output.blame", 0, &["blame", "--installed", "AGENTS.md"]);
    outputs.hold("output.restore-list", 0, &["restore", "--list"]);
    let agents = outputs.folder.join("AGENTS.md");
    let edited = fs::read_to_string(&agents).unwrap().replace("You lead.", "You follow.");
    fs::write(&agents, &edited).unwrap();
    outputs.hold("output.install", 0, &[&install[..], &["--overwrite"]].concat());
    outputs.hold("output.restore-list", 0, &["restore", "AGENTS.md", "--list"]);
    outputs.hold("output.restore", 0, &["restore", "AGENTS.md", "--yes"]);
    outputs.hold("output.check", 1, &["restore", "nowhere.md"]);
    outputs.hold("output.install", 0, &[&install[..], &["--overwrite"]].concat());
    outputs.hold("output.uninstall", 0, &["uninstall", "--book", "install/law"]);
    // `tests/prove.rs` starts a client; here there is none.
    let prove = ["prove", "--harness", "pi", "--book", "install/law"];
    let mut command = outputs.folder.lawful(&[&prove[..], &["--format", "json"]].concat());
    let output = command.env("HOME", outputs.folder.join("home")).env("PATH", "").output().unwrap();
    assert_eq!(support::exit(&output), 2, "{}", support::said(&output));
    outputs.validate("output.prove", support::document(&output), &prove);
    let hook = ["hook", "--harness", "claude-code"];
    outputs.hold("output.hook.install", 0, &[&hook[..], &["install"]].concat());
    outputs.hold("output.hook.status", 0, &[&hook[..], &["status", "--scope", "project"]].concat());
    outputs.hold("output.status", 0, &["status", "--scope", "project"]);
    outputs.hold("output.hook.uninstall", 0, &[&hook[..], &["uninstall"]].concat());
    outputs.hold("output.hook.status", 1, &["hook", "status", "--scope", "project"]);
    outputs.hold("output.trust", 1, &["trust", "install/law", "--show", "--diff"]);
    outputs.hold("output.trust", 0, &["trust", "install/law", "--yes"]);
    outputs.hold("output.trust", 0, &["trust", "install/law", "--show"]);
    outputs.hold("output.trust-revoke", 0, &["trust", "install/law", "--revoke"]);
    outputs.hold("output.check", 2, &["trust", "install/law"]);
}

#[test]
fn a_schema_is_the_same_in_every_format() {
    let folder = support::Folder::new("schema-format");
    let plain = folder.output(&["schema", "composition"]);
    let (exit, json, _) = folder.json(&["schema", "composition"]);
    assert_eq!((exit, json), (0, support::document(&plain)));
}

#[cfg(unix)]
fn live(outputs: &mut Outputs) {
    outputs.folder.write("call.json", r#"{"action": "shell", "command": "ls", "tool": "Bash"}"#);
    let guard = ["guard", "--harness", "codex", "--event", "call.json", "--book", "list"];
    outputs.hold("output.guard", 0, &[&guard[..], &["--explain"]].concat());
    outputs.folder.write("call.json", "{}");
    outputs.hold("output.guard", 2, &guard);
    // Nobody trusts a lawbook here, so every call is denied.
    let home = outputs.folder.join("home");
    let mut hook = outputs.folder.lawful(&["hook", "--harness", "codex", "tool-call"]);
    hook.env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
    let call = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    support::answer(&mut hook, call.to_string());
    let log = outputs.hold("output.log", 0, &["log"]);
    let line = log["decisions"][0].clone();
    outputs.validate("output.log-line", line.clone(), &["log", "--follow"]);
    let id = line["id"].as_str().unwrap();
    outputs.hold("output.check", 2, &["allow", id]);
    let program = env!("CARGO_BIN_EXE_lawful");
    let command = format!("{program} allow {id} --format json > allowed.json");
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(&outputs.folder);
    script.env("HOME", &home).env("XDG_STATE_HOME", home.join("state"));
    support::answer(&mut script, "y\n");
    let allowed = serde_json::from_str(&outputs.folder.read("allowed.json")).unwrap();
    let from = ["init", "started", "--harness", "codex", "--from", "compose"];
    outputs.hold("output.init", 2, &from);
    outputs.hold("output.init", 0, &["init", "started", "--yes", "--template", "story"]);
    // The program is not on the `PATH`, so the hook does not work.
    outputs.hold("output.init", 1, &["init", "guarded", "--yes", "--harness", "codex"]);
    outputs.hold("output.hook.doctor", 1, &["hook", "doctor", "--harness", "codex"]);
    let allowed = outputs.validate("output.allow", allowed, &["allow"]);
    assert_eq!(allowed["allowed"], true);
}
