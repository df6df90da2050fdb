//! A guard that names a tool of some harnesses only.

use lawful::Value;
use lawful::book::Book;
use lawful::guard::{Guard, Guards};
use lawful::live::Action;
use lawful::syntax::{Diagnostic, escape};
use lawful_deliver::{HOOKS, harnesses_with_tool, tool_in_other_case};

use crate::codes::HARNESS_TOOL;

/// The warnings on the tools that guards name in `on`.
pub(super) fn check(book: &Book) -> Vec<Diagnostic> {
    let (guards, _) = Guards::decode(book);
    guards.all().filter_map(|(_, guard)| of_guard(guard)).collect()
}

fn of_guard(guard: &Guard) -> Option<Diagnostic> {
    let tools = guard.on.fields.iter().filter(|(field, _)| &**field == "tool");
    let tools: Vec<&str> =
        tools.flat_map(|(_, values)| values).filter_map(Value::as_text).collect();
    let span = guard.on.span?;
    let unknown = tools.iter().find(|tool| harnesses_with_tool(tool).is_empty());
    if let Some(tool) = unknown {
        // Servers and plugins have tools that no table knows.
        let meant = tool_in_other_case(tool)?;
        let message = format!("no harness has a tool `{}`", escape::name(tool));
        return Some(
            Diagnostic::new(&HARNESS_TOOL, span, message).help(format!("did you mean `{meant}`?")),
        );
    }
    let found: Vec<_> = tools.iter().flat_map(|tool| harnesses_with_tool(tool)).collect();
    let action = found.first().map(|(_, action)| *action)?;
    let is_one = found.iter().all(|(_, other)| *other == action) && action != Action::Other;
    if !is_one || !guard.on.actions.is_empty() {
        return None;
    }
    let has = |id: &str| found.iter().any(|(hook, _)| hook.id == id);
    let missing: Vec<&str> =
        HOOKS.iter().filter(|hook| !has(hook.id)).map(|hook| hook.name).collect();
    if missing.is_empty() {
        return None;
    }
    let names: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
    let verb = if missing.len() == 1 { "has" } else { "have" };
    let message = format!("{} {verb} no tool {}", list(&missing), names.join(" or "));
    let help = format!("write `on: {{action: {}}}` for every harness", action.name());
    Some(Diagnostic::new(&HARNESS_TOOL, span, message).help(help))
}

fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
