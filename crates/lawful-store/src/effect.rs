//! Effects: the requests of a turn to the host, and their status.
//!
//! An effect is numbered `turn.step.n`. Rewinding restores the state, including the step counter,
//! so a regenerated step numbers its effects like the abandoned one. Two rules keep ids
//! unambiguous:
//!
//! - An id that the session has used is not reused. The regenerated effect gets the next free `n`
//!   of its step, so a host that remembers ids never confuses the two.
//! - An acknowledged effect cannot be undone. If the regenerated step makes the same request (same
//!   step, same body), it has already been performed. A request that is made [once](Repeat::Once)
//!   keeps that id, is recorded as [`Status::Repeated`], and is not returned to the host. Each
//!   acknowledged effect counts for one repetition. A request that is made
//!   [again](Repeat::Again) is a new effect with a new id.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Error, Json};

/// The id of an effect: its origin, and its number there.
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
        // One spelling per id: no sign and no leading zero.
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

impl<'de> Deserialize<'de> for EffectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// An effect as a turn requests it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEffect {
    /// The id that the engine assigned.
    pub id: EffectId,
    /// The request, without the id.
    pub body: Json,
    /// What to do if the host performed it before a rewind.
    pub repeat: Repeat,
}

/// What to do with a request that the host performed for a step that is now abandoned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Record it as repeated.
    #[default]
    Once,
    /// Request it again, under a new id.
    Again,
}

/// The status of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The host has to perform it.
    Pending,
    /// The host has performed it.
    Acknowledged,
    /// Its turn was abandoned before the host acknowledged it. It is never returned to the host
    /// again.
    Withdrawn,
    /// The same step requested it on a branch that is now abandoned, and the host performed it
    /// then. It is never returned to the host again.
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

/// An effect in the store.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Its id.
    pub id: EffectId,
    /// The version of the turn that requested it.
    pub version: u64,
    /// Its status.
    pub status: Status,
    /// The request, without the id.
    pub body: Json,
}

/// The result of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Acknowledged {
    /// The effect was pending.
    Now,
    /// It was already acknowledged.
    Before,
    /// It was withdrawn, but the host performed it. This is recorded, so that a regenerated turn
    /// does not request it again.
    Late,
}
