//! Placeholders in directives, entries, messages and notifications.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::code::UNTRUSTED_IN_SYSTEM;
use crate::react::prompt::HELP;
use crate::react::rules::{Rule, Rules};
use crate::react::source::Source;
use crate::react::template::{Piece, pieces};

lawful_syntax::declare_codes! {
    LITERAL_PLACEHOLDER = "literal-placeholder", Warning, "a text has a placeholder that is not substituted",
        "Directives, entries, context messages and notifications substitute `${state.VARIABLE}`, `${event.FIELD}` and `${session.turn}`. Anything else, such as `{{name}}` or `${name}`, stays as it is written.\n\nWrite the placeholder in this form. To show `${` literally, write `\\${`.";
}

pub(super) fn check(rules: &Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, rule) in rules.all() {
        for action in &rule.actions {
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
}
