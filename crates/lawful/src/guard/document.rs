//! The documents that conditions of guards are evaluated on: the event and one thing, and the
//! variables.

use super::guards::Guards;
use crate::live::field::Field;
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

/// The document of one thing after the other, with what the conditions read and nothing else.
///
/// The event and the variables are copied once, and not for each thing: their size must not count as
/// often as a call touches something.
pub(super) struct Documents<'e> {
    /// The fields of a thing that conditions read, each with its value in the event itself.
    of_thing: Vec<(&'static str, Option<&'e Value>)>,
    document: Value,
}

impl<'e> Documents<'e> {
    pub(super) fn new(guards: &Guards, event: &'e Event, session: &Session) -> Self {
        let read = |field: &&Field| guards.reads.fields.contains(field.name);
        let of_thing = Field::of_things().filter(read);
        let of_thing = of_thing.map(|field| (field.name, event.body().get(field.name))).collect();
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
        let mut document = Map::new();
        document.insert(EVENT, Value::Map(fields));
        document.insert(STATE, Value::Map(state));
        Self { of_thing, document: Value::Map(document) }
    }

    /// The document of one thing.
    pub(super) fn of(&mut self, spelling: &Map) -> &Value {
        if let Value::Map(document) = &mut self.document
            && let Some(Value::Map(event)) = document.get_mut(EVENT)
        {
            for (field, of_event) in &self.of_thing {
                match spelling.get(field).or(*of_event) {
                    Some(value) => event.insert(*field, value.clone()),
                    None => drop(event.remove(field)),
                }
            }
        }
        &self.document
    }
}

impl Guards {
    /// The value of a variable: that of the session, or its initial one.
    pub(super) fn variable<'v>(&'v self, name: &str, session: &'v Session) -> Option<&'v Value> {
        session.variables.get(name).or_else(|| self.initial.get(name))
    }
}
