//! Whatever files a project brings, only files of the table and the lock are written, and the text of
//! others in them is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::{Value, json};

use super::{CORE, User, all, book, disk, request};
use crate::agent_file::Subject;
use crate::disk::memory::MemoryDisk;
use crate::text::hash;
use crate::{HARNESSES, Harness, Request, Scope, Used, block, keys, owned};

/// A file that a project brings: each of its texts, with what nobody may take out of it.
type Brought = (&'static str, Vec<(String, &'static str)>);

fn brought() -> Vec<Brought> {
    let plain = |text: &str| (text.to_owned(), "");
    let mine = |text: &'static str| (text.to_owned(), text);
    let (with_block, _) = block::append("mine\n", "crew", "You lead.");
    let edited = with_block.replace("You lead.", "You obey.");
    let agent = |persona: &str| {
        let text = format!("{CORE}\n\n{persona}");
        let agent = &lawful::compose::AgentKeys::default();
        let subject = Subject { harness: "x", book: "crew", role: "scout", agent };
        owned::render(crate::Form::Owned(&[]), &subject, &text)
    };
    let evil_ledger = |path: &str| {
        json!({"format": 1, "installed": [], "folders": [".git/refs/tags", "src"], "files": [{
            "path": path, "harnesses": ["codex"], "book": "crew", "role": "lead",
            "created": false, "hash": "", "text": "",
            "mode": {"owned": {"before": "#!/bin/sh\n"}},
        }]})
    };
    let evil_journal = |path: &str| {
        let steps = json!([{"path": path, "from": "evil", "before": null}]);
        json!({"made": [], "left": ["src"], "steps": steps})
    };
    let evil = |record: &dyn Fn(&str) -> Value| -> Vec<(String, &'static str)> {
        let paths = [".git/hooks/post-checkout", ".envrc", "../victim", "AGENTS.md", "/u/x"];
        paths.iter().map(|path| (record(path).to_string(), "")).collect()
    };
    let toml = |text: &str| {
        let value = toml_edit::Value::from(text).to_string();
        format!("developer_instructions = {value}\n[mine]\n")
    };
    vec![
        (
            "AGENTS.md",
            vec![
                mine("mine\n"),
                (with_block.clone(), "mine\n"),
                (edited, "You obey."),
                (format!("{with_block}{with_block}"), "mine\n"),
            ],
        ),
        ("GEMINI.md", vec![mine("mine"), plain(&with_block.replace("mine\n", ""))]),
        (
            ".claude/settings.json",
            vec![
                mine("{\"outputStyle\": \"Mine\"}"),
                ("{\"outputStyle\": \"lawful-lead\", \"a\": 1}".to_owned(), "\"a\": 1"),
                mine("{ broken"),
                mine("{}\n"),
            ],
        ),
        (
            ".codex/config.toml",
            vec![
                (toml("mine"), "= \"mine\"\n[mine]\n"),
                (toml(&format!("{CORE}\n\nYou lead.")), "[mine]\n"),
            ],
        ),
        (
            ".gemini/.env",
            vec![
                mine("GEMINI_SYSTEM_MD=mine.md\n"),
                ("GEMINI_SYSTEM_MD=.gemini/system.md\nA=1\n".to_owned(), "A=1\n"),
                mine("KEY=secret"),
            ],
        ),
        ("opencode.json", vec![mine("{\"default_agent\": \"build\"}\n")]),
        (
            ".claude/agents/lawful-scout.md",
            vec![
                mine("mine\n"),
                plain(&agent("You look.")),
                (agent("You look.").replace("You look.", "mine"), "mine"),
            ],
        ),
        (".claude/agents/mine.md", vec![mine("mine\n")]),
        (".git/config", vec![mine("[core]\n")]),
        (".envrc", vec![mine("mine\n")]),
        ("src/main.rs", vec![mine("mine\n")]),
        ("evil", vec![mine("#!/bin/sh\n")]),
        (".lawful/ledger.json", evil(&evil_ledger)),
        (".lawful/journal.json", evil(&evil_journal)),
        (".lawful/journal.staged.json", [evil(&evil_journal), vec![mine("{\"made\": [")]].concat()),
    ]
}

