//! What rules do: the actions of rules and the `then` of reactions are one small set.
//!
//! Every spelling decodes to one of these, so a rule and a reaction are the same once they are
//! read, and an `@` path is another way to write an action.

use lawful_syntax::Span;

use super::operation::Operation;
use crate::insertion::{Position, Role};
use crate::path::Path;
use crate::value::{Map, Value};

/// An action and where it is written.
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
    /// Takes such a text out.
    Remove(Box<str>),
    /// Switches an entry.
    Entry(Box<str>, bool),
    /// Switches a rule or a reaction.
    Rule(Box<str>, bool),
    /// Queues a message for the next turn.
    Context(Box<str>, Role),
    /// Raises an event in the next wave.
    Emit(Value),
    /// Triggers a manual rule in the next wave.
    Trigger(Box<str>),
    /// Asks something of the host.
    Effect(EffectKind, Map),
}

/// A directive to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// Its id.
    pub id: Box<str>,
    /// What it says.
    pub content: Box<str>,
    /// Where it goes.
    pub position: Position,
    /// How many turns it lasts; `None` until it is removed.
    pub turns: Option<u64>,
}

/// What the host is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// To show a notification.
    NotifyPlayer,
    /// To play or stop a track.
    PlayAudio,
    /// To let the agent speak.
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

/// Something for the host to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// `turn.step.n`: no two of a session are the same.
    pub id: String,
    /// What it is.
    pub kind: EffectKind,
    /// The fields of the action.
    pub fields: Map,
}
