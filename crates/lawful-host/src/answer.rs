//! The answer to a yes-or-no question.

use serde::Serialize;

/// Yes, no, or undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The result is positive: true, done, or no problems.
    Yes,
    /// The result is negative.
    No,
    /// No decision was possible.
    Undecided,
}

impl Answer {
    /// [`Answer::Yes`] or [`Answer::No`].
    pub fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}
