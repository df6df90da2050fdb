//! What to send to a harness.
//!
//! Only what the table says is honoured is sent. A decision that the harness does not know becomes
//! the next stricter one that it knows: `ask` becomes a denial. A text for the model that has no place
//! of its own is a part of the reason of a denial, which the model reads.
//!
//! **Invariant:** a reply that denies or blocks is never lost: it is in the document, or the exit
//! code is not 0.

use lawful::syntax::{escape, render};

use crate::hook::Dialect;
use crate::json::Json;
use crate::{Event, Hook};

/// What Lawful has to say about an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The decision.
    pub decision: Decision,
    /// The reason of the decision.
    pub reason: String,
    /// A text for the model.
    pub context: Option<String>,
    /// A text for the user.
    pub message: Option<String>,
}

/// A decision about an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// Nothing is decided; the harness goes on as without a hook.
    #[default]
    None,
    /// The call needs no permission of the user.
    Allow,
    /// The user must be asked.
    Ask,
    /// The call is denied.
    Deny,
    /// The prompt is refused, or the agent must continue.
    Block,
}

/// What to send: the two streams, and the exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Standard output: nothing, or one JSON document.
    pub stdout: String,
    /// Standard error: what the harness has no place for.
    pub stderr: String,
    /// The exit code; 0 if standard output says everything.
    pub code: u8,
}

/// The reason of a decision that came without one: some harnesses refuse an empty reason.
const NO_REASON: &str = "the lawbook gives no reason";

/// The answer to an event.
pub fn answer(hook: &Hook, event: Event, reply: &Reply) -> Sent {
    let honoured = honoured(hook, event, reply);
    let document = document(hook, event, &honoured);
    let mut sent = Sent::default();
    if let Some(unsent) = &honoured.unsent {
        sent.stderr = lines(unsent);
        sent.code = u8::from(honoured.is_lost);
    }
    if document.is_empty() {
        return sent;
    }
    match render::to_json(&Json::Map(document)) {
        Ok(text) => sent.stdout = text + "\n",
        // Texts are always valid JSON; if not, the exit code still stops the agent.
        Err(_) => {
            sent.stderr = lines(&honoured.reason);
            sent.code = hook.blocking_exit;
        }
    }
    sent
}

/// A text for standard error, safe on a terminal.
fn lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(&escape::line(line));
        out.push('\n');
    }
    out
}

/// A reply in what a harness honours of it.
#[derive(Debug, PartialEq, Eq)]
struct Honoured {
    decision: Decision,
    reason: String,
    context: Option<String>,
    message: Option<String>,
    /// What the harness has no place for.
    unsent: Option<String>,
    /// Whether that is a decision that the event cannot take.
    is_lost: bool,
}

fn honoured(hook: &Hook, event: Event, reply: &Reply) -> Honoured {
    let can = hook.honours(event);
    let reason = reply.reason.trim();
    let mut reason = if reason.is_empty() { NO_REASON } else { reason }.to_owned();
    let stops = match (can.deny, can.block) {
        (true, _) => Some(Decision::Deny),
        (false, true) => Some(Decision::Block),
        (false, false) => None,
    };
    let decision = match reply.decision {
        Decision::None => Some(Decision::None),
        Decision::Allow if can.allow => Some(Decision::Allow),
        // Without a decision, the harness asks the user where it would ask anyway.
        Decision::Allow => Some(Decision::None),
        Decision::Ask if can.ask => Some(Decision::Ask),
        Decision::Ask => {
            if stops.is_some() {
                reason.push_str("\n\nA person must decide this, and ");
                reason.push_str(hook.name);
                reason.push_str(" cannot ask one here, so it is denied.");
            }
            stops
        }
        Decision::Deny | Decision::Block => stops,
    };
    let cut = |text: &str| cut(text, hook.longest_context);
    let mut context = reply.context.as_deref().filter(|_| can.context).map(cut);
    let mut message = reply.message.clone().filter(|_| can.message);
    let mut unsent = reply.message.clone().filter(|_| !can.message);
    if let Some(text) = reply.context.as_deref()
        && !can.context
        && hook.gives_context(event, reply.decision)
    {
        reason.push_str("\n\n");
        reason.push_str(text);
    }
    let mut is_lost = false;
    if decision.is_none() {
        // The event cannot be stopped; its reason must still reach someone.
        let add = |place: &mut Option<String>| match place {
            Some(text) => *text = format!("{reason}\n{text}"),
            None => *place = Some(reason.clone()),
        };
        if can.message {
            add(&mut message);
        } else if can.context {
            add(&mut context);
        } else {
            add(&mut unsent);
            is_lost = true;
        }
    }
    let decision = decision.unwrap_or_default();
    Honoured { decision, reason, context, message, unsent, is_lost }
}

