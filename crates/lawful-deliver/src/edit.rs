//! The entries in a harness's settings: adding and removing them, and keeping everything else.
//!
//! The settings contain `{"hooks": {EVENT: [ENTRY]}}`, where an entry is a hook or a group of hooks.
//! Those of Lawful are recognized by their command, so other hooks can be next to them.

use jsonc_parser::cst::{CstArray, CstNode, CstObject, CstRootNode};

use crate::hook::{Entry, Form};
use crate::json::Json;
use crate::jsonc::OPTIONS;
use crate::keys::json;
use crate::ledger::settings::Change;
use crate::splice::Splice;
use crate::text::{line_end, mark};
use crate::{Event, Hook, HookCommand};

/// Why settings are left unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not JSON with comments.
    #[error("it is not JSON: {0}")]
    NotJson(String),
    /// The text is not TOML.
    #[error("it is not TOML: {0}")]
    NotToml(String),
    /// A text that the file format cannot represent.
    #[error("cannot write the value of `{0}`")]
    NotKept(String),
    /// A value has the wrong type.
    #[error("`{0}` is not {1}")]
    WrongType(String, &'static str),
    /// The document is no mapping.
    #[error("the document is not a mapping")]
    NotAMapping,
    /// A duplicate key.
    #[error("it has the key `{0}` twice")]
    Twice(String),
}

/// The settings with the hooks added; `None` if they are already there. `text` is empty for a file
/// that does not exist.
pub fn install(
    text: &str,
    harness: &Hook,
    events: &[Event],
    command: &HookCommand,
) -> Result<Option<String>, EditError> {
    let entries = harness.entries(events, command);
    Ok(put_in(text, harness, &entries)?.map(|written| written.text))
}

/// Settings with the hooks added.
#[derive(Debug)]
pub(crate) struct Written {
    /// The text.
    pub(crate) text: String,
    /// What changed in it.
    pub(crate) change: Change,
}

/// What a file with a version has before its hooks.
const VERSIONED: &str = "{\n  \"version\": 1\n}\n";

/// Like [`install`], and returns what changed.
pub(crate) fn put_in(
    text: &str,
    harness: &Hook,
    entries: &[Entry],
) -> Result<Option<Written>, EditError> {
    let body = mark(text).1;
    if body.trim().is_empty() {
        let start = match harness.form {
            Form::Copilot | Form::Cursor => format!("{}{VERSIONED}", mark(text).0),
            Form::Groups { .. } | Form::Plugin => text.to_owned(),
        };
        let (written, separators) = json::put(&start, "hooks", &value(&start, harness, entries))?;
        let separators = separators.filter(|_| start == text);
        return Ok(Some(Written { change: Change::of(text, &written, separators), text: written }));
    }
    let root = parse(body)?;
    let top = top(&root)?;
    if member(&top, "hooks")?.is_none() {
        let (written, separators) = json::put(text, "hooks", &value(text, harness, entries))?;
        return Ok(Some(Written { change: Change::of(text, &written, separators), text: written }));
    }
    if is_installed(&top, harness, entries)? {
        return Ok(None);
    }
    // One step for each event, so that each can be undone where it is.
    let mut steps = Vec::new();
    let mut now = text.to_owned();
    // Outdated entries, and duplicates.
    if take_out(&top, harness)? {
        step(&mut now, &mut steps, format!("{}{root}", mark(text).0));
    }
    for entry in entries {
        let next = append(&now, harness, entry)?;
        step(&mut now, &mut steps, next);
    }
    Ok(Some(Written { change: Change::Splices(steps), text: now }))
}

fn step(now: &mut String, steps: &mut Vec<Splice>, next: String) {
    if *now != next {
        steps.push(Splice::between(now, &next));
        *now = next;
    }
}

/// Whether settings have exactly these entries.
fn is_installed(top: &CstObject, harness: &Hook, entries: &[Entry]) -> Result<bool, EditError> {
    let found = ours(top, harness)?;
    let is_there = |entry: &Entry| {
        let mut same = found.iter().filter(|found| found.list == entry.name);
        same.any(|found| is_unconditional(found) && entry.hook.is_in(&found.hook.clone().into()))
    };
    Ok(found.len() == entries.len() && entries.iter().all(is_there))
}

/// Whether the harness runs a hook for every event: with a matcher it would not.
fn is_unconditional(found: &Ours) -> bool {
    let has_matcher =
        |node: &CstNode| node.as_object().is_some_and(|object| object.get("matcher").is_some());
    !found.group.as_ref().is_some_and(has_matcher) && found.hook.get("matcher").is_none()
}

/// The settings with one more entry.
fn append(text: &str, harness: &Hook, entry: &Entry) -> Result<String, EditError> {
    let (mark, body) = mark(text);
    let root = parse(body)?;
    let top = top(&root)?;
    let hooks = match member(&top, "hooks")? {
        Some(node) => node.as_object().ok_or_else(|| wrong("hooks", "a mapping"))?,
        None => top.object_value_or_set("hooks"),
    };
    let list = match member(&hooks, entry.name)? {
        Some(node) => node.as_array().ok_or_else(|| wrong(entry.name, "a list"))?,
        None => hooks.array_value_or_set(entry.name),
    };
    list.ensure_multiline();
    list.append(in_group(harness, entry).to_input());
    Ok(format!("{mark}{root}"))
}

