//! The steps of one hook, from the state that a session is in.

use lawful::Value;
use lawful::react::{Input, Session};
use lawful::syntax::escape;

use super::law::OpenLaw;
use super::logged::Masked;
use super::sessions::{LiveSession, Memory, NewStep};
use crate::failure::Failure;
use crate::session::step_record::{StepRecord, StepTexts};
use crate::session::stored;

/// The steps of one hook.
pub(super) struct Progress<'l> {
    law: &'l OpenLaw,
    masked: &'l Masked,
    /// The state after the steps.
    pub(super) state: Session,
    /// What is kept beside it.
    pub(super) memory: Memory,
    /// The notifications of the rules.
    pub(super) notices: Vec<String>,
    before: Option<Memory>,
    steps: Vec<NewStep>,
    /// The last step, if it changed nothing.
    unchanged: Option<Taken>,
}

/// A step that was taken.
struct Taken {
    input: Value,
    record: StepRecord,
}

impl Taken {
    /// Whether a step leaves the state as it was and asks for nothing. Its number alone is no change.
    fn changes_nothing(&self, before: &Session) -> bool {
        self.record.requests.is_empty() && self.record.session.same_but_for_step(before)
    }
}

impl<'l> Progress<'l> {
    /// No step yet.
    pub(super) fn from(before: Option<&LiveSession>, law: &'l OpenLaw, masked: &'l Masked) -> Self {
        let memory = before.map(|before| before.memory.clone());
        Self {
            law,
            masked,
            state: before.map_or_else(|| law.book.start(), |before| before.state.clone()),
            memory: memory.clone().unwrap_or_default(),
            notices: Vec::new(),
            before: memory,
            steps: Vec::new(),
            unchanged: None,
        }
    }

    /// Whether the session was unknown.
    pub(super) fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// Takes a step. `written` is its input as the log of the session shows it.
    pub(super) fn step(&mut self, input: &Input, written: Value) -> Result<(), Failure> {
        let taken = self.law.book.step(&self.state, input)?;
        let record = StepRecord::of(&taken.rules, taken.step, None);
        let step = Taken { input: written, record };
        if self.is_new() || !step.changes_nothing(&self.state) {
            self.notices.extend(step.record.requests.iter().filter_map(notice));
            let stored = self.stored(&step)?;
            self.state = step.record.session;
            self.steps.push(stored);
            self.unchanged = None;
        } else {
            self.unchanged = Some(step);
        }
        Ok(())
    }

    /// What to store: the steps, and what is kept beside the state. `None` if nothing changed.
    pub(super) fn finish(mut self) -> Result<Option<(Vec<NewStep>, Memory)>, Failure> {
        if self.steps.is_empty() {
            if self.before.as_ref() == Some(&self.memory) {
                return Ok(None);
            }
            // Only what is kept beside the state changed.
            let step = match self.unchanged.take() {
                Some(step) => self.stored(&step)?,
                None => return Ok(None),
            };
            self.steps.push(step);
        }
        Ok(Some((self.steps, self.memory)))
    }

    /// A step in the form that is stored.
    fn stored(&self, step: &Taken) -> Result<NewStep, Failure> {
        let Taken { input, record } = step;
        let mut texts = record.texts(self.law.book.manifest())?;
        // What the user is told here, no host has to tell again.
        let mut requests = record.requests.iter();
        texts.effects.retain(|_| requests.next().is_none_or(|request| notice(request).is_none()));
        Ok(NewStep {
            input: stored::json(&self.kept(input))?,
            turn: record.session.turn,
            texts: StepTexts { events: self.kept_events(&texts.events)?, ..texts },
        })
    }

    /// A value as the log of a session keeps it: long texts are cut, and secrets are masked.
    fn kept(&self, value: &Value) -> Value {
        match value {
            Value::Text(text) => {
                let text = self.masked.text(text);
                Value::Text(escape::shorten(&text, LONGEST_TEXT).into())
            }
            Value::List(items) => Value::List(items.iter().map(|item| self.kept(item)).collect()),
            Value::Map(map) => {
                Value::Map(map.iter().map(|(key, value)| (key.into(), self.kept(value))).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn kept_events(&self, events: &lawful_store::Json) -> Result<lawful_store::Json, Failure> {
        if events.text().len() <= LONGEST_TEXT && self.masked.is_empty() {
            return Ok(events.clone());
        }
        stored::json(&self.kept(&stored::value(events)?))
    }
}

/// The maximal number of characters of a text in the log of a session.
const LONGEST_TEXT: usize = 2_000;

/// The text of an effect that tells the user something.
fn notice(request: &Value) -> Option<String> {
    let kind = request.get("type").and_then(Value::as_text)?;
    let message = request.get("message").and_then(Value::as_text)?;
    (kind == "notify-player").then(|| escape::line(&escape::shorten(message, 500)).into_owned())
}
