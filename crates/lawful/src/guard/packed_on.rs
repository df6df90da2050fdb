//! Which events can reach a guard, as bytes that are matched without decoding the guard.
//!
//! **Invariant:** an event that a guard decides on reaches it. Bytes that cannot be read are reached by
//! every event.

use super::guards::On;
use crate::live::{Action, EventKind};

/// What reaches a guard: the number of the event, and a bit for each kind of tool.
pub(crate) fn pack(on: &On) -> Vec<u8> {
    let event = EventKind::NAMES.iter().zip(0..).find(|((_, kind), _)| *kind == on.event);
    let Some((_, event)) = event else { return Vec::new() };
    let included = |action: &Action| on.includes(on.event, Some(*action));
    let numbered = Action::NAMES.iter().zip(0_u16..);
    let bits = numbered.filter(|((_, action), _)| included(action));
    let actions = bits.fold(0_u16, |bits, (_, bit)| bits | 1 << bit);
    let [low, high] = actions.to_le_bytes();
    vec![event, low, high]
}

/// Whether a guard decides on this kind of event and tool.
pub(crate) fn reaches(bytes: &[u8], event: EventKind, action: Option<Action>) -> bool {
    let [kind, low, high] = bytes else { return true };
    let same = EventKind::NAMES.get(usize::from(*kind)).is_none_or(|(_, known)| *known == event);
    let actions = u16::from_le_bytes([*low, *high]);
    let listed = |wanted: Action| {
        let bit = Action::NAMES.iter().zip(0_u16..).find(|((_, action), _)| *action == wanted);
        bit.is_none_or(|(_, bit)| actions & 1 << bit != 0)
    };
    same && action.is_none_or(listed)
}
