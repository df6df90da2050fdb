//! A part of a lawbook answers as the whole does, on generated lawbooks, events and sessions.

use proptest::prelude::*;

use super::*;
use crate::book::{MemorySource, Options, load};
use crate::live::{Action, LexicalPlaces, Moment, Target, ToolUse};
use crate::react::tests::{
    any_action, any_input, any_options, any_reaction, any_rules, input, pick,
};
use crate::testing::messages;
use crate::value::Value;
use crate::view::StepTrace;

const MANIFEST: &str = "\
name: test
variables:
  x: {type: number, initial: 1, min: 0, max: 5}
  p: {type: string, initial: none, protected: true}
";

const CONDITIONS: &str = "small: {path: state.x, op: lt, value: 3}\n";
const ENTRY: &str = "---\nid: lore\nenabled: false\n---\nOnce.\n";

/// The whole lawbook of some files, and its bundle with the trees.
fn packed(source: &MemorySource) -> (LiveLaw, Bundle, Trees) {
    let bundle = Bundle::of(&load(source, Options::default()).unwrap().0);
    let (book, problems) = load(&bundle, Options::default()).unwrap();
    let bytes = Trees::pack(&book, &problems, "test");
    let trees = Trees::read(bytes, bundle.fingerprint(), "test").unwrap();
    (LiveLaw::whole(Lawbook::new(book, problems)), bundle, trees)
}

fn source(rules: &str, guards: &str) -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", MANIFEST)
        .with("conditions/c.yaml", CONDITIONS)
        .with("entries/lore.md", ENTRY)
        .with("rules/a.yaml", rules)
        .with("rules/single.yaml", SINGLE)
        .with("guards/g.yaml", guards)
}

/// A document that is one rule, which others name.
const SINGLE: &str = "\
id: a1x
trigger: {type: manual}
actions: [{type: trigger-rule, ruleId: r2}, {type: modify-variable, variableId: x, operation: add, value: 1}]
";

fn call(action: Action, tool: &str, target: Target) -> Moment {
    let (tool, agent, input) = (tool.into(), "main".into(), Value::Null);
    Moment::ToolCall(ToolUse { action, tool, agent, input, target })
}

fn shell(command: &str) -> Moment {
    call(Action::Shell, "Bash", Target::Shell { command: command.into(), folder: None })
}

fn any_moment() -> impl Strategy<Value = Moment> {
    let commands = pick(&["git push --force", "ls a.txt", "rm -rf b && git status", "eval $X"]);
    prop_oneof![
        4 => commands.prop_map(shell),
        1 => Just(call(Action::Write, "Write", Target::Paths(vec!["a.txt".into()]))),
        1 => Just(call(Action::Read, "Read", Target::Paths(vec!["b".into(); 2_001]))),
        1 => Just(call(Action::Other, "Odd", Target::Nothing)),
        1 => pick(&["I draw my sword", "nothing"])
            .prop_map(|said| Moment::Prompt { content: said.into() }),
        1 => Just(Moment::SessionStart { source: "startup".into(), agent: "main".into() }),
        1 => Just(Moment::Stop { message: Some("done".into()) }),
        1 => Just(Moment::Compact { trigger: "auto".into() }),
    ]
}

