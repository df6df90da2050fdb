//! What a file of Lawful says besides the prompt: the keys that a harness reads.
//!
//! The table says which keys a file has. A persona can set or add keys for one harness, except
//! those that Lawful needs: the name, and whatever makes the harness read the file as intended.

use std::fmt::Write as _;

use lawful::Value;
use lawful::compose::{AgentKeys, OwnKey};
use lawful::syntax::Span;

use crate::harness::{Form, Front, Harness, ToolForm};
use crate::tools::{Translated, translate};

/// The role whose file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'s> {
    /// The harness.
    pub(crate) harness: &'s str,
    /// The id of the lawbook.
    pub(crate) book: &'s str,
    /// The role.
    pub(crate) role: &'s str,
    /// What its persona says.
    pub(crate) agent: &'s AgentKeys,
}

/// The front matter of a file; empty if the file has none.
pub(crate) fn front_matter(front: &[(&str, Front)], subject: &Subject<'_>) -> String {
    if front.is_empty() {
        return String::new();
    }
    let mut out = String::from("---\n");
    for (key, value) in entries(front, subject) {
        yaml_entry(&mut out, &key, &value);
    }
    out.push_str("---\n");
    out
}

/// The keys of a TOML file, the prompt last.
pub(crate) fn toml_keys(front: &[(&str, Front)], subject: &Subject<'_>, text: &str) -> String {
    let mut out = String::new();
    let prompt = front.iter().filter(|(_, value)| *value == Front::Prompt);
    let prompt = prompt.map(|(key, _)| ((*key).to_owned(), Value::from(text)));
    for (key, value) in entries(front, subject).into_iter().chain(prompt) {
        // A value with a null is refused before anything is written.
        if let Some(value) = toml_value(&value) {
            let _ = writeln!(out, "{} = {value}", toml_edit::Key::new(key));
        }
    }
    out
}

/// The key of a TOML file that contains the prompt.
pub(crate) const TOML_PROMPT: &str = "developer_instructions";

/// The keys and their values, but for the prompt.
fn entries(front: &[(&str, Front)], subject: &Subject<'_>) -> Vec<(String, Value)> {
    let own = |key: &str| own_key(subject.agent, subject.harness, key).map(|own| own.value.clone());
    let mut out = Vec::new();
    for (key, value) in front {
        let own = own(key).filter(|_| !value.is_fixed());
        let value = own.or_else(|| general(*value, subject));
        out.extend(value.map(|value| ((*key).to_owned(), value)));
    }
    let is_further = |own: &&OwnKey| !front.iter().any(|(key, _)| *key == &*own.name);
    let further = subject.agent.of_harness(subject.harness).filter(is_further);
    out.extend(further.map(|own| (own.name.to_string(), own.value.clone())));
    out
}

/// A value that does not depend on the harness.
fn general(value: Front, subject: &Subject<'_>) -> Option<Value> {
    let agent = subject.agent;
    match value {
        Front::Name => Some(Value::from(&*format!("lawful-{}", subject.role))),
        Front::Description => Some(match &agent.description {
            Some(description) => Value::from(&**description),
            None => {
                let (role, book) = (subject.role, subject.book);
                Value::from(&*format!("The role {role} of the lawbook {book}"))
            }
        }),
        Front::Tools(form, names) => {
            let tools = translate(subject.harness, &names, agent.tools.as_deref()?).names;
            Some(listed(form, &tools))
        }
        Front::Model => agent.model.as_deref().map(Value::from),
        Front::Word(word) => Some(Value::from(word)),
        Front::Flag(flag) => Some(Value::from(flag)),
        Front::Prompt => None,
    }
}

fn listed(form: ToolForm, tools: &[String]) -> Value {
    match form {
        ToolForm::Text => Value::from(&*tools.join(", ")),
        ToolForm::List => Value::List(tools.iter().map(|tool| Value::from(&**tool)).collect()),
        ToolForm::Permissions => {
            // The last rule that matches counts.
            let allowed = tools.iter().map(|tool| (Box::from(&**tool), Value::from("allow")));
            let denied = (Box::from("*"), Value::from("deny"));
            Value::Map(std::iter::once(denied).chain(allowed).collect())
        }
    }
}

