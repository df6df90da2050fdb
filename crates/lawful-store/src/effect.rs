//! Effects: what a turn asks the host to do, and what became of it.
//!
//! An effect is numbered `turn.step.n`. Rewinding restores the state, and the counter of steps with
//! it, so the step that regenerates a turn numbers its effects as the abandoned one did. Two rules keep
//! an id from meaning two things:
//!
//! - An id that the session has used is not used again. The regenerated effect gets the next free `n`
//!   of its step, so a host that remembers the ids it has seen never mistakes one for the other.
//! - An effect that was acknowledged cannot be taken back. If the regenerated step asks for the same
//!   thing (the same step, the same body), it has been done: the effect keeps that id, is recorded as
//!   [`Status::Repeated`], and is not handed out. Each acknowledged effect stands for one repetition.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::{Error, Json};

/// The id of an effect: where it comes from, and its number there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EffectId {
    /// Everything before the last dot, such as `turn.step`.
    pub stem: String,
    /// The number after it.
    pub number: u64,
}

impl FromStr for EffectId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = || Error::BadEffectId { id: text.to_owned() };
        let (stem, number) = text.rsplit_once('.').ok_or_else(bad)?;
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        // One spelling for each id: no sign and no leading zero.
        let plain = digits && (number == "0" || !number.starts_with('0'));
        let fits = number.parse::<u64>().ok().filter(|number| i64::try_from(*number).is_ok());
        match fits.filter(|_| plain && !stem.is_empty() && !stem.chars().any(char::is_control)) {
            Some(number) => Ok(Self { stem: stem.to_owned(), number }),
            None => Err(bad()),
        }
    }
}

impl fmt::Display for EffectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.stem, self.number)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EffectId {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EffectId".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<String>()
    }
}

impl Serialize for EffectId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An effect as a turn asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEffect {
    /// The id that the engine gave it.
    pub id: EffectId,
    /// What is to be done, without the id.
    pub body: Json,
}

/// What became of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The host is to do it.
    Pending,
    /// The host has done it.
    Acknowledged,
    /// Its turn was abandoned before the host acknowledged it. It is never handed out again.
    Withdrawn,
    /// The same step had asked for it on a branch since abandoned, and the host did it then. It is
    /// never handed out again.
    Repeated,
}

impl Status {
    pub(crate) fn code(self) -> i64 {
        match self {
            Self::Pending => 0,
            Self::Acknowledged => 1,
            Self::Withdrawn => 2,
            Self::Repeated => 3,
        }
    }

    pub(crate) fn from_code(code: i64) -> Option<Self> {
        let all = [Self::Pending, Self::Acknowledged, Self::Withdrawn, Self::Repeated];
        all.into_iter().find(|status| status.code() == code)
    }
}

/// An effect as the store has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Effect {
    /// Its id.
    pub id: EffectId,
    /// The version of the turn that asked for it.
    pub version: u64,
    /// What became of it.
    pub status: Status,
    /// What is to be done, without the id.
    pub body: Json,
}

/// What an acknowledgement came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Acknowledged {
    /// The effect was pending.
    Now,
    /// It had been acknowledged before.
    Before,
    /// It had been withdrawn. That the host did it all the same is recorded, so that a regenerated
    /// turn does not ask for it again.
    Late,
}
