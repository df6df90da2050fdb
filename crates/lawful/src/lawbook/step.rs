//! `start` and `step`: a session and its steps.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, Sources};

use super::Lawbook;
use crate::cond::to_node;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::policy::Verb;
use crate::react::{Input, Session};
use crate::value::Value;
use crate::view::Stepped;

impl Lawbook {
    /// A new session, with the variables of the book.
    pub fn start(&self) -> Session {
        self.rules().start()
    }

    /// Takes one step of a session: a pure function of the book, the session and the input.
    ///
    /// A rule with errors is ignored and reported in the diagnostics of every step. To fail
    /// instead, call [`all_rules_ready`](Self::all_rules_ready) first.
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let source = lawful::book::MemorySource::new().with("lawful.yaml", "name: tale").with(
    ///     "rules/tale.yaml",
    ///     "[{id: hello, trigger: {type: keyword, keywords: [hello]}, \
    ///        actions: [{type: notify-player, message: Welcome.}]}]",
    /// );
    /// let book = lawful::Lawbook::load(&source)?;
    /// let step = book.step(book.start(), &json!({"user": "hello"}).try_into()?);
    /// assert_eq!(step.session.turn, 1);
    /// assert_eq!(step.effects[0].id, "1.1.1");
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn step(&self, session: Session, input: &Input) -> Stepped {
        let rules = self.rules();
        let mut step = rules.step(session, input);
        step.diagnostics.extend(self.not_ready());
        Stepped::new(rules, step, None, &self.sources)
    }

    /// Takes one step, and explains for every rule that did not fire why.
    pub fn step_explained(&self, session: Session, input: &Input) -> Stepped {
        let rules = self.rules();
        let not_fired = rules.why_not(session.clone(), input);
        let mut step = rules.step(session, input);
        step.diagnostics.extend(self.not_ready());
        Stepped::new(rules, step, Some(&not_fired), &self.sources)
    }

    /// Returns an error if a rule has errors, and would be left out of every step.
    pub fn all_rules_ready(&self) -> Result<(), Error> {
        self.ready_for(Verb::React)?;
        let mut problems: Vec<Diagnostic> = self.rules().left_out().cloned().collect();
        if problems.is_empty() {
            return Ok(());
        }
        problems.extend(self.reported_by(Verb::React));
        Err(Error::new(ErrorKind::Lawbook, Diagnostics::new(problems, self.sources.clone())))
    }

    /// The problems of the documents that a step needs.
    fn not_ready(&self) -> Vec<Diagnostic> {
        let blocking = self.ready_for(Verb::React).err();
        match blocking {
            Some(error) => error.into_diagnostics().into_parts().0,
            None => self.reported_by(Verb::React),
        }
    }
}

impl Input {
    /// Decodes an input from a value: a turn, an action or an event.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let (input, problems) = Self::decode(&to_node(value));
        input.ok_or_else(|| {
            let problems = Diagnostics::new(problems, Arc::new(Sources::default()));
            Error::new(ErrorKind::Input, problems)
        })
    }
}

impl TryFrom<serde_json::Value> for Input {
    type Error = Error;

    fn try_from(json: serde_json::Value) -> Result<Self, Error> {
        Self::from_value(&Value::of(&json)?)
    }
}

impl TryFrom<Value> for Input {
    type Error = Error;

    fn try_from(value: Value) -> Result<Self, Error> {
        Self::from_value(&value)
    }
}

impl<'de> serde::Deserialize<'de> for Input {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// YAML or JSON, as the command line reads it from a file.
impl std::str::FromStr for Input {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_value(&text.parse()?)
    }
}
