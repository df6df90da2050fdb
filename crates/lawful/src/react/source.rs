//! Where a placeholder, a `valueFrom` or a condition finds a value: in the event that triggered the
//! rule, in a variable, or in the turn of the session.

use super::event::Event;
use super::session::Session;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The names that a variable cannot have, because conditions and placeholders use them.
pub(crate) const RESERVED: [&str; 2] = [EVENT, STATE];
/// The event that triggered the rule.
pub(crate) const EVENT: &str = "event";
/// The variables of the session.
pub(crate) const STATE: &str = "state";
/// What a session knows about itself.
const SESSION: &str = "session";

/// A place that has a value while a rule acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A field of the event.
    Field(Path),
    /// A variable, or a value inside one.
    Variable(Path),
    /// The number of completed turns.
    Turn,
}

impl Source {
    /// The source of `event.…`, `state.…` or `session.turn`.
    pub(crate) fn named(path: &Path) -> Option<Self> {
        let [Segment::Key(root), rest @ ..] = path.segments() else { return None };
        let inner = || matches!(rest.first(), Some(Segment::Key(_))).then(|| Path::of(rest));
        match &**root {
            EVENT => inner().map(Self::Field),
            STATE => inner().map(Self::Variable),
            SESSION if matches!(rest, [Segment::Key(key)] if **key == *"turn") => Some(Self::Turn),
            _ => None,
        }
    }

    /// The same, or a variable by its bare name.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::named(path).or_else(|| match path.segments() {
            [Segment::Key(root), ..] if !RESERVED.contains(&&**root) => {
                Some(Self::Variable(path.clone()))
            }
            _ => None,
        })
    }

    /// Its value, if it has one.
    pub(super) fn get(&self, event: Option<&Event>, session: &Session) -> Option<Value> {
        match self {
            Self::Field(path) => path.get(event?.body()).cloned(),
            Self::Variable(path) => path.get(&session.variables).cloned(),
            Self::Turn => Some(turn(session)),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field(path) => write!(f, "{EVENT}.{path}"),
            Self::Variable(path) => write!(f, "{STATE}.{path}"),
            Self::Turn => write!(f, "{SESSION}.turn"),
        }
    }
}

/// The number of completed turns as a value.
pub(super) fn turn(session: &Session) -> Value {
    i64::try_from(session.turn).unwrap_or(i64::MAX).into()
}

/// A path without a leading `state`, so that both spellings of a variable are one path.
pub(crate) fn without_state(path: &Path) -> Option<Path> {
    match path.segments() {
        [Segment::Key(root), rest @ ..]
            if **root == *STATE && matches!(rest.first(), Some(Segment::Key(_))) =>
        {
            Some(Path::of(rest))
        }
        _ => None,
    }
}
