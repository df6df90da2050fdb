use std::cell::Cell;

use super::*;
use crate::live::{Action, Event, Moment, Target, ToolUse};
use crate::value::Value;

fn places() -> LexicalPlaces {
    LexicalPlaces::new("/srv/shop").with_home("/users/ada")
}

fn check(written: &str, expected: &str, within: Option<&str>) {
    let placed = place(written, true, From::Working, &places());
    assert_eq!((&*placed.path, placed.within.as_deref()), (expected, within), "{written}");
}

#[test]
fn a_path_is_relative_inside_the_project_and_absolute_elsewhere() {
    for (written, expected) in [
        ("src/lib.rs", "src/lib.rs"),
        ("./src//lib.rs", "src/lib.rs"),
        ("src/../ci", "ci"),
        ("/srv/shop/ci", "ci"),
        ("/srv/shop", "."),
        (".", "."),
        ("", "."),
        ("..", "/srv"),
        ("../shop/ci", "ci"),
        ("../../../../etc", "/etc"),
        ("/srv/shopping", "/srv/shopping"),
        ("~/.ssh", "/users/ada/.ssh"),
        ("~", "/users/ada"),
        ("$HOME/x", "/users/ada/x"),
        ("${HOME}/x", "/users/ada/x"),
    ] {
        check(written, expected, Some(expected));
    }
}

#[test]
fn the_working_folder_counts() {
    let places = places().working_in("web");
    let path = |written, from| place(written, true, from, &places).path;
    assert_eq!(&*path("a.js", From::Working), "web/a.js");
    assert_eq!(&*path("a.js", From::Folder("../api")), "api/a.js");
    assert_eq!(&*path("a.js", From::Folder("/tmp")), "/tmp/a.js");
    assert_eq!(&*path("a.js", From::Folder("~")), "/users/ada/a.js");
    assert_eq!(&*path("/tmp/a.js", From::Unknown), "/tmp/a.js");
    for name in ["$PWD/a.js", "${PWD}/a.js", "~+/a.js"] {
        assert_eq!(&*path(name, From::Working), "web/a.js");
        assert_eq!(&*path(name, From::Folder("/tmp")), "/tmp/a.js");
        assert_eq!(path(name, From::Unknown), format!("?{name}").into());
    }
    for name in ["$OLDPWD/a.js", "~-/a.js", "$PWDX/a.js"] {
        assert_eq!(path(name, From::Working), format!("?{name}").into());
    }
}

#[test]
fn what_cannot_be_resolved_is_neither_inside_nor_absolute() {
    check("$OUT/a", "?$OUT/a", None);
    check("src/$OUT", "?src/$OUT", Some("src"));
    check("/etc/$X", "?/etc/$X", Some("/etc"));
    check("~ada/x", "?~ada/x", None);
    check("src/*/../../x", "?src/*/../../x", Some("src"));
    let unknown = place("a", true, From::Unknown, &places());
    assert_eq!((&*unknown.path, unknown.within), ("?a", None));
    let without_home = LexicalPlaces::new("/p");
    assert_eq!(&*place("~/x", true, From::Working, &without_home).path, "?~/x");
}

#[test]
fn the_home_folder_is_known_although_it_is_a_variable() {
    let path = |written| place(written, false, From::Working, &places()).path;
    assert_eq!(&*path("$HOME/x"), "/users/ada/x");
    assert_eq!(&*path("${HOME}"), "/users/ada");
    assert_eq!(&*path("$HOME/$X"), "?$HOME/$X");
    assert_eq!(&*path("$HOME/{}"), "?$HOME/{}");
    assert_eq!(&*path("$HOMELAND/x"), "?$HOMELAND/x");
}

#[test]
fn a_placeholder_of_find_can_be_anything() {
    let path = |written| place(written, false, From::Working, &places()).path;
    assert_eq!(&*path("{}"), "?{}");
    assert_eq!(&*path("out/{}.bak"), "?out/{}.bak");
}

#[test]
fn a_wildcard_stays_in_its_folder() {
    check("src/*.rs", "src/*.rs", Some("src"));
    check("*.rs", "*.rs", Some("."));
    check("/*", "/*", Some("/"));
    check("../*", "/srv/*", Some("/srv"));
    check("a/{b,c}/d", "a/{b,c}/d", Some("a"));
}

#[test]
fn a_folder_with_a_wildcard_is_not_a_name() {
    let placed = |written| place(written, true, From::Folder("src*"), &places());
    assert_eq!((&*placed("a").path, placed("a").within.as_deref()), ("src*/a", Some(".")));
    assert_eq!(&*placed("../a").path, "?../a");
}

#[test]
fn a_tool_takes_brackets_as_they_are() {
    let placed = place_of_tool("app/[id]/page*.tsx", &places());
    assert_eq!(&*placed.path, "app/[id]/page*.tsx");
    assert!(placed.is_known());
    assert_eq!(&*place_of_tool("$X/a", &places()).path, "?$X/a");
}

