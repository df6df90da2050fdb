//! Effects of a session: the request to the host, its id and its status.

use lawful::{Map, Value};
use lawful_store::{Acknowledged, EffectId, Status};
use serde::{Serialize, Serializer};

use super::stored;
use crate::failure::Failure;

/// An effect. Serialises as `{"id", "type", …}` with the fields of its action.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionEffect {
    /// Its id.
    pub id: EffectId,
    /// Its status.
    pub status: Status,
    /// The request to the host: `type`, and the fields of the action.
    pub body: Value,
}

impl SessionEffect {
    /// Decodes a stored effect.
    pub(super) fn stored(effect: &lawful_store::Effect) -> Result<Self, Failure> {
        let body = stored::value(&effect.body)?;
        Ok(Self { id: effect.id.clone(), status: effect.status, body })
    }

    /// Whether a turn returns it to the host: not if the host performed it when the turn was first
    /// taken, and not if it was withdrawn.
    pub fn is_handed_out(&self) -> bool {
        match self.status {
            Status::Pending | Status::Acknowledged => true,
            Status::Withdrawn | Status::Repeated => false,
        }
    }
}

impl Serialize for SessionEffect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Map::new();
        out.insert("id", self.id.to_string().as_str().into());
        if let Value::Map(body) = &self.body {
            for (key, field) in body.iter() {
                out.insert(key, field.clone());
            }
        }
        Value::Map(out).serialize(serializer)
    }
}

/// `{"session", "acknowledged"?, "effects"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PendingEffects {
    /// The name of the session.
    pub session: String,
    /// The result of each acknowledgement, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acknowledged: Vec<Acknowledgement>,
    /// The pending effects.
    pub effects: Vec<SessionEffect>,
}

/// `{"id", "result"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Acknowledgement {
    /// The id of the effect.
    pub id: EffectId,
    /// The result of acknowledging it.
    pub result: Acknowledged,
}
