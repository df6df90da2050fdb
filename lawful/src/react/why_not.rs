//! Why a rule did not fire: the step is run again, and every rule is asked in every wave.
//!
//! The furthest gate that a rule came to is the one that is told.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::escape;

use super::event::Event;
use super::gate::{cooldown_left, is_enabled, is_spent};
use super::input::Input;
use super::rules::{Rule, RuleId, Rules};
use super::session::Session;
use super::trigger::{On, Test, change, turn_of};
use crate::cond::Outcome;
use crate::path::Path;
use crate::value::Value;
use crate::view::why;

/// What held a rule back. Later ones are further.
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
    /// Why rules do not fire in a step from this session, in the order they are declared. A rule
    /// that fires and is set off again in a later wave is told of too: it fires once.
    pub fn why_not(&self, session: Session, input: &Input) -> Vec<NotFired> {
        let mut found: BTreeMap<RuleId, Held> = BTreeMap::new();
        let mut watch = |events: &[Event], session: &Session, fired: &BTreeSet<RuleId>| {
            let triggered = self.triggered(events);
            for rule in self.all.ids() {
                let held = if triggered.contains_key(&rule) {
                    self.held(rule, session, fired)
                } else if fired.contains(&rule) {
                    None
                } else {
                    Some(self.unasked(rule, events, session))
                };
                let Some(held) = held else { continue };
                let rank = |held: &Held| (held.gate, held.near);
                if found.get(&rule).is_none_or(|known| rank(known) < rank(&held)) {
                    found.insert(rule, held);
                }
            }
        };
        let step = self.watched_step(session, input, &mut watch);
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
        let held = |gate: Gate, why: String| Some(Held { gate, near: true, why });
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
        if !is_enabled(rule, session) {
            return Held { gate: Gate::Enabled, near: true, why: switched_off(rule, session) };
        }
        let on = &rule.trigger.on;
        let of_kind: Vec<&Event> = events.iter().filter(|event| on.admits(event.kind())).collect();
        let missed = rule.trigger.tests.iter().find_map(|test| self.missed(test, &of_kind));
        let near = missed.is_some();
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
        Held { gate: Gate::Trigger, near, why }
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
                let turn = events.iter().find_map(|event| turn_of(event))?;
                Some(format!("turn {turn} is none of its turns"))
            }
            Test::Keywords(_) => {
                events.first().map(|_| "the message has none of its keywords".to_owned())
            }
            Test::Fields { condition, .. } => {
                let event = events.first()?;
                let mut run = self.patterns.run(&event.body);
                run.outcome(*condition);
                Some(why(&self.patterns.explain(*condition, &event.body, &run.finish())))
            }
        }
    }
}

/// What held a rule in one wave.
struct Held {
    gate: Gate,
    /// Whether an event came near, which tells more than that there was none.
    near: bool,
    why: String,
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
