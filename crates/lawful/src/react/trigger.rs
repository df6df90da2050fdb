//! Triggers: each is a pattern of events.
//!
//! A pattern names a type of event and tests the event's object. Every trigger of a rule decodes to
//! one. Only `manual` matches no event; a `trigger-rule` must name the rule.

use lawful_syntax::Span;

use super::event::Event;
use super::keyword::Side;
use super::variables::root;
use crate::cond::CondId;
use crate::path::{Path, Segment, Slots};
use crate::value::{Number, Value};

/// When a rule is evaluated.
#[derive(Clone, Debug)]
pub struct Trigger {
    pub(super) on: On,
    /// An event must pass all of them.
    pub(super) tests: Vec<Test>,
    /// Its keywords, as they are written.
    pub(super) keywords: Vec<Box<str>>,
    /// Where it is written.
    pub span: Span,
}

/// Which events it matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// Events of this type.
    Type(Box<str>),
    /// Events whose type has this prefix, which ends in a colon.
    Namespace(Box<str>),
    /// No event: another rule must name this one.
    Manual,
}

/// A test of an event.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// A condition on its fields. `key` is a field that must equal a value, if there is one.
    /// `variables` are the values that its `variableId` must equal, with their places.
    Fields { condition: CondId, key: Option<(Box<str>, Value)>, variables: Vec<(Box<str>, Span)> },
    /// The value at a path changed.
    Changed(Path),
    /// The number at a path crossed a threshold.
    Crossed { path: Path, direction: Direction, threshold: Number },
    /// The turn is one of those given.
    Turn { at: Option<u64>, every: Option<u64> },
    /// The message contains one of the keywords.
    Keywords(Side),
}

/// In which direction a threshold is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    RisesAbove,
    DropsBelow,
}

impl Direction {
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("rises-above", Self::RisesAbove), ("drops-below", Self::DropsBelow)];

    /// The phrase for messages.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::RisesAbove => "rise above",
            Self::DropsBelow => "drop below",
        }
    }

    /// Whether a number crossed: it was on this side of the threshold, or at it, and is now beyond
    /// it.
    fn crossed(self, old: Number, threshold: Number, new: Number) -> bool {
        match self {
            Self::RisesAbove => old <= threshold && threshold < new,
            Self::DropsBelow => old >= threshold && threshold > new,
        }
    }
}

impl On {
    pub(super) fn admits(&self, kind: &str) -> bool {
        match self {
            Self::Type(exact) => **exact == *kind,
            Self::Namespace(namespace) => kind.starts_with(&**namespace),
            Self::Manual => false,
        }
    }
}

/// The value at a path of a variable, before and after the change that an event reports; `None` if
/// the event is about another variable.
pub(crate) fn change<'e>(
    event: &'e Event,
    path: &Path,
) -> Option<(Option<&'e Value>, Option<&'e Value>)> {
    let variable = event.body.get("variableId")?.as_text()?;
    let (first, inner) = path.segments().split_first()?;
    if root(path)? != variable || !matches!(first, Segment::Key(_)) {
        return None;
    }
    let within = |field: &str| Slots { start: event.body.get(field), segments: inner }.only();
    Some((within("oldValue"), within("newValue")))
}

/// Whether an event reports that the value at a path changed.
pub(crate) fn changed(event: &Event, path: &Path) -> bool {
    change(event, path).is_some_and(|(old, new)| old != new)
}

/// Whether an event reports that the number at a path crossed a threshold.
pub(crate) fn crossed(event: &Event, path: &Path, direction: Direction, threshold: Number) -> bool {
    match change(event, path) {
        Some((Some(Value::Number(old)), Some(Value::Number(new)))) => {
            direction.crossed(*old, threshold, *new)
        }
        Some(_) | None => false,
    }
}

/// Whether the turn of an event is one of those given.
pub(crate) fn is_turn(event: &Event, at: Option<u64>, every: Option<u64>) -> bool {
    let Some(turn) = turn_of(event) else { return false };
    at == Some(turn) || every.is_some_and(|every| turn > 0 && turn % every == 0)
}

pub(crate) fn turn_of(event: &Event) -> Option<u64> {
    match event.body.get("turn")? {
        Value::Number(turn) => turn.as_count(),
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => None,
    }
}
