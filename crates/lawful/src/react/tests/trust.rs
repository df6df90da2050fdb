//! Nothing untrusted reaches the system layer, whatever rules do.
//!
//! Everything that a user, a tool or the agent sends contains a mark, and nothing that the author
//! wrote does. So the mark must never be in the system layer.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{Input, Session, input, pick};
use crate::Lawbook;
use crate::book::MemorySource;
use crate::insertion::Role;

const MARK: &str = "EVIL";

const VARIABLES: [&str; 9] =
    ["number", "flag", "closed", "guarded", "copied", "open", "list", "object", "unknown"];

const MANIFEST: &str = "name: test
variables:
  number: {type: number, initial: 1}
  flag: {type: boolean, initial: true}
  closed: {type: string, initial: calm, values: [calm, angry]}
  guarded: {type: string, initial: one, protected: true}
  copied: {type: string, initial: two, protected: true}
  open: {type: string, initial: three}
  list: {type: array, initial: [], protected: true}
  object: {type: object, initial: {}, protected: true}
";

/// The same variables, with other declarations.
const EDITED: &str = "name: test
variables:
  number: {type: string, initial: zero, protected: true}
  flag: {type: boolean, initial: true}
  closed: {type: string, initial: calm, protected: true}
  guarded: {type: string, initial: one, protected: true}
  copied: {type: string, initial: two, values: [two, angry]}
  open: {type: string, initial: three, protected: true}
  object: {type: string, initial: four, protected: true}
  unknown: {type: string, initial: five, protected: true}
";

fn any_variable() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&VARIABLES[..])
}