fn any_live_rule() -> impl Strategy<Value = String> {
    let trigger = pick(&[
        "{type: event, eventType: 'tool:call'}",
        "{type: event, eventType: 'tool:call', action: shell}",
        "{type: event, eventType: 'tool:call', tool: Write}",
        "{type: event, eventType: 'tool:*', opaque: true}",
        "{type: event, eventType: 'tool:*', match: {command: {op: contains, value: git}}}",
        "{type: event, eventType: 'guard:denied'}",
        "{type: event, eventType: 'guard:*', id: g0}",
        "{type: event, eventType: 'turn:stop'}",
        "{type: event, eventType: 'rule:triggered', ruleId: r1}",
        "{type: session-start}",
        "{type: keyword, keywords: [sword]}",
        "{type: state-change, variableId: x}",
        "{type: variable-crossed, variableId: x, direction: rises-above, threshold: 2}",
        "{type: event, eventType: 'state:changed', variableId: x, newValue: 3}",
        "{type: manual}",
    ]);
    let more = pick(&[
        "",
        ", {type: trigger-rule, ruleId: a1x}",
        ", {type: inject-directive, directiveId: t, content: 'It was ${event.tool}, ${state.p}.'}",
        ", {type: modify-variable, variableId: p, operation: set, valueFrom: event.tool}",
        ", {type: modify-variable, variableId: p, operation: set, value: fixed}",
    ]);
    (trigger, prop::collection::vec(any_action(), 1..3), more, any_options()).prop_map(
        |(trigger, actions, more, options)| {
            format!("trigger: {trigger}, actions: [{}{more}]{options}", actions.join(", "))
        },
    )
}

fn any_live_rules() -> impl Strategy<Value = String> {
    let rules = prop::collection::vec(any_live_rule(), 1..8);
    (rules, prop::collection::vec(any_reaction(), 0..4)).prop_map(|(rules, reactions)| {
        let list = |prefix: &str, all: &[String]| -> String {
            let lines = all.iter().enumerate();
            let lines = lines.map(|(at, rule)| format!("  - {{id: {prefix}{at}, {rule}}}\n"));
            lines.collect::<Vec<_>>().concat()
        };
        let rules = format!("rules:\n{}", list("r", &rules));
        match reactions.as_slice() {
            [] => rules,
            reactions => format!("{rules}reactions:\n{}", list("a", reactions)),
        }
    })
}

fn any_guards() -> impl Strategy<Value = String> {
    let on = pick(&[
        "",
        "on: {action: shell}, ",
        "on: {action: [write, edit]}, ",
        "on: {tool: Bash}, ",
        "on: {event: 'message:user'}, ",
        "on: {event: 'turn:stop'}, ",
    ]);
    let when = pick(&[
        "",
        "when: {path: event.line, op: matches, value: '^git push\\b.*(--force|-f)\\b'}, ",
        "when: {event.program: rm}, ",
        "when: {ref: small}, ",
        "when: {path: state.p, op: neq, value: none}, ",
    ]);
    let decision = pick(&["deny: 'No, ${state.x}.'", "deny: No.", "ask: May it?", "allow: Fine."]);
    let guard = (on, when, decision).prop_map(|(on, when, decision)| {
        let only_deny = on.contains("event:") && !decision.starts_with("deny");
        let decision = if only_deny { "deny: No." } else { decision };
        format!("{on}{when}{decision}")
    });
    prop::collection::vec(guard, 0..6).prop_map(|guards| {
        let lines = guards.iter().enumerate();
        let lines = lines.map(|(at, guard)| format!("- {{id: g{at}, {guard}}}\n"));
        let text = lines.collect::<Vec<_>>().concat();
        if text.is_empty() { "[]\n".to_owned() } else { text }
    })
}

/// A step as text, without the numbers of its rules.
fn shown(law: &LiveLaw, taken: &LiveStep) -> String {
    let LiveStep { rules, step } = taken;
    let trace = serde_json::to_string(&StepTrace::new(rules, &step.trace, None)).unwrap();
    let session = step.session.to_json();
    let insertions = &law.insertions(&step.session).list;
    let said = messages(&step.diagnostics);
    format!("{session}\n{:?}\n{trace}\n{said}\n{insertions:?}", step.effects)
}

