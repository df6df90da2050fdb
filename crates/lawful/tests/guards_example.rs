//! Plays the cases of `examples/guards`.
//!
//! A list of cases names a guard and, for each decision, the calls on which it is made. A text is a
//! shell line; anything else is a call as [`Moment::decode`] reads it. For `deny`, `ask` and `allow`
//! the guard must be among those that decided; for `none` no guard may act at all.

#![allow(clippy::unwrap_used, clippy::panic, reason = "this is a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use lawful::book::{MemorySource, Options, load};
use lawful::guard::GuardResult;
use lawful::live::{Action, Event, Host, LexicalPlaces, Moment, Places, Target, ToolUse};
use lawful::syntax::{Format, Limits, Node, Sources, parse, text};
use lawful::{Lawbook, Value};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/guards");
const PROJECT: &str = "/srv/shop";
const HOME: &str = "/users/ada";

/// The links of the project that the cases speak of, and where they lead.
const LINKS: [(&str, &str); 2] = [("shared", "/srv/shared"), ("settings.txt", ".env")];

/// The decisions that a list of cases can expect.
const DECISIONS: [&str; 4] = ["deny", "ask", "allow", "none"];

/// The guards that the manifest adds.
const BUILT_IN: [&str; 2] = ["guards.opaque", "protect.paths"];

#[test]
fn every_case_is_decided_as_written() {
    let files = files();
    let cases = cases();
    let wrong = play(&law(&files), &cases);
    assert!(
        wrong.is_empty(),
        "{} of {} cases differ:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
    assert!(cases.len() >= 300, "there are only {} cases", cases.len());
}

#[test]
fn the_lawbook_has_no_problems() {
    let report = Lawbook::open(EXAMPLE).unwrap().check();
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
}

#[test]
fn every_guard_has_stops_and_near_misses() {
    let cases = cases();
    let known = known_ids();
    for id in &known {
        let count = |none: bool| {
            cases
                .iter()
                .filter(|case| case.guard == *id && (case.expected == "none") == none)
                .count()
        };
        assert!(count(false) > 0, "no case says what `{id}` stops");
        assert!(count(true) > 0, "no case says what `{id}` lets through");
    }
    for case in &cases {
        assert!(known.contains(&case.guard), "{}: unknown guard `{}`", case.place, case.guard);
    }
}

#[test]
fn no_guard_can_be_dropped() {
    let cases = cases();
    let law = law(&files());
    let mut needed = BTreeSet::new();
    for case in &cases {
        let event = Event::read(&case.call, &places());
        let decided = law.guard_explained(&event, &law.start(), &host()).unwrap();
        let rows = decided.guards.unwrap();
        // The decision of the others is weaker.
        let stands = rows.iter().any(|row| {
            let acted = row.result == GuardResult::Acted && row.id != case.guard;
            acted && row.decision == decided.decision
        });
        if case.expected != "none" && !stands {
            needed.insert(case.guard.clone());
        }
    }
    for id in known_ids() {
        assert!(needed.contains(&id), "every case of `{id}` is decided without it");
    }
}

#[test]
fn no_condition_can_be_dropped() {
    let cases = cases();
    let files = files();
    for id in ids(&files) {
        let guards = files.iter().filter(|(path, _)| path.starts_with("guards/"));
        let guard: String = guards.map(|(_, content)| unconditional(content, &id)).collect();
        let manifest = ("lawful.yaml".to_owned(), "name: one-guard\n".to_owned());
        let law = law(&BTreeMap::from([manifest, ("guards/one.yaml".to_owned(), guard)]));
        let near = |case: &&Case| case.guard == id && case.expected == "none";
        let near: Vec<Case> = cases.iter().filter(near).cloned().collect();
        // A guard without a condition lets through what its `on` excludes.
        let only_on = id == "explorers-only-look";
        assert_eq!(play(&law, &near).is_empty(), only_on, "are the near misses of `{id}` near?");
    }
}

/// A call and the expected decision.
#[derive(Clone, Debug)]
struct Case {
    /// File and line.
    place: String,
    guard: String,
    expected: String,
    /// The call, as people see it.
    shown: String,
    call: Moment,
}

/// The cases that are not decided as expected.
fn play(law: &Lawbook, cases: &[Case]) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let event = Event::read(&case.call, &places());
        let decided = law.guard(&event, &law.start(), &host()).unwrap();
        let acted = case.expected == "none" || decided.by.contains(&case.guard);
        if decided.decision == case.expected && acted {
            continue;
        }
        let things: Vec<&str> = event.things().collect();
        let message = format!(
            "{}: `{}`: expected {} by {}, is {} by [{}]; things: {things:?}, writes: {}, opaque: {:?}",
            case.place,
            case.shown,
            case.expected,
            case.guard,
            decided.decision,
            decided.by.join(", "),
            event.body().get("writes").unwrap_or(&Value::Null),
            event.opaque(),
        );
        wrong.push(message);
    }
    wrong
}

