//! `lawful react`: the state, the effects and the trace of a step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawful_syntax::Sources;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap as _};

use crate::diagnostics::Diagnostics;
use crate::insertion::Insertion;
use crate::react::{Effect, Gate, NotFired, Rules, Session, Step, Trace};
use crate::value::Value;

/// The result of a step: `{"leftOut"?, "state", "effects", "trace", "diagnostics"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stepped {
    /// The rules that have errors and were left out; `None` for a rule without an id.
    #[serde(rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Option<String>>,
    /// The session after the step.
    #[serde(rename = "state")]
    pub session: Session,
    /// The requests to the host.
    pub effects: Vec<Effect>,
    /// What happened, and why.
    pub trace: StepTrace,
    /// Every problem.
    pub diagnostics: Diagnostics,
}

impl Stepped {
    /// The view of a step, with the rules that did not fire if requested.
    pub fn new(
        rules: &Rules,
        step: Step,
        not_fired: Option<&[NotFired]>,
        sources: &Arc<Sources>,
    ) -> Self {
        Self {
            left_out: left_out(rules),
            trace: StepTrace::new(rules, &step.trace, not_fired),
            session: step.session,
            effects: step.effects,
            diagnostics: Diagnostics::new(step.diagnostics, sources.clone()),
        }
    }
}

/// The rules that have errors and are left out of every step; `None` for a rule without an id.
pub fn left_out(rules: &Rules) -> Vec<Option<String>> {
    rules.left_out_ids().map(|id| id.map(str::to_owned)).collect()
}

/// The state of a session, in its JSON form.
impl Serialize for Session {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StateView::new(self).serialize(serializer)
    }
}

/// `{"turn", "step", "started"?, "variables", "untrusted"?, "directives", "entries", "rules", "fired",
/// "context"}`
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateView<'v> {
    turn: u64,
    step: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    started: bool,
    variables: &'v Value,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    untrusted: &'v BTreeSet<Box<str>>,
    directives: Vec<DirectiveView<'v>>,
    entries: &'v BTreeMap<Box<str>, bool>,
    rules: &'v BTreeMap<Box<str>, bool>,
    fired: BTreeMap<&'v str, FiredView>,
    context: Vec<ContextView<'v>>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct DirectiveView<'v> {
    directive_id: &'v str,
    content: &'v str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: &'v BTreeMap<Box<str>, Value>,
    position: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    from: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct FiredView {
    count: u64,
    last_turn: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ContextView<'v> {
    message: &'v str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: &'v BTreeMap<Box<str>, Value>,
    role: &'static str,
}

impl<'v> StateView<'v> {
    /// The view of a session; [`Session::from_json`] reads it back.
    pub fn new(session: &'v Session) -> Self {
        let directives = session.directives.iter().map(|directive| DirectiveView {
            directive_id: &directive.id,
            content: &directive.content,
            values: &directive.values,
            position: directive.position.name(),
            depth: directive.position.depth(),
            from: directive.from,
            until: directive.until,
        });
        let fired = session.fired.iter().map(|(id, fired)| {
            (&**id, FiredView { count: fired.count, last_turn: fired.last_turn })
        });
        let context = session.context.iter().map(|queued| ContextView {
            message: &queued.message,
            values: &queued.values,
            role: queued.role.name(),
        });
        Self {
            turn: session.turn,
            step: session.step,
            started: session.started,
            variables: &session.variables,
            untrusted: &session.untrusted,
            directives: directives.collect(),
            entries: &session.entries,
            rules: &session.rules,
            fired: fired.collect(),
            context: context.collect(),
        }
    }
}

/// `{"id", "type", …}` with the fields of the action.
impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 2))?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", self.kind.name())?;
        for (key, value) in self.fields.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// `{"waves", "fired", "notFired"?}`
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StepTrace {
    /// Every wave.
    pub waves: Vec<WaveView>,
    /// Every rule that fired.
    pub fired: Vec<FiringView>,
    /// Why the other rules did not fire, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_fired: Option<Vec<NotFiredView>>,
}

