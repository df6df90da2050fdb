//! The entry in a harness's settings: adding and removing it, and keeping everything else.
//!
//! The settings of every harness contain `{"hooks": {EVENT: [{"hooks": [{"type": "command",
//! "command": …}]}]}}`. The entry of Lawful is recognized by its command, so other hooks can be
//! next to it.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use jsonc_parser::{ParseOptions, json};

use crate::Hook;
use crate::keys::json;
use crate::separators::Separators;
use crate::text::{line_end, mark};

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
    /// A duplicate key.
    #[error("it has the key `{0}` twice")]
    Twice(String),
}

/// The settings with the hook added; `None` if it is already there. `text` is empty for a file that
/// does not exist.
pub fn install(text: &str, harness: &Hook, command: &str) -> Result<Option<String>, EditError> {
    Ok(put_in(text, harness, command)?.map(|(written, _)| written))
}

/// Like [`install`], and returns the separators around `hooks` if the key is new.
pub(crate) fn put_in(
    text: &str,
    harness: &Hook,
    command: &str,
) -> Result<Option<(String, Option<Separators>)>, EditError> {
    let (mark, body) = mark(text);
    let is_new = || Ok(Some(json::put(text, "hooks", &value(text, harness, command))?));
    if body.trim().is_empty() {
        return is_new();
    }
    let root = parse(body)?;
    let top = top(&root)?;
    if member(&top, "hooks")?.is_none() {
        return is_new();
    }
    let mut found = 0;
    if let Some(groups) = groups(&top, harness)? {
        for (_, hook) in ours(&groups, harness) {
            found += 1;
            if found == 1 && command_of(&hook).as_deref() == Some(command) {
                continue;
            }
            // An outdated entry, or a duplicate.
            take_out(&top, harness)?;
            found = 0;
            break;
        }
    }
    if found > 0 {
        return Ok(None);
    }
    let hooks = match member(&top, "hooks")? {
        Some(node) => node.as_object().ok_or_else(|| wrong("hooks", "a mapping"))?,
        None => top.object_value_or_set("hooks"),
    };
    let groups = match member(&hooks, harness.event())? {
        Some(node) => node.as_array().ok_or_else(|| wrong(harness.event(), "a list"))?,
        None => hooks.array_value_or_set(harness.event()),
    };
    groups.ensure_multiline();
    groups.append(entry(harness, command));
    Ok(Some((format!("{mark}{root}"), None)))
}

/// The whole value of `hooks`, in the layout of the file.
fn value(text: &str, harness: &Hook, command: &str) -> String {
    let patience = Hook::PATIENCE * harness.clock;
    let command = serde_json::Value::from(command).to_string();
    let event = harness.event();
    let lines = [
        (0, "{".to_owned()),
        (1, format!("\"{event}\": [")),
        (2, "{".to_owned()),
        (3, "\"hooks\": [".to_owned()),
        (4, "{".to_owned()),
        (5, "\"type\": \"command\",".to_owned()),
        (5, format!("\"command\": {command},")),
        (5, format!("\"timeout\": {patience}")),
        (4, "}".to_owned()),
        (3, "]".to_owned()),
        (2, "}".to_owned()),
        (1, "]".to_owned()),
        (0, "}".to_owned()),
    ];
    let mut out = String::new();
    for (depth, line) in &lines {
        match json::indent(text) {
            Some(indent) if !out.is_empty() => {
                let unit = if indent.starts_with('\t') { "\t" } else { "  " };
                out.push_str(line_end(text));
                out.push_str(&indent);
                out.push_str(&unit.repeat(*depth));
            }
            None if out.ends_with(',') => out.push(' '),
            Some(_) | None => {}
        }
        out.push_str(line);
    }
    out
}

/// The settings without the hook; `None` if it is not there.
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

/// An entry of the hook in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundHook {
    /// The command that the harness runs.
    pub(crate) command: String,
    /// Whether the harness runs it as a command, and waits for it as long as Lawful asks for.
    pub(crate) is_whole: bool,
}