/// A row of a lock, from parts of what is there.
#[derive(Clone, Debug)]
struct Row {
    path: usize,
    kind: usize,
    harness: usize,
    role: usize,
    hash: usize,
}

const KINDS: [&str; 3] = ["owned", "block", "key"];
const ROLES: [Option<&str>; 4] = [None, Some("lead"), Some("scout"), Some("../up")];

impl Row {
    fn render(&self, present: &BTreeMap<&str, &str>) -> Value {
        let inside = present.keys().copied().filter(|path| !path.starts_with(".git/"));
        let paths: Vec<&str> = inside.chain(["lawful.lock"]).collect();
        // Such paths make the whole lock invalid.
        let path = match self.path {
            38 => "../up",
            39 => ".git/config",
            at => paths[at % paths.len()],
        };
        let text = present.get(path).copied().unwrap_or_default();
        let block = block::blocks(text).ok().and_then(|found| found.into_iter().next());
        let keys = ["outputStyle", "developer_instructions", "GEMINI_SYSTEM_MD", "default_agent"];
        let value = keys.iter().find_map(|key| {
            keys::get(crate::Syntax::of(path), text, key).ok().flatten().and_then(|held| held.text)
        });
        let right = block.map(|block| block.text).or(value).unwrap_or_else(|| text.to_owned());
        let hash = match self.hash {
            0..4 => hash(&right),
            4 => hash(text),
            _ => "0".repeat(64),
        };
        // Mostly what Lawful could have written.
        let kind = match (self.kind, path) {
            (0..4, ".claude/settings.json" | ".gemini/.env" | ".codex/config.toml") => "key",
            (0..4, "AGENTS.md" | "GEMINI.md") => "block",
            (0..4, ".claude/agents/lawful-scout.md") => "owned",
            (7, _) => "run",
            (at, _) => KINDS[at % KINDS.len()],
        };
        let harness = match (self.harness, path) {
            (0..8, ".codex/config.toml" | "AGENTS.md") => "codex",
            (0..8, ".gemini/.env" | "GEMINI.md") => "gemini-cli",
            (0..8, "opencode.json") => "opencode",
            (0..8, _) => "claude-code",
            (at, _) => HARNESSES[at % HARNESSES.len()].id,
        };
        let mut row = json!({"path": path, "kind": kind, "harness": harness, "hash": hash});
        if let Some(role) = ROLES[self.role % ROLES.len()] {
            row["role"] = Value::from(role);
        }
        row
    }
}

fn row() -> impl Strategy<Value = Row> {
    (0..40_usize, 0..40_usize, 0..12_usize, 0..40_usize, 0..6_usize).prop_map(
        |(path, kind, harness, role, hash)| {
            let role = if role == 39 { 3 } else { role % 3 };
            let kind = if kind == 39 { 7 } else { kind % 6 };
            Row { path, kind, harness, role, hash }
        },
    )
}

/// Every file that the table names in a project for these roles.
fn table() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::from([PathBuf::from("/p/lawful.lock")]);
    let surfaces = HARNESSES.iter().flat_map(|harness| harness.surfaces);
    let used =
        surfaces.filter(|surface| surface.scope == Scope::Project && surface.used != Used::ByHand);
    for surface in used {
        for role in ["lead", "scout", "smith"] {
            let at = |path: &str| Path::new("/p").join(path.replace("{role}", role));
            found.insert(at(surface.place.path));
            if let Some(switch) = surface.switch {
                found.insert(at(switch.place.path));
                found.insert(at(switch.place.path).with_extension("jsonc"));
            }
        }
    }
    found
}

/// Files, without what is in the state folder.
fn files(disk: &MemoryDisk) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = disk.tree().into_iter();
    all.filter_map(|(path, bytes)| Some((path, bytes?)))
        .filter(|(path, _)| !path.starts_with("/s"))
        .collect()
}

#[derive(Clone, Debug)]
enum Act {
    Install { harnesses: Vec<usize>, activate: bool },
    Uninstall(Option<usize>),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (prop::collection::vec(0..14_usize, 1..4), any::<bool>())
            .prop_map(|(harnesses, activate)| Act::Install { harnesses, activate }),
        prop::option::of(0..14_usize).prop_map(Act::Uninstall),
    ]
}

