//! Why a rule did not fire: the step is run again, and every rule is asked in every wave.
//!
//! The furthest that a rule came is what is told: a wave in which it was set off and held tells more
//! than one that did not concern it.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::escape;

use super::event::Event;
use super::gate::{cooldown_left, is_enabled, is_spent};
use super::input::Input;
use super::rules::{Rule, RuleId, Rules};
use super::session::Session;
use super::trigger::{On, Test, change, turn_of};
use super::watch::{Stop, Watch};
use crate::cond::Outcome;
use crate::path::Path;
use crate::value::Value;
use crate::view::why;

/// What held a rule back. Later ones are further. A rule that a limit held back lacked its trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// It is switched off.
    Enabled,
    /// No event fits its trigger.
    Trigger,
    /// Its conditions do not hold.
    Conditions,
    /// It fired already in this step.
    Once,
    /// It fired not long enough ago.
    Cooldown,
    /// It fired as often as it may.
    FireCount,
}

impl Gate {
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

/// A rule that did not fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFired {
    /// The rule.
    pub rule: RuleId,
    /// What held it back.
    pub gate: Gate,
    /// Why, in a sentence, with the actual values.
    pub why: String,
}

impl Rules {
    /// Why rules do not fire in a step from this session, in the order they are declared: a row for
    /// every rule that does not. A rule that fires and is set off again in a later wave is told of
    /// too: it fires once.
    pub fn why_not(&self, session: Session, input: &Input) -> Vec<NotFired> {
        let mut asking = Asking { rules: self, found: BTreeMap::new() };
        let step = self.watched_step(session, input, &mut asking);
        let mut found = asking.found;
        for firing in &step.trace.fired {
            // What held it before it fired does not count; what came after does.
            if found.get(&firing.rule).is_some_and(|known| known.gate != Gate::Once) {
                found.remove(&firing.rule);
            }
        }
        let row = |(rule, Held { gate, why, .. })| NotFired { rule, gate, why };
        found.into_iter().map(row).collect()
    }

    /// What holds a rule whose trigger holds, if anything does.
    fn held(&self, id: RuleId, session: &Session, fired: &BTreeSet<RuleId>) -> Option<Held> {
        let rule = self.rule(id);
        let held = |gate: Gate, why: String| Some(Held { reach: Reach::Asked, gate, why });
        if !is_enabled(rule, session) {
            return held(Gate::Enabled, switched_off(rule, session));
        }
        let mut run = self.conditions.run(&session.variables);
        let outcome = run.outcome(rule.condition);
        if outcome != Outcome::True {
            let explanation =
                self.conditions.explain(rule.condition, &session.variables, &run.finish());
            return held(Gate::Conditions, why(&explanation));
        }
        if fired.contains(&id) {
            return held(Gate::Once, "it fired already in this step".to_owned());
        }
        let left = cooldown_left(rule, session);
        if left > 0 {
            let turns = if left == 1 { "turn" } else { "turns" };
            let last = session.fired(&rule.id).last_turn;
            let why = format!("it fired at turn {last}: {left} {turns} of cooldown left");
            return held(Gate::Cooldown, why);
        }
        let count = session.fired(&rule.id).count;
        let most = rule.max_fires.filter(|_| is_spent(rule, session))?;
        held(Gate::FireCount, format!("it fired {count} of {most} times"))
    }

    /// What holds a rule that no event of the wave sets off.
    fn unasked(&self, id: RuleId, events: &[Event], session: &Session) -> Held {
        let rule = self.rule(id);
        let on = &rule.trigger.on;
        let mut near: Vec<&Event> = events.iter().filter(|event| on.admits(event.kind())).collect();
        if !is_enabled(rule, session) {
            // Switched on in a later wave, it comes too late for these.
            let reach = if near.is_empty() { Reach::Unasked } else { Reach::Near };
            return Held { reach, gate: Gate::Enabled, why: switched_off(rule, session) };
        }
        // The first test that none of those passes that passed the ones before.
        let missed = rule.trigger.tests.iter().find_map(|test| {
            let missed = self.missed(test, &near);
            near.retain(|event| self.passes(test, event));
            missed.filter(|_| near.is_empty())
        });
        let reach = if missed.is_some() { Reach::Near } else { Reach::Unasked };
        let why = missed.unwrap_or_else(|| {
            let kind = match on {
                On::Manual => return "no rule triggered it".to_owned(),
                On::Type(kind) => escape::name(kind).into_owned(),
                On::Namespace(namespace) => format!("{}*", escape::name(namespace)),
            };
            let variable = rule.trigger.tests.iter().find_map(|test| match test {
                Test::Changed(path) | Test::Crossed { path, .. } => Some(path),
                Test::Fields { .. } | Test::Turn { .. } | Test::Keywords(_) => None,
            });
            match variable {
                Some(path) => format!("`{path}` did not change"),
                None => format!("there was no event `{kind}`"),
            }
        });
        Held { reach, gate: Gate::Trigger, why }
    }

