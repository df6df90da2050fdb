//! The keys of a persona for the agent files of harnesses.
//!
//! Which harnesses there are, and what their files can carry, is known where prompts are delivered.
//! So the keys of a harness's own keep their places, to report a wrong one where it is written.

use lawful_syntax::{Diagnostic, Entry, Node, Span, escape};

use super::fragment::{Front, PageOf};
use crate::book::{Book, Persona, RoleSource};
use crate::code;
use crate::decode::{text, wrong_type};
use crate::value::Value;

/// The keys of a persona that are written into the agent files of harnesses that support them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentKeys {
    /// What the agent is for.
    pub description: Option<String>,
    /// The only tools that it may use, at least one; `None` for the default of the harness.
    pub tools: Option<Vec<String>>,
    /// The model that it runs on.
    pub model: Option<String>,
    /// Further keys, for one harness each.
    pub own: Vec<OwnKeys>,
}

/// The keys of a persona for one harness.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnKeys {
    /// The id of the harness, as written.
    pub harness: Box<str>,
    /// Where the id is written.
    pub span: Span,
    /// The keys, in written order.
    pub keys: Vec<OwnKey>,
}

/// A key that one harness knows.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnKey {
    /// Its name.
    pub name: Box<str>,
    /// Where the name is written.
    pub span: Span,
    /// Its value.
    pub value: Value,
}

impl AgentKeys {
    /// Their names in front matter.
    pub(super) const NAMES: [&'static str; 4] = ["description", "harness", "model", "tools"];

    /// The keys for one harness.
    pub fn of_harness(&self, id: &str) -> impl Iterator<Item = &OwnKey> {
        self.own.iter().filter(move |own| &*own.harness == id).flat_map(|own| &own.keys)
    }

    /// The keys of every persona of a book that is a page, by role. Composing the roles reports what is
    /// wrong with a page.
    pub fn of_book(book: &Book) -> Vec<(&str, Self)> {
        let roles = book.manifest.conditioning.as_ref().map(|conditioning| &conditioning.roles);
        let Some(RoleSource::Personas(personas)) = roles else { return Vec::new() };
        let mut found = Vec::new();
        for (role, persona) in personas {
            let Persona::File(path, _) = persona else { continue };
            let Some(document) = book.documents.iter().find(|one| one.path == *path) else {
                continue;
            };
            let (problems, warnings) = (&mut Vec::new(), &mut Vec::new());
            let front = Front::read(PageOf::Persona, document, &book.sources, problems, warnings);
            found.push((&**role, front.agent));
        }
        found
    }

    /// Decodes them from the front matter of a persona.
    pub(super) fn decode(front: &Node, problems: &mut Vec<Diagnostic>) -> Self {
        let mut one = |key: &str| {
            let node = front.get(key).filter(|node| !node.is_null())?;
            let written = text(node, &format!("`{key}`"), problems)?.trim();
            if written.is_empty() {
                let message = format!("`{key}` is empty");
                let problem = Diagnostic::new(&code::BAD_VALUE, node.span, message);
                problems.push(problem.help("write a value, or omit the key"));
            }
            if key == "model" && written.contains(char::is_control) {
                let message = "`model` is not one line";
                let problem = Diagnostic::new(&code::BAD_VALUE, node.span, message);
                problems.push(problem.help("write the name of one model"));
            }
            Some(written.to_owned())
        };
        let (description, model) = (one("description"), one("model"));
        let tools = front.get("tools").and_then(|node| tools(node, problems));
        let own = front.get("harness").filter(|node| !node.is_null());
        let own = own.map(|node| own_keys(node, problems)).unwrap_or_default();
        Self { description, tools, model, own }
    }
}

/// A mapping of harness to its keys.
fn own_keys(node: &Node, problems: &mut Vec<Diagnostic>) -> Vec<OwnKeys> {
    const HELP: &str = "write it as `harness: {HARNESS: {KEY: VALUE}}`";
    let Some(harnesses) = node.as_map() else {
        problems.push(wrong_type(node, "`harness`", "a mapping").help(HELP));
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in harnesses {
        let Some(keys) = entry.value.as_map() else {
            let what = format!("`harness.{}`", escape::name(&entry.key));
            problems.push(wrong_type(&entry.value, &what, "a mapping").help(HELP));
            continue;
        };
        let key = |key: &Entry| OwnKey {
            name: key.key.clone(),
            span: key.key_span,
            value: Value::from_node(&key.value),
        };
        let keys = keys.iter().map(key).collect();
        found.push(OwnKeys { harness: entry.key.clone(), span: entry.key_span, keys });
    }
    found
}

/// A list of tools, or a comma-separated string, as in agent files.
fn tools(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Vec<String>> {
    let mut named = Vec::new();
    if let Some(written) = node.as_text() {
        named.extend(apart(written).into_iter().map(|tool| (tool, node.span)));
        // An empty string is like an empty list.
        named.retain(|(tool, _)| !(tool.is_empty() && written.trim().is_empty()));
    } else if let Some(items) = node.as_list() {
        for item in items {
            let tool = text(item, "an element of `tools`", problems)?;
            named.push((tool.trim(), item.span));
        }
    } else if !node.is_null() {
        problems.push(wrong_type(node, "`tools`", "a list").help("write it as `[…]`"));
        return None;
    }
    if named.is_empty() {
        let message = "`tools` is empty, which harnesses read as all tools";
        let help = "name the tools that the agent may use, or omit the key to allow all";
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help(help));
        return None;
    }
    for (tool, span) in &named {
        if tool.is_empty() || apart(tool).len() > 1 || tool.contains(char::is_control) {
            let message = "invalid tool name";
            let help = "name one tool, on one line, without a comma outside parentheses";
            problems.push(Diagnostic::new(&code::BAD_VALUE, *span, message).help(help));
        }
    }
    Some(named.into_iter().map(|(tool, _)| tool.to_owned()).collect())
}

/// Splits a text at commas outside parentheses.
fn apart(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).collect()
}
