//! Properties of steps, over generated rules, sessions and inputs.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::book::{Book, MemorySource, Options, load};
use crate::insertion::{Position, Role};
use crate::testing::{messages, node, value};
use crate::value::Value;

mod reference;
mod trust;

const MANIFEST: &str = "name: test\nvariables:\n  x: {type: number, initial: 1, min: 0, max: 5}\n";

fn book(rules: &str) -> Book {
    book_with(MANIFEST, rules)
}

fn book_with(manifest: &str, rules: &str) -> Book {
    let source = MemorySource::new().with("lawful.yaml", manifest).with("rules/r.yaml", rules);
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{}", messages(&problems));
    book
}

fn decode(rules: &str) -> Rules {
    let (rules, problems) = Rules::decode(&book(rules));
    let errors: Vec<_> = problems.into_iter().filter(lawful_syntax::Diagnostic::is_error).collect();
    assert!(errors.is_empty(), "{}", messages(&errors));
    rules
}

pub(crate) fn input(yaml: &str) -> Input {
    let (input, problems) = Input::decode(&node(yaml));
    input.unwrap_or_else(|| panic!("{}", messages(&problems)))
}

/// The part of a message before the character that folds to this place.
fn fold_start(message: &str, at: usize) -> String {
    let mut folded = 0;
    let before = message.chars().take_while(|c| {
        folded += if *c == 'ß' { 2 } else { 1 };
        folded <= at
    });
    before.collect()
}

/// An input from a file, which may have problems.
fn parsed_input(json: &str) -> (Option<Input>, Vec<lawful_syntax::Diagnostic>) {
    use lawful_syntax::{Format, Limits, Sources, parse_sent, text};

    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "input.json", json.as_bytes());
    let (node, mut problems) = parse_sent(&sources, file, Format::Json, &Limits::default());
    let input = Input::decode_parsed(&mut node.unwrap(), &sources, &mut problems);
    (input, problems)
}

pub(crate) fn pick(words: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words)
}

fn any_operation() -> impl Strategy<Value = String> {
    let variable = pick(&["x", "x", "y", "s", "b", "l", "o", "p"]);
    (variable, pick(OPERATIONS))
        .prop_map(|(variable, operation)| format!("variableId: {variable}, {operation}"))
}

const OPERATIONS: &[&str] = &[
    "operation: set, value: 3",
    "operation: set, value: 7",
    "operation: set, value: word",
    "operation: set, value: true",
    "operation: set, value: [1, 2]",
    "operation: set, value: {k: 1}",
    "operation: set, value: null",
    "operation: add, value: 1",
    "operation: add, value: 0.5",
    "operation: subtract, value: 2",
    "operation: multiply, value: 2",
    "operation: toggle",
    "operation: append, value: er",
    "operation: push, value: 4",
    "operation: merge, value: {k: 2, m: 1}",
    "operation: delete",
    "operation: delete, value: k",
    "operation: delete, value: 0",
];

/// A change whose operand is looked up when it acts.
fn any_lookup() -> impl Strategy<Value = String> {
    let variable = pick(&["x", "y", "s", "p"]);
    let operation = pick(&["set", "add", "append", "push"]);
    let from = pick(&[
        "event.item",
        "event.newValue",
        "event.variableId",
        "state.x",
        "state.p",
        "y",
        "state.none",
        "session.turn",
    ]);
    (variable, operation, from).prop_map(|(variable, operation, from)| {
        format!("variableId: {variable}, operation: {operation}, valueFrom: {from}")
    })
}

fn any_rule_id() -> impl Strategy<Value = &'static str> {
    pick(&["r0", "r1", "r2", "r3", "r4", "r5", "a0", "a1"])
}

pub(crate) fn any_action() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => any_operation().prop_map(|change| format!("{{type: modify-variable, {change}}}")),
        2 => any_lookup().prop_map(|change| format!("{{type: modify-variable, {change}}}")),
        1 => any_rule_id().prop_map(|id| format!("{{type: trigger-rule, ruleId: {id}}}")),
        1 => (any_rule_id(), any::<bool>())
            .prop_map(|(id, on)| format!("{{type: toggle-rule, ruleId: {id}, enabled: {on}}}")),
        1 => pick(&[
            "{type: inject-directive, directiveId: d, content: One.}",
            "{type: inject-directive, directiveId: d, content: Two., persistent: true}",
            "{type: inject-directive, directiveId: e, content: Three., duration: 2}",
            "{type: remove-directive, directiveId: d}",
            "{type: toggle-entry, entryId: lore, enabled: false}",
            "{type: send-context, message: Psst.}",
            "{type: notify-player, message: Oh.}",
            "{type: notify-player, message: 'It is ${state.x}.'}",
            "{type: play-audio, trackId: drum}",
        ]).prop_map(str::to_owned),
    ]
}