    /// Why none of some events passes a test, if one of them came near.
    fn missed(&self, test: &Test, events: &[&Event]) -> Option<String> {
        match test {
            Test::Changed(path) => {
                let (_, now) = changes(events, path)?;
                Some(format!("`{path}` did not change: it is {now}"))
            }
            Test::Crossed { path, direction, threshold } => {
                let (old, new) = changes(events, path)?;
                let phrase = direction.phrase();
                let went = format!("it went from {old} to {new}");
                Some(format!("`{path}` did not {phrase} {threshold}: {went}"))
            }
            Test::Turn { .. } => {
                let turn = |event: &&Event| match turn_of(event) {
                    Some(turn) => format!("turn {turn} is none of its turns"),
                    None => "the event does not say which turn it was".to_owned(),
                };
                said(events, turn)
            }
            Test::Keywords(_) => {
                events.first().map(|_| "the message has none of its keywords".to_owned())
            }
            Test::Fields { condition, .. } => said(events, |event| {
                let mut run = self.patterns.run(&event.body);
                run.outcome(*condition);
                why(&self.patterns.explain(*condition, &event.body, &run.finish()))
            }),
        }
    }
}

/// What held a rule at one moment of a step.
struct Held {
    reach: Reach,
    gate: Gate,
    why: String,
}

/// How far a rule came. Later ones are further, and tell more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// No event concerned it.
    Unasked,
    /// An event came near to its trigger.
    Near,
    /// Its event was raised, and a limit kept it from being seen.
    Unseen,
    /// Its trigger held, and a gate did not.
    Asked,
    /// It passed every gate, and a limit kept it from acting, unless it fired.
    Passed,
}

/// Asks every rule in every wave, and keeps the furthest that each came.
struct Asking<'r> {
    rules: &'r Rules,
    found: BTreeMap<RuleId, Held>,
}

impl Asking<'_> {
    fn keep(&mut self, rule: RuleId, held: Held) {
        // Once it fired, nothing before counts.
        let rank = |held: &Held| (held.gate == Gate::Once, held.reach, held.gate);
        if self.found.get(&rule).is_none_or(|known| rank(known) < rank(&held)) {
            self.found.insert(rule, held);
        }
    }
}

impl Watch for Asking<'_> {
    fn wave(&mut self, events: &[Event], session: &Session, fired: &BTreeSet<RuleId>) {
        let triggered = self.rules.triggered(events);
        for rule in self.rules.all.ids() {
            if triggered.contains_key(&rule) {
                let limit = self.rules.limits.actions;
                let passed = || Held::stopped(Reach::Passed, Stop { what: "actions", limit });
                let held = self.rules.held(rule, session, fired).unwrap_or_else(passed);
                self.keep(rule, held);
            } else if !fired.contains(&rule) {
                self.keep(rule, self.rules.unasked(rule, events, session));
            }
        }
    }

    fn unseen(
        &mut self,
        events: &[Event],
        stops: &[Stop],
        session: &Session,
        fired: &BTreeSet<RuleId>,
    ) {
        let triggered = self.rules.triggered(events);
        for rule in self.rules.all.ids().filter(|rule| !fired.contains(rule)) {
            let stop = triggered.get(&rule).and_then(|found| stops.get(found.event));
            let held = match stop.filter(|_| is_enabled(self.rules.rule(rule), session)) {
                Some(stop) => Held::stopped(Reach::Unseen, *stop),
                None => self.rules.unasked(rule, events, session),
            };
            self.keep(rule, held);
        }
    }
}

impl Held {
    /// By a limit. That is no gate of the rule; what it lacked is to be set off.
    fn stopped(reach: Reach, stop: Stop) -> Self {
        let why = match reach {
            Reach::Passed => format!("the step was {stop}, before it acted"),
            Reach::Unseen | Reach::Asked | Reach::Near | Reach::Unasked => {
                format!("the step was {stop}, before its event was seen")
            }
        };
        Self { reach, gate: Gate::Trigger, why }
    }
}

/// What there is to say of some events, if there are any.
fn said(events: &[&Event], say: impl Fn(&&Event) -> String) -> Option<String> {
    /// More of them say the same again.
    const MOST: usize = 3;
    let mut all: Vec<String> = events.iter().take(MOST).map(say).collect();
    all.dedup();
    (!all.is_empty()).then(|| all.join("; "))
}

/// What events tell of the value at a path, if they tell of its variable at all.
fn changes(events: &[&Event], path: &Path) -> Option<(String, String)> {
    let (old, new) = events.iter().find_map(|event| change(event, path))?;
    let show = |value: Option<&Value>| {
        let shown = value.map_or("absent".to_owned(), ToString::to_string);
        escape::shorten(&shown, 80).into_owned()
    };
    Some((show(old), show(new)))
}

fn switched_off(rule: &Rule, session: &Session) -> String {
    if session.rules.contains_key(&rule.id) {
        "it was switched off".to_owned()
    } else {
        "it says `enabled: false`".to_owned()
    }
}
