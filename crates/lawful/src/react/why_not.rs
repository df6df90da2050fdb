//! Why a rule did not fire. The step runs again, and every rule is evaluated in every wave.
//!
//! The report is the furthest point that a rule reached. A wave that triggered it explains more
//! than a wave that did not concern it.

use std::collections::{BTreeMap, BTreeSet};

use lawful_syntax::escape;

use super::event::Event;
use super::gate::{Gate, Gates, cooldown_left, projection};
use super::input::Input;
use super::rules::{Rule, RuleId, Rules};
use super::session::Session;
use super::trigger::{On, Test, change, turn_of};
use super::watch::{Stop, Watch};
use crate::cond::why;
use crate::cond::{Outcome, Outcomes};
use crate::path::Path;
use crate::value::Value;

/// A rule that did not fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFired {
    /// The rule.
    pub rule: RuleId,
    /// The gate that stopped it.
    pub gate: Gate,
    /// Why, in a sentence, with the actual values.
    pub why: String,
}

impl Rules {
    /// Why rules do not fire in a step from this session, in declaration order: a row for every
    /// rule that does not. A rule that fires and is triggered again in a later wave has a row too,
    /// because it fires once.
    pub fn why_not(&self, session: Session, input: &Input) -> Vec<NotFired> {
        let mut furthest = Furthest { rules: self, found: BTreeMap::new() };
        let step = self.watched_step(session, input, &mut furthest);
        let mut found = furthest.found;
        for firing in &step.trace.fired {
            // What stopped it before it fired does not count; what stopped it afterwards does.
            if found.get(&firing.rule).is_some_and(|known| known.gate != Gate::Once) {
                found.remove(&firing.rule);
            }
        }
        let row = |(rule, Held { gate, why, .. })| NotFired { rule, gate, why };
        found.into_iter().map(row).collect()
    }

    /// Why a gate stops a triggered rule. `outcomes` are those of the rules' conditions.
    fn held(
        &self,
        id: RuleId,
        gate: Gate,
        (event, session): (Option<&Event>, &Session),
        outcomes: &Outcomes,
    ) -> String {
        let rule = self.rule(id);
        match gate {
            Gate::Enabled => switched_off(rule, session),
            Gate::Trigger => "no event matches its trigger".to_owned(),
            Gate::Conditions => match self.projected.get(&id) {
                None => why(&self.conditions.explain(rule.condition, &session.variables, outcomes)),
                Some(reads) => {
                    let document = projection(reads, event, session);
                    let mut run = self.conditions.run(&document);
                    run.outcome(rule.condition);
                    why(&self.conditions.explain(rule.condition, &document, &run.finish()))
                }
            },
            Gate::Once => "it already fired in this step".to_owned(),
            Gate::Cooldown => {
                let left = cooldown_left(rule, session);
                let turns = if left == 1 { "turn" } else { "turns" };
                let last = session.fired(&rule.id).last_turn;
                format!("it fired at turn {last}: {left} {turns} of cooldown left")
            }
            Gate::FireCount => {
                let (count, most) = (session.fired(&rule.id).count, rule.max_fires.unwrap_or(0));
                if count == 1 {
                    format!("it fired once; its maximum is {most}")
                } else {
                    format!("it fired {count} times; its maximum is {most}")
                }
            }
        }
    }

    /// What stops a rule that no event of the wave triggers: it is switched off, or not triggered.
    fn not_triggered(&self, id: RuleId, gate: Gate, events: &[Event], session: &Session) -> Held {
        let rule = self.rule(id);
        let on = &rule.trigger.on;
        let mut near: Vec<&Event> = events.iter().filter(|event| on.admits(event.kind())).collect();
        if gate == Gate::Enabled {
            // A rule that is switched on in a later wave misses the events of this one.
            let reach = if near.is_empty() { Reach::Unconcerned } else { Reach::Near };
            return Held { reach, gate, why: switched_off(rule, session) };
        }
        // The first test that fails for every event that passed the tests before it.
        let missed = rule.trigger.tests.iter().find_map(|test| {
            let missed = self.missed(test, &near);
            near.retain(|event| self.passes(test, event));
            missed.filter(|_| near.is_empty())
        });
        let reach = if missed.is_some() { Reach::Near } else { Reach::Unconcerned };
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

    /// Why none of the events passes a test, if one of them came close.
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
                    Some(turn) => format!("turn {turn} is not one of its turns"),
                    None => "the event has no turn".to_owned(),
                };
                said(events, turn)
            }
            Test::Keywords(_) => {
                events.first().map(|_| "the message contains none of its keywords".to_owned())
            }
            Test::Fields { condition, .. } => said(events, |event| {
                let mut run = self.patterns.run(&event.body);
                run.outcome(*condition);
                why(&self.patterns.explain(*condition, &event.body, &run.finish()))
            }),
        }
    }
}

