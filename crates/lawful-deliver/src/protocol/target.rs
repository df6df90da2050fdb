//! What a tool call touches.

use std::collections::BTreeSet;

use lawful::Value;
use lawful::live::{Action, PATH_FIELDS, Target};

use super::fields::{Fields, Read, missing, usable, wrong};
use super::patch::{self, InShell};
use crate::Hook;
use crate::hook::{Kind, McpNames, find_tool};

/// Fields that name the folder of a shell line.
const FOLDERS: [&str; 5] = ["workdir", "cwd", "directory", "dir_path", "working_directory"];

/// What a harness says about a call besides its input.
pub(super) struct Call<'c> {
    pub(super) tool: &'c str,
    pub(super) input: &'c Value,
    /// The server and the name of an MCP tool, if the harness reports them.
    pub(super) mcp: Option<(&'c str, &'c str)>,
    /// The MCP servers that there are, if the harness reports them.
    pub(super) servers: &'c [&'c str],
}

/// The kind of a call, and what it touches.
pub(super) fn target(hook: &Hook, call: &Call<'_>) -> Read<(Action, Target)> {
    if let Some((server, name)) = mcp(hook, call)? {
        return Ok((Action::Mcp, Target::Mcp { server, name }));
    }
    let fields = Fields(call.input);
    let Some(tool) = find_tool(hook, call.tool) else {
        return Ok((Action::Other, unknown(fields)?));
    };
    // Codex has the patch itself as the input of some calls.
    if let (Kind::Patch(_), Value::Text(patch)) = (tool.kind, call.input) {
        return Ok((tool.action, Target::Paths(patch::paths(patch)?)));
    }
    if !matches!(call.input, Value::Map(_)) {
        return Err(wrong(&["tool_input"], call.input, "an object"));
    }
    let target = match tool.kind {
        Kind::Shell(field) => return shell(fields, field),
        Kind::Paths => Target::Paths(some(paths(fields)?)?),
        Kind::PathsIn(field) => {
            let mut paths = paths(fields)?;
            paths.extend(all_texts(fields, field)?);
            Target::Paths(some(paths)?)
        }
        Kind::Search(patterns) => Target::Paths(searched(fields, patterns)?),
        Kind::Patch(field) => Target::Paths(patched(fields, field)?),
        Kind::Url => Target::Url(usable(fields.needed(&["url"])?, "the address")?),
        Kind::UrlIn(field) => Target::Url(url_in(fields.needed(&[field])?)?),
        Kind::Nothing => unknown(fields)?,
    };
    Ok((tool.action, target))
}

/// A shell line, and the folder that it runs in.
fn shell(fields: Fields<'_>, field: &str) -> Read<(Action, Target)> {
    let command = match fields.get(&[field])? {
        Some(Value::Text(line)) => usable(line, "the command")?,
        Some(Value::List(words)) => usable(&line(words)?, "the command")?,
        Some(other) => return Err(wrong(&[field], other, "a string")),
        None => return Err(missing(&[field])),
    };
    let mut folder = None;
    for name in FOLDERS {
        if let Some(text) = fields.text(&[name])?.filter(|text| !text.is_empty()) {
            if folder.is_some() {
                return Err("it names two folders for the command".to_owned());
            }
            folder = Some(usable(text, "the folder")?);
        }
    }
    match patch::in_shell(&command)? {
        InShell::None => Ok((Action::Shell, Target::Shell { command, folder })),
        InShell::Patch { folder: changed, paths } => {
            let folders: Vec<&str> =
                [&folder, &changed].into_iter().flatten().map(|f| &**f).collect();
            Ok((
                Action::Edit,
                Target::Paths(paths.iter().map(|path| below(&folders, path)).collect()),
            ))
        }
    }
}

/// A path below folders, each relative to the one before.
fn below(folders: &[&str], path: &str) -> Box<str> {
    let mut whole = std::path::PathBuf::new();
    for part in folders.iter().chain([&path]) {
        whole.push(part);
    }
    whole.to_string_lossy().into()
}

/// The shell line of a list of words. A script for a shell is the line itself.
fn line(words: &[Value]) -> Read<String> {
    let words: Option<Vec<&str>> = words.iter().map(Value::as_text).collect();
    let words = words.ok_or("the command has a word that is not a string")?;
    if let [program, flag, script] = words.as_slice()
        && ["sh", "bash", "zsh", "/bin/sh", "/bin/bash", "/bin/zsh"].contains(program)
        && ["-c", "-lc"].contains(flag)
    {
        return Ok((*script).to_owned());
    }
    let quoted: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    Ok(quoted.join(" "))
}

/// Every path in the fields that name paths.
fn paths(fields: Fields<'_>) -> Read<Vec<Box<str>>> {
    let mut paths = Vec::new();
    for name in PATH_FIELDS {
        paths.extend(all_texts(fields, name)?);
    }
    Ok(distinct(paths))
}

