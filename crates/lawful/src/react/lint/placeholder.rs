//! Placeholders in directives, entries, messages and notifications.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::code::UNTRUSTED_IN_SYSTEM;
use crate::react::action::ActionKind;
use crate::react::prompt::HELP;
use crate::react::rules::{Rule, Rules};
use crate::react::source::Source;
use crate::react::template::{Piece, pieces};
use crate::value::Value;

lawful_syntax::declare_codes! {
    LITERAL_PLACEHOLDER = "literal-placeholder", Warning, "a text has a placeholder that is not substituted",
        "Directives, entries, context messages and notifications substitute `${state.VARIABLE}`, `${event.FIELD}` and `${session.turn}`. Anything else, such as `{{name}}` or `${name}`, stays as it is written. The value of `modify-variable` and the event of `emit` are never substituted.\n\nWrite the placeholder in this form. To show `${` literally, write `\\${`.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, rule) in rules.all() {
        for action in &rule.actions {
            for value in literal_values(&action.kind) {
                never_filled(value, action.span, &mut found);
            }
            let Some(text) = action.kind.text() else { continue };
            literal(&text.content, action.span, &mut found);
            if text.system {
                let what = format!("the {} of `{}`", text.what, escape::name(&rule.id));
                untrusted(rules, Some(rule), &text.content, &what, action.span, &mut found);
            }
        }
    }
    for entry in rules.entries() {
        literal(&entry.text, entry.text_span, &mut found);
        if entry.position.depth().is_none() {
            let what = format!("the entry `{}`", escape::name(&entry.id));
            untrusted(rules, None, &entry.text, &what, entry.text_span, &mut found);
        }
    }
    found
}

/// Reports the placeholders of a text in the system layer that could show text of others.
fn untrusted(
    rules: &Rules,
    rule: Option<&Rule>,
    text: &str,
    what: &str,
    span: Span,
    found: &mut Vec<Diagnostic>,
) {
    let shows = |source: &Source| match (source, rule) {
        (Source::Variable(path), _) => rules.trust.variable(path),
        (Source::Turn, _) => true,
        (Source::Field(_), Some(rule)) => rules.trust.shows(source, rule),
        // An entry belongs to no event.
        (Source::Field(_), None) => false,
    };
    for piece in pieces(text) {
        if let Piece::Value(source) = piece
            && !shows(&source)
        {
            let message = format!(
                "{what} is in the system layer, and `${{{source}}}` may hold text that no author wrote"
            );
            found.push(Diagnostic::new(&UNTRUSTED_IN_SYSTEM, span, message).help(HELP));
        }
    }
}

/// The values of an action that are written and sent as they are.
fn literal_values(kind: &ActionKind) -> Vec<&Value> {
    match kind {
        ActionKind::Write(_, operation) if operation.from.is_none() => vec![&operation.value],
        ActionKind::Emit(event) => vec![event],
        ActionKind::Write(..)
        | ActionKind::Inject(_)
        | ActionKind::Remove(_)
        | ActionKind::Entry(..)
        | ActionKind::Rule(..)
        | ActionKind::Context(..)
        | ActionKind::Trigger(_)
        | ActionKind::Effect(..)
        | ActionKind::SetFrom(..) => Vec::new(),
    }
}

/// Reports placeholders in a value, where none is substituted.
fn never_filled(value: &Value, span: Span, found: &mut Vec<Diagnostic>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::Text(text) => {
            for piece in pieces(text) {
                let written = match piece {
                    Piece::Value(source) => format!("${{{source}}}"),
                    Piece::Other(written) => written.to_owned(),
                    Piece::Text(_) => continue,
                };
                let message = format!(
                    "`{}` is not substituted in a value or an event",
                    escape::name(&written)
                );
                let help = "write `valueFrom: state.VARIABLE` or `valueFrom: event.FIELD` in place \
                            of the value";
                found.push(Diagnostic::new(&LITERAL_PLACEHOLDER, span, message).help(help));
            }
        }
        Value::List(items) => items.iter().for_each(|item| never_filled(item, span, found)),
        Value::Map(map) => map.iter().for_each(|(_, item)| never_filled(item, span, found)),
    }
}

