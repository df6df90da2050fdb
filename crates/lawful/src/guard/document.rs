//! The documents that conditions of guards are evaluated on: the event and one thing, and the
//! variables.

use super::guards::Guards;
use crate::live::{Event, Thing};
use crate::react::{EVENT, STATE, Session};
use crate::value::{Map, Value};

/// A spelling of a thing, or of a command that it may run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched<'e> {
    pub thing: &'e Thing,
    pub spelling: &'e Map,
    /// Whether it is only suspected.
    pub suspected: bool,
}

/// Everything that an event touches, in order: each thing with its spellings, then its suspects.
pub(super) fn touched(event: &Event) -> impl Iterator<Item = Touched<'_>> {
    event.touched().iter().flat_map(|thing| {
        let own = spellings(thing, false);
        own.chain(thing.suspects.iter().flat_map(|suspect| spellings(suspect, true)))
    })
}

fn spellings(thing: &Thing, suspected: bool) -> impl Iterator<Item = Touched<'_>> {
    thing.spellings.iter().map(move |spelling| Touched { thing, spelling, suspected })
}

/// Builds documents with what the conditions read, and nothing else.
pub(super) struct Documents<'g> {
    guards: &'g Guards,
    event: Map,
    state: Value,
}

impl<'g> Documents<'g> {
    pub(super) fn new(guards: &'g Guards, event: &Event, session: &Session) -> Self {
        let mut fields = Map::new();
        for field in &guards.reads.fields {
            if let Some(value) = event.body().get(field) {
                fields.insert(field.clone(), value.clone());
            }
        }
        let mut state = Map::new();
        for variable in &guards.reads.variables {
            if let Some(value) = guards.variable(variable, session) {
                state.insert(variable.clone(), value.clone());
            }
        }
        Self { guards, event: fields, state: Value::Map(state) }
    }

    /// The document of one thing.
    pub(super) fn of(&self, spelling: &Map) -> Value {
        let mut event = self.event.clone();
        for (field, value) in spelling.iter() {
            if self.guards.reads.fields.contains(field) {
                event.insert(field, value.clone());
            }
        }
        let mut document = Map::new();
        document.insert(EVENT, Value::Map(event));
        document.insert(STATE, self.state.clone());
        Value::Map(document)
    }
}

impl Guards {
    /// The value of a variable: that of the session, or its initial one.
    pub(super) fn variable<'v>(&'v self, name: &str, session: &'v Session) -> Option<&'v Value> {
        session.variables.get(name).or_else(|| self.initial.get(name))
    }
}
