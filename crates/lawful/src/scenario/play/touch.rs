//! What the steps of a scenario touch.

use super::Player;
use crate::cond::Outcome;
use crate::live::{Event, Host};
use crate::react::{Input, Session};
use crate::scenario::document::{PromptOf, Submitted};
use crate::scenario::happened::Prompted;
use crate::scenario::touched::{ConditionOf, Seen};
use crate::verify::Envelope;
use crate::view::{Stepped, Verification};

impl Player<'_> {
    pub(super) fn touch_step(&mut self, before: &Session, input: &Input, stepped: &Stepped) {
        let rules = self.book.rules();
        let fired = stepped.trace.fired.iter().map(|firing| firing.rule.as_str().into());
        self.touched.rules.extend(fired);
        let asked = rules.asked(before.clone(), input);
        for rule in asked.rules {
            self.touched.asked_rules.insert(rules.rule(rule).id.clone());
        }
        for (rule, outcome) in asked.conditions {
            let rule = rules.rule(rule);
            if !rule.when.is_always() {
                self.touched.saw(ConditionOf::Rule(rule.id.clone()), outcome);
            }
        }
        self.touched.saw_saved(asked.saved);
    }

    pub(super) fn touch_guards(&mut self, event: &Event, host: &Host) {
        let guards = self.book.guards();
        let asked = guards.asked(event, &self.session);
        for guard in asked.guards {
            self.touched.asked_guards.insert(guards.guard(guard).id.clone());
        }
        for (guard, outcome) in asked.conditions {
            let guard = guards.guard(guard);
            if !guard.when.is_always() {
                self.touched.saw(ConditionOf::Guard(guard.id.clone()), outcome);
            }
        }
        self.touched.saw_saved(asked.saved);
        let decided = guards.decide(event, &self.session, host);
        for (id, decision) in decided.acts() {
            self.touched.guards.entry(id.into()).or_default().insert(decision.name());
        }
    }

    pub(super) fn touch_rulespec(
        &mut self,
        envelope: &Envelope,
        submitted: &Submitted,
        verification: &Verification,
    ) {
        let Some(rulespec) = self.book.rulespec() else { return };
        self.touched.rulespec = true;
        for (predicate, view) in rulespec.predicates.iter().zip(&verification.predicates) {
            let (yes, no) = (view.outcome == "pass", view.outcome == "fail");
            self.touched.predicates.entry(view.index).or_default().merge(Seen { yes, no });
            let when = match view.outcome {
                "pass" | "fail" => Outcome::True,
                "skipped" => Outcome::False,
                _ => continue,
            };
            if predicate.is_conditional() {
                self.touched.saw(ConditionOf::Predicate(view.index), when);
            }
        }
        let observed = submitted.observed.as_ref().map(|(value, _)| value);
        self.touched.saw_saved(rulespec.saved_outcomes(&envelope.facts, observed));
    }

    pub(super) fn touch_prompt(&mut self, prompted: &Prompted) {
        let fragments = prompted.sections.iter().filter(|section| section.kind.is_none());
        self.touched.fragments.extend(fragments.map(|section| section.id.as_str().into()));
        self.touched.roles |= matches!(prompted.of, PromptOf::Role(_));
        let Some((name, context)) = &prompted.composition else { return };
        self.touched.compositions.insert(name.clone());
        let fired = prompted.rules.iter().filter(|rule| rule.fired);
        let fired = fired.map(|rule| (name.clone(), rule.index));
        self.touched.composition_rules.extend(fired);
        let compositions = self.book.compositions();
        let Ok(composition) = compositions.get(name) else { return };
        let conditions = compositions.conditions();
        let mut run = conditions.run(context);
        let mut saved = Vec::new();
        for (index, rule) in composition.rules.iter().enumerate() {
            let outcome = run.outcome_with_saved(rule.condition, &mut saved);
            if !rule.when.is_always() {
                self.touched.saw(ConditionOf::CompositionRule(name.clone(), index), outcome);
            }
        }
        self.touched.saw_saved(saved);
    }
}
