//! Which rules a step asked, and what their conditions were: for coverage.
//!
//! The step runs again and is watched, so that an ordinary step pays nothing for it.

use std::collections::BTreeSet;

use super::event::Event;
use super::gate::{Gates, projection};
use super::input::Input;
use super::rules::{RuleId, Rules};
use super::session::Session;
use super::watch::{Stop, Watch};
use crate::cond::Outcome;
use crate::value::Value;

/// What a step asked.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// The rules that some event could trigger by its type, or that another rule triggered.
    pub rules: BTreeSet<RuleId>,
    /// The conditions that were evaluated.
    pub conditions: Vec<(RuleId, Outcome)>,
    /// The saved conditions among them.
    pub saved: Vec<(Box<str>, Outcome)>,
}

impl Rules {
    /// What a step from this session asks.
    pub(crate) fn asked(&self, session: Session, input: &Input) -> Asked {
        let mut watching = Watching { rules: self, asked: Asked::default() };
        self.watched_step(session, input, &mut watching);
        watching.asked
    }
}

struct Watching<'r> {
    rules: &'r Rules,
    asked: Asked,
}

impl Watching<'_> {
    fn evaluate(&mut self, rule: RuleId, document: &Value) {
        let mut run = self.rules.conditions.run_few(document, 1);
        let condition = self.rules.rule(rule).condition;
        let outcome = run.outcome_with_saved(condition, &mut self.asked.saved);
        self.asked.conditions.push((rule, outcome));
    }
}

impl Watch for Watching<'_> {
    fn wave(&mut self, events: &[Event], session: &Session, fired: &BTreeSet<RuleId>) {
        let rules = self.rules;
        for (id, rule) in rules.all() {
            let could =
                |event: &Event| event.target == Some(id) || rule.trigger.on.admits(event.kind());
            if events.iter().any(could) {
                self.asked.rules.insert(id);
            }
        }
        let triggered = rules.triggered(events);
        let gates = Gates { rules, session, triggered: &triggered, fired };
        for (id, found) in &triggered {
            // The other gates come first when rules are matched.
            if gates.first_closed(*id, &mut |_| Outcome::True).is_some() {
                continue;
            }
            match rules.projected.get(id) {
                None => self.evaluate(*id, &session.variables),
                Some(reads) => {
                    let others = found.others.iter().map(|(event, _)| *event);
                    for event in std::iter::once(found.event).chain(others) {
                        self.evaluate(*id, &projection(reads, events.get(event), session));
                    }
                }
            }
        }
    }

    fn unseen(&mut self, _: &[Event], _: &[Stop], _: &Session, _: &BTreeSet<RuleId>) {}
}
