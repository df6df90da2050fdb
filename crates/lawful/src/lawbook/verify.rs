//! `verify`: judges an envelope by the rulespec of the book.

use lawful_syntax::{Diagnostic, Node, Span};
use serde::Serialize;

use super::Lawbook;
use crate::cond::to_node;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::policy::Verb;
use crate::value::Value;
use crate::verify::{self, Envelope, Judge, Judged, NO_RULESPEC, Rulespec, Strictness};
use crate::view::Verification;

impl Lawbook {
    /// Judges an envelope: `{"facts": …}`, as a value. Call [`Verify::run`] to get the verdict.
    ///
    /// ```
    /// use lawful::verify::Verdict;
    /// use serde_json::json;
    ///
    /// let source = lawful::book::MemorySource::new().with("lawful.yaml", "name: crew").with(
    ///     "analysis/rulespec.yaml",
    ///     "{claims: [{name: tests, selector: tests.passed}], \
    ///       predicates: [{claim: tests, rule: equals, value: true}]}",
    /// );
    /// let book = lawful::Lawbook::load(&source)?;
    /// let verdict = book.verify(&json!({"facts": {"tests": {"passed": false}}})).run()?;
    /// assert_eq!(verdict.verdict, Verdict::Fail);
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn verify(&self, envelope: &(impl Serialize + ?Sized)) -> Verify<'_> {
        let strictness = Strictness::default();
        Verify { book: self, envelope: Value::of(envelope), observed: None, strictness }
    }

    /// Judges an envelope and an observation, with the places of both if they are known.
    pub(crate) fn judge(
        &self,
        envelope: &Envelope,
        observed: Option<(&Value, Option<&Node>)>,
        strictness: Strictness,
    ) -> Result<Verification, Error> {
        let rulespec = self.ready_rulespec()?;
        let mut judge = Judge::new(rulespec, &self.manifest().limits);
        match Judged::new(&mut judge, envelope, observed, strictness) {
            Ok(judged) => Ok(Verification::new(&judged, rulespec, self.sources.clone())),
            Err(unjudged) => Err(self.refuse(ErrorKind::Undecided, *unjudged.problem)),
        }
    }

    /// The rulespec, or an error if it is missing or invalid.
    pub(crate) fn ready_rulespec(&self) -> Result<&Rulespec, Error> {
        self.ready_for(Verb::Verify)?;
        self.rulespec().ok_or_else(|| {
            let message = match self.decoded_rulespec() {
                Some(_) => "the rulespec cannot be used",
                None => "the lawbook has no rulespec",
            };
            let problem = Diagnostic::new(&NO_RULESPEC, Span::NONE, message)
                .help(format!("write `{}`", self.manifest().hooks.stop.rulespec()));
            Error::without_place(ErrorKind::Lawbook, problem)
        })
    }
}

/// An envelope to judge.
#[derive(Debug)]
#[must_use = "nothing is judged before `run`"]
pub struct Verify<'b> {
    book: &'b Lawbook,
    envelope: Result<Value, Error>,
    observed: Option<Result<Value, Error>>,
    strictness: Strictness,
}

impl Verify<'_> {
    /// Adds what the host observed. Without it, predicates that read `observed.` are undecided.
    pub fn observed(mut self, observed: &(impl Serialize + ?Sized)) -> Self {
        self.observed = Some(Value::of(observed));
        self
    }

    /// Fails predicates that pass only because a value is absent.
    pub fn deny_vacuous(mut self) -> Self {
        self.strictness.deny_vacuous = true;
        self
    }

    /// Adds the derivation of every verdict.
    pub fn explain(mut self) -> Self {
        self.strictness.explain = true;
        self
    }

    /// Judges the envelope. Returns an error if the envelope or the rulespec is invalid or a limit
    /// is reached. A failing verdict is not an error.
    pub fn run(self) -> Result<Verification, Error> {
        let sources = &self.book.sources;
        self.book.ready_rulespec()?;
        let refuse = |problems: Vec<Diagnostic>| {
            Error::new(ErrorKind::Input, Diagnostics::new(problems, sources.clone()))
        };
        let mut envelope = Envelope::decode(&to_node(&self.envelope?)).map_err(refuse)?;
        // A value has no places to point to.
        envelope.node = None;
        let observed = self.observed.transpose()?;
        let observed = match observed {
            None => None,
            Some(value) => {
                Some(verify::observed(&to_node(&value)).map_err(|problem| refuse(vec![problem]))?)
            }
        };
        let seen = observed.as_ref().map(|value| (value, None));
        self.book.judge(&envelope, seen, self.strictness)
    }
}