/// An entry as it is in the list of its event.
fn in_group(harness: &Hook, entry: &Entry) -> Json {
    match harness.form {
        Form::Groups { .. } => Json::Map(vec![("hooks", Json::List(vec![entry.hook.clone()]))]),
        Form::Copilot | Form::Cursor | Form::Plugin => entry.hook.clone(),
    }
}

/// The whole value of `hooks`, in the layout of the file.
fn value(text: &str, harness: &Hook, entries: &[Entry]) -> String {
    let events =
        entries.iter().map(|entry| (entry.name, Json::List(vec![in_group(harness, entry)])));
    let layout = json::indent(text).map(|indent| {
        let unit = if indent.starts_with('\t') { "\t" } else { "  " };
        (indent, unit, line_end(text))
    });
    let mut out = String::new();
    print(&Json::Map(events.collect()), &layout, 0, &mut out);
    out
}

/// The indentation of the first line, that of each level, and the end of lines.
type Layout<'t> = Option<(String, &'t str, &'t str)>;

fn print(value: &Json, layout: &Layout<'_>, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        if let Some((indent, unit, end)) = layout {
            out.push_str(end);
            out.push_str(indent);
            out.push_str(&unit.repeat(depth));
        }
    };
    let comma = |out: &mut String, at: usize| {
        if at > 0 {
            out.push_str(if layout.is_some() { "," } else { ", " });
        }
    };
    match value {
        Json::Bool(value) => out.push_str(&value.to_string()),
        Json::Number(value) => out.push_str(&value.to_string()),
        Json::Text(text) => out.push_str(&serde_json::Value::from(text.as_str()).to_string()),
        Json::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                comma(out, at);
                line(out, depth + 1);
                print(item, layout, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        Json::Map(entries) => {
            out.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                comma(out, at);
                line(out, depth + 1);
                out.push('"');
                out.push_str(key);
                out.push_str("\": ");
                print(value, layout, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
    }
}

/// The settings without the hooks; `None` if there are none.
pub fn uninstall(text: &str, harness: &Hook) -> Result<Option<String>, EditError> {
    let (mark, body) = mark(text);
    if body.trim().is_empty() {
        return Ok(None);
    }
    let root = parse(body)?;
    let top = top(&root)?;
    if !take_out(&top, harness)? {
        return Ok(None);
    }
    let before = (root.to_string(), remarks(&root.children()));
    take_out_empty(&top, harness);
    // Leave an empty list if removing it would remove a comment.
    let kept = if remarks(&root.children()) == before.1 { root.to_string() } else { before.0 };
    Ok(Some(format!("{mark}{kept}")))
}

/// Whether nothing is left but what Lawful wrote around its hooks.
pub(crate) fn is_bare_file(text: &str, harness: &Hook) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let is_versioned = matches!(harness.form, Form::Copilot | Form::Cursor);
    json::is_bare(text) || (is_versioned && plain(mark(text).1) == plain(VERSIONED))
}

/// An entry of a hook in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundHook {
    /// The event that it answers.
    pub(crate) event: Event,
    /// The command that the harness runs.
    pub(crate) command: String,
    /// The command and its arguments as JSON.
    pub(crate) literal: String,
    /// Whether it is in the list of its event, and as Lawful writes it, with any options.
    pub(crate) is_whole: bool,
    /// Whether an earlier version of Lawful wrote it.
    pub(crate) is_outdated: bool,
}