/// What stopped a rule at one point of a step.
struct Held {
    reach: Reach,
    gate: Gate,
    why: String,
}

/// How far a rule got. Later variants explain more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// No event concerned it.
    Unconcerned,
    /// An event nearly matched its trigger.
    Near,
    /// Its event was raised, but a limit hid it.
    Unseen,
    /// It was triggered, but a gate stopped it.
    Triggered,
    /// It passed every gate, but a limit stopped it from acting, unless it fired.
    Passed,
}

/// Evaluates every rule in every wave, and keeps the furthest point that each reached.
struct Furthest<'r> {
    rules: &'r Rules,
    found: BTreeMap<RuleId, Held>,
}

impl Furthest<'_> {
    fn keep(&mut self, rule: RuleId, held: Held) {
        // Once it fired, nothing before counts.
        let rank = |held: &Held| (held.gate == Gate::Once, held.reach, held.gate);
        if self.found.get(&rule).is_none_or(|known| rank(known) < rank(&held)) {
            self.found.insert(rule, held);
        }
    }
}

impl Watch for Furthest<'_> {
    fn wave(&mut self, events: &[Event], session: &Session, fired: &BTreeSet<RuleId>) {
        let rules = self.rules;
        let triggered = rules.triggered(events);
        let gates = Gates { rules, session, triggered: &triggered, fired };
        let mut run = rules.conditions.run(&session.variables);
        let asked =
            rules.all.ids().filter(|rule| triggered.contains_key(rule) || !fired.contains(rule));
        let closed: Vec<(RuleId, Option<Gate>)> = asked
            .map(|rule| {
                let holds =
                    &mut |asked: RuleId| match (rules.projected.get(&asked), triggered.get(&asked))
                    {
                        (Some(reads), Some(found)) => {
                            rules.of_events(reads, found, events, session).0
                        }
                        (_, _) => run.outcome(rules.rule(asked).condition),
                    };
                (rule, gates.first_closed(rule, holds))
            })
            .collect();
        let outcomes = run.finish();
        for (rule, gate) in closed {
            let held = match gate {
                None => {
                    let limit = rules.limits.actions;
                    Held::stopped(Reach::Passed, Stop { what: "actions", limit })
                }
                Some(gate) if triggered.contains_key(&rule) => {
                    let event = triggered.get(&rule).and_then(|found| events.get(found.event));
                    let why = rules.held(rule, gate, (event, session), &outcomes);
                    Held { reach: Reach::Triggered, gate, why }
                }
                Some(gate) => rules.not_triggered(rule, gate, events, session),
            };
            self.keep(rule, held);
        }
    }

    fn unseen(
        &mut self,
        events: &[Event],
        stops: &[Stop],
        session: &Session,
        fired: &BTreeSet<RuleId>,
    ) {
        let rules = self.rules;
        let triggered = rules.triggered(events);
        let gates = Gates { rules, session, triggered: &triggered, fired };
        for rule in rules.all.ids().filter(|rule| !fired.contains(rule)) {
            let stop = triggered.get(&rule).and_then(|found| stops.get(found.event));
            // The gates after the trigger were not evaluated.
            let held = match (gates.first_closed(rule, &mut |_| Outcome::True), stop) {
                (Some(gate @ Gate::Enabled), _) | (Some(gate), None) => {
                    rules.not_triggered(rule, gate, events, session)
                }
                (Some(_) | None, Some(stop)) => Held::stopped(Reach::Unseen, *stop),
                (None, None) => continue,
            };
            self.keep(rule, held);
        }
    }
}

impl Held {
    /// Stopped by a limit. A limit is not a gate of the rule, so the rule counts as not triggered.
    fn stopped(reach: Reach, stop: Stop) -> Self {
        let why = match reach {
            Reach::Passed => format!("the step was {stop}, before it acted"),
            Reach::Unseen | Reach::Triggered | Reach::Near | Reach::Unconcerned => {
                format!("the step was {stop}, before its event was seen")
            }
        };
        Self { reach, gate: Gate::Trigger, why }
    }
}

/// The explanation of some events, if there are any.
fn said(events: &[&Event], say: impl Fn(&&Event) -> String) -> Option<String> {
    /// More events would only repeat the explanation.
    const MOST: usize = 3;
    let mut all: Vec<String> = events.iter().take(MOST).map(say).collect();
    all.dedup();
    (!all.is_empty()).then(|| all.join("; "))
}

/// The value at a path that the events report, if they are about its variable.
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
        "it has `enabled: false`".to_owned()
    }
}