fn any_trigger() -> impl Strategy<Value = &'static str> {
    pick(&[
        "{type: every-turn}",
        "{type: session-start}",
        "{type: state-change}",
        "{type: state-change, variableId: x}",
        "{type: state-change, variableId: y}",
        "{type: variable-crossed, variableId: x, direction: rises-above, threshold: 2}",
        "{type: variable-crossed, variableId: x, direction: drops-below, threshold: 3}",
        "{type: variable-crossed, variableId: y, direction: rises-above, threshold: 0.5}",
        "{type: turn-count, atTurn: 2}",
        "{type: turn-count, everyNTurns: 2}",
        "{type: turn-count, atTurn: 1, everyNTurns: 3}",
        "{type: keyword, keywords: [Sword, shield]}",
        "{type: keyword, keywords: [or]}",
        "{type: ai-keyword, keywords: [WORD]}",
        "{type: action, actionId: push}",
        "{type: event, eventType: ping}",
        "{type: event, eventType: 'zone:*', zone: forest}",
        "{type: event, eventType: state:changed}",
        "{type: manual}",
        "{type: manual}",
    ])
}

pub(crate) fn any_options() -> impl Strategy<Value = String> {
    let priority = pick(&["", ", priority: 1", ", priority: -1", ", priority: 0.5"]);
    let enabled = pick(&["", "", "", ", enabled: false"]);
    let cooldown =
        pick(&["", "", ", cooldownTurns: 1", ", cooldownTurns: 2", ", cooldownTurns: 0"]);
    let most = pick(&["", "", ", maxFireCount: 1", ", maxFireCount: 0", ", maxFireCount: null"]);
    let conditions = pick(&[
        "",
        "",
        ", conditions: []",
        ", conditions: [{variableId: x, operator: gt, value: 1}]",
        ", conditions: [{variableId: x, operator: eq, value: 1}, {variableId: y, operator: neq, value: 2}]",
        ", conditions: [{variableId: state.x, operator: gt, value: 1}]",
        ", conditions: [{variableId: event.item, operator: eq, value: rope}]",
        ", conditions: [{variableId: event.variableId, operator: neq, value: y}, {variableId: x, operator: gt, value: 0}]",
        ", conditionLogic: any, conditions: [{variableId: x, operator: gt, value: 3}, {variableId: s, operator: eq, value: word}]",
    ]);
    (priority, enabled, cooldown, most, conditions)
        .prop_map(|(a, b, c, d, e)| format!("{a}{b}{c}{d}{e}"))
}

pub(crate) fn any_reaction() -> impl Strategy<Value = String> {
    let when = pick(&[
        "{eventType: ping}",
        "{eventType: zone:enter, zone: forest}",
        "{eventType: 'zone:*'}",
        "{eventType: 'state:*', variableId: y}",
        "{eventType: state:changed, variableId: x}",
        "{eventType: 'rule:*'}",
        "{eventType: turn:complete, turn: 2}",
    ]);
    let then = pick(&[
        "{type: emit, event: {type: ping}}",
        "{type: emit, event: {type: 'zone:enter', zone: forest, n: 1}}",
        "{type: emit, event: {type: 'action:executed', actionId: push}}",
        "{type: emit, event: {type: 'message:user', content: a SWORD}}",
        "{type: set, path: x, value: 4}",
        "{type: set, path: y, value: 0}",
        "{type: set, path: '@rules.disabled.r1', value: true}",
        "{type: set, path: '@rules.disabled.r1', value: false}",
        "{type: set, path: '@ui.notification', value: Hey.}",
        "{type: set, path: y, valueFrom: event.n}",
    ]);
    let then = prop::collection::vec(then, 0..3);
    (when, then, any_options()).prop_map(|(when, then, options)| {
        format!("when: {when}, then: [{}]{options}", then.join(", "))
    })
}

