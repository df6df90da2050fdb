//! `lawful react`: the state, the effects and the trace of a step.

use std::collections::BTreeMap;

use lawful_syntax::render::DiagnosticView;
use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::insertion::Insertion;
use crate::react::{Effect, NotFired, Rules, Session, Step, Trace};
use crate::value::Value;

/// `{"state", "effects", "trace", "diagnostics"}`
#[derive(Debug, Serialize)]
pub struct ReactView<'v> {
    /// The session after the step.
    pub state: StateView<'v>,
    /// What the host is asked to do.
    pub effects: &'v [Effect],
    /// How it came about.
    pub trace: ReactTraceView<'v>,
    /// What is wrong.
    pub diagnostics: Vec<DiagnosticView>,
}

impl<'v> ReactView<'v> {
    /// The view of a step.
    pub fn new(
        rules: &'v Rules,
        step: &'v Step,
        not_fired: Option<&'v [NotFired]>,
        diagnostics: Vec<DiagnosticView>,
    ) -> Self {
        Self {
            state: StateView::new(&step.session),
            effects: &step.effects,
            trace: ReactTraceView::new(rules, &step.trace, not_fired),
            diagnostics,
        }
    }
}

/// `{"turn", "step", "variables", "directives", "entries", "rules", "fired", "context"}`
#[derive(Debug, Serialize)]
pub struct StateView<'v> {
    turn: u64,
    step: u64,
    variables: &'v Value,
    directives: Vec<DirectiveView<'v>>,
    entries: &'v BTreeMap<Box<str>, bool>,
    rules: &'v BTreeMap<Box<str>, bool>,
    fired: BTreeMap<&'v str, FiredView>,
    context: Vec<ContextView<'v>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DirectiveView<'v> {
    directive_id: &'v str,
    content: &'v str,
    position: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    from: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FiredView {
    count: u64,
    last_turn: u64,
}

#[derive(Debug, Serialize)]
struct ContextView<'v> {
    message: &'v str,
    role: &'static str,
}

impl<'v> StateView<'v> {
    /// The view of a session; [`Session::from_json`] reads it back.
    pub fn new(session: &'v Session) -> Self {
        let directives = session.directives.iter().map(|directive| DirectiveView {
            directive_id: &directive.id,
            content: &directive.content,
            position: directive.position.name(),
            depth: directive.position.depth(),
            from: directive.from,
            until: directive.until,
        });
        let fired = session.fired.iter().map(|(id, fired)| {
            (&**id, FiredView { count: fired.count, last_turn: fired.last_turn })
        });
        let context = session
            .context
            .iter()
            .map(|queued| ContextView { message: &queued.message, role: queued.role.name() });
        Self {
            turn: session.turn,
            step: session.step,
            variables: &session.variables,
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReactTraceView<'v> {
    /// Every wave.
    pub waves: Vec<WaveView<'v>>,
    /// Every rule that fired.
    pub fired: Vec<FiringView<'v>>,
    /// Why the others did not, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_fired: Option<Vec<NotFiredView<'v>>>,
}

/// A wave: its events, and the rules that they set off.
#[derive(Debug, Serialize)]
pub struct WaveView<'v> {
    events: Vec<&'v Value>,
    fired: Vec<&'v str>,
}

/// A rule that fired, and what it changed.
#[derive(Debug, Serialize)]
pub struct FiringView<'v> {
    /// The id of the rule.
    pub rule: &'v str,
    /// Its wave, from 0.
    pub wave: usize,
    /// The event that set it off.
    pub event: &'v Value,
    /// The keyword that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<HitView<'v>>,
    /// What it changed.
    pub changes: Vec<ChangeView<'v>>,
}

/// A keyword that was found in a message, between two characters counted from 0.
#[derive(Debug, Serialize)]
pub struct HitView<'v> {
    /// The keyword.
    pub keyword: &'v str,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stands there.
    pub text: &'v str,
}

/// One change.
#[derive(Debug, Serialize)]
pub struct ChangeView<'v> {
    /// The action that made it, from 0.
    pub action: usize,
    /// What was changed.
    pub path: &'v str,
    /// What it was.
    pub before: &'v Value,
    /// What it is now.
    pub after: &'v Value,
    /// Where the declaration of a variable had a say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'v str>,
}

/// A rule that did not fire.
#[derive(Debug, Serialize)]
pub struct NotFiredView<'v> {
    /// The id of the rule.
    pub rule: &'v str,
    /// What held it.
    pub gate: &'static str,
    /// Why, with the actual values.
    pub why: &'v str,
}

impl<'v> ReactTraceView<'v> {
    /// The view of a trace.
    pub fn new(rules: &'v Rules, trace: &'v Trace, not_fired: Option<&'v [NotFired]>) -> Self {
        let id = |rule: &crate::react::RuleId| &*rules.rule(*rule).id;
        let waves = trace.waves.iter().map(|wave| WaveView {
            events: wave.events.iter().map(crate::react::Event::body).collect(),
            fired: wave.fired.iter().map(id).collect(),
        });
        let fired = trace.fired.iter().map(|firing| {
            let event = trace.event(firing).map_or(&Value::Null, crate::react::Event::body);
            let content = event.get("content").and_then(Value::as_text).unwrap_or_default();
            let matched = firing.hit.as_ref().map(|hit| {
                let count = |at: usize| content.get(..at).unwrap_or_default().chars().count();
                HitView {
                    keyword: &hit.keyword,
                    start: count(hit.span.start),
                    end: count(hit.span.end),
                    text: content.get(hit.span.clone()).unwrap_or_default(),
                }
            });
            let changes = firing.changes.iter().map(|change| ChangeView {
                action: change.action,
                path: &change.path,
                before: &change.before,
                after: &change.after,
                note: change.note.as_deref(),
            });
            let (rule, wave) = (id(&firing.rule), firing.wave);
            FiringView { rule, wave, event, matched, changes: changes.collect() }
        });
        let not_fired = not_fired.map(|rows| {
            rows.iter()
                .map(|row| NotFiredView {
                    rule: id(&row.rule),
                    gate: row.gate.name(),
                    why: &row.why,
                })
                .collect()
        });
        Self { waves: waves.collect(), fired: fired.collect(), not_fired }
    }
}

/// `{"kind", "id", "position", "depth"?, "role"?, "text"}`
#[derive(Debug, Serialize)]
pub struct InsertionView<'v> {
    /// `directive`, `entry` or `context`.
    pub kind: &'static str,
    /// Its id.
    pub id: &'v str,
    /// Where it goes.
    pub position: &'static str,
    /// How many messages from the newest, if it is in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Who says it, if it is in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// What it says.
    pub text: &'v str,
}

impl<'v> From<&'v Insertion> for InsertionView<'v> {
    fn from(insertion: &'v Insertion) -> Self {
        Self {
            kind: insertion.kind.name(),
            id: &insertion.id,
            position: insertion.position.name(),
            depth: insertion.position.depth(),
            role: insertion.role.map(crate::insertion::Role::name),
            text: &insertion.text,
        }
    }
}
