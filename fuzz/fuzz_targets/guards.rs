//! Guards and a shell line, split at the first line `---`.
//!
//! Checks these properties: no document and no line panics; every problem points into its file and
//! renders to harmless text; a decision is the same the second time and with an explanation; an
//! `allow` is never given for an opaque line by a guard of the book; and the decision serialises.

#![no_main]

use lawful::Lawbook;
use lawful::Value;
use lawful::book::{MemorySource, Options, load};
use lawful::guard::Guards;
use lawful::live::{Action, Event, Host, LexicalPlaces, Moment, Target, ToolUse};
use lawful::react::{Input, Session};
use lawful::syntax::render::to_json;
use lawful_fuzz::{check_harmless, check_json, check_problems};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = "\
name: fuzz
variables: {frozen: {type: boolean, initial: true}}
protect: {book: ask, paths: [ci, '**/*.lock', ~/.ssh]}
limits: {pattern-bytes: 1000000}
";

fuzz_target!(|text: &str| {
    let (guards, line) = text.split_once("\n---\n").unwrap_or((text, "git push --force"));
    let source =
        MemorySource::new().with("lawful.yaml", MANIFEST).with("guards/g.yaml", guards);
    let Ok((book, problems)) = load(&source, Options::default()) else { return };
    check_problems(&book.sources, &problems);
    let (_, found) = Guards::decode(&book);
    check_problems(&book.sources, &found);
    check_problems(&book.sources, &lawful::check(&book));
    let book = Lawbook::new(book, problems);
    let places = LexicalPlaces::new("/srv/shop").with_home("/users/ada");
    let host = Host {
        settings: vec![".claude/settings.json".into()],
        state: vec!["/users/ada/.local/state/lawful".into()],
        book: Some(".".into()),
        project: Some("/srv/shop".into()),
        home: Some("/users/ada".into()),
        law: Some("sha256:fuzz".into()),
    };
    for (action, target) in [
        (Action::Shell, Target::Shell { command: line.into(), folder: None }),
        (Action::Write, Target::Paths(line.lines().map(Into::into).collect())),
        (Action::Fetch, Target::Url(line.into())),
    ] {
        let (tool, agent, input) = ("Tool".into(), "main".into(), Value::Null);
        let call = ToolUse { action, tool, agent, input, target };
        let event = Event::read(&Moment::ToolCall(call), &places);
        let Ok(decided) = book.guard(&event, &Session::new(), &host) else { return };
        let explained = book.guard_explained(&event, &Session::new(), &host);
        let explained = explained.expect("it was decided before");
        assert_eq!(decided.decision, explained.decision, "explaining changes the decision");
        assert_eq!(decided.by, explained.by);
        assert_eq!(decided.reason, explained.reason);
        assert_eq!(decided.decision == "none", decided.by.is_empty());
        if event.opaque().is_some() && decided.decision == "allow" {
            assert_eq!(decided.by, ["guards.opaque"], "an opaque line is allowed");
        }
        let json = to_json(&explained).expect("a decision is JSON");
        check_harmless(&json);
        check_json(&json);
        Input::from_value(&decided.input()).expect("a decision is an input of a session");
    }
});
