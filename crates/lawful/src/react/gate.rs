//! The gates that a rule must pass to fire, in order, and the rules that pass all of them.
//!
//! [`Gate::ALL`] is the only list. A rule acts if it passes every gate, and "why not" names the
//! first gate that it does not pass.

use std::collections::{BTreeMap, BTreeSet, btree_map};

use serde::{Deserialize, Serialize};

use super::event::{Event, MESSAGE_AI, MESSAGE_USER};
use super::keyword::{Hit, Side};
use super::rules::{Rule, RuleId, Rules};
use super::session::Session;
use super::source::{EVENT, STATE};
use super::trigger::{Test, changed, crossed, is_turn};
use crate::cond::{CondId, Outcome};
use crate::path::{Path, Segment};
use crate::value::{Map, Value};

/// What stops a rule. The order is that of the checks. A rule that a limit stopped counts as not
/// triggered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The rule is switched off.
    Enabled,
    /// No event matches its trigger.
    Trigger,
    /// Its conditions are false.
    Conditions,
    /// It already fired in this step.
    Once,
    /// Its cooldown has not ended.
    Cooldown,
    /// It reached its maximum number of firings.
    FireCount,
}

impl Gate {
    /// Every gate, in order.
    pub const ALL: [Self; 6] = [
        Self::Enabled,
        Self::Trigger,
        Self::Conditions,
        Self::Once,
        Self::Cooldown,
        Self::FireCount,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Trigger => "trigger",
            Self::Conditions => "conditions",
            Self::Once => "once",
            Self::Cooldown => "cooldown",
            Self::FireCount => "fire-count",
        }
    }
}

/// What the gates of a wave read: the session at its start, the triggered rules, and the rules that
/// fired before.
pub(super) struct Gates<'g> {
    pub rules: &'g Rules,
    pub session: &'g Session,
    pub triggered: &'g BTreeMap<RuleId, Match>,
    pub fired: &'g BTreeSet<RuleId>,
}

impl Gates<'_> {
    /// Whether a rule passes a gate. `holds` has the outcomes of conditions; only they can be
    /// undecided.
    fn outcome(
        &self,
        gate: Gate,
        id: RuleId,
        holds: &mut impl FnMut(RuleId) -> Outcome,
    ) -> Outcome {
        let rule = self.rules.rule(id);
        Outcome::of(match gate {
            Gate::Enabled => is_enabled(rule, self.session),
            Gate::Trigger => self.triggered.contains_key(&id),
            Gate::Conditions => return holds(id),
            Gate::Once => !self.fired.contains(&id),
            Gate::Cooldown => cooldown_left(rule, self.session) == 0,
            Gate::FireCount => !is_spent(rule, self.session),
        })
    }

    /// The first gate that a rule does not pass.
    pub(super) fn first_closed(
        &self,
        id: RuleId,
        holds: &mut impl FnMut(RuleId) -> Outcome,
    ) -> Option<Gate> {
        Gate::ALL.into_iter().find(|gate| self.outcome(*gate, id, holds) != Outcome::True)
    }
}

/// A rule that an event of a wave triggers.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub rule: RuleId,
    /// The first event that matches its trigger.
    pub event: usize,
    pub hit: Option<Hit>,
    /// The other events that match it, if its conditions read the event.
    pub others: Vec<(usize, Option<Hit>)>,
}

/// What happens to the rules that were triggered.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    /// The rules that act, in order.
    pub acting: Vec<Match>,
    /// The rules whose condition could not be evaluated.
    pub undecided: Vec<RuleId>,
}

impl Rules {
    /// The rules that some event triggers, each with the first such event. Other rules are not
    /// evaluated.
    pub(super) fn triggered(&self, events: &[Event]) -> BTreeMap<RuleId, Match> {
        let mut found: BTreeMap<RuleId, Match> = BTreeMap::new();
        for (at, event) in events.iter().enumerate() {
            let mut add = |rule: RuleId, hit: Option<Hit>| {
                let others = Vec::new();
                match found.entry(rule) {
                    btree_map::Entry::Vacant(entry) => {
                        entry.insert(Match { rule, event: at, hit, others });
                    }
                    btree_map::Entry::Occupied(mut entry) => {
                        let known = entry.get_mut();
                        let last = known.others.last().map_or(known.event, |(event, _)| *event);
                        if last != at && self.projected.contains_key(&rule) {
                            known.others.push((at, hit));
                        }
                    }
                }
            };
            if let Some(rule) = event.target {
                add(rule, None);
            }
            let (candidates, keywords) = self.index.candidates(event);
            for rule in self.holding(&candidates, event) {
                add(rule, None);
            }
            if let (true, Some((side, content))) = (keywords, message(event)) {
                for (rule, hit) in self.keywords.scan(side, content) {
                    add(rule, Some(hit));
                }
            }
        }
        found
    }

    /// Those of the given rules whose tests all match an event.
    fn holding(&self, rules: &[RuleId], event: &Event) -> Vec<RuleId> {
        let mut run = None;
        let mut fits = |condition: CondId| {
            let run = run.get_or_insert_with(|| self.patterns.run_few(&event.body, rules.len()));
            run.outcome(condition) == Outcome::True
        };
        let all = rules.iter().copied();
        let mut holds = |test: &Test| passes(test, event, &mut fits);
        all.filter(|rule| self.all[*rule].trigger.tests.iter().all(&mut holds)).collect()
    }

