//! What one decision can show; the pages under `spec/guard` show the rest.

mod naive;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lawful_syntax::{Format, Sources, parse, text};

use super::Guards;
use crate::book::{MemorySource, Options, load};
use crate::cond::{Args, Inputs, Primitive, Registry};
use crate::lawbook::Lawbook;
use crate::live::{Event, Host, LexicalPlaces, Moment};
use crate::react::Session;
use crate::value::Value;
use crate::view::GuardDecision;

fn lawbook(manifest: &str, guards: &str) -> Lawbook {
    let source = MemorySource::new()
        .with("lawful.yaml", format!("name: test\n{manifest}"))
        .with("guards/g.yaml", guards);
    Lawbook::load(&source).unwrap()
}

fn event(moment: &str) -> Event {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "moment.yaml", moment.as_bytes());
    let (node, _) = parse(&sources, file, Format::Yaml, &crate::Limits::default().document);
    let (moment, problems) = Moment::decode(&node.unwrap());
    assert!(problems.is_empty(), "{problems:?}");
    Event::read(&moment.unwrap(), &LexicalPlaces::new("/srv/shop").with_home("/users/ada"))
}

fn decide(book: &Lawbook, moment: &str, host: &Host) -> GuardDecision {
    book.guard(&event(moment), &Session::new(), host).unwrap()
}

#[test]
fn deciding_needs_no_other_documents() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test")
        .with("guards/g.yaml", "- {id: a, on: {action: read}, deny: No.}")
        .with("compositions/c.yaml", "{base: 3}")
        .with("rules/r.yaml", "- {id: r}")
        .with("analysis/rulespec.yaml", "[");
    let book = Lawbook::load(&source).unwrap();
    let decided = decide(&book, "{action: read, path: a}", &Host::default());
    assert_eq!((decided.decision, decided.by), ("deny", vec!["a".to_owned()]));
}

#[test]
fn the_law_is_named_by_the_host_or_by_its_content() {
    let book = lawbook("", "[]");
    let host = Host { law: Some("sha256:abc".into()), ..Host::default() };
    assert_eq!(decide(&book, "{action: other}", &host).law, "sha256:abc");
    let own = decide(&book, "{action: other}", &Host::default()).law;
    assert_eq!(own, format!("sha256:{}", book.book().fingerprint()));
}

#[test]
fn reloading_keeps_guards_that_did_not_change() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\nprotect: {book: deny}")
        .with("guards/g.yaml", "[]");
    let book = Lawbook::load(&source).unwrap();
    let kept = std::ptr::from_ref(book.guards());
    let same = book.reload(&source).unwrap();
    assert!(std::ptr::eq(kept, same.guards()));
    let source = source.with("guards/h.yaml", "- {id: a, on: {action: read}, deny: No.}");
    let changed = same.reload(&source).unwrap();
    assert_eq!(decide(&changed, "{action: read, path: a}", &Host::default()).decision, "deny");
}

#[test]
fn patterns_follow_the_home_of_the_host() {
    let book = lawbook("protect: {paths: [~/.ssh]}", "[]");
    let host = |home: &str| Host { home: Some(home.into()), ..Host::default() };
    let write = "{action: write, path: /users/ada/.ssh/id}";
    assert_eq!(decide(&book, write, &host("/users/ada")).decision, "deny");
    assert_eq!(decide(&book, write, &host("/users/bob")).decision, "none");
    assert_eq!(decide(&book, write, &host("/users/ada")).decision, "deny");
}

#[test]
fn a_folder_above_the_project_holds_the_project() {
    let book = lawbook("protect: {paths: [ci]}", "[]");
    let host = Host { project: Some("/srv/shop".into()), ..Host::default() };
    for (command, expected) in [
        ("rm -rf /srv", "deny"),
        ("rm -rf ../../srv", "deny"),
        ("rm -rf /srv/*", "deny"),
        ("rm -rf /", "deny"),
        ("rm -rf /srv/other", "none"),
        ("rm -rf /srvshop", "none"),
    ] {
        let moment = format!("{{action: shell, command: '{command}'}}");
        assert_eq!(decide(&book, &moment, &host).decision, expected, "{command}");
    }
}