fn check(
    source: &MemorySource,
    moments: &[Moment],
    inputs: &[String],
) -> Result<(), TestCaseError> {
    let (whole, bundle, trees) = packed(source);
    prop_assert!(whole.ready().is_ok() && whole.book.all_rules_ready().is_ok());
    let places = LexicalPlaces::new("/srv/shop");
    let mut session = whole.start();
    for moment in moments {
        let event = Event::read(moment, &places);
        let part = LiveLaw::reaching(&bundle, &trees, &event);
        let part = part.expect("a lawbook without errors has parts");
        prop_assert!(part.is_part());
        prop_assert_eq!(part.needs_session(), whole.needs_session());
        prop_assert_eq!(&part.start(), &whole.start());
        let decide = |law: &LiveLaw| {
            let host = Host { law: Some("sha256:abc".into()), ..Host::default() };
            let decided = law.guard(&event, &session, &host).unwrap();
            (serde_json::to_string(&decided).unwrap(), decided.events().to_vec())
        };
        let (decided, raised) = decide(&whole);
        prop_assert_eq!(decide(&part), (decided, raised.clone()));
        let inputs = inputs.iter().map(|text| input(text));
        for input in std::iter::once(Input::live(&event, &raised)).chain(inputs) {
            let expected = whole.step(&session, &input).unwrap();
            let taken = part.step(&session, &input).unwrap();
            prop_assert_eq!(shown(&part, &taken), shown(&whole, &expected));
            session = expected.step.session;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_part_answers_live_events_as_the_whole_does(
        rules in any_live_rules(),
        guards in any_guards(),
        moments in prop::collection::vec(any_moment(), 1..5),
    ) {
        check(&source(&rules, &guards), &moments, &[])?;
    }

    #[test]
    fn a_part_takes_every_step_as_the_whole_does(
        rules in any_rules(),
        guards in any_guards(),
        moment in any_moment(),
        inputs in prop::collection::vec(any_input(), 1..4),
    ) {
        check(&source(&rules, &guards), &[moment], &inputs)?;
    }
}

fn reaching(source: &MemorySource, moment: &Moment) -> Option<LiveLaw> {
    let (_, bundle, trees) = packed(source);
    LiveLaw::reaching(&bundle, &trees, &Event::read(moment, &LexicalPlaces::new("/srv/shop")))
}

#[test]
fn a_part_has_only_what_the_event_reaches() {
    let guards =
        "- {id: a, on: {action: shell}, deny: No.}\n- {id: b, on: {action: read}, deny: No.}\n";
    let rules = "\
rules:
- {id: shell, trigger: {type: event, eventType: 'tool:call', action: shell}, actions: [{type: notify-player, message: s}]}
- {id: read, trigger: {type: event, eventType: 'tool:call', action: read}, actions: [{type: notify-player, message: r}]}
- {id: denied, trigger: {type: event, eventType: 'guard:denied'}, actions: [{type: notify-player, message: d}]}
";
    let part = reaching(&source(rules, guards), &shell("ls")).unwrap();
    let ids = |law: &LiveLaw| -> Vec<String> {
        law.book.guards().all().map(|(_, guard)| guard.id.to_string()).collect()
    };
    assert_eq!(ids(&part), ["a"]);
    let event = Event::read(&shell("ls"), &LexicalPlaces::new("/srv/shop"));
    let step = part.step(&part.start(), &Input::live(&event, &[])).unwrap();
    let rules: Vec<&str> = step.rules.all().map(|(_, rule)| &*rule.id).collect();
    assert_eq!(rules, ["shell"]);
}

#[test]
fn a_lawbook_with_errors_has_no_part() {
    let sound = source("rules: []\n", "[]\n");
    assert!(reaching(&sound, &shell("ls")).is_some());
    for (path, text) in [
        ("rules/a.yaml", "rules: [{id: r, trigger: {type: nothing}, actions: []}]\n"),
        ("rules/a.yaml", "rules: ["),
        ("guards/g.yaml", "- {id: g, deny: ''}\n"),
        ("guards/g.yaml", "{id: g, deny: No.}\n"),
        ("conditions/c.yaml", "small: {path: x, op: nothing, value: 3}\n"),
        ("entries/lore.md", "no front matter\n"),
        ("lawful.yaml", "name: test\nguards: {opaque: never}\n"),
        ("fragments/f.md", "no front matter: [\n"),
    ] {
        let broken = sound.clone().with(path, text);
        let (whole, ..) = packed(&broken);
        assert!(
            reaching(&broken, &shell("ls")).is_none() || whole.book.check().errors == 0,
            "{path}: {text}"
        );
    }
}
