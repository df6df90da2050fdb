//! Which guards an event asked, and what their conditions were: for coverage.

use super::document::{Documents, touched};
use super::guards::{GuardId, Guards};
use crate::cond::Outcome;
use crate::live::Event;
use crate::react::Session;

/// What an event asked.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The guards that decide on this kind of event and tool.
    pub guards: Vec<GuardId>,
    /// The conditions that were evaluated, for each thing that the event touches.
    pub conditions: Vec<(GuardId, Outcome)>,
    /// The saved conditions among them.
    pub saved: Vec<(Box<str>, Outcome)>,
}

impl Guards {
    /// What an event asks.
    pub(crate) fn asked(&self, event: &Event, session: &Session) -> Asked {
        let mut asked = Asked::default();
        asked.guards.extend_from_slice(self.of(event.kind(), event.action()));
        let is_same = |id: &GuardId| self.all[*id].on.differing(event.body()).is_none();
        let guards: Vec<GuardId> = asked.guards.iter().copied().filter(is_same).collect();
        let mut documents = Documents::new(self, event, session);
        for touched in touched(event).filter(|_| !guards.is_empty()) {
            let document = documents.of(touched.spelling);
            let mut run = self.conditions.run(document);
            for guard in &guards {
                let condition = self.all[*guard].condition;
                let outcome = run.outcome_with_saved(condition, &mut asked.saved);
                asked.conditions.push((*guard, outcome));
            }
        }
        asked
    }
}
