//! How a step of a session came about, whether it was just taken or is read back from the log.

use lawful::Value;
use lawful::react::{Event, Rules, Trace};
use lawful::view::{ChangeView, FiringView, HitView, ReactTraceView};
use lawful_store::Record;
use serde::Serialize;

use super::stored::{self, count, items, word};
use crate::problems::Failure;

/// `{"waves", "fired"}`
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StepTrace {
    /// The waves, in order.
    pub waves: Vec<WaveRecord>,
    /// Every rule that fired, in the order they acted.
    pub fired: Vec<FiringRecord>,
}

/// `{"events", "fired"}`
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WaveRecord {
    /// Its events, in order.
    pub events: Vec<Value>,
    /// The ids of the rules that fired, in the order they acted.
    pub fired: Vec<String>,
}

/// `{"rule", "wave", "event", "matched"?, "changes"}`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FiringRecord {
    /// The id of the rule.
    pub rule: String,
    /// Its wave, from 0.
    pub wave: usize,
    /// The event that set it off.
    pub event: Value,
    /// The keyword that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<HitRecord>,
    /// What it changed.
    pub changes: Vec<ChangeRecord>,
}

/// `{"keyword", "start", "end", "text"}`: a keyword that was found in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HitRecord {
    /// The keyword.
    pub keyword: String,
    /// Where it starts, in characters from 0.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The text there.
    pub text: String,
}

/// `{"action", "path", "before", "after", "note"?}`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangeRecord {
    /// The action that made it, from 0.
    pub action: usize,
    /// What was changed.
    pub path: String,
    /// The value before.
    pub before: Value,
    /// The value after.
    pub after: Value,
    /// How the declaration of a variable changed the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl StepTrace {
    /// The trace of a step that was just taken.
    pub(super) fn of(rules: &Rules, trace: &Trace) -> Self {
        let id = |rule: &lawful::react::RuleId| rules.rule(*rule).id.to_string();
        let waves = trace.waves.iter().map(|wave| WaveRecord {
            events: wave.events.iter().map(Event::body).cloned().collect(),
            fired: wave.fired.iter().map(id).collect(),
        });
        let fired = ReactTraceView::new(rules, trace, None).fired;
        Self { waves: waves.collect(), fired: fired.iter().map(FiringRecord::of).collect() }
    }

    /// The trace that the log keeps.
    pub(super) fn stored(record: &Record) -> Result<Self, Failure> {
        let (waves, fired) = (stored::value(&record.events)?, stored::value(&record.changes)?);
        let text = |value: &Value| value.as_text().unwrap_or_default().to_owned();
        let waves = items(Some(&waves)).iter().map(|wave| WaveRecord {
            events: items(wave.get("events")).to_vec(),
            fired: items(wave.get("fired")).iter().map(text).collect(),
        });
        let fired = items(Some(&fired)).iter().map(FiringRecord::stored);
        Ok(Self { waves: waves.collect(), fired: fired.collect() })
    }

    /// The rules that fired, in the form that is rendered for people.
    pub fn firings(&self) -> Vec<FiringView<'_>> {
        self.fired.iter().map(FiringRecord::view).collect()
    }
}

impl FiringRecord {
    fn of(firing: &FiringView<'_>) -> Self {
        let matched = firing.matched.as_ref().map(|hit| HitRecord {
            keyword: hit.keyword.to_owned(),
            start: hit.start,
            end: hit.end,
            text: hit.text.to_owned(),
        });
        let changes = firing.changes.iter().map(|change| ChangeRecord {
            action: change.action,
            path: change.path.to_owned(),
            before: change.before.clone(),
            after: change.after.clone(),
            note: change.note.map(ToOwned::to_owned),
        });
        Self {
            rule: firing.rule.to_owned(),
            wave: firing.wave,
            event: firing.event.clone(),
            matched,
            changes: changes.collect(),
        }
    }

    fn stored(stored: &Value) -> Self {
        let field = |value: &Value, key: &str| value.get(key).cloned().unwrap_or(Value::Null);
        let matched = stored.get("matched").and_then(Value::present).map(|hit| HitRecord {
            keyword: word(hit, "keyword").to_owned(),
            start: count(hit, "start"),
            end: count(hit, "end"),
            text: word(hit, "text").to_owned(),
        });
        let changes = items(stored.get("changes")).iter().map(|change| ChangeRecord {
            action: count(change, "action"),
            path: word(change, "path").to_owned(),
            before: field(change, "before"),
            after: field(change, "after"),
            note: change.get("note").and_then(Value::as_text).map(ToOwned::to_owned),
        });
        Self {
            rule: word(stored, "rule").to_owned(),
            wave: count(stored, "wave"),
            event: field(stored, "event"),
            matched,
            changes: changes.collect(),
        }
    }

    fn view(&self) -> FiringView<'_> {
        let matched = self.matched.as_ref().map(|hit| HitView {
            keyword: &hit.keyword,
            start: hit.start,
            end: hit.end,
            text: &hit.text,
        });
        let changes = self.changes.iter().map(|change| ChangeView {
            action: change.action,
            path: &change.path,
            before: &change.before,
            after: &change.after,
            note: change.note.as_deref(),
        });
        FiringView {
            rule: &self.rule,
            wave: self.wave,
            event: &self.event,
            matched,
            changes: changes.collect(),
        }
    }
}