fn play(chosen: &[Option<usize>], rows: &[Row], link: usize, acts: &[Act]) {
    let disk = disk();
    let brought = brought();
    let mut present: BTreeMap<&str, &str> = BTreeMap::new();
    let mut kept: Vec<(PathBuf, &str)> = Vec::new();
    for ((path, texts), choice) in brought.iter().zip(chosen) {
        let Some((text, keep)) = choice.map(|at| &texts[at % texts.len()]) else { continue };
        disk.put(&Path::new("/p").join(path), text.as_bytes());
        present.insert(path, text);
        kept.push((Path::new("/p").join(path), keep));
    }
    disk.put(Path::new("/outside/victim"), b"mine\n");
    let links = ["/outside/victim", "/p/.git/config", "/u/.bashrc"];
    if let Some(to) = links.get(link) {
        for path in ["/p/.cursor/rules/lawful.mdc", "/p/.pi/APPEND_SYSTEM.md"] {
            disk.link(Path::new(path), Path::new(to));
        }
    }
    if !rows.is_empty() {
        let rows: Vec<Value> = rows.iter().map(|row| row.render(&present)).collect();
        let lock = json!({"format": 1, "project": "7".repeat(32), "files": rows});
        disk.put(Path::new("/p/lawful.lock"), lock.to_string().as_bytes());
    }
    let (before, table) = (files(&disk), table());
    let check = || {
        let after = files(&disk);
        for path in before.keys().chain(after.keys()) {
            let is_written = before.get(path) != after.get(path);
            assert!(!is_written || table.contains(path), "{}", path.display());
        }
    };
    for act in acts {
        let user = User::new(&disk, Scope::Project);
        match act {
            Act::Install { harnesses, activate } => {
                let harnesses: Vec<&'static Harness> =
                    harnesses.iter().map(|at| all()[*at]).collect();
                let asked = Request { activate: *activate, ..request(harnesses) };
                user.install(&book("1"), &asked);
            }
            Act::Uninstall(None) => drop(user.uninstall(&all())),
            Act::Uninstall(Some(at)) => drop(user.uninstall(&[all()[*at]])),
        }
        check();
        User::new(&disk, Scope::Project).status(&book("1"));
    }
    User::new(&disk, Scope::Project).uninstall(&all());
    check();
    for (path, keep) in kept {
        let now = disk.text(&path).unwrap_or_default();
        assert!(now.contains(keep), "{}: {keep:?} is gone from {now:?}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn a_project_decides_nothing_but_its_own_text(
        chosen in prop::collection::vec(prop::option::of(0..6_usize), 15),
        rows in prop::collection::vec(row(), 0..6),
        link in 0..6_usize,
        acts in prop::collection::vec(act(), 1..4),
    ) {
        play(&chosen, &rows, link, &acts);
    }
}

#[test]
fn locks_of_such_projects_are_used_and_refused() {
    // The property would say little if no lock in it were believed.
    let (mut used, mut refused) = (0, 0);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (
        prop::collection::vec(prop::option::of(0..6_usize), 15),
        prop::collection::vec(row(), 1..6),
    );
    for _ in 0..300 {
        let (chosen, rows) = strategy.new_tree(&mut runner).unwrap().current();
        let disk = disk();
        let brought = brought();
        let mut present: BTreeMap<&str, &str> = BTreeMap::new();
        for ((path, texts), choice) in brought.iter().zip(&chosen) {
            let Some((text, _)) = choice.map(|at| &texts[at % texts.len()]) else { continue };
            disk.put(&Path::new("/p").join(path), text.as_bytes());
            present.insert(path, text);
        }
        let rows: Vec<Value> = rows.iter().map(|row| row.render(&present)).collect();
        let lock = json!({"format": 1, "project": "7".repeat(32), "files": rows});
        disk.put(Path::new("/p/lawful.lock"), lock.to_string().as_bytes());
        let user = User::new(&disk, Scope::Project);
        used += usize::from(!user.ledger().files.is_empty());
        refused += usize::from(super::codes(&user.uninstall(&all())).contains(&"bad-lock"));
    }
    assert!(used > 30 && refused > 30, "{used} used, {refused} refused");
}