/// What does not depend on the thing is evaluated once, however much a call touches.
#[test]
fn a_condition_on_the_call_is_evaluated_once() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let build = move |_: &Args| {
        let counter = Arc::clone(&counter);
        Ok(move |_: &Inputs<'_>| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(false)
        })
    };
    let mut registry = Registry::builder();
    registry.primitive(Primitive::new("host.input", build).reads("event.input")).unwrap();
    let source = MemorySource::new().with("lawful.yaml", "name: test").with(
        "guards/g.yaml",
        "- {id: a, when: {ref: host.input}, deny: No.}\n\
         - {id: b, when: {all: [{event.program: true}, {ref: host.input}]}, allow: Yes.}\n",
    );
    let options = Options { registry, ..Options::default() };
    let (book, problems) = load(&source, options).unwrap();
    let book = Lawbook::new(book, problems);
    let lines = vec!["true x"; 500].join("; ");
    let moment = format!("{{action: shell, command: '{lines}; ls', input: {{a: 1}}}}");
    assert_eq!(decide(&book, &moment, &Host::default()).decision, "none");
    let asked = asked.load(Ordering::Relaxed);
    // Once for the first guard, and for the second once for each command that its other test is true
    // for: equal commands are one.
    assert!(asked <= 3, "{asked}");
}

#[test]
fn the_event_is_not_copied_for_each_thing() {
    let source = MemorySource::new().with("lawful.yaml", "name: test").with(
        "guards/g.yaml",
        "- {id: a, when: {event.input.text: x, event.path: y, state.z: 1}, deny: No.}\n",
    );
    let (book, _) = load(&source, Options::default()).unwrap();
    let (guards, _) = Guards::decode(&book);
    let event = event("{action: read, paths: [a, b], input: {text: long}}");
    let mut documents = super::document::Documents::new(&guards, &event, &Session::new());
    let mut seen = Vec::new();
    for touched in super::document::touched(&event) {
        let read = documents.of(touched.spelling).get("event").unwrap();
        let text = read.get("input").and_then(|input| input.get("text")).unwrap();
        let path = read.get("path").and_then(Value::as_text).unwrap().to_owned();
        seen.push((text.as_text().unwrap().as_ptr(), path));
    }
    let [(first, a), (second, b)] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!((first, a.as_str(), b.as_str()), (second, "a", "b"));
}

/// A condition that compares a large input with each of many commands would take minutes.
#[test]
fn a_guard_that_would_compare_too_much_denies() {
    let guards = "\
- {id: a, on: {tool: T}, when: {all: [{path: event.input.x, op: matches, value: b}, {event.line: c}]}, deny: No.}
- {id: b, when: {all: [{path: event.input.x, op: matches, value: a}, {event.program: rm}]}, allow: Yes.}
- {id: c, when: {path: event.input.x, op: matches, value: b}, deny: Found.}
";
    let book = lawbook("", guards);
    let call = |size: usize, lines: usize, tool: &str| {
        let lines: Vec<String> = (0..lines).map(|at| format!("rm f{at}")).collect();
        let (lines, text) = (lines.join("; "), "a".repeat(size));
        let moment =
            format!("{{action: shell, tool: {tool}, command: '{lines}', input: {{x: {text}}}}}");
        decide(&book, &moment, &Host::default())
    };
    assert_eq!(call(1_000, 20, "T").decision, "allow");
    // The first guard cannot be evaluated, so it denies; the second one does not allow.
    let denied = call(1_000_000, 400, "T");
    assert_eq!((denied.decision, denied.by), ("deny", vec!["a".to_owned()]));
    assert_eq!(call(1_000_000, 400, "U").decision, "none");
}