pub(crate) fn any_rules() -> impl Strategy<Value = String> {
    let actions = prop::collection::vec(any_action(), 0..4);
    let rule = (any_trigger(), actions, any_options()).prop_map(|(trigger, actions, options)| {
        format!("trigger: {trigger}, actions: [{}]{options}", actions.join(", "))
    });
    let rules = prop::collection::vec(rule, 0..6);
    (rules, prop::collection::vec(any_reaction(), 0..4)).prop_map(|(rules, reactions)| {
        let list = |prefix: &str, all: &[String]| {
            let lines = all.iter().enumerate();
            let lines = lines.map(|(at, rule)| format!("  - {{id: {prefix}{at}, {rule}}}\n"));
            lines.collect::<String>()
        };
        let mut out = String::new();
        if !rules.is_empty() {
            let _ = write!(out, "rules:\n{}", list("r", &rules));
        }
        if !reactions.is_empty() {
            let _ = write!(out, "reactions:\n{}", list("a", &reactions));
        }
        if out.is_empty() { "rules: []\n".to_owned() } else { out }
    })
}

pub(crate) fn any_input() -> impl Strategy<Value = String> {
    let said = || pick(&["I draw my sword", "nothing", "words, words", ""]);
    prop_oneof![
        3 => (said(), said(), prop::collection::vec(any_operation(), 0..3)).prop_map(
            |(user, ai, writes)| {
                let writes: Vec<String> =
                    writes.iter().map(|write| format!("{{{write}}}")).collect();
                format!("{{user: {user:?}, ai: {ai:?}, writes: [{}]}}", writes.join(", "))
            }
        ),
        1 => pick(&[
            "{action: push}",
            "{action: push, item: rope, n: 2}",
            "{set: [{path: y, value: 2}, {variableId: x, operation: add, value: 1}]}",
            "{set: [{path: p, value: two}, {path: s, value: a}, {path: y, operation: push, value: 1}]}",
        ]).prop_map(str::to_owned),
        1 => pick(&[
            "{event: {type: ping}}",
            "{event: {type: 'zone:enter', zone: forest}}",
            "{event: {type: 'zone:leave'}}",
        ]).prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn a_step_equals_the_naive_implementation(
        rules in any_rules(),
        inputs in prop::collection::vec(any_input(), 1..5),
    ) {
        let manifest = format!("{MANIFEST}  p: {{type: string, initial: none, protected: true}}\n");
        let compiled = Rules::decode(&book_with(&manifest, &rules)).0;
        let raw = reference::rules(&rules);
        let mut session = Session::new();
        for input_text in &inputs {
            let expected = reference::step(&raw, &session, &value(input_text));
            let step = compiled.step(session.clone(), &input(input_text));
            let fired: Vec<&str> =
                step.trace.fired.iter().map(|firing| &*compiled.rule(firing.rule).id).collect();
            prop_assert_eq!(&fired, &expected.fired, "{}\n{}", rules, input_text);
            let effects: Vec<(String, String, Value)> = step
                .effects
                .iter()
                .map(|effect| {
                    let fields = Value::Map(effect.fields.clone());
                    (effect.id.clone(), effect.kind.name().to_owned(), fields)
                })
                .collect();
            prop_assert_eq!(&effects, &expected.effects, "{}\n{}", rules, input_text);
            let changes: Vec<Vec<reference::Changed>> = step
                .trace
                .fired
                .iter()
                .map(|firing| firing.changes.iter().map(reference::Changed::of).collect())
                .collect();
            prop_assert_eq!(&changes, &expected.changes, "{}\n{}", rules, input_text);
            prop_assert_eq!(&step.session, &expected.session, "{}\n{}", rules, input_text);
            session = step.session;
        }
    }

    #[test]
    fn a_step_is_the_same_every_time(rules in any_rules(), one in any_input(), two in any_input()) {
        let compiled = decode(&rules);
        let first = compiled.step(Session::new(), &input(&one));
        let again = decode(&rules).step(Session::new(), &input(&one));
        prop_assert_eq!(first.session.to_json(), again.session.to_json());
        prop_assert_eq!(&first.trace, &again.trace);
        prop_assert_eq!(&first.effects, &again.effects);
        // To rewind, start from the earlier state: nothing of the discarded steps remains.
        let _ = compiled.step(first.session.clone(), &input(&two));
        let ahead = compiled.step(first.session.clone(), &input(&one));
        let rewound = compiled.step(Session::from_json(&first.session.to_json()).unwrap(), &input(&one));
        prop_assert_eq!(ahead.session, rewound.session);
    }

    #[test]
    fn every_rule_fires_or_has_a_reason(
        rules in any_rules(),
        inputs in prop::collection::vec(any_input(), 1..4),
        limits in pick(&["", "limits: {actions: 2}", "limits: {events: 1}", "limits: {waves: 1}"]),
    ) {
        let (compiled, _) = Rules::decode(&book_with(&format!("{MANIFEST}{limits}\n"), &rules));
        let mut session = Session::new();
        for text in &inputs {
            let why = compiled.why_not(session.clone(), &input(text));
            let step = compiled.step(session, &input(text));
            for (id, rule) in compiled.all() {
                let fired = step.trace.fired.iter().any(|firing| firing.rule == id);
                let rows: Vec<_> = why.iter().filter(|row| row.rule == id).collect();
                prop_assert!(rows.len() <= 1);
                // A triggered rule must not be reported as not triggered.
                let waves = &step.trace.waves;
                let set_off = waves.iter().any(|wave| compiled.triggered(&wave.events).contains_key(&id));
                let stopped = |row: &NotFired| row.why.ends_with("before it acted");
                let row = rows.first();
                if let Some(row) = row.filter(|_| set_off && !fired) {
                    prop_assert!(row.gate != Gate::Trigger || stopped(row), "{}: {}", rule.id, row.why);
                }
                match row {
                    None => prop_assert!(fired, "{} neither fired nor says why", rule.id),
                    Some(row) if fired => prop_assert_eq!(row.gate, Gate::Once),
                    Some(row) => prop_assert!(!row.why.is_empty()),
                }
            }
            session = step.session;
        }
    }

    #[test]
    fn a_keyword_is_found_at_its_leftmost_place(
        keywords in prop::collection::vec(("[abß ]{0,3}[abß]", any::<bool>()), 1..6),
        message in "[abß ']{0,16}",
    ) {
        let rule = |(n, (keyword, whole)): (usize, &(String, bool))| {
            let trigger = format!("{{type: keyword, keywords: ['{keyword}'], wholeWord: {whole}}}");
            format!("  - {{id: r{n}, trigger: {trigger}, actions: []}}\n")
        };
        let text = format!("rules:\n{}", keywords.iter().enumerate().map(rule).collect::<String>());
        let rules = decode(&text);
        let said = Input::Turn { user: Some(message.as_str().into()), ai: None, writes: Vec::new() };
        let step = rules.step(Session::new(), &said);
        let fold = |text: &str| text.replace('ß', "ss");
        let folded = fold(&message);
        let words = crate::word::Words::of(&folded);
        for (n, (keyword, whole)) in keywords.iter().enumerate() {
            let keyword = fold(keyword);
            let places = (0..folded.len()).filter(|at| folded.get(*at..).is_some_and(|rest| rest.starts_with(&keyword)));
            let ranges = places.map(|at| at..at + keyword.len());
            let expected = ranges.into_iter().find(|range| !whole || words.is_whole(range));
            let firing = step.trace.fired.iter().find(|firing| *rules.rule(firing.rule).id == format!("r{n}"));
            let found = firing.and_then(|firing| Some(fold(message.get(..firing.hit.as_ref()?.span.start)?).len()));
            // A match that begins inside a folded letter shows the whole letter.
            let expected = expected.map(|range| fold(&fold_start(&message, range.start)).len());
            prop_assert_eq!(found, expected, "`{}` in `{}`", keyword, message);
        }
    }

    #[test]
    fn no_number_of_writes_hides_a_change(
        writes in prop::collection::vec((0..30_usize, 0..3_i64), 0..60),
        events in 1..4_usize,
        actions in 1..60_usize,
    ) {
        let manifest = format!("name: test\nlimits: {{events: {events}, actions: {actions}}}\n");
        let rule = |n: usize| {
            format!("  - {{id: v{n}, trigger: {{type: state-change, variableId: v{n}}}, actions: []}}\n")
        };
        let rules = format!("rules:\n{}", (0..30).map(rule).collect::<String>());
        let (rules, _) = Rules::decode(&book_with(&manifest, &rules));
        let mut session = Session::new();
        session.variables = value("{v0: 0, v1: 1, v2: 2}");
        let write = |(n, to): &(usize, i64)| {
            format!("{{variableId: v{n}, operation: set, value: {to}}}")
        };
        let writes: Vec<String> = writes.iter().map(write).collect();
        let step = rules.step(session.clone(), &input(&format!("{{writes: [{}]}}", writes.join(", "))));
        for (id, rule) in rules.all() {
            let changed = session.variables.get(&rule.id) != step.session.variables.get(&rule.id);
            let fired = step.trace.fired.iter().any(|firing| firing.rule == id);
            prop_assert_eq!(changed, fired, "{}", rule.id);
        }
    }

    #[test]
    fn no_write_prevents_the_rules_from_running(
        written in crate::cond::tests::any_document(),
        key in pick(&["variableId", "operation", "value", "other"]),
        whole in any::<bool>(),
    ) {
        let rules = decode("rules: [{id: r, trigger: {type: keyword, keywords: [dragon]}, actions: []}]\n");
        let field = format!("{{\"variableId\": \"y\", \"operation\": \"set\", \"{key}\": {written}}}");
        for write in [written.to_string(), field] {
            let writes = if whole { write } else { format!("[{write}]") };
            let (found, _) = parsed_input(&format!("{{\"user\": \"a dragon\", \"writes\": {writes}}}"));
            let step = rules.step(Session::new(), &found.expect("an input"));
            prop_assert_eq!(step.trace.fired.len(), 1);
        }
    }

    #[test]
    fn a_session_is_read_back_as_it_was_written(session in any_session()) {
        let read = Session::from_json(&session.to_json());
        prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(session));
    }

    #[test]
    fn a_step_ends_whatever_the_rules_are(rules in any_rules(), text in any_input()) {
        let step = decode(&rules).step(Session::new(), &input(&text));
        prop_assert!(step.trace.waves.len() <= 16);
        let mut ids: Vec<&str> = step.effects.iter().map(|effect| &*effect.id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), step.effects.len());
        let x = step.session.variables.get("x").cloned();
        prop_assert!(matches!(x, Some(Value::Number(x)) if (0.into()..=5.into()).contains(&x)));
    }
}

