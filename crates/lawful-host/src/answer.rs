//! The answer to a question that has a yes and a no.

use serde::Serialize;

/// Yes, no, or could not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// Yes: it holds, it was done, nothing is wrong.
    Yes,
    /// No: it was decided, and the result is negative.
    No,
    /// It could not be decided.
    Undecided,
}

impl Answer {
    /// [`Answer::Yes`] or [`Answer::No`].
    pub fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}
