//! Actions: the `actions` of rules and the `then` of reactions decode to one small set.
//!
//! A decoded rule and a decoded reaction are the same thing, and an `@` path is another spelling of
//! an action.

use std::borrow::Cow;

use lawful_syntax::Span;

use super::decode::then::Place;
use super::operation::Operation;
use super::source::Source;
use crate::insertion::{Position, Role};
use crate::path::Path;
use crate::value::{Map, Value};

/// An action and its place.
#[derive(Clone, Debug)]
pub struct Action {
    /// What it does.
    pub kind: ActionKind,
    /// Where it is.
    pub span: Span,
}

/// What an action does.
#[derive(Clone, Debug)]
pub enum ActionKind {
    /// Changes a variable.
    Write(Path, Operation),
    /// Puts a text into the prompts of the next turns.
    Inject(Injection),
    /// Removes such a text.
    Remove(Box<str>),
    /// Switches an entry on or off.
    Entry(Box<str>, bool),
    /// Switches a rule or a reaction on or off.
    Rule(Box<str>, bool),
    /// Queues a message for the next turn.
    Context(Box<str>, Role),
    /// Raises an event in the next wave.
    Emit(Value),
    /// Triggers a manual rule in the next wave.
    Trigger(Box<str>),
    /// Requests something from the host.
    Effect(EffectKind, Map),
    /// Sets an `@` path to a value that is looked up when the action runs.
    SetFrom(Box<str>, Source),
}

/// A text of an action, which may have placeholders.
pub(crate) struct Text<'a> {
    /// The text.
    pub content: Cow<'a, str>,
    /// Whether it stands in the system layer.
    pub system: bool,
    /// The kind of text, for messages.
    pub what: &'static str,
}

impl ActionKind {
    /// The id of the directive that the action injects.
    pub(crate) fn directive(&self) -> Option<&str> {
        match self {
            Self::Inject(injection) => Some(&injection.id),
            Self::SetFrom(path, _) => path.strip_prefix("@prompt.directive."),
            Self::Write(..)
            | Self::Remove(_)
            | Self::Entry(..)
            | Self::Rule(..)
            | Self::Context(..)
            | Self::Emit(_)
            | Self::Trigger(_)
            | Self::Effect(..) => None,
        }
    }

    /// The text of the action, if it has one.
    pub(crate) fn text(&self) -> Option<Text<'_>> {
        let made = |content, system, what| Some(Text { content, system, what });
        match self {
            Self::Inject(injection) => {
                let text = Cow::Borrowed(&*injection.content);
                made(text, injection.position.depth().is_none(), "directive")
            }
            Self::Context(message, role) => {
                made(Cow::Borrowed(message), *role == Role::System, "context message")
            }
            Self::Effect(EffectKind::NotifyPlayer, fields) => {
                let message = fields.get("message").and_then(Value::as_text)?;
                made(Cow::Borrowed(message), false, "notification")
            }
            Self::SetFrom(path, source) => {
                let text = || Cow::Owned(format!("${{{source}}}"));
                match Place::find(path)? {
                    Place::Directive(_) => made(text(), true, "directive"),
                    Place::Context => made(text(), true, "context message"),
                    Place::Notification => made(text(), false, "notification"),
                    Place::Audio(_)
                    | Place::Stop
                    | Place::Entry(_)
                    | Place::Disabled(_)
                    | Place::Request => None,
                }
            }
            Self::Write(..)
            | Self::Remove(_)
            | Self::Entry(..)
            | Self::Rule(..)
            | Self::Emit(_)
            | Self::Trigger(_)
            | Self::Effect(EffectKind::PlayAudio | EffectKind::AiRequest, _) => None,
        }
    }

    /// The id of the rule that the action triggers or switches.
    pub(crate) fn named_rule(&self) -> Option<&str> {
        match self {
            Self::Rule(id, _) | Self::Trigger(id) => Some(id),
            Self::SetFrom(path, _) => match Place::find(path)? {
                Place::Disabled(id) => Some(id),
                Place::Audio(_)
                | Place::Stop
                | Place::Directive(_)
                | Place::Entry(_)
                | Place::Context
                | Place::Notification
                | Place::Request => None,
            },
            Self::Write(..)
            | Self::Inject(_)
            | Self::Remove(_)
            | Self::Entry(..)
            | Self::Context(..)
            | Self::Emit(_)
            | Self::Effect(..) => None,
        }
    }

    /// The source that the action reads with `valueFrom`.
    pub(crate) fn from(&self) -> Option<&Source> {
        match self {
            Self::Write(_, operation) => operation.from.as_ref(),
            Self::SetFrom(_, source) => Some(source),
            Self::Inject(_)
            | Self::Remove(_)
            | Self::Entry(..)
            | Self::Rule(..)
            | Self::Context(..)
            | Self::Emit(_)
            | Self::Trigger(_)
            | Self::Effect(..) => None,
        }
    }
}

/// The directive that an action injects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// Its id.
    pub id: Box<str>,
    /// Its text.
    pub content: Box<str>,
    /// Where it is inserted.
    pub position: Position,
    /// How many turns it lasts; `None` if it lasts until it is removed.
    pub turns: Option<u64>,
    /// Whether the author wrote how long it lasts.
    pub(crate) is_timed: bool,
}

/// What an action requests from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// Show a notification.
    NotifyPlayer,
    /// Play or stop a track.
    PlayAudio,
    /// Let the agent speak.
    AiRequest,
}

impl EffectKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::NotifyPlayer, Self::PlayAudio, Self::AiRequest];

    /// `notify-player`, `play-audio` or `ai-request`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotifyPlayer => "notify-player",
            Self::PlayAudio => "play-audio",
            Self::AiRequest => "ai-request",
        }
    }
}

/// A request to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// `turn.step.n`, unique within the session.
    pub id: String,
    /// What is requested.
    pub kind: EffectKind,
    /// The fields of the action.
    pub fields: Map,
}
