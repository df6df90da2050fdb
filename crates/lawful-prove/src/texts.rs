//! The texts of a request, by the role under which the model gets them.
//!
//! Only what instructs the model counts: system, developer and user texts. Earlier answers of the
//! model, tool calls and tool results are left out.

use serde_json::Value;

use crate::wire::Wire;

/// The role of a text in a request, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextRole {
    /// A part of the system prompt.
    System,
    /// A developer message.
    Developer,
    /// A user message.
    User,
}

impl TextRole {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
        }
    }

    fn of(name: &str) -> Option<Self> {
        match name {
            "system" => Some(Self::System),
            "developer" => Some(Self::Developer),
            "user" => Some(Self::User),
            _ => None,
        }
    }
}

/// A text of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleText {
    /// Its role.
    pub role: TextRole,
    /// The text.
    pub text: String,
}

/// The texts of a request, in order; `None` if it is not a request of the protocol.
pub fn read(wire: Wire, body: &str) -> Option<Vec<RoleText>> {
    let body: Value = serde_json::from_str(body).ok()?;
    let mut texts = Vec::new();
    let (system, turns) = match wire {
        Wire::Gemini => {
            let system = body.get("systemInstruction").or_else(|| body.get("system_instruction"));
            (system, body.get("contents")?)
        }
        Wire::Responses => (body.get("instructions"), body.get("input")?),
        Wire::Messages => (body.get("system"), body.get("messages")?),
        Wire::Chat => (None, body.get("messages")?),
    };
    if let Some(system) = system {
        add(&mut texts, TextRole::System, system);
    }
    match turns.as_array() {
        Some(turns) => {
            for turn in turns {
                let role = turn.get("role").and_then(Value::as_str).unwrap_or("user");
                let content = turn.get("content").or_else(|| turn.get("parts"));
                // An item that is no message, such as a result of a tool, has no role.
                let is_message = turn.get("role").is_some();
                if let (Some(role), Some(content)) =
                    (TextRole::of(role).filter(|_| is_message), content)
                {
                    add(&mut texts, role, content);
                }
            }
        }
        None => add(&mut texts, TextRole::User, turns),
    }
    Some(texts)
}

/// Adds a string, or the strings of a list of parts.
fn add(texts: &mut Vec<RoleText>, role: TextRole, content: &Value) {
    match content {
        Value::String(text) => push(texts, role, text),
        Value::Array(parts) => {
            for part in parts {
                match (part, part.get("text")) {
                    (Value::String(text), _) | (_, Some(Value::String(text))) => {
                        push(texts, role, text);
                    }
                    (_, _) => {}
                }
            }
        }
        Value::Object(one) => {
            if let Some(parts) = one.get("parts").or_else(|| one.get("text")) {
                add(texts, role, parts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn push(texts: &mut Vec<RoleText>, role: TextRole, text: &str) {
    if !text.trim().is_empty() {
        texts.push(RoleText { role, text: text.to_owned() });
    }
}

#[cfg(test)]
mod tests;
