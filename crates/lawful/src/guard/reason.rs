//! The reason of a decision: the words of the author, with values on one line.

use lawful_syntax::escape;

use super::guards::Guards;
use crate::live::Event;
use crate::react::{Piece, Session, Source, pieces, plain};
use crate::value::{Map, Value};

/// The maximal length of a value in a reason, in characters.
const MOST: usize = 200;

impl Guards {
    /// A reason with its placeholders filled. Values come from the agent, so each is one line,
    /// escaped and truncated.
    pub(super) fn fill(
        &self,
        reason: &str,
        event: &Event,
        spelling: Option<&Map>,
        session: &Session,
    ) -> String {
        let mut out = String::with_capacity(reason.len());
        for piece in pieces(reason) {
            match piece {
                Piece::Text(text) | Piece::Other(text) => out.push_str(text),
                Piece::Value(source) => {
                    let value = self.look_up(&source, event, spelling, session);
                    out.push_str(&value.as_ref().map(quoted).unwrap_or_default());
                }
            }
        }
        out
    }

    fn look_up(
        &self,
        source: &Source,
        event: &Event,
        spelling: Option<&Map>,
        session: &Session,
    ) -> Option<Value> {
        match source {
            Source::Field(path) => {
                let own =
                    spelling.and_then(|fields| path.get(&Value::Map(fields.clone())).cloned());
                own.or_else(|| path.get(event.body()).cloned())
            }
            Source::Variable(path) => {
                let held = path.get(&session.variables).cloned();
                held.or_else(|| path.get(&Value::Map(self.initial.clone())).cloned())
            }
            Source::Turn => Some(i64::try_from(session.turn).unwrap_or(i64::MAX).into()),
        }
    }
}

/// A value from outside, as a reason shows it.
pub(super) fn quoted(value: &Value) -> String {
    shown(&plain(value))
}

/// A text from outside, as a reason shows it.
pub(super) fn shown(text: &str) -> String {
    escape::line(&escape::shorten(text, MOST)).into_owned()
}
