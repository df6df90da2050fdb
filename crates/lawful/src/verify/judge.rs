//! Judging: runs the program over the facts of one envelope.

use lawful_datalog::{Constant, Run};
use lawful_syntax::{Diagnostic, Severity, Span};
use serde::Serialize;

use super::codes;
use super::ground_facts::{Answer, Facts, add_answers, add_tuples, answers, are_all, help_on};
use super::judged::Strictness;
use super::key::Key;
use super::rulespec::Rulespec;
use crate::limits::Limits;

/// The result of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It passes.
    Pass,
    /// It fails.
    Fail,
    /// Its `when` is false, so it was not evaluated.
    Skipped,
    /// Something that it reads was not observed.
    Undecided,
}

impl Judgement {
    /// `pass`, `fail`, `skipped` or `undecided`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Skipped => "skipped",
            Self::Undecided => "undecided",
        }
    }
}

/// The verdict on an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing failed, and everything that counts was decided.
    Pass,
    /// Something failed.
    Fail,
    /// Nothing failed, but something that counts is undecided.
    Undecided,
}

impl Verdict {
    /// `pass`, `fail` or `undecided`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Undecided => "undecided",
        }
    }
}

/// Answers of tests, and the result of each predicate.
#[derive(Debug)]
struct Known {
    answers: Box<[Answer]>,
    judgements: Box<[Judgement]>,
}

/// Judges envelopes by one rulespec, one after the other, and reuses its memory.
#[derive(Debug)]
pub struct Judge<'r> {
    pub(super) rulespec: &'r Rulespec,
    pub(super) run: Run<'r>,
    limits: Limits,
    pub(super) indexes: Vec<Constant>,
    /// What the tests say about the last envelope.
    answers: Vec<Answer>,
    /// The result of each predicate.
    results: Vec<Option<Judgement>>,
    judgements: Vec<Judgement>,
    /// Answers that were judged before, the last ones last.
    known: Vec<Known>,
    /// The relation, and the slot of its selector, that the last envelope failed at.
    pub(super) unfit: Option<(usize, usize)>,
}

impl<'r> Judge<'r> {
    /// A judge that has not judged anything yet.
    pub fn new(rulespec: &'r Rulespec, limits: &Limits) -> Self {
        let mut run = rulespec.law.compiled.start();
        let indexes = (0..rulespec.predicates.len())
            .map(|at| run.constants.number(i64::try_from(at).unwrap_or(i64::MAX)))
            .collect();
        Self {
            rulespec,
            run,
            limits: *limits,
            indexes,
            answers: Vec::new(),
            results: Vec::new(),
            judgements: Vec::new(),
            known: Vec::new(),
            unfit: None,
        }
    }

    /// Judges the facts of one envelope, or returns why there is no verdict.
    pub fn judge(&mut self, facts: Facts<'_>) -> Result<&[Judgement], Box<Diagnostic>> {
        self.answer(facts);
        self.judge_answers(facts)
    }

    /// Judges like [`judge`](Self::judge), but runs the program only for answers that were not judged
    /// lately. Most envelopes of one source have the same ones. There is nothing to explain a result
    /// with afterwards.
    pub fn judge_many(&mut self, facts: Facts<'_>) -> Result<&[Judgement], Box<Diagnostic>> {
        /// How many answers are kept: comparing with all of them takes less time than a run.
        const MOST_KNOWN: usize = 8;
        self.answer(facts);
        if !are_all(self.rulespec) {
            return self.judge_answers(facts);
        }
        let is_same = |known: &Known| *known.answers == *self.answers;
        if let Some(at) = self.known.iter().rposition(is_same) {
            let found = self.known.remove(at);
            self.judgements.clear();
            self.judgements.extend_from_slice(&found.judgements);
            self.unfit = None;
            self.known.push(found);
            return Ok(&self.judgements);
        }
        self.judge_answers(facts)?;
        if self.known.len() == MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(Known {
            answers: self.answers.as_slice().into(),
            judgements: self.judgements.as_slice().into(),
        });
        Ok(&self.judgements)
    }