/// A text cut to a number of bytes, with a note that says so.
fn cut(text: &str, longest: Option<usize>) -> String {
    const NOTE: &str = "\n\n[The rest is cut: the harness takes no longer text.]";
    match longest {
        Some(longest) if text.len() > longest => {
            let end = text.floor_char_boundary(longest.saturating_sub(NOTE.len()));
            format!("{}{NOTE}", text.get(..end).unwrap_or_default())
        }
        Some(_) | None => text.to_owned(),
    }
}

type Document = Vec<(&'static str, Json)>;

/// The document of an answer, in the dialect of the harness; empty if there is nothing to say.
fn document(hook: &Hook, event: Event, reply: &Honoured) -> Document {
    let name = hook.row(event).map_or("", |row| row.name);
    match hook.dialect {
        Dialect::Claude => claude(event, name, reply),
        Dialect::Gemini => gemini(name, reply),
        Dialect::Copilot => copilot(event, reply),
        Dialect::Cursor => cursor(event, reply),
        Dialect::Plugin => plugin(reply),
    }
}

fn claude(event: Event, name: &'static str, reply: &Honoured) -> Document {
    let mut own: Document = Vec::new();
    let mut top: Document = Vec::new();
    let word = word(reply.decision);
    if let Some(word) = word {
        if event == Event::ToolCall {
            own.push(("permissionDecision", word.into()));
            own.push(("permissionDecisionReason", reply.reason.as_str().into()));
        } else {
            top.push(("decision", word.into()));
            top.push(("reason", reply.reason.as_str().into()));
        }
    }
    push(&mut own, "additionalContext", reply.context.as_deref());
    with_own(&mut top, name, own);
    push(&mut top, "systemMessage", reply.message.as_deref());
    top
}

fn gemini(name: &'static str, reply: &Honoured) -> Document {
    let mut top: Document = Vec::new();
    if matches!(reply.decision, Decision::Deny | Decision::Block) {
        top.push(("decision", "deny".into()));
        top.push(("reason", reply.reason.as_str().into()));
    }
    let mut own: Document = Vec::new();
    push(&mut own, "additionalContext", reply.context.as_deref());
    with_own(&mut top, name, own);
    push(&mut top, "systemMessage", reply.message.as_deref());
    top
}

fn copilot(event: Event, reply: &Honoured) -> Document {
    let mut top: Document = Vec::new();
    if let Some(word) = word(reply.decision) {
        let (decision, reason) = if event == Event::ToolCall {
            ("permissionDecision", "permissionDecisionReason")
        } else {
            ("decision", "reason")
        };
        top.push((decision, word.into()));
        top.push((reason, reply.reason.as_str().into()));
    }
    push(&mut top, "additionalContext", reply.context.as_deref());
    top
}

fn cursor(event: Event, reply: &Honoured) -> Document {
    let mut top: Document = Vec::new();
    let mut message = reply.message.clone();
    match (event, reply.decision) {
        (_, Decision::None) => {}
        (Event::ToolCall, decision) => {
            top.extend(word(decision).map(|word| ("permission", word.into())));
            if decision == Decision::Deny {
                top.push(("agent_message", reply.reason.as_str().into()));
                message.get_or_insert_with(|| reply.reason.clone());
            }
        }
        (Event::Prompt, _) => {
            top.push(("continue", Json::Bool(false)));
            message.get_or_insert_with(|| reply.reason.clone());
        }
        (_, _) => top.push(("followup_message", reply.reason.as_str().into())),
    }
    push(&mut top, "user_message", message.as_deref());
    push(&mut top, "additional_context", reply.context.as_deref());
    top
}

fn plugin(reply: &Honoured) -> Document {
    let mut top: Document = Vec::new();
    if let Some(word) = word(reply.decision) {
        top.push(("decision", word.into()));
        top.push(("reason", reply.reason.as_str().into()));
    }
    push(&mut top, "context", reply.context.as_deref());
    top
}

fn word(decision: Decision) -> Option<&'static str> {
    match decision {
        Decision::None => None,
        Decision::Allow => Some("allow"),
        Decision::Ask => Some("ask"),
        Decision::Deny => Some("deny"),
        Decision::Block => Some("block"),
    }
}

fn push(document: &mut Document, key: &'static str, text: Option<&str>) {
    document.extend(text.map(|text| (key, text.into())));
}

/// Adds the keys of the event itself.
fn with_own(top: &mut Document, name: &'static str, mut own: Document) {
    if !own.is_empty() {
        own.insert(0, ("hookEventName", name.into()));
        top.push(("hookSpecificOutput", Json::Map(own)));
    }
}

#[cfg(test)]
mod tests;
