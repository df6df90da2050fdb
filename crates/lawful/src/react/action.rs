//! Actions: the `actions` of rules and the `then` of reactions decode to one small set.
//!
//! A decoded rule and a decoded reaction are the same thing, and an `@` path is another spelling of
//! an action.

use lawful_syntax::Span;

use super::operation::Operation;
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