/// Each path once, in order.
fn distinct(mut paths: Vec<Box<str>>) -> Vec<Box<str>> {
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// The text, or the list of texts, of a field. An object in the list names its path itself.
fn all_texts(fields: Fields<'_>, name: &str) -> Read<Vec<Box<str>>> {
    let one = |value: &Value| match value {
        Value::Text(text) => Ok(vec![usable(text, "a path")?]),
        Value::Map(_) => some(paths(Fields(value))?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => {
            Err(wrong(&[name], value, "a path"))
        }
    };
    match fields.get(&[name])? {
        None => Ok(Vec::new()),
        // A harness takes an empty text as no path.
        Some(Value::Text(text)) if text.is_empty() => Ok(Vec::new()),
        Some(Value::List(items)) => {
            let texts: Read<Vec<Vec<Box<str>>>> = items.iter().map(one).collect();
            Ok(texts?.into_iter().flatten().collect())
        }
        Some(value) => one(value),
    }
}

fn some(paths: Vec<Box<str>>) -> Read<Vec<Box<str>>> {
    if paths.is_empty() { Err("its input names no path".to_owned()) } else { Ok(paths) }
}

/// The folders that a search looks at: the named one, or the working directory. A pattern can lead
/// elsewhere.
fn searched(fields: Fields<'_>, patterns: &[&str]) -> Read<Vec<Box<str>>> {
    let mut found = paths(fields)?;
    if found.is_empty() {
        found.push(".".into());
    }
    for name in patterns {
        for pattern in all_texts(fields, name)? {
            let leads_away = pattern.starts_with(['/', '~', '\\'])
                || pattern.split(['/', '\\']).any(|part| part == "..")
                || pattern.get(1..2) == Some(":");
            let folder = literal(&pattern);
            if leads_away && !found.iter().any(|path| **path == *folder) {
                found.push(folder.into());
            }
        }
    }
    Ok(found)
}

/// The part of a pattern before its first wildcard, up to the last separator.
fn literal(pattern: &str) -> &str {
    let Some(wild) = pattern.find(['*', '?', '[', '{']) else { return pattern };
    let head = pattern.get(..wild).unwrap_or_default();
    match head.rfind(['/', '\\']) {
        Some(0) => "/",
        Some(end) => head.get(..end).unwrap_or_default(),
        None => head,
    }
}

/// The paths of a patch. Some harnesses also name the file beside it.
fn patched(fields: Fields<'_>, field: &str) -> Read<Vec<Box<str>>> {
    let names = ["command", "patch", "patchText", "input"];
    let text = match fields.text(&[field])? {
        Some(text) => text,
        None => fields.needed(&names)?,
    };
    let mut paths = patch::paths(text)?;
    paths.extend(self::paths(fields)?);
    Ok(paths)
}

/// The only address in a text.
fn url_in(text: &str) -> Read<Box<str>> {
    let is_around = |c: char| "<>()[]{}\"'`,;".contains(c);
    let words = text.split(|c: char| c.is_whitespace() || is_around(c));
    let mut urls: Vec<&str> = words
        .filter(|word| word.contains("://"))
        .map(|word| word.trim_end_matches(['.', '!', '?', ':']))
        .collect();
    urls.dedup();
    match urls.as_slice() {
        [url] => usable(url, "the address"),
        [] => Err("its input names no address".to_owned()),
        [_, ..] => Err("its input names several addresses; fetch one at a time".to_owned()),
    }
}

/// The target of a tool that no table has, or that has none: the paths or the address that its
/// input still names.
fn unknown(fields: Fields<'_>) -> Read<Target> {
    let paths = paths_of_any(fields)?;
    if !paths.is_empty() {
        return Ok(Target::Paths(paths));
    }
    match fields.0.get("url").and_then(Value::as_text) {
        Some(url) => Ok(Target::Url(usable(url, "the address")?)),
        None => Ok(Target::Nothing),
    }
}

/// The paths of an input whose fields can mean anything: what is not a path is left out.
fn paths_of_any(fields: Fields<'_>) -> Read<Vec<Box<str>>> {
    let mut found: Vec<Box<str>> = Vec::new();
    for name in PATH_FIELDS {
        let texts: Vec<&str> = match fields.0.get(name) {
            Some(Value::Text(text)) => vec![text],
            Some(Value::List(items)) => items.iter().filter_map(Value::as_text).collect(),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Map(_)) | None => vec![],
        };
        for text in texts.into_iter().filter(|text| !text.trim().is_empty()) {
            found.push(usable(text, "a path")?);
        }
    }
    Ok(distinct(found))
}

/// The server and the name of an MCP tool.
fn mcp(hook: &Hook, call: &Call<'_>) -> Read<Option<(Box<str>, Box<str>)>> {
    let both = |server: &str, name: &str| -> Read<Option<(Box<str>, Box<str>)>> {
        Ok(Some((usable(server, "the MCP server")?, usable(name, "the MCP tool")?)))
    };
    if let Some((server, name)) = call.mcp {
        return both(server, name);
    }
    if let Some(rest) = call.tool.strip_prefix("mcp__") {
        let (server, name) = rest.split_once("__").ok_or("the MCP tool names no server")?;
        return both(server, name);
    }
    if let Some(name) = call.tool.strip_prefix("MCP:") {
        return Ok(Some((Box::default(), usable(name.trim(), "the MCP tool")?)));
    }
    match hook.mcp {
        McpNames::Marked => Ok(None),
        McpNames::Prefix => match call.tool.strip_prefix("mcp_") {
            Some(rest) => {
                let (server, name) = rest.split_once('_').ok_or("the MCP tool names no server")?;
                both(server, name)
            }
            None => Ok(None),
        },
        McpNames::Dash => match call.tool.rsplit_once('-') {
            Some((server, name)) => both(server, name),
            None => Ok(None),
        },
        McpNames::Listed => {
            let mut found: Option<(&str, &str)> = None;
            for server in call.servers {
                let rest = call.tool.strip_prefix(&plain(server));
                let Some(name) = rest.and_then(|rest| rest.strip_prefix('_')) else { continue };
                // `a` and `a_b` can both be servers: the longer name is meant.
                if found.is_none_or(|(longest, _)| server.len() > longest.len()) {
                    found = Some((server, name));
                }
            }
            found.map_or(Ok(None), |(server, name)| both(server, name))
        }
    }
}

/// The name of a server, as it is in the name of a tool.
fn plain(server: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    server.chars().map(|c| if is_kept(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests;
