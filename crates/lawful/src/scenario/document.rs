//! A scenario as it is written: what is given, what happens, and what is expected of it.

use lawful_syntax::{Diagnostic, FileId, Node, Span};

use super::codes::BAD_SCENARIO;
use super::expect::Expect;
use crate::guard::decode::DECIDED;
use crate::live::Moment;
use crate::react::Input;
use crate::value::{Map, Value};
use crate::verify::Envelope;

/// A scenario: one document of `scenarios/`.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its name; default: the name of its file.
    pub name: Box<str>,
    /// Its path in the book.
    pub path: Box<str>,
    /// Its text.
    pub file: FileId,
    /// Where it starts from.
    pub given: Given,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// Where a scenario starts from.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The context of its prompts.
    pub context: Map,
    /// The variables that differ from their initial values.
    pub state: Map,
    /// Where they are written.
    pub(super) state_span: Option<Span>,
}

/// One step of a scenario.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub span: Span,
    /// Its kind.
    pub kind: StepKind,
    /// What happens.
    pub act: Act,
    /// What is expected afterwards.
    pub expect: Option<Expect>,
}

/// The kind of a step: the key that it is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// A turn: what the user and the agent say, and what the agent writes.
    Turn,
    /// An action of the user interface.
    Action,
    /// An event of the host.
    Event,
    /// Writes of the host.
    Set,
    /// A prompt that a person submits.
    Prompt,
    /// A tool call, or another event of a harness.
    Tool,
    /// An envelope to judge.
    Envelope,
    /// An agent that wants to stop.
    Stop,
    /// Going back to an earlier state.
    Rewind,
    /// A prompt to compose.
    Compose,
}

impl StepKind {
    /// Every kind with its key.
    pub const NAMES: [(&'static str, Self); 10] = [
        ("turn", Self::Turn),
        ("action", Self::Action),
        ("event", Self::Event),
        ("set", Self::Set),
        ("prompt", Self::Prompt),
        ("tool", Self::Tool),
        ("envelope", Self::Envelope),
        ("stop", Self::Stop),
        ("rewind", Self::Rewind),
        ("compose", Self::Compose),
    ];

    /// Its key.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Action => "action",
            Self::Event => "event",
            Self::Set => "set",
            Self::Prompt => "prompt",
            Self::Tool => "tool",
            Self::Envelope => "envelope",
            Self::Stop => "stop",
            Self::Rewind => "rewind",
            Self::Compose => "compose",
        }
    }

    /// Whether rules of `rules/` can fire in it.
    pub(super) fn is_step(self) -> bool {
        match self {
            Self::Turn | Self::Action | Self::Event | Self::Set => true,
            Self::Prompt | Self::Tool | Self::Stop => true,
            Self::Envelope | Self::Rewind | Self::Compose => false,
        }
    }

    /// Whether guards decide on it.
    pub(super) fn is_decided(self) -> bool {
        match self {
            Self::Prompt | Self::Tool | Self::Stop => true,
            Self::Turn | Self::Action | Self::Event | Self::Set => false,
            Self::Envelope | Self::Rewind | Self::Compose => false,
        }
    }

    /// Whether an envelope is judged in it.
    pub(super) fn is_judged(self) -> bool {
        match self {
            Self::Envelope | Self::Stop => true,
            Self::Turn | Self::Action | Self::Event | Self::Set => false,
            Self::Prompt | Self::Tool | Self::Rewind | Self::Compose => false,
        }
    }
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum Act {
    /// `turn`, `action`, `event` and `set`: an input of the session.
    Input(Input),
    /// `prompt` and `tool`: an event of a harness.
    Live(Live),
    /// `envelope`: an envelope is judged.
    Envelope(Submitted),
    /// `stop`: the agent wants to stop.
    Stop {
        /// Its last message.
        message: Option<Box<str>>,
        /// What it states, and what the host saw.
        submitted: Submitted,
    },
    /// `rewind`: back to an earlier state.
    Rewind(Target),
    /// `compose`: a prompt.
    Compose(Composing),
}

/// An event of a harness.
#[derive(Clone, Debug)]
pub enum Live {
    /// As guards see it.
    Moment(Box<Moment>),
    /// As a harness sends it to its hook.
    Sent {
        /// The id of the harness.
        harness: (Box<str>, Span),
        /// The event.
        event: Value,
        /// Where the event is written.
        span: Span,
    },
}

/// The error of a step that expects a decision on an event that no guard decides on.
pub(super) fn undecided_event(moment: &Moment, step: &Step) -> Option<Diagnostic> {
    let kind = moment.kind();
    let expect = step.expect.as_ref().filter(|_| !DECIDED.contains(&kind))?;
    let (key, span) = match (&expect.decision, &expect.by) {
        (Some((_, span)), _) => ("decision", *span),
        (None, Some(listed)) => ("by", listed.span),
        (None, None) => return None,
    };
    let message = format!("the event `{}` has no `{key}`", kind.name());
    let decided = DECIDED.map(|kind| format!("`{}`", kind.name())).join(", ");
    let help = format!("guards decide only on {decided}; remove it, or change the event");
    Some(Diagnostic::new(&BAD_SCENARIO, span, message).help(help))
}

/// What an agent states, and what the host saw.
#[derive(Clone, Debug, Default)]
pub struct Submitted {
    /// The envelope; `None` if the agent wrote none.
    pub envelope: Option<Box<Envelope>>,
    /// The observation, with its places; `None` if the host did not look.
    pub observed: Option<(Value, Node)>,
}

/// The state to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The end of a turn; 0 is the start.
    Turn(u64),
    /// A version: the start is 0, and every step of the session that changes it makes the next one.
    Version(u64),
}

/// A prompt to compose.
#[derive(Clone, Debug)]
pub struct Composing {
    /// Which one.
    pub of: PromptOf,
    /// Where it is named.
    pub span: Span,
    /// The context, which is added to that of `given`.
    pub context: Map,
}

/// Which prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptOf {
    /// That of a composition.
    Composition(Box<str>),
    /// The system prompt of a role.
    Role(Box<str>),
}