    /// Asks all tests about the facts.
    fn answer(&mut self, facts: Facts<'_>) {
        self.answers.clear();
        let Rulespec { law, set, .. } = self.rulespec;
        answers(law, set.patterns(), facts, &mut self.run.constants, &mut self.answers);
    }

    /// Judges the facts that were just asked about.
    fn judge_answers(&mut self, facts: Facts<'_>) -> Result<&[Judgement], Box<Diagnostic>> {
        self.judgements.clear();
        self.run.reset();
        self.unfit = None;
        let (rulespec, run) = (self.rulespec, &mut self.run);
        add_answers(&rulespec.law, rulespec, facts, &self.answers, run);
        add_tuples(rulespec, facts, run, &self.limits).map_err(|unfit| {
            self.unfit = Some(unfit.slot);
            unfit.problem
        })?;
        self.run.run(self.limits.datalog).map_err(|error| {
            let first = || self.rulespec.predicates.first().map(|first| first.span);
            let place = self.rulespec.derives.or_else(first).unwrap_or(Span::NONE);
            Box::new(
                Diagnostic::new(&codes::OUT_OF_FUEL, place, error.to_string()).help(help_on(error)),
            )
        })?;
        // If there were two results, a failure would take precedence, and a pass would come last.
        let names = &self.rulespec.law.names;
        let verdicts = [
            (names.pass, Judgement::Pass),
            (names.skipped, Judgement::Skipped),
            (names.undecided, Judgement::Undecided),
            (names.fail, Judgement::Fail),
        ];
        self.results.clear();
        self.results.resize(self.rulespec.predicates.len(), None);
        for (relation, judgement) in verdicts {
            for index in self.run.counters(relation) {
                if let Some(result) = self.results.get_mut(index) {
                    *result = Some(judgement);
                }
            }
        }
        for (result, predicate) in self.results.iter().zip(&self.rulespec.predicates) {
            let Some(judgement) = result else {
                // The program has no result for it, which is never a pass.
                return Err(Box::new(
                    Diagnostic::new(
                        &codes::NO_VERDICT,
                        predicate.span,
                        "the program returns no verdict on this predicate",
                    )
                    .help("this is a bug in Lawful; please report it"),
                ));
            };
            self.judgements.push(*judgement);
        }
        Ok(&self.judgements)
    }

    /// The results for the last envelope.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// The limits of the judge.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The verdict on facts that were just judged.
    pub fn verdict_on(&self, facts: Facts<'_>, strictness: Strictness) -> Verdict {
        if strictness.deny_vacuous && !self.denials(facts).is_empty() {
            return Verdict::Fail;
        }
        Self::verdict(self.rulespec, &self.judgements)
    }

    /// The verdict on an envelope with these results. A failure takes precedence over an undecided
    /// predicate. A predicate of severity `warning` does not count.
    pub fn verdict(rulespec: &Rulespec, judgements: &[Judgement]) -> Verdict {
        let mut verdict = Verdict::Pass;
        for (judgement, predicate) in judgements.iter().zip(&rulespec.predicates) {
            match (judgement, predicate.severity) {
                (Judgement::Fail, Severity::Error) => return Verdict::Fail,
                (Judgement::Undecided, Severity::Error) => verdict = Verdict::Undecided,
                (Judgement::Pass | Judgement::Skipped, _) | (_, Severity::Warning) => {}
            }
        }
        verdict
    }

    /// The keys that a predicate reads and that were not observed.
    pub(super) fn unobserved(&self, index: usize, facts: Facts<'_>) -> Vec<Key> {
        let needs = &self.rulespec.law.needs;
        let keys = needs.of(index).iter().filter_map(|at| needs.keys.get(*at));
        keys.filter(|key| !key.is_in(facts.seen)).cloned().collect()
    }
}
