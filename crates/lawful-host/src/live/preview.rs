//! `lawful guard`: what a lawbook would decide on an event, trusted or not.
//!
//! The event is what a harness sends to its hook, or an event as guards see it:
//! `{"action": "shell", "command": "git push"}`. The session is a new one.

use lawful::book::Bundle;
use lawful::live::{self, Action, Moment, Target, ToolUse};
use lawful::syntax::{Diagnostic, Limits, Span, escape, parse_json_leniently};
use lawful::view::GuardDecision;
use lawful::{Map, Value, Verb};
use lawful_deliver::{Event, Hook, Incoming, read};
use serde::Serialize;

use super::LiveRequest;
use super::places::HostPlaces;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::observe::root;
use crate::trust::Fingerprint;
use crate::workspace::Workspace;

/// An event to decide on.
#[derive(Clone, Copy, Debug)]
pub struct GuardRequest<'e> {
    /// The harness.
    pub harness: &'static Hook,
    /// The event, as the harness sends it.
    pub event: &'e [u8],
    /// Whether to say for every guard why it acted or did not.
    pub explain: bool,
}

/// What a lawbook would decide.
#[derive(Clone, Debug)]
pub enum GuardPreview {
    /// The decision.
    Decided(Box<GuardDecision>),
    /// The event cannot be read, so a hook denies it.
    Unreadable(UnreadableEvent),
}

