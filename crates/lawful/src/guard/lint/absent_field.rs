//! A field that the events of a guard never have.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::cond::{Condition, ConditionKind};
use crate::guard::guards::{Guard, Guards};
use crate::live::field::Field;
use crate::live::{Action, EventKind};
use crate::path::{Path, Segment};
use crate::react::{EVENT, Piece, Source, pieces};

lawful_syntax::declare_codes! {
    ABSENT_FIELD = "absent-field", Warning, "a guard reads a field that its events never have",
        "Which fields an event has depends on its kind and its action: `line`, `program`, `args`, `writes` and `reads` belong to shell lines, `path` to files, `url` to `fetch`, `server` and `name` to `mcp`. The `on` of this guard excludes all events that have the field, so the field is always absent.\n\nCorrect the field, or change `on`.";
}

pub(super) fn check(guards: &Guards) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (_, guard) in guards.all() {
        let mut read = Vec::new();
        tests(&guard.when, &mut read);
        for piece in pieces(&guard.reason) {
            if let Piece::Value(Source::Field(path)) = piece
                && let Some(Segment::Key(field)) = path.segments().first()
            {
                read.push((field.clone(), guard.reason_span));
            }
        }
        for (name, span) in read {
            let Some(field) = Field::find(&name).filter(|field| !has(guard, field)) else {
                continue;
            };
            let message =
                format!("`{}` never has a field `{}`", events(guard), escape::name(&name));
            let help = if field.of.contains(&guard.on.event) {
                let actions: Vec<String> =
                    field.actions.iter().map(|action| format!("`{}`", action.name())).collect();
                format!("only calls of the action {} have it", actions.join(", "))
            } else {
                let of: Vec<String> =
                    field.of.iter().map(|event| format!("`{}`", event.name())).collect();
                format!("only {} has it", of.join(", "))
            };
            problems.push(Diagnostic::new(&ABSENT_FIELD, span, message).help(help));
        }
    }
    problems
}

/// Whether some event of a guard has a field.
fn has(guard: &Guard, field: &Field) -> bool {
    let on = &guard.on;
    let any_action = field.actions.is_empty() || on.actions.is_empty();
    field.of.contains(&on.event)
        && (any_action || on.actions.iter().any(|action| field.actions.contains(action)))
}

fn events(guard: &Guard) -> String {
    if guard.on.event != EventKind::ToolCall || guard.on.actions.is_empty() {
        return guard.on.event.name().to_owned();
    }
    let actions: Vec<&str> = guard.on.actions.iter().map(|action| Action::name(*action)).collect();
    actions.join(", ")
}

/// The fields of the event that a condition tests, with their places.
fn tests(condition: &Condition, out: &mut Vec<(Box<str>, Span)>) {
    match &condition.kind {
        ConditionKind::All(parts) | ConditionKind::Any(parts) => {
            for part in parts {
                tests(part, out);
            }
        }
        ConditionKind::Not(part) => tests(part, out),
        ConditionKind::Ref(reference) => {
            let path = reference.args.as_ref().and_then(|args| args.get("path"));
            let Some(node) = path else { return };
            if let Some(Ok(path)) = node.as_text().map(Path::parse)
                && let [Segment::Key(root), Segment::Key(field), ..] = path.segments()
                && **root == *EVENT
            {
                out.push((field.clone(), node.span));
            }
        }
        ConditionKind::Always | ConditionKind::Broken => {}
    }
}

#[cfg(test)]
mod tests_of_lint {
    use super::super::check;

    #[test]
    fn a_field_of_another_action_is_reported() {
        check(
            "- {id: a, on: {action: [read, edit]}, when: {event.line: ls}, deny: No.}\n\
             - {id: b, on: {event: turn:stop}, when: {event.path: x}, deny: No.}\n\
             - {id: c, on: {action: shell}, deny: 'Not ${event.url}.'}\n",
            "guards/g.yaml:1:46 absent-field: `read, edit` never has a field `line`\n\
             guards/g.yaml:2:42 absent-field: `turn:stop` never has a field `path`\n\
             guards/g.yaml:3:38 absent-field: `shell` never has a field `url`",
        );
    }

    #[test]
    fn a_field_of_some_event_is_left_alone() {
        check(
            "- {id: a, on: {action: [read, shell]}, when: {event.line: ls}, deny: No.}\n\
             - {id: b, when: {event.path: x}, deny: 'No ${event.tool}.'}\n",
            "",
        );
    }
}