/// What a text was given when it was injected.
fn values() -> std::collections::BTreeMap<Box<str>, Value> {
    [("event.item".into(), value("{a: ['${state.x}', 1]}"))].into()
}

fn any_session() -> impl Strategy<Value = Session> {
    let word = || "\\PC{1,6}";
    let id = || word().prop_filter("not blank", |id| !id.trim().is_empty());
    let count = || prop_oneof![0..5_u64, Just(i64::MAX.unsigned_abs())];
    let position = prop_oneof![
        Just(Position::Top),
        Just(Position::BeforeChar),
        Just(Position::AfterChar),
        any::<u32>().prop_map(Position::Depth),
        Just(Position::Bottom),
    ];
    let directive = (id(), word(), position, count(), prop::option::of(count())).prop_map(
        |(id, content, position, from, until)| Directive {
            id: id.into(),
            content: content.into(),
            values: values(),
            position,
            from,
            until,
        },
    );
    let message = (word(), any::<bool>()).prop_map(|(message, user)| ContextMessage {
        message: message.into(),
        values: values(),
        role: if user { Role::User } else { Role::System },
    });
    let switches = || prop::collection::btree_map(word().prop_map(Into::into), any::<bool>(), 0..3);
    let fired = (count(), count()).prop_map(|(count, last_turn)| Fired { count, last_turn });
    (
        (count(), count(), crate::cond::tests::any_document(), any::<f64>()),
        prop::collection::btree_map(id(), directive, 0..3),
        switches(),
        switches(),
        prop::collection::btree_map(word().prop_map(Into::into), fired, 0..3),
        prop::collection::vec(message, 0..3),
        prop::collection::btree_set(word().prop_map(Into::into), 0..3),
    )
        .prop_map(
            |(
                (turn, step, mut variables, float),
                directives,
                entries,
                rules,
                fired,
                context,
                untrusted,
            )| {
                if let (Value::Map(map), Some(float)) =
                    (&mut variables, crate::Number::from_float(float))
                {
                    map.insert("float", Value::Number(float));
                }
                let directives: std::collections::BTreeMap<_, _> = directives
                    .into_values()
                    .map(|directive| (directive.id.clone(), directive))
                    .collect();
                let directives = directives.into_values().collect();
                Session {
                    turn,
                    step,
                    started: turn == 0 && step % 2 == 1,
                    variables,
                    untrusted,
                    directives,
                    entries,
                    rules,
                    fired,
                    context,
                }
            },
        )
}

