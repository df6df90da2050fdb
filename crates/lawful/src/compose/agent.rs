//! The keys of a persona for the agent files of harnesses.

use lawful_syntax::{Diagnostic, Node};

use crate::code;
use crate::decode::{text, wrong_type};

/// The keys of a persona that are written into the agent files of harnesses that support them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentKeys {
    /// What the agent is for.
    pub description: Option<String>,
    /// The only tools that it may use, at least one; `None` for the default of the harness.
    pub tools: Option<Vec<String>>,
    /// The model that it runs on.
    pub model: Option<String>,
}

impl AgentKeys {
    /// Their names in front matter.
    pub(super) const NAMES: [&'static str; 3] = ["description", "model", "tools"];

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
            Some(written.to_owned())
        };
        let (description, model) = (one("description"), one("model"));
        let tools = front.get("tools").and_then(|node| tools(node, problems));
        Self { description, tools, model }
    }
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