fn any_source() -> impl Strategy<Value = String> {
    let field = pick(&[
        "event.content",
        "event.item",
        "event.variableId",
        "event.newValue",
        "event.type",
        "event.deep.text",
    ]);
    prop_oneof![
        3 => any_variable().prop_map(|name| format!("state.{name}")),
        2 => field.prop_map(str::to_owned),
        1 => Just("session.turn".to_owned()),
        1 => Just("state.object.key".to_owned()),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => any_source().prop_map(|source| format!("${{{source}}}")),
        1 => pick(&["Say hello.", "$", "{", "}", "${", "state.open", "\\"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

fn any_action() -> impl Strategy<Value = String> {
    let position = pick(&["top", "before_char", "after_char", "bottom", "depth"]);
    let role = pick(&["system", "user"]);
    let operation = pick(&["set", "append", "push", "merge"]);
    prop_oneof![
        3 => (any_variable(), operation, any_source()).prop_map(|(to, operation, from)| format!(
            "{{type: modify-variable, variableId: {to}, operation: {operation}, valueFrom: {from}}}"
        )),
        1 => (any_variable(), pick(&["four", "angry", "'${state.open}'"])).prop_map(|(to, value)| format!(
            "{{type: modify-variable, variableId: {to}, operation: set, value: {value}}}"
        )),
        3 => (any_text(), position).prop_map(|(text, position)| format!(
            "{{type: inject-directive, directiveId: d, content: '{text}', position: {position}, persistent: true}}"
        )),
        2 => (any_text(), role).prop_map(|(text, role)| format!(
            "{{type: send-context, message: '{text}', role: {role}}}"
        )),
    ]
}

fn any_then() -> impl Strategy<Value = String> {
    let path =
        pick(&["@prompt.directive.e", "@prompt.context", "@ai.context", "guarded", "copied"]);
    (path, any_source())
        .prop_map(|(path, from)| format!("{{type: set, path: '{path}', valueFrom: {from}}}"))
}

fn any_rules() -> impl Strategy<Value = String> {
    let trigger = pick(&[
        "{type: every-turn}",
        "{type: keyword, keywords: [go]}",
        "{type: state-change}",
        "{type: state-change, variableId: open}",
        "{type: action, actionId: go}",
        "{type: event, eventType: 'tool:*'}",
        "{type: event, eventType: 'state:*'}",
    ]);
    let when = pick(&[
        "{eventType: message:ai}",
        "{eventType: 'state:*'}",
        "{eventType: 'tool:*'}",
        "{eventType: action:executed}",
    ]);
    let rule = (trigger, prop::collection::vec(any_action(), 1..4));
    let reaction = (when, prop::collection::vec(any_then(), 1..3));
    (prop::collection::vec(rule, 1..5), prop::collection::vec(reaction, 0..3)).prop_map(
        |(rules, reactions)| {
            let mut out = "rules:\n".to_owned();
            for (at, (trigger, actions)) in rules.iter().enumerate() {
                let actions = actions.join(", ");
                let rule = format!("id: r{at}, trigger: {trigger}, actions: [{actions}]");
                let _ = writeln!(out, "  - {{{rule}}}");
            }
            out += "reactions:\n";
            for (at, (when, then)) in reactions.iter().enumerate() {
                let reaction = format!("id: a{at}, when: {when}, then: [{}]", then.join(", "));
                let _ = writeln!(out, "  - {{{reaction}}}");
            }
            out
        },
    )
}

/// Inputs of others. The host writes nothing here, for its writes are trusted.
fn any_input() -> impl Strategy<Value = Input> {
    let write =
        (prop_oneof![4 => any_variable(), 1 => Just("EVIL")], 0..4_u8).prop_map(|(name, form)| {
            let value = match form {
                0 => "'EVIL ${state.open}'",
                1 => "[EVIL]",
                2 => "{key: EVIL}",
                _ => "angry",
            };
            format!("{{variableId: {name}, operation: set, value: {value}}}")
        });
    prop_oneof![
        3 => prop::collection::vec(write, 0..3).prop_map(|writes| format!(
            "{{user: 'go EVIL ${{state.open}}', ai: 'EVIL', writes: [{}]}}", writes.join(", ")
        )),
        1 => Just("{action: go, item: EVIL, deep: {text: EVIL}, variableId: EVIL}".to_owned()),
        1 => Just(
            "{event: {type: 'tool:EVIL', item: EVIL, variableId: EVIL, newValue: EVIL, content: EVIL, deep: {text: EVIL}}}"
                .to_owned()
        ),
    ]
    .prop_map(|text| input(&text))
}

fn book(manifest: &str, rules: &str, entry: &str, fragment: &str) -> Lawbook {
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("rules/r.yaml", rules)
        .with("entries/e.md", format!("---\nid: e\n---\nEntry. {entry}\n"))
        .with("fragments/f.md", format!("---\nid: f\n---\nFragment. {fragment}\n"))
        .with("compositions/c.yaml", "{name: c, base: [f]}");
    Lawbook::load(&source).unwrap()
}

/// The text of the system layer, in pieces.
fn system_layer(book: &Lawbook, session: &Session) -> Vec<String> {
    let mut out = Vec::new();
    if let Ok(prompt) = book.compose("c").session(session).run() {
        out.push(prompt.text.clone());
    }
    for insertion in book.insertions(session).unwrap().iter() {
        assert!(!insertion.text.contains('\n'));
        let system = match insertion.kind {
            crate::insertion::InsertionKind::Context => insertion.role == Some(Role::System),
            crate::insertion::InsertionKind::Directive | crate::insertion::InsertionKind::Entry => {
                insertion.position.depth().is_none()
            }
        };
        if system {
            out.push(insertion.text.to_string());
        }
    }
    out
}

proptest! {
    /// The lawbook may change between two steps, and before a prompt.
    #[test]
    fn nothing_untrusted_reaches_the_system_layer(
        rules in any_rules(),
        edited in any_rules(),
        entry in any_text(),
        fragment in any_text(),
        inputs in prop::collection::vec((any_input(), 0..6_usize), 1..6),
    ) {
        let books = vec![
            book(MANIFEST, &rules, &entry, &fragment),
            book(MANIFEST, &edited, &entry, &fragment),
            book(MANIFEST, "rules: []\n", &entry, &fragment),
            book(EDITED, &rules, &entry, &fragment),
            book(EDITED, "rules: []\n", &entry, &fragment),
            book(EDITED, "rules: [\n", &entry, &fragment),
        ];
        let mut session: Session = books[0].start();
        for (input, at) in &inputs {
            session = books[*at].step(session, input).session;
            // What is kept is what is rendered later.
            session = Session::from_json(&session.to_json()).unwrap();
            for book in &books {
                for text in system_layer(book, &session) {
                    prop_assert!(!text.contains(MARK), "{}\n{}\n{}", rules, edited, text);
                }
            }
        }
    }
}

const SMALL: &str = "name: test
variables:
  open: {type: string, initial: three}
  copied: {type: string, initial: two, protected: true}
";

const COPIES: &str = "rules:
  - id: copy
    trigger: {type: every-turn}
    actions: [{type: modify-variable, variableId: copied, operation: set, valueFrom: state.open}]
";

fn rendered(manifest: &str, rules: &str, session: &Session) -> String {
    let book = book(manifest, rules, "", "${state.copied} ${state.open}");
    book.insertions(session).map_or_else(
        |error| error.to_string(),
        |insertions| {
            let trusted = insertions.trusted.unwrap();
            trusted.iter().map(|name| &**name).collect::<Vec<&str>>().join(" ")
        },
    )
}

#[test]
fn stored_text_stays_untrusted_when_the_lawbook_changes() {
    let first = book(SMALL, COPIES, "", "");
    let turn = input("{writes: [{variableId: open, operation: set, value: EVIL}]}");
    let session = first.step(first.start(), &turn).session;
    let names: Vec<&str> = session.untrusted.iter().map(|name| &**name).collect();
    assert_eq!(names, ["copied", "open"]);
    let guarded = SMALL.replace("initial: three", "initial: three, protected: true");
    for manifest in [SMALL, &*guarded] {
        for rules in [COPIES, "rules: []\n", "rules: [\n", &*COPIES.replace("every-turn", "never")]
        {
            assert_eq!(rendered(manifest, rules, &session), "", "{manifest}{rules}");
        }
    }
    // The declared values are the author's, whoever chose one.
    let closed =
        SMALL.replace("initial: two, protected: true", "initial: two, values: [two, EVIL]");
    assert_eq!(rendered(&closed, "rules: []\n", &session), "copied");
}

#[test]
fn a_state_without_origins_depends_on_the_rules_that_are_written() {
    let session = Session::from_json(r#"{"variables": {"copied": "EVIL"}}"#).unwrap();
    assert_eq!(rendered(SMALL, "rules: []\n", &session), "copied");
    for (name, rules) in [
        ("an unknown trigger", COPIES.replace("every-turn", "never")),
        ("an unknown operation", COPIES.replace("operation: set", "operation: sat")),
        ("the key in another case", COPIES.replace("valueFrom", "valuefrom")),
        ("no target", COPIES.replace("variableId: copied, ", "")),
        (
            "the id of another rule",
            format!(
                "rules:\n  - {{id: copy, trigger: {{type: every-turn}}, actions: []}}\n{}",
                COPIES.trim_start_matches("rules:\n")
            ),
        ),
        ("a syntax error", format!("{COPIES}  - [\n")),
        ("no list", "rules: {id: copy}\n".to_owned()),
        ("another key", COPIES.replace("rules:", "rulez:")),
    ] {
        assert_eq!(rendered(SMALL, &rules, &session), "", "{name}");
    }
    // A literal is the author's, even in a rule with errors.
    let literal =
        COPIES.replace("valueFrom: state.open", "value: four").replace("every-turn", "never");
    assert_eq!(rendered(SMALL, &literal, &session), "copied");
}

#[test]
fn only_a_whole_trusted_value_makes_a_variable_trusted_again() {
    let rules = "rules:
  - {id: a, trigger: {type: action, actionId: append}, actions: [{type: modify-variable, variableId: copied, operation: append, value: '!'}]}
  - {id: s, trigger: {type: action, actionId: set}, actions: [{type: modify-variable, variableId: copied, operation: set, value: four}]}
  - {id: d, trigger: {type: action, actionId: delete}, actions: [{type: modify-variable, variableId: copied, operation: delete}]}
  - {id: f, trigger: {type: action, actionId: from}, actions: [{type: modify-variable, variableId: copied, operation: append, valueFrom: event.text}]}
  - {id: n, trigger: {type: action, actionId: nest}, actions: [{type: modify-variable, variableId: bag.key, operation: set, valueFrom: event.text}]}
  - {id: m, trigger: {type: action, actionId: clean}, actions: [{type: modify-variable, variableId: bag.key, operation: set, value: one}]}
";
    let book = book(SMALL, rules, "", "");
    let mut session = book.start();
    for (step, expected) in [
        ("{action: append}", ""),
        ("{action: from, text: 7}", ""),
        ("{action: from, text: EVIL}", "copied"),
        ("{action: append}", "copied"),
        ("{action: set}", ""),
        ("{action: from, text: EVIL}", "copied"),
        ("{action: delete}", ""),
        ("{action: from, text: EVIL}", "copied"),
        ("{set: [{path: copied, value: five}]}", ""),
        ("{action: nest, text: EVIL}", "bag"),
        ("{action: clean}", "bag"),
        ("{writes: [{variableId: bag, operation: set, value: 3}]}", ""),
        ("{writes: [{variableId: open, operation: set, value: EVIL}]}", "open"),
        ("{writes: [{variableId: copied, operation: set, value: EVIL}]}", "open"),
        ("{writes: [{variableId: open, operation: delete}]}", ""),
    ] {
        session = book.step(session, &input(step)).session;
        let names: Vec<&str> = session.untrusted.iter().map(|name| &**name).collect();
        assert_eq!(names.join(" "), expected, "{step}");
    }
}