#[test]
fn a_fingerprint_depends_on_the_content() {
    let one = book("rules: []\n").fingerprint();
    assert_eq!(one, book("rules: []\r\n").fingerprint());
    assert_ne!(one, book("rules:  []\n").fingerprint());
    assert_eq!(one.len(), 64);
}

#[test]
fn excess_writes_do_not_prevent_the_rules_from_running() {
    let rules = decode("rules: [{id: r, trigger: {type: every-turn}, actions: []}]\n");
    let writes: Vec<String> =
        (0..5000).map(|n| format!("{{variableId: v{n}, operation: set, value: 1}}")).collect();
    let step = rules.step(Session::new(), &input(&format!("{{writes: [{}]}}", writes.join(", "))));
    assert_eq!(step.trace.fired.len(), 1);
    assert_eq!(
        messages(&step.diagnostics),
        "refused-write: only the first 4096 writes of a turn are applied"
    );
}

#[test]
fn a_document_is_a_rule_or_a_list_or_a_mapping() {
    let rule = "{id: a, trigger: {type: manual}, actions: []}";
    let reaction = "{id: b, when: {eventType: x}, then: []}";
    for (text, count) in [
        (rule.to_owned(), 1),
        (reaction.to_owned(), 1),
        (format!("[{rule}, {reaction}]"), 2),
        (format!("rules: [{rule}]\nreactions: [{reaction}]\n"), 2),
    ] {
        assert_eq!(decode(&text).all().count(), count, "{text}");
    }
}