fn host() -> Host {
    Host { project: Some(PROJECT.into()), home: Some(HOME.into()), ..Host::default() }
}

fn places() -> Linked {
    Linked(LexicalPlaces::new(PROJECT).with_home(HOME))
}

/// Places with the links of the project.
struct Linked(LexicalPlaces);

impl Places for Linked {
    fn resolve(&self, path: &str, folder: Option<&str>) -> String {
        let place = self.0.resolve(path, folder);
        for (link, target) in LINKS {
            match place.strip_prefix(link) {
                Some("") => return target.to_owned(),
                Some(rest) if rest.starts_with('/') => return format!("{target}{rest}"),
                Some(_) | None => {}
            }
        }
        place
    }

    fn home(&self) -> Option<&str> {
        self.0.home()
    }
}

/// The documents of the lawbook, by path.
fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    files.insert("lawful.yaml".to_owned(), read(&Path::new(EXAMPLE).join("lawful.yaml")));
    for folder in ["conditions", "guards"] {
        files.extend(folder_of(folder));
    }
    files
}

fn folder_of(folder: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(Path::new(EXAMPLE).join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        files.insert(format!("{folder}/{name}"), read(&path));
    }
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn law(files: &BTreeMap<String, String>) -> Lawbook {
    let mut source = MemorySource::new();
    for (path, content) in files {
        source = source.with(path, content.clone());
    }
    let (book, problems) = load(&source, Options::default()).unwrap();
    Lawbook::new(book, problems)
}

/// The start of a guard in a file.
const START: &str = "- id: ";

/// The ids of all guards, with those that the manifest adds.
fn known_ids() -> Vec<String> {
    ids(&files()).into_iter().chain(BUILT_IN.map(ToOwned::to_owned)).collect()
}

/// The ids of the guards in files.
fn ids(files: &BTreeMap<String, String>) -> Vec<String> {
    let guards = files.iter().filter(|(path, _)| path.starts_with("guards/"));
    let lines = guards.flat_map(|(_, content)| content.lines());
    lines.filter_map(|line| line.strip_prefix(START)).map(ToOwned::to_owned).collect()
}

/// One guard of a file, without its condition.
fn unconditional(content: &str, id: &str) -> String {
    let mut out = String::new();
    let (mut of_guard, mut of_condition) = (false, false);
    for line in content.lines() {
        if let Some(started) = line.strip_prefix(START) {
            of_guard = started == id;
        }
        // A condition ends at the next key of the guard.
        if !line.starts_with("   ") {
            of_condition = line.starts_with("  when:");
        }
        if of_guard && !of_condition {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// All cases, in the order of their files.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (path, content) in folder_of("cases") {
        let mut sources = Sources::default();
        let (file, _) = text::add(&mut sources, &path, content.as_bytes());
        let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
        assert!(problems.is_empty(), "{path}: {problems:?}");
        for list in node.unwrap().as_list().unwrap_or_else(|| panic!("{path} is not a list")) {
            cases.extend(of_list(list, &sources));
        }
    }
    cases
}

fn of_list(list: &Node, sources: &Sources) -> Vec<Case> {
    let mut cases = Vec::new();
    let guard = list.get("guard").and_then(Node::as_text).unwrap();
    for entry in list.as_map().unwrap().iter().filter(|entry| &*entry.key != "guard") {
        assert!(DECISIONS.contains(&&*entry.key), "`{}` is not a decision", entry.key);
        for node in entry.value.as_list().unwrap() {
            let (file, at) = sources.locate(node.span).unwrap();
            let place = format!("{}:{}", file.name(), at.line);
            let (shown, call) = call(node, &place);
            let (guard, expected) = (guard.to_owned(), entry.key.to_string());
            cases.push(Case { place, guard, expected, shown, call });
        }
    }
    cases
}

fn call(node: &Node, place: &str) -> (String, Moment) {
    let Some(command) = node.as_text() else {
        let (moment, problems) = Moment::decode(node);
        assert!(problems.is_empty(), "{place}: {problems:?}");
        return (Value::from_node(node).to_string(), moment.unwrap());
    };
    let call = ToolUse {
        action: Action::Shell,
        tool: "Bash".into(),
        agent: "main".into(),
        input: Value::Null,
        target: Target::Shell { command: command.into(), folder: None },
    };
    (command.to_owned(), Moment::ToolCall(call))
}
