//! Sessions through the program: what must hold for any sequence of turns, rewinds and
//! acknowledgements, and what happens when the file cannot be used.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
#[cfg(target_os = "linux")]
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

mod support;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lawful");
const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/session.in");

/// A folder with one file of sessions in it.
struct Folder(support::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        Self(support::Folder::new(name))
    }

    fn file(&self, name: &str, text: &str) -> String {
        self.0.write(name, text);
        self.0.join(name).display().to_string()
    }

    /// `lawful session VERB … --book BOOK --db tales.db --format json`
    fn session(&self, words: &[&str]) -> (i32, Value) {
        let place = ["--book", BOOK, "--db", "tales.db"];
        self.run(&[&["session"], words, &place].concat())
    }

    fn run(&self, words: &[&str]) -> (i32, Value) {
        let (exit, json, stderr) = self.0.json(words);
        assert_eq!(stderr, "", "{words:?}");
        (exit, json)
    }

    fn refused(&self, words: &[&str], code: &str) -> Value {
        let (exit, json) = self.run(words);
        assert_eq!((exit, &json["diagnostics"][0]["code"]), (2, &json!(code)), "{words:?}: {json}");
        json["diagnostics"][0]["message"].clone()
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Turns, an action, writes, and an event nobody waits for.
const INPUTS: [&str; 5] = [
    r#"{"user": "I light the lamp.", "ai": "It catches."}"#,
    r#"{"user": "I wait.", "ai": "The night goes on."}"#,
    r#"{"action": "refill"}"#,
    r#"{"user": "I spill some.", "ai": "Oh.", "writes": [{"variableId": "oil", "operation": "subtract", "value": 1}]}"#,
    r#"{"event": {"type": "sea:storm", "strength": 9}}"#,
];

/// Plays a session at random and holds it against pure steps.
fn play(seed: u64) {
    let folder = Folder::new(&format!("play-{seed}"));
    let inputs: Vec<String> =
        (0..).zip(INPUTS).map(|(n, text)| folder.file(&format!("{n}.json"), text)).collect();
    let mut dice = Dice(seed);
    assert_eq!(folder.session(&["new", "s"]).0, 0);
    // The state at the end of each turn of the present, and every effect that was ever handed out.
    let mut ends: BTreeMap<u64, Value> = BTreeMap::new();
    let mut handed: BTreeSet<String> = BTreeSet::new();
    let mut state = folder.session(&["show", "s"]).1["state"].clone();
    ends.insert(0, state.clone());
    for round in 0..24 {
        match dice.below(6) {
            0 => {
                let to = dice.below(state["turn"].as_u64().unwrap() + 1);
                let (exit, answer) = folder.session(&["rewind", "s", "--to", &to.to_string()]);
                assert_eq!((exit, &answer["state"]), (0, &ends[&to]), "a counter has drifted");
                state = answer["state"].clone();
                ends.retain(|turn, _| *turn <= to);
                let left = folder.session(&["effects", "s"]).1;
                for id in answer["withdrawn"].as_array().unwrap() {
                    assert!(!left["effects"].as_array().unwrap().iter().any(|e| e["id"] == *id));
                }
            }
            1 => {
                let waiting = folder.session(&["effects", "s"]).1;
                if let Some(id) = waiting["effects"][0]["id"].as_str() {
                    let (exit, answer) = folder.session(&["effects", "s", "--ack", id]);
                    assert_eq!((exit, &answer["acknowledged"][0]["result"]), (0, &json!("now")));
                }
            }
            _ => {
                let input = &inputs[usize::try_from(dice.below(5)).unwrap()];
                let before = folder.file("before.json", &state.to_string());
                let pure =
                    folder.run(&["react", "--book", BOOK, "--state", &before, "--input", input]).1;
                let key = format!("k{round}");
                let request = ["turn", "s", "--input", input, "--key", &key];
                let (exit, answer) = folder.session(&request);
                assert_eq!((exit, &answer["result"]), (0, &json!("committed")));
                assert_eq!((&answer["state"], &answer["trace"]), (&pure["state"], &pure["trace"]));
                for effect in answer["effects"].as_array().unwrap() {
                    let id = effect["id"].as_str().unwrap().to_owned();
                    assert!(handed.insert(id), "an effect id was handed out twice: {effect}");
                }
                let again = folder.session(&request).1;
                assert_eq!(again["result"], "duplicate");
                for field in ["version", "state", "effects", "trace"] {
                    assert_eq!(again[field], answer[field], "{field}");
                }
                state = answer["state"].clone();
                ends.insert(state["turn"].as_u64().unwrap(), state.clone());
            }
        }
        assert_eq!(folder.session(&["show", "s"]).1["state"], state);
    }
    let exported = folder.session(&["export", "s"]).1;
    let file = folder.file("s.json", &exported.to_string());
    assert_eq!(folder.run(&["session", "import", &file, "--db", "other.db"]).0, 0);
    assert_eq!(folder.run(&["session", "export", "s", "--db", "other.db"]).1, exported);
    let (exit, replayed) = folder.run(&["replay", "s", "--db", "tales.db"]);
    assert_eq!((exit, &replayed["same"]), (0, &json!(true)), "{replayed}");
    let (exit, replayed) = folder.run(&["replay", "s", "--db", "tales.db", "--with", BOOK]);
    assert_eq!((exit, &replayed["same"]), (0, &json!(true)), "{replayed}");
}

#[test]
fn a_session_is_the_pure_steps_of_its_present() {
    for seed in 0..8 {
        play(seed);
    }
}

#[test]
fn a_log_is_played_again_after_the_lawbook_is_gone() {
    let folder = Folder::new("gone");
    let book = folder.0.join("book");
    fs::create_dir_all(book.join("rules")).unwrap();
    for name in ["lawful.yaml", "rules/lamp.yaml"] {
        fs::copy(Path::new(BOOK).join(name), book.join(name)).unwrap();
    }
    let input = folder.file("turn.json", INPUTS[0]);
    let place = ["--book", "book", "--db", "tales.db"];
    assert_eq!(folder.run(&[&["session", "new", "s"][..], &place].concat()).0, 0);
    let turn = ["session", "turn", "s", "--input", &input];
    assert_eq!(folder.run(&[&turn[..], &place].concat()).0, 0);
    // The lawbook changes under the session, and then it is gone.
    fs::write(book.join("rules/lamp.yaml"), "rules: []\n").unwrap();
    assert_eq!(folder.run(&[&turn[..], &place].concat()).0, 0);
    let replay = ["replay", "s", "--db", "tales.db"];
    let (exit, changed) = folder.run(&[&replay[..], &["--with", "book"]].concat());
    assert_eq!((exit, &changed["same"]), (1, &json!(false)));
    assert_eq!(changed["steps"][1]["differs"]["fired"]["stored"], json!(["light-up"]));
    assert_eq!(changed["steps"][1]["differs"]["effects"]["stored"].as_array().unwrap().len(), 2);
    fs::remove_dir_all(&book).unwrap();
    assert_eq!(folder.run(&replay).0, 0);
}

#[test]
fn the_name_of_a_file_is_a_name() {
    let folder = Folder::new("names");
    for name in ["file:plain.db", "file:other.db?mode=memory", ":memory:"] {
        let new = ["session", "new", "a", "--book", BOOK, "--db", name];
        assert_eq!(folder.run(&new).0, 0, "{name}");
        let show = ["session", "show", "a", "--db", name];
        assert_eq!(folder.run(&show).0, 0, "{name}");
        assert!(folder.0.join(name).is_file(), "{name}");
    }
    let files = fs::read_dir(&folder.0).unwrap().count();
    assert_eq!(files, 3);
}

#[test]
fn without_db_sessions_are_in_the_lawbook_or_where_the_environment_says() {
    let folder = Folder::new("default");
    let book = folder.0.join("book");
    fs::create_dir_all(&book).unwrap();
    fs::write(book.join("lawful.yaml"), "name: tale\n").unwrap();
    let run = |words: &[&str], db: Option<&str>| {
        let mut command = folder.0.lawful(words);
        command.env_remove("LAWFUL_DB").current_dir(&book);
        if let Some(db) = db {
            command.env("LAWFUL_DB", db);
        }
        command.output().unwrap()
    };
    let listed = run(&["session", "list"], None);
    assert_eq!(listed.status.code(), Some(2));
    assert!(!book.join(".lawful").exists(), "listing creates nothing");
    assert!(run(&["session", "new", "inside"], None).status.success());
    assert!(book.join(".lawful/sessions.db").is_file());
    assert!(run(&["session", "new", "outside"], Some("../tales.db")).status.success());
    assert!(folder.0.join("tales.db").is_file());
    let said = |output: std::process::Output| String::from_utf8(output.stdout).unwrap();
    assert!(said(run(&["session", "list"], None)).starts_with("inside  version 0"));
    assert!(said(run(&["session", "list"], Some("../tales.db"))).starts_with("outside  version 0"));
    assert!(run(&["replay", "inside"], None).status.success());
    assert!(run(&["replay", "outside", "--db", "../tales.db"], None).status.success());
}

#[test]
fn a_key_that_comes_again_with_the_same_input_is_no_mistake() {
    let folder = Folder::new("same");
    folder.session(&["new", "a"]);
    let send = |text: &str| {
        let input = folder.file("input.json", text);
        let (exit, json) = folder.session(&["turn", "a", "--key", "k", "--input", &input]);
        assert_eq!(exit, 0, "{json}");
        json["diagnostics"][0]["code"].as_str().map(str::to_owned)
    };
    assert_eq!(send(r#"{"user": "x", "ai": "y"}"#), None);
    assert_eq!(send(r#"{"ai": "y", "user": "x"}"#), None);
    assert_eq!(send(r#"{"ai": "y", "user": "x", "writes": [], "event": null}"#), None);
    assert_eq!(send(r#"{"ai": "y", "user": "z"}"#).as_deref(), Some("key-reused"));
}

#[test]
fn a_write_that_cannot_be_kept_is_refused_now_and_when_played_again() {
    let folder = Folder::new("spoiled");
    folder.session(&["new", "a"]);
    for write in [
        r#"{"variableId": "gold", "operation": "set", "value": 99999999999999999999}"#,
        r#"{"variableId": "gold", "operation": "set", "value": 1e999}"#,
        r#"{"variableId": "gold", "operation": "set", "value": 1, "value": 2}"#,
        r#"{"variableId": "gold", "operation": "set", "value": {"a": 1, "a": 2}}"#,
    ] {
        let sound = r#"{"variableId": "mood", "operation": "set", "value": "calm"}"#;
        let text = format!(r#"{{"user": "hello", "writes": [{sound}, {write}, {sound}]}}"#);
        let input = folder.file("input.json", &text);
        let (exit, json) = folder.session(&["turn", "a", "--input", &input]);
        assert_eq!((exit, &json["result"]), (0, &json!("committed")), "{json}");
        assert_eq!(json["diagnostics"][0]["code"], "refused-write");
        assert_eq!(json["state"]["variables"]["mood"], "calm");
    }
    let (exit, json) = folder.run(&["replay", "a", "--db", "tales.db"]);
    assert_eq!((exit, &json["same"]), (0, &json!(true)), "{json}");
    // The same problem anywhere else costs that value, and not the step.
    let input = folder.file("input.json", r#"{"event": {"type": "a", "n": 1e999}}"#);
    let (exit, json) = folder.session(&["turn", "a", "--input", &input]);
    assert_eq!((exit, &json["result"]), (0, &json!("committed")), "{json}");
    assert_eq!(json["diagnostics"][0]["code"], "number-not-finite");
    let (exit, json) = folder.run(&["replay", "a", "--db", "tales.db"]);
    assert_eq!((exit, &json["same"]), (0, &json!(true)), "{json}");
}

#[test]
fn a_file_that_was_tampered_with_is_not_believed() {
    let cases = [
        (
            "UPDATE book SET text = '{\"files\":{\"lawful.yaml\":\"name: other\"}}'",
            "replay",
            "session-file",
        ),
        ("UPDATE book SET text = '[]'", "replay", "session-file"),
        ("UPDATE entry SET snapshot = '{\"turn\": \"many\"}'", "show", "session-damaged"),
        ("UPDATE entry SET snapshot = '[1'", "show", "session-damaged"),
        ("UPDATE entry SET input = '7' WHERE version = 1", "replay", "session-damaged"),
    ];
    for (sql, verb, code) in cases {
        let folder = Folder::new("tampered");
        let input = folder.file("turn.json", INPUTS[0]);
        folder.session(&["new", "s"]);
        folder.session(&["turn", "s", "--input", &input]);
        rusqlite::Connection::open(folder.0.join("tales.db")).unwrap().execute(sql, []).unwrap();
        let words: &[&str] = match verb {
            "replay" => &["replay", "s", "--db", "tales.db"],
            _ => &["session", "show", "s", "--db", "tales.db"],
        };
        folder.refused(words, code);
    }
}

#[test]
fn a_damaged_step_is_not_believed_and_there_is_a_way_back() {
    let folder = Folder::new("damaged");
    let input = folder.file("turn.json", INPUTS[0]);
    folder.session(&["new", "s"]);
    for _ in 0..2 {
        folder.session(&["turn", "s", "--input", &input]);
    }
    let sql = "UPDATE entry SET snapshot = '{}' WHERE version = 2";
    rusqlite::Connection::open(folder.0.join("tales.db")).unwrap().execute(sql, []).unwrap();
    let place = ["--db", "tales.db", "--book", BOOK];
    let words = |words: &[&'static str]| [&["session"], words, &place].concat();
    for verb in
        [&["show", "s"][..], &["log", "s"], &["export", "s"], &["why-not", "s", "--version", "2"]]
    {
        let message = folder.refused(&words(verb), "session-damaged");
        let expected = "version 2 of session `s` is damaged: its state does not match its checksum";
        assert_eq!(message, expected, "{verb:?}");
    }
    let turn = [&["session", "turn", "s", "--input", &input][..], &place].concat();
    folder.refused(&turn, "session-damaged");
    for at in [&["--at", "2"][..], &[]] {
        let fork = [&["session", "fork", "s", "t"], at, &place].concat();
        let (exit, json) = folder.run(&fork);
        assert_eq!((exit, &json["diagnostics"][0]["code"]), (2, &json!("session-damaged")));
        let help = json["diagnostics"][0]["help"].as_str().unwrap();
        assert!(help.contains("`lawful session fork --at`"), "{help}");
    }
    assert_eq!(folder.session(&["list"]).1["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(folder.session(&["fork", "s", "t", "--at", "1"]).0, 0);
    let (exit, back) = folder.session(&["rewind", "s", "--to-version", "1"]);
    assert_eq!((exit, &back["state"]["turn"]), (0, &json!(1)));
    assert_eq!(folder.run(&turn).1["result"], "committed");
}

#[test]
fn an_import_is_what_was_exported() {
    let folder = Folder::new("import");
    let input = folder.file("turn.json", INPUTS[0]);
    let numbers = folder.file("numbers.json", r#"{"user": "é \u2028 \" \\", "ai": "", "writes": [
        {"variableId": "n", "operation": "set", "value": [1, 1.0, -0.5, 1e21, 9007199254740993]}]}"#);
    folder.session(&["new", "s"]);
    folder.session(&["turn", "s", "--input", &input, "--key", "k"]);
    folder.session(&["rewind", "s", "--to", "0"]);
    folder.session(&["turn", "s", "--input", &numbers]);
    let export = |words: &[&str]| {
        let output = folder.0.output(words);
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let exported = export(&["session", "export", "s", "--db", "tales.db"]);
    let file = folder.file("s.json", &exported);
    let (exit, imported) = folder.run(&["session", "import", &file, "--db", "other.db"]);
    assert_eq!((exit, imported), (0, json!({"session": "s", "version": 3})));
    assert_eq!(export(&["session", "export", "s", "--db", "other.db"]), exported);
    // Every text is the same to the last byte.
    let rows = |file: &str| -> Vec<(i64, String, i64, i64)> {
        let connection = rusqlite::Connection::open(folder.0.join(file)).unwrap();
        let sql = "SELECT version, input, state_sum, record_sum FROM entry ORDER BY version";
        let mut statement = connection.prepare(sql).unwrap();
        let rows =
            statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(rows("tales.db"), rows("other.db"));
    let (exit, named) =
        folder.run(&["session", "import", &file, "--name", "t", "--db", "other.db"]);
    assert_eq!((exit, &named["session"]), (0, &json!("t")));
    assert_eq!(folder.run(&["replay", "t", "--db", "other.db"]).0, 0);
    folder.refused(&["session", "import", &file, "--db", "other.db"], "session-exists");
}

#[test]
fn an_export_that_was_edited_is_not_imported() {
    let folder = Folder::new("edited");
    let input = folder.file("turn.json", INPUTS[0]);
    folder.session(&["new", "s"]);
    folder.session(&["turn", "s", "--input", &input]);
    let (_, export) = folder.session(&["export", "s"]);
    let refuse = |change: &dyn Fn(&mut Value)| {
        let mut edited = export.clone();
        change(&mut edited);
        let file = folder.file("edited.json", &edited.to_string());
        folder.refused(
            &["session", "import", &file, "--name", "x", "--db", "tales.db"],
            "session-import",
        );
    };
    refuse(&|export| export["head"] = json!(0));
    refuse(&|export| export["entries"][1]["parent"] = json!(7));
    refuse(&|export| export["entries"][1]["turn"] = json!(2));
    refuse(&|export| export["entries"][1]["turn"] = json!(0));
    refuse(&|export| {
        for field in ["version", "head"] {
            export[field] = json!(2);
        }
        export["entries"][1]["version"] = json!(2);
        export["entries"][1]["effects"] = json!([]);
    });
    refuse(&|export| export["entries"][1]["snapshot"] = json!({"turn": "many"}));
    refuse(&|export| export["entries"][1]["record"]["input"] = json!(7));
    refuse(&|export| export["entries"][1]["record"]["events"] = json!({}));
    refuse(&|export| export["books"][0]["text"]["files"]["lawful.yaml"] = json!("name: other"));
    refuse(&|export| export["more"] = json!(1));
    assert_eq!(folder.session(&["list"]).1["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_no_session_file_is_named_with_a_way_out() {
    let folder = Folder::new("kinds");
    fs::create_dir(folder.0.join("place")).unwrap();
    let list = |db| folder.run(&["session", "list", "--db", db]);
    for (db, expected) in [("place", "it is a folder"), ("/dev/null", "it is not a regular file")] {
        let (exit, json) = list(db);
        let problem = &json["diagnostics"][0];
        assert_eq!((exit, &problem["code"]), (2, &json!("session-file")), "{json}");
        let message = format!("`{db}` cannot be opened: {expected}");
        assert_eq!(problem["message"], message);
        assert_eq!(problem["help"], "pass a file in a writable folder to `--db`");
    }
    folder.file("empty.db", "");
    assert_eq!(list("empty.db"), (0, json!({"sessions": []})));
    let show = ["session", "show", "s", "--db", "empty.db"];
    folder.refused(&show, "unknown-session");
    let import = ["session", "import", "nofile", "--db", "empty.db"];
    assert_eq!(folder.refused(&import, "unreadable"), "file not found");
}

/// The most memory that a log used until it printed something, in KiB.
#[cfg(target_os = "linux")]
fn peak_of_log(folder: &Folder, words: &[&str]) -> u64 {
    let mut command =
        folder.0.lawful(&[&["session", "log", "s", "--db", "tales.db"], words].concat());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 4096]).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let peak = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    drop(stdout);
    child.wait().unwrap();
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_log_does_not_depend_on_its_length() {
    const STEPS: usize = 80;
    let folder = Folder::new("memory");
    let long = "the sea ".repeat(25_000);
    let write = json!({"variableId": "n", "operation": "set", "value": long});
    let input = folder.file("turn.json", &json!({"user": "", "writes": [write]}).to_string());
    folder.session(&["new", "s"]);
    folder.session(&["turn", "s", "--input", &input]);
    let (_, mut export) = folder.session(&["export", "s"]);
    assert!(export["entries"][1]["snapshot"].to_string().len() > long.len());
    let mut step = export["entries"][1].clone();
    step["effects"] = json!([]);
    step["record"]["input"] = json!({"user": "", "ai": ""});
    for version in 2..=STEPS {
        (step["version"], step["parent"]) = (json!(version), json!(version - 1));
        export["entries"].as_array_mut().unwrap().push(step.clone());
    }
    for field in ["version", "head"] {
        export[field] = json!(STEPS);
    }
    let file = folder.file("s.json", &export.to_string());
    folder.session(&["delete", "s", "--yes"]);
    assert_eq!(folder.session(&["import", &file]).0, 0);
    let json = ["--format", "json"];
    let few = peak_of_log(&folder, &[&["--after", "60"][..], &json].concat());
    let all = peak_of_log(&folder, &json);
    assert!(all < few + (8 << 10), "{few} KiB for some, {all} KiB for all");
}

#[test]
fn with_strict_a_broken_rule_stops_the_turn_and_nothing_is_written() {
    let folder = Folder::new("strict");
    let book = format!("{BOOK}/misspelt");
    let input = folder.file("turn.json", INPUTS[1]);
    let place = ["--book", &book, "--db", "tales.db"];
    assert_eq!(folder.run(&[&["session", "new", "s"][..], &place].concat()).0, 0);
    let before = fs::read(folder.0.join("tales.db")).unwrap();
    let turn = ["session", "turn", "s", "--input", &input];
    folder.refused(&[&turn[..], &["--strict"], &place].concat(), "quarantined-rule");
    assert_eq!(fs::read(folder.0.join("tales.db")).unwrap(), before);
    let react = ["react", "--input", &input, "--book", &book, "--state-out", "state.json"];
    folder.refused(&[&react[..], &["--strict"]].concat(), "quarantined-rule");
    assert!(!folder.0.join("state.json").exists());
    for words in [[&turn[..], &place].concat(), react.to_vec()] {
        let output = folder.0.output(&words);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().next(), Some("left out, because of errors: burn"));
        let (exit, json) = folder.run(&words);
        assert_eq!((exit, &json["leftOut"]), (0, &json!(["burn"])));
    }
}

/// The limit on the size of files, which a shell sets.
#[cfg(unix)]
#[test]
fn a_file_that_reached_its_limit_is_full_and_loses_nothing() {
    let folder = Folder::new("limit");
    let long = "the sea ".repeat(4000);
    let input = folder.file("turn.json", &format!(r#"{{"user": "{long}", "ai": ""}}"#));
    // In blocks of 512 bytes, or of a kilobyte.
    let script = format!(
        "ulimit -f 600\n\
         lawful() {{ {PROGRAM} session \"$@\" --book {BOOK} --db tales.db --format json; }}\n\
         lawful new s >/dev/null || exit 78\n\
         while :; do\n\
           lawful turn s --input {input} >answer.json; code=$?\n\
           [ $code = 0 ] || break\n\
           turns=$((turns + 1))\n\
         done\n\
         echo $code >exit\n\
         lawful show s >show.json\n\
         echo $turns"
    );
    let run = Command::new("sh").args(["-c", &script]).current_dir(&folder.0).output().unwrap();
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    let json = |name: &str| -> Value { serde_json::from_str(&read(name)).unwrap() };
    assert_eq!(read("exit").trim(), "2", "{run:?}");
    assert_eq!(json("answer.json")["diagnostics"][0]["code"], "session-full");
    let turns: u64 = String::from_utf8(run.stdout).unwrap().trim().parse().unwrap();
    assert!(turns > 1, "{turns}");
    assert_eq!(json("show.json")["state"]["turn"], turns, "a turn was lost");
    // Without the limit, the same turn is taken.
    let (exit, taken) = folder.session(&["turn", "s", "--input", &input]);
    assert_eq!((exit, &taken["state"]["turn"]), (0, &json!(turns + 1)));
}

#[cfg(unix)]
#[test]
fn reading_needs_no_right_to_write() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;

    let folder = Folder::new("read-only");
    let input = folder.file("turn.json", INPUTS[0]);
    folder.0.write("book/lawful.yaml", "name: tale\n");
    let place = ["--book", "book", "--db", "place/tales.db"];
    fs::create_dir(folder.0.join("place")).unwrap();
    assert_eq!(folder.run(&[&["session", "new", "s"][..], &place].concat()).0, 0);
    assert_eq!(
        folder.run(&[&["session", "turn", "s", "--input", &input][..], &place].concat()).0,
        0
    );
    let mode = |path: &str, bits| {
        let bits = fs::Permissions::from_mode(bits);
        fs::set_permissions(folder.0.join(path), bits).unwrap();
    };
    // A copy, because the folder of the program may be closed to others.
    fs::copy(PROGRAM, folder.0.join("lawful")).unwrap();
    mode("", 0o755);
    mode("lawful", 0o755);
    for (folder_bits, file_bits) in [(0o555, 0o444), (0o555, 0o666), (0o777, 0o444)] {
        mode("place/tales.db", file_bits);
        mode("place", folder_bits);
        let run = |words: &[&str]| {
            let mut command = Command::new(folder.0.join("lawful"));
            command.args(words).args(place).args(["--format", "json"]).current_dir(&folder.0);
            // Permissions do not bind the superuser; somebody else has to read.
            if fs::write(folder.0.join("place/probe"), "").is_ok() {
                let _ = fs::remove_file(folder.0.join("place/probe"));
                command.uid(65_534);
            }
            let output = command.output().unwrap();
            let json: Value = serde_json::from_slice(&output.stdout).unwrap();
            (output.status.code().unwrap(), json)
        };
        for words in [
            &["session", "list"][..],
            &["session", "show", "s"],
            &["session", "log", "s"],
            &["session", "effects", "s"],
            &["session", "export", "s"],
            &["session", "why-not", "s", "--version", "1"],
            &["replay", "s"],
        ] {
            let (exit, json) = run(words);
            assert_eq!(exit, 0, "{folder_bits:o} {file_bits:o} {words:?}: {json}");
        }
        let (exit, refused) = run(&["session", "rewind", "s", "--to", "0"]);
        assert_eq!((exit, &refused["diagnostics"][0]["code"]), (2, &json!("session-file")));
        mode("place", 0o755);
        let left = fs::read_dir(folder.0.join("place")).unwrap().count();
        assert_eq!(left, 1, "reading leaves nothing behind");
    }
    mode("place/tales.db", 0o644);
}

#[test]
fn hostile_names_are_refused_or_shown_harmlessly() {
    let folder = Folder::new("names");
    folder.session(&["new", "s"]);
    for name in ["", "a\u{1b}[2Jb", "two\nlines", &"x".repeat(300)] {
        folder.refused(&["session", "new", name, "--db", "tales.db", "--book", BOOK], "usage");
        folder.refused(&["session", "show", name, "--db", "tales.db"], "unknown-session");
    }
    // A mark of direction is no control character; it is shown as an escape.
    assert_eq!(folder.session(&["new", "a\u{202e}b"]).0, 0);
    let list = folder.0.output(&["session", "list", "--db", "tales.db"]);
    assert!(!String::from_utf8(list.stdout).unwrap().contains('\u{202e}'));
}

#[test]
fn a_file_in_use_is_waited_for_and_then_reported() {
    let folder = Folder::new("busy");
    folder.session(&["new", "s"]);
    let input = folder.file("turn.json", INPUTS[1]);
    let other = rusqlite::Connection::open(folder.0.join("tales.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Reading goes on.
    assert_eq!(folder.session(&["show", "s"]).0, 0);
    let turn = ["session", "turn", "s", "--input", &input, "--key", "k", "--db", "tales.db"];
    let turn = [&turn[..], &["--book", BOOK]].concat();
    folder.refused(&turn, "session-busy");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(folder.run(&turn).1["result"], "committed");
}

#[test]
fn two_programs_that_write_at_once_lose_nothing() {
    let folder = Folder::new("both");
    folder.session(&["new", "s"]);
    let input = folder.file("turn.json", INPUTS[1]);
    let spawn = |key: String| {
        let turn = ["session", "turn", "s", "--input", &input, "--key", &key];
        let words = [&turn[..], &["--book", BOOK, "--db", "tales.db"]].concat();
        folder.0.lawful(&words).stdout(Stdio::null()).spawn().unwrap()
    };
    let programs: Vec<_> = (0..8).map(|n| spawn(format!("k{n}"))).collect();
    for mut program in programs {
        assert!(program.wait().unwrap().success());
    }
    let show = folder.session(&["show", "s"]).1;
    assert_eq!((&show["version"], &show["state"]["turn"]), (&json!(8), &json!(8)));
    assert_eq!(folder.run(&["replay", "s", "--db", "tales.db"]).0, 0);
}

/// A file system of 120 kilobytes, where the system lets one be made.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_to_be_full() {
    let folder = Folder::new("full");
    let input = folder.file("turn.json", INPUTS[1]);
    let disk = folder.0.join("disk");
    fs::create_dir(&disk).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=120k none {disk} 2>/dev/null || exit 77\n\
         lawful() {{ {PROGRAM} session \"$@\" --book {BOOK} --db {disk}/tales.db --format json; }}\n\
         lawful new s >/dev/null || exit 78\n\
         while lawful turn s --input {input} >answer.json; do turns=$((turns + 1)); done\n\
         lawful show s >show.json\n\
         echo $turns",
        disk = disk.display()
    );
    let run = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script])
        .current_dir(&folder.0)
        .output();
    let Ok(output) = run else { return };
    if output.stdout.is_empty() && output.status.code() != Some(78) {
        // No namespaces or no mounts here. The store has a test of its own with a limit on pages.
        return;
    }
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.0.join(name)).unwrap()).unwrap()
    };
    assert_eq!(read("answer.json")["diagnostics"][0]["code"], "session-full");
    let turns: u64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap_or(0);
    assert_eq!(read("show.json")["state"]["turn"], turns, "a turn was lost");
}

/// A small lawbook of its own, whose one rule asks the host for an effect and raises an event.
fn small_book(folder: &Folder, name: &str, variable: &str) -> String {
    let book = format!("book-{name}");
    let manifest =
        format!("name: {name}\nvariables: {{{variable}: {{type: object, initial: {{}}}}}}\n");
    folder.file(&format!("{book}/lawful.yaml"), &manifest);
    folder.file(
        &format!("{book}/rules/r.yaml"),
        &format!(
            "rules:\n  - id: every\n    trigger: {{type: every-turn}}\n    actions:\n\
             \x20     - {{type: notify-player, message: hello}}\n\
             \x20     - {{type: modify-variable, variableId: {variable}, operation: set, value: {{z: 1, a: 2}}}}\n\
             reactions:\n  - {{id: told, when: {{eventType: turn:complete}}, then: [{{type: emit, event: {{type: 'x:y', zebra: {{b: 1, a: 2}}, apple: 3}}}}]}}\n"
        ),
    );
    folder.0.join(book).display().to_string()
}

#[test]
fn a_repeated_turn_returns_keys_in_the_same_order() {
    let folder = Folder::new("order");
    let book = small_book(&folder, "one", "o");
    let input = folder.file("turn.json", INPUTS[1]);
    let place = ["--book", &book, "--db", "tales.db"];
    folder.run(&[&["session", "new", "s"][..], &place].concat());
    let turn = [
        &["session", "turn", "s", "--input", &input, "--key", "k", "--format", "json"][..],
        &place,
    ]
    .concat();
    let text = |words: &[&str]| String::from_utf8(folder.0.output(words).stdout).unwrap();
    let (first, again) = (text(&turn), text(&turn));
    assert!(first.contains("\"committed\"") && again.contains("\"duplicate\""), "{again}");
    assert_eq!(first.replace("\"committed\"", "\"duplicate\""), again);
}

#[test]
fn a_turn_with_another_lawbook_says_so() {
    let folder = Folder::new("other-book");
    let (one, two) = (small_book(&folder, "one", "o"), small_book(&folder, "two", "p"));
    let input = folder.file("turn.json", INPUTS[1]);
    folder.run(&["session", "new", "s", "--book", &one, "--db", "tales.db"]);
    let turn = |book: &str| {
        let (exit, taken) = folder
            .run(&["session", "turn", "s", "--input", &input, "--book", book, "--db", "tales.db"]);
        assert_eq!(exit, 0);
        let problems = taken["diagnostics"].as_array().cloned().unwrap_or_default();
        problems.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(turn(&one), [""; 0]);
    assert_eq!(turn(&two), ["other-lawbook"]);
    assert_eq!(turn(&two), [""; 0], "it is said once");
    // An edited lawbook is the same one.
    folder.file("book-two/rules/r.yaml", "rules: []\n");
    assert_eq!(turn(&two), [""; 0]);
}

#[test]
fn a_deleted_session_says_which_effects_are_lost() {
    let folder = Folder::new("lost");
    let book = small_book(&folder, "one", "o");
    let input = folder.file("turn.json", INPUTS[1]);
    let place = ["--book", &book, "--db", "tales.db"];
    let session = |words: &[&str]| folder.run(&[&["session"], words, &place[..]].concat()).1;
    session(&["new", "s"]);
    session(&["turn", "s", "--input", &input]);
    session(&["fork", "s", "copy"]);
    assert_eq!(session(&["delete", "s", "--yes"])["lostEffects"], 1);
    assert_eq!(session(&["delete", "copy", "--yes"]).get("lostEffects"), None);
    session(&["new", "t"]);
    session(&["turn", "t", "--input", &input]);
    let words = [&["session", "delete", "t", "--yes"][..], &place].concat();
    let said = support::said(&folder.0.output(&words));
    assert_eq!(said, "session t deleted, with 1 pending effect that no host performed\n");
}

#[test]
fn a_turn_with_a_malformed_set_is_refused_and_nothing_is_written() {
    let folder = Folder::new("bad-set");
    folder.session(&["new", "s"]);
    let before = fs::read(folder.0.join("tales.db")).unwrap();
    for (input, code) in [
        (r#"{"set": 1}"#, "wrong-type"),
        (r#"{"set": [1]}"#, "wrong-type"),
        (r#"{"set": [{"path": "oil"}]}"#, "missing-key"),
        (r#"{"set": [{"path": "oil", "operation": "sett", "value": 1}]}"#, "unknown-operation"),
        (r#"{"set": [{"path": "oil", "value": 1}], "user": "x"}"#, "bad-event"),
    ] {
        let file = folder.file("turn.json", input);
        let (exit, json) = folder.session(&["turn", "s", "--input", &file]);
        assert_eq!((exit, &json["diagnostics"][0]["code"]), (2, &json!(code)), "{input}: {json}");
    }
    assert_eq!(fs::read(folder.0.join("tales.db")).unwrap(), before);
}

/// `state` belongs to the session, so a context cannot set it.
#[test]
fn a_context_key_that_the_session_provides_is_a_warning() {
    let folder = Folder::new("context-state");
    folder.file("b/lawful.yaml", "name: b\nvariables: {x: {type: number, initial: 1}}\n");
    folder.file("b/fragments/f.md", "x is ${state.x}\n");
    folder.file("b/compositions/c.yaml", "name: c\nbase: [f]\n");
    folder.file("s.json", "{\"variables\": {\"x\": 7}}");
    let compose = ["compose", "c", "--book", "b", "--state", "s.json", "-c", "state.x=1"];
    let output = folder.0.output(&compose);
    let said = String::from_utf8(output.stderr).unwrap();
    let message = "the context key `state` is ignored, because the session provides it";
    assert!(said.contains(message), "{said}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "x is 7\n");
}