/// Reports what looks like a placeholder and is not.
fn literal(text: &str, span: Span, found: &mut Vec<Diagnostic>) {
    let report = |written: &str, name: &str| {
        let message = format!("`{}` is not substituted", escape::name(written));
        let bare = name.trim().trim_start_matches("state.");
        let help = if bare.is_empty() || bare.contains(char::is_whitespace) {
            "write `${state.VARIABLE}` or `${event.FIELD}`".to_owned()
        } else {
            format!("write `${{state.{}}}`, or `${{event.…}}`", escape::name(bare))
        };
        Diagnostic::new(&LITERAL_PLACEHOLDER, span, message).help(help)
    };
    let mut rest = text;
    while let Some((_, inside)) = rest.split_once("{{") {
        let Some((name, after)) = inside.split_once("}}") else { break };
        if !name.contains('\n') {
            found.push(report(&format!("{{{{{name}}}}}"), name));
        }
        rest = after;
    }
    for piece in pieces(text) {
        if let Piece::Other(written) = piece {
            let name = written.trim_start_matches("${").trim_end_matches('}');
            found.push(report(written, name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check;

    const MANIFEST: &str = "variables:\n\
        \x20 hp: {type: number, initial: 3}\n\
        \x20 mood: {type: string, initial: calm, values: [calm, angry]}\n\
        \x20 title: {type: string, initial: none, protected: true}\n\
        \x20 motto: {type: string, initial: none, protected: true}\n\
        \x20 rumour: {type: string, initial: none, protected: true}\n\
        \x20 note: {type: string, initial: none}\n";

    fn directive(content: &str, position: &str, expected: &str) {
        let rules = format!(
            "rules:\n\
             \x20 - id: r\n    trigger: {{type: event, eventType: shop:bought, variableId: hp}}\n    actions:\n\
             \x20     - {{type: inject-directive, directiveId: d, content: '{content}', position: {position}, persistent: true}}\n\
             \x20     - {{type: modify-variable, variableId: title, operation: set, value: Knight}}\n\
             \x20     - {{type: modify-variable, variableId: motto, operation: set, valueFrom: state.title}}\n\
             \x20     - {{type: modify-variable, variableId: rumour, operation: append, valueFrom: event.text}}\n"
        );
        let place = "rules/r.yaml:5:9";
        let said: Vec<String> = expected.lines().map(|line| format!("{place} {line}")).collect();
        check(MANIFEST, &rules, &said.join("\n"));
    }

    #[test]
    fn only_trusted_values_enter_the_system_layer() {
        for name in ["hp", "mood", "title", "motto"] {
            directive(&format!("${{state.{name}}}"), "top", "");
        }
        directive("${session.turn} ${event.variableId}", "bottom", "");
        for name in ["state.rumour", "state.note", "event.text"] {
            directive(
                &format!("${{{name}}}"),
                "after_char",
                &format!(
                    "untrusted-in-system: the directive of `r` is in the system layer, and `${{{name}}}` may hold text that no author wrote"
                ),
            );
            directive(&format!("${{{name}}}"), "depth", "");
        }
    }

    #[test]
    fn other_forms_of_placeholders_are_reported() {
        directive("a {{hp}} b", "top", "literal-placeholder: `{{hp}}` is not substituted");
        directive("a ${hp} b", "top", "literal-placeholder: `${hp}` is not substituted");
        directive("a \\${hp} b {one} {{", "top", "");
    }

    #[test]
    fn a_placeholder_in_a_value_or_an_event_is_reported() {
        let rules = "rules:\n\
             \x20 - id: r\n    trigger: {type: every-turn}\n    actions:\n\
             \x20     - {type: modify-variable, variableId: note, operation: set, value: 'at ${state.hp}'}\n\
             \x20     - {type: modify-variable, variableId: note, operation: set, value: 'costs \\${5}'}\n\
             reactions:\n\
             \x20 - {id: s, when: {eventType: turn:complete}, then: [{type: emit, event: {type: 'shop:sold', by: ['${user}']}}]}\n";
        let said = "rules/r.yaml:5:9 literal-placeholder: `${state.hp}` is not substituted in a value or an event\n\
             rules/r.yaml:8:54 literal-placeholder: `${user}` is not substituted in a value or an event";
        check(MANIFEST, rules, said);
    }
}