/// `{"event": null, "decision": "deny", "by": [], "reason", "law"}`: an event that cannot be read.
#[derive(Clone, Debug, Serialize)]
pub struct UnreadableEvent {
    event: Option<()>,
    decision: &'static str,
    by: [&'static str; 1],
    /// Why.
    pub reason: String,
    law: String,
}

impl GuardPreview {
    /// `No` for `deny` and `ask`.
    pub fn answer(&self) -> Answer {
        match self {
            Self::Decided(decided) => Answer::of(matches!(decided.decision, "allow" | "none")),
            Self::Unreadable(_) => Answer::Undecided,
        }
    }
}

impl Workspace {
    /// Decides on an event by the lawbook in a folder, and changes nothing.
    pub fn preview_guard(&self, request: GuardRequest<'_>) -> Result<GuardPreview, Failure> {
        let opened = self.open()?;
        let law = Fingerprint::of(&Bundle::of(&opened.book)).to_string();
        let folder = opened.folder.clone();
        let book = lawful::Lawbook::new(opened.book, opened.problems);
        book.ready_for(Verb::Guard)?;
        let (incoming, moment) = match event(request) {
            Ok(event) => event,
            Err(why) => {
                let reason = format!("The call could not be decided: {why}");
                return Ok(GuardPreview::Unreadable(UnreadableEvent {
                    event: None,
                    decision: "deny",
                    by: [super::outcome::UNDECIDED],
                    reason,
                    law,
                }));
            }
        };
        let named = incoming.as_ref().map(|incoming| {
            let call = LiveRequest {
                harness: request.harness,
                event: Event::ToolCall,
                undecided: lawful::book::Undecided::Block,
            };
            self.project_of(call, incoming)
        });
        // An event may come from another machine.
        let project = named.filter(|folder| folder.is_dir());
        let project = project.unwrap_or_else(|| self.start().to_owned());
        let project = root(&project.canonicalize().unwrap_or(project));
        let working = incoming.and_then(|incoming| incoming.folder);
        let working = working.filter(|folder| folder.is_dir()).unwrap_or_else(|| project.clone());
        let places = HostPlaces::new(&project, &working, self.variable("HOME"));
        let event = live::Event::read(&moment, &places);
        let host = self.host(&folder, &law, (&project, &places));
        let state = book.start();
        let decided = if request.explain {
            book.guard_explained(&event, &state, &host)
        } else {
            book.guard(&event, &state, &host)
        };
        Ok(GuardPreview::Decided(Box::new(decided?)))
    }
}

/// The event of a harness, or a tool call as guards see it.
fn event(request: GuardRequest<'_>) -> Result<(Option<Incoming>, Moment), String> {
    let GuardRequest { harness, event, .. } = request;
    let limits = Limits { bytes: lawful_deliver::LONGEST_EVENT, ..Limits::default() };
    let text = std::str::from_utf8(event).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let (value, problems) = parse_json_leniently::<Value>(text, Span::NONE.file, &limits);
    let value = value.filter(|_| !problems.iter().any(Diagnostic::is_error));
    if let Some(Value::Map(fields)) = &value {
        let is_call = ["tool_name", "toolName", "hook_event_name", "hookEventName"];
        if fields.get("action").is_some() && is_call.iter().all(|key| fields.get(key).is_none()) {
            return tool_use(fields).map(|call| (None, Moment::ToolCall(call)));
        }
    }
    let named = value.as_ref().and_then(|value| named_event(harness, value));
    let incoming = read(harness, named.unwrap_or(Event::ToolCall), event)?;
    let moment = incoming.moment.clone();
    Ok((Some(incoming), moment))
}

/// The event that an input of a harness names.
pub(crate) fn named_event(harness: &Hook, sent: &Value) -> Option<Event> {
    let name = sent.get("hook_event_name").or_else(|| sent.get("hookEventName"));
    let name = name.and_then(Value::as_text)?;
    Event::ALL.into_iter().find(|event| harness.row(*event).is_some_and(|row| row.name == name))
}

/// The keys of every tool call as guards see it.
const CALL_KEYS: [&str; 5] = ["type", "action", "tool", "agent", "input"];

/// A tool call as guards see it.
fn tool_use(fields: &Map) -> Result<ToolUse, String> {
    let text = |name: &str| fields.get(name).and_then(Value::as_text);
    let needed = |name: &str| text(name).ok_or_else(|| format!("`{name}` is not a text"));
    let written = needed("action")?;
    let action = Action::NAMES.iter().find(|(name, _)| *name == written);
    let Some((_, action)) = action else {
        return Err(format!("there is no action `{}`", escape::name(written)));
    };
    let target = match action {
        Action::Shell => Target::Shell {
            command: needed("command")?.into(),
            folder: text("folder").map(Into::into),
        },
        Action::Read | Action::Write | Action::Edit | Action::Search => {
            let Some(Value::List(items)) = fields.get("paths") else {
                return Err("`paths` is not a list".to_owned());
            };
            let paths = items.iter().map(|item| {
                item.as_text().map(Into::into).ok_or("`paths` contains something that is no text")
            });
            Target::Paths(paths.collect::<Result<_, _>>()?)
        }
        Action::Fetch => Target::Url(needed("url")?.into()),
        Action::Mcp => {
            Target::Mcp { server: needed("server")?.into(), name: needed("name")?.into() }
        }
        Action::Agent | Action::Other => Target::Nothing,
    };
    let own: &[&str] = match action {
        Action::Shell => &["command", "folder"],
        Action::Read | Action::Write | Action::Edit | Action::Search => &["paths"],
        Action::Fetch => &["url"],
        Action::Mcp => &["server", "name"],
        Action::Agent | Action::Other => &[],
    };
    let is_known = |key: &str| CALL_KEYS.iter().chain(own).any(|known| *known == key);
    if let Some((key, _)) = fields.iter().find(|(key, _)| !is_known(key)) {
        let known: Vec<String> =
            CALL_KEYS.iter().chain(own).map(|key| format!("`{key}`")).collect();
        return Err(format!(
            "unknown key `{}` in a call of the action `{written}`; the keys are {}",
            escape::line(&escape::name(key)),
            known.join(", ")
        ));
    }
    Ok(ToolUse {
        action: *action,
        tool: text("tool").unwrap_or(written).into(),
        agent: text("agent").unwrap_or("main").into(),
        input: fields.get("input").cloned().unwrap_or_default(),
        target,
    })
}
