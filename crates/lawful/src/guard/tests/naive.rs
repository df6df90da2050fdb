//! Guards agree with a naive reading of the rules on generated calls.
//!
//! The reading here knows the words of each command, because it writes the line. It evaluates every
//! guard on every thing, without an index, a set of conditions or a shell parser.

use proptest::prelude::*;

use super::lawbook;
use crate::live::{Action, Event, Host, LexicalPlaces, Moment, Target, ToolUse};
use crate::react::Session;
use crate::value::Value;

/// A condition.
#[derive(Clone, Debug)]
enum Test {
    Always,
    LineStarts(&'static str),
    Program(&'static str),
    PathEnds(&'static str),
    Agent(&'static str),
    Flag,
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
}

#[derive(Clone, Debug)]
struct NaiveGuard {
    actions: Vec<&'static str>,
    agent: Option<&'static str>,
    when: Test,
    decision: &'static str,
}

/// A call, by the words of its commands or by its paths.
#[derive(Clone, Debug)]
enum Call {
    Shell { commands: Vec<&'static str>, opaque: bool },
    Paths(&'static str, Vec<&'static str>),
    Fetch,
}

/// A thing: its line and path, and whether it is only suspected.
#[derive(Clone, Debug)]
struct NaiveThing {
    line: Option<String>,
    path: Option<&'static str>,
    suspected: bool,
}

const COMMANDS: [&str; 7] =
    ["git push", "git status", "ls", "rm a", "echo git push", "wrap git push", "wrap ls"];
const ACTIONS: [&str; 4] = ["shell", "read", "write", "fetch"];
const AGENTS: [&str; 2] = ["main", "reviewer"];

fn things(call: &Call) -> Vec<NaiveThing> {
    let whole = NaiveThing { line: None, path: None, suspected: false };
    match call {
        Call::Fetch => vec![whole],
        Call::Paths(_, paths) if paths.is_empty() => vec![whole],
        Call::Paths(_, paths) => {
            paths.iter().map(|path| NaiveThing { path: Some(path), ..whole.clone() }).collect()
        }
        Call::Shell { commands, opaque } => {
            let mut all = Vec::new();
            for command in commands {
                let thing = |line: &str, suspected| NaiveThing {
                    line: Some(line.to_owned()),
                    path: None,
                    suspected,
                };
                all.push(thing(command, false));
                // A program that no table knows may run any of its words.
                if let Some(rest) = command.strip_prefix("wrap ") {
                    let words: Vec<&str> = rest.split(' ').collect();
                    all.extend((0..words.len()).map(|at| thing(&words[at..].join(" "), true)));
                }
            }
            if *opaque {
                all.push(NaiveThing {
                    line: Some("eval $X".to_owned()),
                    path: None,
                    suspected: false,
                });
            }
            all
        }
    }
}

impl Test {
    fn holds(&self, thing: &NaiveThing, agent: &str, flag: bool) -> bool {
        match self {
            Self::Always => true,
            Self::LineStarts(start) => {
                thing.line.as_ref().is_some_and(|line| line.starts_with(start))
            }
            Self::Program(name) => {
                let program = thing.line.as_ref().and_then(|line| line.split(' ').next());
                program == Some(name)
            }
            Self::PathEnds(end) => thing.path.is_some_and(|path| path.ends_with(end)),
            Self::Agent(name) => agent == *name,
            Self::Flag => flag,
            Self::Not(test) => !test.holds(thing, agent, flag),
            Self::All(tests) => tests.iter().all(|test| test.holds(thing, agent, flag)),
            Self::Any(tests) => tests.iter().any(|test| test.holds(thing, agent, flag)),
        }
    }

    fn written(&self) -> String {
        let all = |tests: &[Self]| tests.iter().map(Self::written).collect::<Vec<_>>().join(", ");
        match self {
            Self::Always => "{}".to_owned(),
            Self::LineStarts(start) => {
                format!("{{path: event.line, op: starts_with, value: {start}}}")
            }
            Self::Program(name) => format!("{{event.program: {name}}}"),
            Self::PathEnds(end) => format!("{{path: event.path, op: ends_with, value: {end}}}"),
            Self::Agent(name) => format!("{{event.agent: {name}}}"),
            Self::Flag => "{state.flag: true}".to_owned(),
            Self::Not(test) => format!("{{not: {}}}", test.written()),
            Self::All(tests) => format!("{{all: [{}]}}", all(tests)),
            Self::Any(tests) => format!("{{any: [{}]}}", all(tests)),
        }
    }
}

/// The decision, and the guards that make it.
fn expected(
    guards: &[NaiveGuard],
    call: &Call,
    agent: &str,
    flag: bool,
    setting: Option<&'static str>,
) -> (&'static str, Vec<String>) {
    let (action, opaque) = match call {
        Call::Shell { opaque, .. } => ("shell", *opaque),
        Call::Paths(action, _) => (*action, false),
        Call::Fetch => ("fetch", false),
    };
    let applies = |guard: &NaiveGuard, action: &str| {
        guard.actions.is_empty() || guard.actions.contains(&action)
    };
    let mut acting: Vec<(&'static str, String)> = Vec::new();
    for (at, guard) in guards.iter().enumerate() {
        if !applies(guard, action) || guard.agent.is_some_and(|wanted| wanted != agent) {
            continue;
        }
        let things = things(call);
        let acts = if guard.decision == "allow" {
            let mut real = things.iter().filter(|thing| !thing.suspected);
            !opaque && real.all(|thing| guard.when.holds(thing, agent, flag))
        } else {
            things.iter().any(|thing| guard.when.holds(thing, agent, flag))
        };
        if acts {
            acting.push((guard.decision, format!("g{at}")));
        }
    }
    let denied = acting.iter().any(|(decision, _)| *decision == "deny");
    if opaque && !denied {
        let on_shell = guards.iter().any(|guard| applies(guard, "shell"));
        if let Some(decision) = setting.or(on_shell.then_some("ask")) {
            acting.push((decision, "guards.opaque".to_owned()));
        }
    }
    for decision in ["deny", "ask", "allow"] {
        let by: Vec<String> =
            acting.iter().filter(|(of, _)| *of == decision).map(|(_, id)| id.clone()).collect();
        if !by.is_empty() {
            return (decision, by);
        }
    }
    ("none", Vec::new())
}

fn a_test() -> impl Strategy<Value = Test> {
    let leaf = prop_oneof![
        Just(Test::LineStarts("git")),
        Just(Test::LineStarts("git push")),
        Just(Test::Program("git")),
        Just(Test::Program("wrap")),
        Just(Test::PathEnds(".env")),
        Just(Test::Agent("main")),
        Just(Test::Flag),
    ];
    let tree = leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|test| Test::Not(Box::new(test))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Test::All),
            prop::collection::vec(inner, 1..3).prop_map(Test::Any),
        ]
    });
    prop_oneof![1 => Just(Test::Always), 6 => tree]
}

fn a_guard() -> impl Strategy<Value = NaiveGuard> {
    let actions = prop::sample::subsequence(&ACTIONS[..], 0..3);
    let agent = prop::option::weighted(0.3, prop::sample::select(&AGENTS[..]));
    let decision = prop::sample::select(&["deny", "ask", "allow", "allow"][..]);
    (actions, agent, a_test(), decision).prop_map(|(actions, agent, when, decision)| NaiveGuard {
        actions,
        agent,
        when,
        decision,
    })
}

fn a_call() -> impl Strategy<Value = Call> {
    let commands = prop::collection::vec(prop::sample::select(&COMMANDS[..]), 1..4);
    let paths = prop::collection::vec(prop::sample::select(&["a.txt", ".env", "b/.env"][..]), 0..3);
    prop_oneof![
        3 => (commands, prop::bool::weighted(0.3))
            .prop_map(|(commands, opaque)| Call::Shell { commands, opaque }),
        1 => (prop::sample::select(&["read", "write"][..]), paths)
            .prop_map(|(action, paths)| Call::Paths(action, paths)),
        1 => Just(Call::Fetch),
    ]
}

fn event(call: &Call, agent: &str) -> Event {
    let (action, target) = match call {
        Call::Shell { commands, opaque } => {
            let mut line = commands.join(" && ");
            if *opaque {
                line.push_str("; eval $X");
            }
            (Action::Shell, Target::Shell { command: line.into(), folder: None })
        }
        Call::Paths(action, paths) => {
            let action = if *action == "read" { Action::Read } else { Action::Write };
            (action, Target::Paths(paths.iter().map(|path| (*path).into()).collect()))
        }
        Call::Fetch => (Action::Fetch, Target::Url("https://example.com".into())),
    };
    let (tool, agent, input) = ("Tool".into(), agent.into(), Value::Null);
    let call = ToolUse { action, tool, agent, input, target };
    Event::read(&Moment::ToolCall(call), &LexicalPlaces::new("/srv/shop"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn guards_agree_with_a_naive_reading(
        guards in prop::collection::vec(a_guard(), 0..6),
        call in a_call(),
        agent in prop::sample::select(&AGENTS[..]),
        flag in any::<bool>(),
        setting in prop::option::of(prop::sample::select(&["ask", "deny", "allow"][..])),
    ) {
        let mut written = String::new();
        for (at, guard) in guards.iter().enumerate() {
            let mut on = Vec::new();
            if !guard.actions.is_empty() {
                on.push(format!("action: [{}]", guard.actions.join(", ")));
            }
            on.extend(guard.agent.map(|agent| format!("agent: {agent}")));
            let line = format!(
                "- {{id: g{at}, on: {{{}}}, when: {}, {}: Because.}}\n",
                on.join(", "), guard.when.written(), guard.decision,
            );
            written.push_str(&line);
        }
        let setting_written = setting.map(|setting| format!("guards: {{opaque: {setting}}}\n"));
        let manifest = format!(
            "variables: {{flag: {{type: boolean, initial: {flag}}}}}\n{}",
            setting_written.unwrap_or_default()
        );
        let book = lawbook(&manifest, if written.is_empty() { "[]" } else { &written });
        let decided = book.guard(&event(&call, agent), &Session::new(), &Host::default());
        let decided = decided.unwrap_or_else(|error| panic!("{error}\n{written}"));
        let expected = expected(&guards, &call, agent, flag, setting);
        prop_assert_eq!((decided.decision, decided.by), expected, "{}", written);
    }
}