/// A wave: its events, and the rules that they trigger.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WaveView {
    /// Its events, in order.
    pub events: Vec<Value>,
    /// The rules that fired, in the order of acting.
    pub fired: Vec<String>,
}

/// A rule that fired, and what it changed.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FiringView {
    /// The id of the rule.
    pub rule: String,
    /// Its wave, from 0.
    pub wave: usize,
    /// The event that triggered it.
    pub event: Value,
    /// The keyword that matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<HitView>,
    /// What it changed.
    pub changes: Vec<ChangeView>,
}

/// A match of a keyword in a message, with its range in characters from 0.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HitView {
    /// The keyword.
    pub keyword: String,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The matched text.
    pub text: String,
}

/// One change.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangeView {
    /// The action that made it, from 0.
    pub action: usize,
    /// The path of the change.
    pub path: String,
    /// The value before.
    pub before: Value,
    /// The value after.
    pub after: Value,
    /// How the declaration of the variable changed the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A rule that did not fire.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct NotFiredView {
    /// The id of the rule.
    pub rule: String,
    /// The gate that stopped it.
    pub gate: Gate,
    /// Why, with the actual values.
    pub why: String,
}

impl StepTrace {
    /// The view of a trace.
    pub fn new(rules: &Rules, trace: &Trace, not_fired: Option<&[NotFired]>) -> Self {
        let id = |rule: &crate::react::RuleId| rules.rule(*rule).id.to_string();
        let waves = trace.waves.iter().map(|wave| WaveView {
            events: wave.events.iter().map(|event| event.body().clone()).collect(),
            fired: wave.fired.iter().map(id).collect(),
        });
        let fired = trace.fired.iter().map(|firing| {
            let event = trace.event(firing).map_or(&Value::Null, crate::react::Event::body);
            let content = event.get("content").and_then(Value::as_text).unwrap_or_default();
            let matched = firing.hit.as_ref().map(|hit| {
                let count = |at: usize| content.get(..at).unwrap_or_default().chars().count();
                HitView {
                    keyword: hit.keyword.to_string(),
                    start: count(hit.span.start),
                    end: count(hit.span.end),
                    text: content.get(hit.span.clone()).unwrap_or_default().to_owned(),
                }
            });
            let changes = firing.changes.iter().map(|change| ChangeView {
                action: change.action,
                path: change.path.clone(),
                before: change.before.clone(),
                after: change.after.clone(),
                note: change.note.clone(),
            });
            FiringView {
                rule: id(&firing.rule),
                wave: firing.wave,
                event: event.clone(),
                matched,
                changes: changes.collect(),
            }
        });
        let not_fired = not_fired.map(|rows| {
            rows.iter()
                .map(|row| NotFiredView {
                    rule: id(&row.rule),
                    gate: row.gate,
                    why: row.why.clone(),
                })
                .collect()
        });
        Self { waves: waves.collect(), fired: fired.collect(), not_fired }
    }
}

/// `{"kind", "id", "position", "depth"?, "role"?, "text"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct InsertionView {
    /// `directive`, `entry` or `context`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["directive", "entry", "context"])))]
    pub kind: &'static str,
    /// Its id.
    pub id: String,
    /// Where it is inserted.
    pub position: &'static str,
    /// The number of messages after it, if it is in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Its role, if it is in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// Its text.
    pub text: String,
}

impl From<&Insertion> for InsertionView {
    fn from(insertion: &Insertion) -> Self {
        Self {
            kind: insertion.kind.name(),
            id: insertion.id.to_string(),
            position: insertion.position.name(),
            depth: insertion.position.depth(),
            role: insertion.role.map(crate::insertion::Role::name),
            text: insertion.text.to_string(),
        }
    }
}