/// Every entry of the hooks in settings.
pub(crate) fn found(text: &str, harness: &Hook) -> Result<Vec<FoundHook>, EditError> {
    let (_, body) = mark(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = parse(body)?;
    let read = |found: Ours| {
        let Ours { event, command, .. } = &found;
        let expected = harness.entries(&[*event], &HookCommand::default());
        // The command can have options; everything else must be as written.
        let is_whole = expected.iter().any(|entry| {
            entry.name == found.list
                && is_unconditional(&found)
                && is_alike(&entry.hook, &found.hook)
                && harness.is_current(*event, command)
        });
        let is_outdated = *event == Event::Stop
            && command.starts_with(&format!("lawful hook --harness {} stop", harness.id))
            && !harness.is_current(*event, command);
        let arguments = found.hook.get("args").and_then(|property| property.value());
        let literal = match arguments.and_then(|arguments| arguments.as_array()) {
            Some(list) => list.to_string(),
            None => serde_json::Value::from(command.as_str()).to_string(),
        };
        FoundHook { event: *event, command: command.clone(), literal, is_whole, is_outdated }
    };
    Ok(ours(&top(&root)?, harness)?.into_iter().map(read).collect())
}

/// Whether a hook has the keys of another one, and their values but for the command.
fn is_alike(expected: &Json, hook: &CstObject) -> bool {
    let Json::Map(entries) = expected else { return false };
    hook.properties().len() == entries.len()
        && entries.iter().all(|(key, value)| {
            let found = hook.get(key).and_then(|property| property.value());
            let is_command = matches!(*key, "command" | "bash" | "args");
            found.is_some_and(|found| is_command || value.is_in(&found))
        })
}

/// Removes every hook of Lawful, and its group if nothing else is in it. Returns whether there was
/// one.
fn take_out(top: &CstObject, harness: &Hook) -> Result<bool, EditError> {
    let found = ours(top, harness)?;
    for Ours { group, hook, .. } in &found {
        hook.clone().remove();
        let Some(group) = group else { continue };
        let hooks = group.as_object().and_then(|group| group.array_value("hooks"));
        if hooks.is_some_and(|hooks| is_bare(&hooks.children())) {
            group.clone().remove();
        }
    }
    Ok(!found.is_empty())
}

/// Removes the lists of events that are empty, and then the mapping of events if it is empty.
fn take_out_empty(top: &CstObject, harness: &Hook) {
    let Some(hooks) = top.object_value("hooks") else { return };
    for row in harness.events {
        if hooks.array_value(row.name).is_some_and(|list| is_bare(&list.children()))
            && let Some(event) = hooks.get(row.name)
        {
            event.remove();
        }
    }
    if is_bare(&hooks.children())
        && let Some(hooks) = top.get("hooks")
    {
        hooks.remove();
    }
}

/// The number of comments.
fn remarks(nodes: &[CstNode]) -> usize {
    nodes.iter().map(|node| usize::from(node.is_comment()) + remarks(&node.children())).sum()
}

/// Whether there is nothing between two brackets, not even a comment.
fn is_bare(children: &[CstNode]) -> bool {
    children.iter().all(|child| {
        let bracket = child.token_char().is_some_and(|token| "[]{}".contains(token));
        bracket || child.is_whitespace() || child.is_newline()
    })
}

/// A hook of Lawful in settings.
struct Ours {
    /// The event that its command answers.
    event: Event,
    /// The name of the list that it is in.
    list: &'static str,
    /// Its group, in settings that have groups.
    group: Option<CstNode>,
    hook: CstObject,
    /// Its command, with its arguments.
    command: String,
}

/// The hooks of Lawful, in the order of the events.
fn ours(top: &CstObject, harness: &Hook) -> Result<Vec<Ours>, EditError> {
    let mut found = Vec::new();
    let Some(hooks) = member(top, "hooks")? else { return Ok(found) };
    let hooks = hooks.as_object().ok_or_else(|| wrong("hooks", "a mapping"))?;
    for row in harness.events {
        let Some(list) = member(&hooks, row.name)? else { continue };
        let list = list.as_array().ok_or_else(|| wrong(row.name, "a list"))?;
        let mut add = |group: Option<&CstNode>, hook: &CstNode| {
            let Some(hook) = hook.as_object() else { return };
            let Some(command) = command_of(&hook) else { return };
            let Some(event) = harness.event_of(&command) else { return };
            found.push(Ours { event, list: row.name, group: group.cloned(), hook, command });
        };
        for element in list.elements() {
            match harness.form {
                Form::Groups { .. } => {
                    let hooks = element.as_object().and_then(|group| group.array_value("hooks"));
                    for hook in hooks.iter().flat_map(CstArray::elements) {
                        add(Some(&element), &hook);
                    }
                }
                Form::Copilot | Form::Cursor | Form::Plugin => add(None, &element),
            }
        }
    }
    Ok(found)
}

/// The command of a hook, with its arguments.
fn command_of(hook: &CstObject) -> Option<String> {
    let text = |node: CstNode| node.as_string_lit()?.decoded_value().ok();
    let value = |key: &str| hook.get(key).and_then(|property| property.value());
    let command = value("command").or_else(|| value("bash")).and_then(text)?;
    let args = value("args").and_then(|args| args.as_array());
    let args = args.iter().flat_map(CstArray::elements).filter_map(text);
    Some([command].into_iter().chain(args).collect::<Vec<String>>().join(" "))
}

/// The value of a key that occurs at most once: with duplicates, harnesses use the last and editors
/// show the first.
pub(crate) fn member(object: &CstObject, key: &str) -> Result<Option<CstNode>, EditError> {
    let same = |name: Option<String>| name.as_deref() == Some(key);
    let mut found = object.properties().into_iter().filter(|one| same(one.decoded_name()));
    let first = found.next();
    if found.next().is_some() {
        return Err(EditError::Twice(key.to_owned()));
    }
    Ok(first.and_then(|property| property.value()))
}

pub(crate) fn top(root: &CstRootNode) -> Result<CstObject, EditError> {
    root.object_value().ok_or(EditError::NotAMapping)
}

pub(crate) fn wrong(what: &str, expected: &'static str) -> EditError {
    EditError::WrongType(what.to_owned(), expected)
}

pub(crate) fn parse(text: &str) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &OPTIONS).map_err(|error| EditError::NotJson(error.to_string()))
}

#[cfg(test)]
mod tests;