#[test]
fn a_path_over_a_limit_may_be_anywhere() {
    for long in ["*/".repeat(16_000), "x".repeat(5_000), format!("a/{}b", "./".repeat(300))] {
        let placed = place(&long, true, From::Working, &places());
        assert!(placed.path.starts_with('?') && placed.path.ends_with('…'), "{}", placed.path);
        assert!(placed.path.len() < 300, "only its start is kept");
        assert_eq!(placed.within.as_deref(), Some("/"));
        assert!(!placed.is_known());
    }
}

#[test]
fn every_path_after_the_last_that_is_resolved_may_be_anywhere() {
    use crate::live::{Action, Event, Moment, Target, ToolUse};
    let event = |action, target| {
        let call = ToolUse {
            action,
            tool: "Tool".into(),
            agent: "main".into(),
            input: crate::value::Value::Null,
            target,
        };
        Event::read(&Moment::ToolCall(call), &places())
    };
    let paths: Vec<_> = (0..50_000).map(|index| format!("a/{index}").into()).collect();
    let read = event(Action::Read, Target::Paths(paths));
    assert_eq!(read.opaque(), Some("it names too many paths"));
    assert_eq!(read.things().len(), MAX_PATHS + 1);
    let names: Vec<String> = (0..20_000).map(|index| index.to_string()).collect();
    let command = format!("rm {}", names.join(" ")).into();
    let shell = event(Action::Shell, Target::Shell { command, folder: None });
    assert_eq!(shell.opaque(), Some("it names too many paths"));
    let last = shell.touched().iter().flat_map(|thing| &thing.writes).next_back();
    assert_eq!(last.and_then(|write| write.place.within.as_deref()), Some("/"));
}

/// Counts how often a path is looked up.
struct Counting(Cell<usize>, LexicalPlaces);

impl Places for Counting {
    fn resolve(&self, path: &str, folder: Option<&str>) -> String {
        self.0.set(self.0.get() + 1);
        self.1.resolve(path, folder)
    }

    fn home(&self) -> Option<&str> {
        self.1.home()
    }
}

/// The number of lookups for a call, and whether it is opaque.
fn lookups(call: ToolUse) -> (usize, bool) {
    let places = Counting(Cell::new(0), LexicalPlaces::new("/srv/shop").with_home("/users/ada"));
    let event = Event::read(&Moment::ToolCall(call), &places);
    (places.0.get(), event.opaque().is_some())
}

fn shell(command: String) -> ToolUse {
    call(Action::Shell, Target::Shell { command: command.into(), folder: None })
}

fn call(action: Action, target: Target) -> ToolUse {
    ToolUse { action, tool: "T".into(), agent: "main".into(), input: Value::Null, target }
}

#[test]
fn huge_calls_have_bounded_lookups_and_are_opaque() {
    let many = |count: usize| (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>();
    let paths = |paths: Vec<String>| {
        call(Action::Edit, Target::Paths(paths.into_iter().map(Into::into).collect()))
    };
    let (count, opaque) = lookups(paths(many(10_000)));
    assert!(count <= 2_000 && opaque, "{count}");
    // One path that is too long may be anywhere, so nothing has to be looked up.
    assert_eq!(lookups(paths(vec!["x".repeat(1 << 20)])), (0, false));
    assert_eq!(lookups(paths(vec!["a/".repeat(100_000)])), (0, false));
    let (count, opaque) = lookups(shell(format!("rm {}", many(10_000).join(" "))));
    assert!(count <= 2_000 && opaque, "{count}");
    let (count, opaque) = lookups(shell("x".repeat(1 << 20)));
    assert!(count <= 2_000 && opaque, "{count}");
    let (count, opaque) = lookups(shell(format!("ln -s a b; touch {}", many(3_000).join(" "))));
    assert!(count <= 30_000 && opaque, "{count}");
    let deep = "d/".repeat(200);
    let files: Vec<String> = many(1_000).iter().map(|file| format!("{deep}{file}")).collect();
    let (count, opaque) = lookups(shell(format!("ln -s a b; touch {}", files.join(" "))));
    assert!(count <= 30_000 && opaque, "{count}");
    let links: Vec<String> = (0..500).map(|at| format!("ln -s l{at} l{}", at + 1)).collect();
    let (count, opaque) = lookups(shell(format!("{}; touch l500/x", links.join(";"))));
    assert!(count <= 30_000 && opaque, "{count}");
    let mut any = call(Action::Other, Target::Nothing);
    any.input = format!("{{files: [{}]}}", many(10_000).join(", ")).parse().unwrap();
    let (count, opaque) = lookups(any);
    assert!(count <= 2_000 && opaque, "{count}");
}
