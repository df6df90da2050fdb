//! Settings of a client, without what could run a program, load code, or hold a credential.
//!
//! The copy of a settings file must decide what arrives as the original does, so unknown settings
//! stay. A setting goes if its name says that it starts something, loads something, connects to
//! something or identifies someone, at any depth. The settings that Lawful itself writes never match.

use lawful_deliver::Syntax;
use serde_json::Value;
use toml_edit::{DocumentMut, Item, TableLike};

/// A settings file without harmful settings; `None` if it cannot be parsed. Of a file of variables
/// only those in `variables` stay.
pub fn harmless(syntax: Syntax, text: &str, variables: &[&str]) -> Option<String> {
    match syntax {
        Syntax::Json => {
            if text.trim().is_empty() {
                return Some(String::new());
            }
            let mut value: Value =
                jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default())
                    .ok()?;
            clean_json(&mut value);
            serde_json::to_string_pretty(&value).ok()
        }
        Syntax::Toml => {
            let mut document: DocumentMut = text.parse().ok()?;
            clean_table(document.as_table_mut());
            Some(document.to_string())
        }
        Syntax::Env => {
            let is_kept = |line: &&str| {
                let line = line.trim_start();
                let line = line.strip_prefix("export ").unwrap_or(line);
                line.split_once('=').is_some_and(|(name, _)| variables.contains(&name.trim()))
            };
            Some(text.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect())
        }
    }
}

/// The longer texts in a settings file, such as a prompt.
pub fn strings(syntax: Syntax, text: &str) -> Vec<String> {
    /// Shorter ones are names and numbers.
    const SHORTEST: usize = 40;
    let mut found = Vec::new();
    match syntax {
        Syntax::Json => {
            if let Ok(value) = serde_json::from_str(text) {
                json_strings(&value, &mut found);
            }
        }
        Syntax::Toml => {
            if let Ok(document) = text.parse::<DocumentMut>() {
                toml_strings(document.as_table(), &mut found);
            }
        }
        Syntax::Env => {}
    }
    found.retain(|text| text.len() >= SHORTEST);
    found
}

fn json_strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| json_strings(item, found)),
        Value::Object(map) => map.values().for_each(|item| json_strings(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn toml_strings(table: &dyn TableLike, found: &mut Vec<String>) {
    for (_, item) in table.iter() {
        if let Some(text) = item.as_str() {
            found.push(text.to_owned());
        } else if let Some(table) = item.as_table_like() {
            toml_strings(table, found);
        }
    }
}

/// Parts of names that go, in lower case and without separators.
const HARMFUL: [&str; 36] = [
    "apikey",
    "auth",
    "certificate",
    "cmd",
    "command",
    "credential",
    "endpoint",
    "env",
    "exec",
    "extension",
    "formatter",
    "header",
    "helper",
    "hook",
    "host",
    "login",
    "lsp",
    "marketplace",
    "mcp",
    "notify",
    "otel",
    "package",
    "password",
    "plugin",
    "provider",
    "proxy",
    "refresh",
    "sandbox",
    "script",
    "secret",
    "server",
    "statusline",
    "telemetry",
    "token",
    "url",
    "worktree",
];

/// Whole names that go: the model is the stub.
const MODELS: [&str; 3] = ["model", "smallmodel", "shell"];

fn is_harmful(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    // It is no script.
    let plain = plain.replace("description", "");
    // A project is named by its path and a prompt of Lawful by its role, which can be any word.
    let is_free = name.contains('/') || name.starts_with("lawful-");
    !is_free
        && (HARMFUL.iter().any(|part| plain.contains(part)) || MODELS.contains(&plain.as_str()))
}

fn clean_json(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|name, _| !is_harmful(name));
            map.values_mut().for_each(clean_json);
        }
        Value::Array(items) => items.iter_mut().for_each(clean_json),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn clean_table(table: &mut dyn TableLike) {
    let harmful: Vec<String> =
        table.iter().map(|(name, _)| name.to_owned()).filter(|name| is_harmful(name)).collect();
    for name in harmful {
        table.remove(&name);
    }
    for (_, item) in table.iter_mut() {
        clean_item(item);
    }
}

fn clean_item(item: &mut Item) {
    match item {
        Item::Table(table) => clean_table(table),
        Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| clean_table(table)),
        Item::Value(value) => clean_value(value),
        Item::None => {}
    }
}

fn clean_value(value: &mut toml_edit::Value) {
    if let Some(table) = value.as_inline_table_mut() {
        clean_table(table);
    } else if let Some(array) = value.as_array_mut() {
        array.iter_mut().for_each(clean_value);
    }
}

#[cfg(test)]
mod tests;