#[test]
fn one_bad_value_of_the_agent_costs_one_write() {
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    let rules = decode("rules: []");
    for bad in ["1e999".to_owned(), "99999999999999999999".to_owned(), deep] {
        let (found, problems) = parsed_input(&format!(
            "{{\"user\": \"half \\ud83d\", \"writes\": [\
               {{\"variableId\": \"a\", \"operation\": \"set\", \"value\": {bad}}},\
               {{\"variableId\": \"b\", \"operation\": \"set\", \"value\": \"\\ude00\"}}]}}"
        ));
        let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name).collect();
        assert_eq!(codes, ["lone-surrogate", "lone-surrogate"]);
        let step = rules.step(rules.start(), &found.expect("an input"));
        assert_eq!(step.session.variables.to_string(), "{\"x\": 1, \"b\": \"\u{fffd}\"}");
        let codes: Vec<&str> = step.diagnostics.iter().map(|problem| problem.code.name).collect();
        assert_eq!(codes, ["refused-write"]);
    }
}

#[test]
fn sessions_and_inputs_are_read_from_json_with_one_error_type() -> Result<(), crate::Error> {
    let json = serde_json::json!({"turn": 2, "variables": {"x": 1}});
    let session: Session = json.clone().try_into()?;
    assert_eq!(serde_json::from_value::<Session>(json).unwrap(), session);
    assert_eq!(Session::from_json(&session.to_json())?, session);
    // What `session show` prints contains the state.
    let shown = serde_json::json!({"session": "s", "version": 4, "state": {"turn": 2}});
    assert_eq!(Session::try_from(shown)?.turn, 2);
    assert!(Session::try_from(serde_json::json!({"turn": "two"})).is_err());
    serde_json::from_value::<Input>(serde_json::json!({"user": "hello"})).unwrap();
    assert!(serde_json::from_value::<Input>(serde_json::json!({"user": 3})).is_err());
    assert_eq!("a.b".parse::<crate::Path>()?.to_string(), "a.b");
    assert!("a..b".parse::<crate::Path>().is_err());
    Ok(())
}