/// Every entry of the hook in settings.
pub(crate) fn found(text: &str, harness: &Hook) -> Result<Vec<FoundHook>, EditError> {
    let (_, body) = mark(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let root = parse(body)?;
    let Some(groups) = groups(&top(&root)?, harness)? else { return Ok(Vec::new()) };
    let patience = (Hook::PATIENCE * harness.clock).to_string();
    let read = |(group, hook): (CstNode, CstObject)| {
        let value = |key: &str| hook.get(key).and_then(|property| property.value());
        let kind = value("type").and_then(|value| value.as_string_lit()?.decoded_value().ok());
        let timeout = value("timeout").map(|value| value.to_string());
        // With a matcher, some harnesses would run the hook only now and then.
        let is_whole = kind.as_deref() == Some("command")
            && timeout.as_deref() == Some(&*patience)
            && group.as_object().is_some_and(|group| group.get("matcher").is_none());
        Some(FoundHook { command: command_of(&hook)?, is_whole })
    };
    Ok(ours(&groups, harness).into_iter().filter_map(read).collect())
}

/// The entry of the hook.
fn entry(harness: &Hook, command: &str) -> CstInputValue {
    let patience = (Hook::PATIENCE * harness.clock).to_string();
    json!({
        "hooks": [{
            "type": "command",
            "command": command,
            "timeout": (CstInputValue::Number(patience)),
        }],
    })
}

/// Removes every hook of Lawful, and its group if nothing else is in it. Returns whether there was
/// one.
fn take_out(top: &CstObject, harness: &Hook) -> Result<bool, EditError> {
    let Some(groups) = groups(top, harness)? else { return Ok(false) };
    let found = ours(&groups, harness);
    for (group, hook) in &found {
        hook.clone().remove();
        let hooks = group.as_object().and_then(|group| group.array_value("hooks"));
        if hooks.is_some_and(|hooks| is_bare(&hooks.children())) {
            group.clone().remove();
        }
    }
    Ok(!found.is_empty())
}

/// Removes the list of the event if it is empty, and then the mapping of events if it is empty.
fn take_out_empty(top: &CstObject, harness: &Hook) {
    let Some(hooks) = top.object_value("hooks") else { return };
    if hooks.array_value(harness.event()).is_some_and(|groups| is_bare(&groups.children()))
        && let Some(event) = hooks.get(harness.event())
    {
        event.remove();
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

/// The hooks of Lawful, each with its group.
fn ours(groups: &CstArray, harness: &Hook) -> Vec<(CstNode, CstObject)> {
    let mut found = Vec::new();
    for group in groups.elements() {
        let hooks = group.as_object().and_then(|group| group.array_value("hooks"));
        for hook in hooks.iter().flat_map(CstArray::elements) {
            let Some(hook) = hook.as_object() else { continue };
            if command_of(&hook).is_some_and(|command| is_ours(&command, harness)) {
                found.push((group.clone(), hook));
            }
        }
    }
    found
}

/// Whether a command is `lawful hook --harness ID stop …`, with any path of the program.
fn is_ours(command: &str, harness: &Hook) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(5).any(|words| match words {
        [program, rest @ ..] => {
            let program = program.trim_matches(['"', '\'']);
            let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
            matches!(name, "lawful" | "lawful.exe")
                && rest == ["hook", "--harness", harness.id, "stop"]
        }
        [] => false,
    })
}

fn command_of(hook: &CstObject) -> Option<String> {
    hook.get("command")?.value()?.as_string_lit()?.decoded_value().ok()
}

/// The list of an event, if there is one.
fn groups(top: &CstObject, harness: &Hook) -> Result<Option<CstArray>, EditError> {
    let Some(hooks) = member(top, "hooks")? else { return Ok(None) };
    let hooks = hooks.as_object().ok_or_else(|| wrong("hooks", "a mapping"))?;
    let Some(groups) = member(&hooks, harness.event())? else { return Ok(None) };
    groups.as_array().map(Some).ok_or_else(|| wrong(harness.event(), "a list"))
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
    root.object_value().ok_or_else(|| wrong("the document", "a mapping"))
}

pub(crate) fn wrong(what: &str, expected: &'static str) -> EditError {
    EditError::WrongType(what.to_owned(), expected)
}

/// JSON with comments and trailing commas, and no other extension that the parser allows.
pub(crate) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

pub(crate) fn parse(text: &str) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &options()).map_err(|error| EditError::NotJson(error.to_string()))
}

#[cfg(test)]
mod tests;
