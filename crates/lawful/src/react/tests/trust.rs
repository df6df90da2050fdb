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

proptest! {
    #[test]
    fn nothing_untrusted_reaches_the_system_layer(
        rules in any_rules(),
        entry in any_text(),
        fragment in any_text(),
        inputs in prop::collection::vec(any_input(), 1..6),
    ) {
        let source = MemorySource::new()
            .with("lawful.yaml", MANIFEST)
            .with("rules/r.yaml", rules.as_str())
            .with("entries/e.md", format!("---\nid: e\n---\nEntry. {entry}\n"))
            .with("fragments/f.md", format!("---\nid: f\n---\nFragment. {fragment}\n"))
            .with("compositions/c.yaml", "{name: c, base: [f]}");
        let book = Lawbook::load(&source).unwrap();
        let mut session: Session = book.start();
        for input in &inputs {
            session = book.step(session, input).session;
            // What is kept is what is rendered later.
            session = Session::from_json(&session.to_json()).unwrap();
            let prompt = book.compose("c").session(&session).run();
            let Ok(prompt) = prompt else { return Ok(()) };
            prop_assert!(!prompt.text.contains(MARK), "{}\n{}", rules, prompt.text);
            for insertion in book.insertions(&session).unwrap().iter() {
                let system = match insertion.kind {
                    crate::insertion::InsertionKind::Context => insertion.role == Some(Role::System),
                    crate::insertion::InsertionKind::Directive
                    | crate::insertion::InsertionKind::Entry => insertion.position.depth().is_none(),
                };
                prop_assert!(!(system && insertion.text.contains(MARK)), "{}\n{}", rules, insertion.text);
                prop_assert!(!insertion.text.contains('\n'));
            }
        }
    }
}