    /// Whether an event passes one test.
    pub(super) fn passes(&self, test: &Test, event: &Event) -> bool {
        passes(test, event, &mut |condition| {
            self.patterns.run_few(&event.body, 1).outcome(condition) == Outcome::True
        })
    }

    /// The rules that act in a wave, matched against the session at its start.
    pub(super) fn matched(
        &self,
        events: &[Event],
        session: &Session,
        fired: &BTreeSet<RuleId>,
    ) -> Matched {
        let triggered = self.triggered(events);
        let gates = Gates { rules: self, session, triggered: &triggered, fired };
        // Conditions are the most expensive, so they run last and in one run.
        let mut open: Vec<RuleId> = triggered.keys().copied().collect();
        open.retain(|id| gates.first_closed(*id, &mut |_| Outcome::True).is_none());
        let mut matched = Matched::default();
        let mut run = self.conditions.run_few(&session.variables, open.len());
        for id in open {
            let Some(found) = triggered.get(&id) else { continue };
            let (outcome, found) = match self.projected.get(&id) {
                None => (run.outcome(self.all[id].condition), found.clone()),
                Some(reads) => self.of_events(reads, found, events, session),
            };
            match outcome {
                Outcome::True => matched.acting.push(found),
                Outcome::Error => matched.undecided.push(id),
                Outcome::False | Outcome::NotEvaluated => {}
            }
        }
        // Rules are numbered in declaration order, rules before reactions.
        matched.acting.sort_by(|a, b| {
            let priority = |found: &Match| self.all[found.rule].priority;
            priority(b).cmp(&priority(a)).then(a.event.cmp(&b.event)).then(a.rule.cmp(&b.rule))
        });
        matched
    }
}

impl Rules {
    /// The outcome of a condition that reads the event: the first event for which it is true
    /// triggers the rule.
    pub(super) fn of_events(
        &self,
        reads: &[Path],
        found: &Match,
        events: &[Event],
        session: &Session,
    ) -> (Outcome, Match) {
        let condition = self.all[found.rule].condition;
        let first = (found.event, found.hit.clone());
        let mut outcome = Outcome::False;
        for (at, hit) in std::iter::once(&first).chain(&found.others) {
            let document = projection(reads, events.get(*at), session);
            match self.conditions.run_few(&document, 1).outcome(condition) {
                Outcome::True => {
                    let found = Match { event: *at, hit: hit.clone(), ..found.clone() };
                    return (Outcome::True, found);
                }
                Outcome::Error => outcome = Outcome::Error,
                Outcome::False | Outcome::NotEvaluated => {}
            }
        }
        (outcome, found.clone())
    }
}

/// What a condition reads: the variables by name and under `state`, and the event under `event`.
pub(super) fn projection(reads: &[Path], event: Option<&Event>, session: &Session) -> Value {
    let mut out = Map::new();
    let mut state = Map::new();
    for path in reads {
        match path.segments() {
            [Segment::Key(root), ..] if **root == *EVENT => {
                out.insert(EVENT, event.map(|event| event.body.clone()).unwrap_or_default());
            }
            [Segment::Key(root), Segment::Key(variable), ..] if **root == *STATE => {
                let value = session.variables.get(variable).cloned().unwrap_or_default();
                state.insert(variable.clone(), value);
            }
            [Segment::Key(root), ..] if **root == *STATE => {
                if let Value::Map(variables) = &session.variables {
                    state = variables.clone();
                }
            }
            [Segment::Key(root), ..] => {
                let value = session.variables.get(root).cloned().unwrap_or_default();
                out.insert(root.clone(), value);
            }
            [] | [Segment::Index(_) | Segment::Each, ..] => {}
        }
    }
    if !state.is_empty() {
        out.insert(STATE, Value::Map(state));
    }
    Value::Map(out)
}

/// Whether an event passes a test; `fits` evaluates the conditions on its fields.
fn passes(test: &Test, event: &Event, fits: &mut impl FnMut(CondId) -> bool) -> bool {
    match test {
        Test::Fields { condition, .. } => fits(*condition),
        Test::Changed(path) => changed(event, path),
        Test::Crossed { path, direction, threshold } => {
            crossed(event, path, *direction, *threshold)
        }
        Test::Turn { at, every } => is_turn(event, *at, *every),
        // All keywords are searched at once.
        Test::Keywords(_) => false,
    }
}

/// The side and the content of a message event.
pub(super) fn message(event: &Event) -> Option<(Side, &str)> {
    let side = match event.kind() {
        MESSAGE_USER => Side::User,
        MESSAGE_AI => Side::Ai,
        _ => return None,
    };
    Some((side, event.body.get("content").and_then(Value::as_text)?))
}

/// A switch in the session overrides `enabled`.
pub(super) fn is_enabled(rule: &Rule, session: &Session) -> bool {
    session.rules.get(&rule.id).copied().unwrap_or(rule.enabled)
}

/// How many turns are left until a rule may fire again.
pub(super) fn cooldown_left(rule: &Rule, session: &Session) -> u64 {
    let fired = session.fired(&rule.id);
    if fired.count == 0 || rule.cooldown == 0 {
        return 0;
    }
    fired.last_turn.saturating_add(rule.cooldown).saturating_sub(session.turn)
}

/// Whether a rule has reached its maximum number of firings.
fn is_spent(rule: &Rule, session: &Session) -> bool {
    rule.max_fires.is_some_and(|most| session.fired(&rule.id).count >= most)
}