fn own_key<'a>(agent: &'a AgentKeys, harness: &str, key: &str) -> Option<&'a OwnKey> {
    agent.of_harness(harness).find(|own| &*own.name == key)
}

/// The tools of a persona for a file, unless it says them for this harness alone.
pub(crate) fn tools_of(form: Form, subject: &Subject<'_>) -> Option<Translated> {
    let tools = subject.agent.tools.as_deref()?;
    form.front().iter().find_map(|(key, value)| match value {
        Front::Tools(_, names) if own_key(subject.agent, subject.harness, key).is_none() => {
            Some(translate(subject.harness, names, tools))
        }
        Front::Tools(..)
        | Front::Name
        | Front::Description
        | Front::Model
        | Front::Word(_)
        | Front::Flag(_)
        | Front::Prompt => None,
    })
}

/// A key that a persona must not have for a harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadKey {
    /// Where it is written.
    pub span: Span,
    /// A short phrase.
    pub message: String,
    /// The help.
    pub help: String,
}

/// The keys for a harness that Lawful writes itself, or that its files cannot contain.
pub fn bad_keys(harness: &Harness, agent: &AgentKeys) -> Vec<BadKey> {
    let forms = || harness.surfaces.iter().map(|surface| surface.form);
    let is_fixed = |key: &str| {
        let mut fronts = forms().flat_map(Form::front);
        fronts.any(|(known, value)| *known == key && value.is_fixed())
    };
    let is_toml = forms().any(|form| matches!(form, Form::OwnedToml(_)));
    let problem = |own: &OwnKey| {
        let (id, key) = (harness.id, lawful::syntax::escape::name(&own.name));
        if is_fixed(&own.name) {
            let message = format!("Lawful writes `{key}` in the files of `{id}` itself");
            return Some((message, "remove the key".to_owned()));
        }
        if is_toml && toml_value(&own.value).is_none() {
            let message = format!("`{key}` has a null, and `{id}` reads TOML, which has none");
            return Some((message, "omit what is null".to_owned()));
        }
        None
    };
    agent
        .of_harness(harness.id)
        .filter_map(|own| {
            problem(own).map(|(message, help)| BadKey { span: own.span, message, help })
        })
        .collect()
}

/// A key with a value: lists and mappings of plain values on lines of their own, because not every
/// harness reads all of YAML.
fn yaml_entry(out: &mut String, key: &str, value: &Value) {
    let key = scalar(key);
    match value {
        Value::List(items) if !items.is_empty() => {
            let _ = writeln!(out, "{key}:");
            for item in items {
                let _ = writeln!(out, "  - {}", yaml_value(item));
            }
        }
        Value::Map(map) if !map.is_empty() => {
            let _ = writeln!(out, "{key}:");
            for (key, value) in map.iter() {
                let _ = writeln!(out, "  {}: {}", scalar(key), yaml_value(value));
            }
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Map(_) => {
            let _ = writeln!(out, "{key}: {}", yaml_value(value));
        }
    }
}

/// A value on one line.
fn yaml_value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => scalar(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let entry = |(key, value): (&str, &Value)| format!("{}: {}", quoted(key), flow(value));
            let entries: Vec<String> = map.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// A value inside brackets, where a plain text ends earlier.
fn flow(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
            yaml_value(value)
        }
    }
}

/// A text as one line of YAML that parses to the same text.
fn scalar(text: &str) -> String {
    /// Words that some YAML version reads as something other than a string.
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-./,()*".contains(c);
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    if is_plain && !is_word && !text.ends_with(' ') { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Some of these are not allowed in YAML, and some end a line there.
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A value of TOML; `None` if it has a null.
fn toml_value(value: &Value) -> Option<toml_edit::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => {
            let number = serde_json::Value::from(Value::Number(*number));
            match number.as_i64() {
                Some(number) => number.into(),
                None => number.as_f64()?.into(),
            }
        }
        Value::Text(text) => (&**text).into(),
        Value::List(items) => {
            let items: Option<Vec<toml_edit::Value>> = items.iter().map(toml_value).collect();
            toml_edit::Value::Array(items?.into_iter().collect())
        }
        Value::Map(map) => {
            let mut table = toml_edit::InlineTable::new();
            for (key, value) in map.iter() {
                table.insert(key, toml_value(value)?);
            }
            toml_edit::Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests;
