//! Actions: what each one changes in the session.
//!
//! Every change has a path. For anything but a variable it is the equivalent `@` path.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, escape};

use super::action::{Action, ActionKind, Effect, EffectKind, Injection};
use super::codes::REFUSED_ACTION;
use super::decode::then::{Place, effect};
use super::event::{Event, RULE_TRIGGERED};
use super::gate::is_enabled;
use super::operation::Operation;
use super::origin::carries_text;
use super::prompt::{no_value, untrusted};
use super::session::{ContextMessage, Directive, Session};
use super::source::Source;
use super::step::Running;
use super::template;
use super::trace::Change;
use super::trigger::On;
use super::variables::root;
use crate::cond::to_node;
use crate::insertion::Role;
use crate::path::Path;
use crate::value::{Map, Value};

impl Running<'_> {
    /// Runs one action of the firing `at` and returns what it changed.
    pub(super) fn act(&mut self, at: usize, index: usize, action: &Action) -> Option<Change> {
        let changed = |path: String, before: Value, after: Value| {
            (before != after).then_some(Change { action: index, path, before, after, note: None })
        };
        match &action.kind {
            ActionKind::Write(path, operation) => match &operation.from {
                None => self.modify(at, index, action, path, (operation, true)),
                Some(source) => {
                    let value = self.look_up(at, action, source)?;
                    let trusted = self.is_trusted(at, source, &value);
                    let operation = Operation { kind: operation.kind, value, from: None };
                    self.modify(at, index, action, path, (&operation, trusted))
                }
            },
            ActionKind::Inject(injection) => {
                let system = injection.position.depth().is_none();
                let values = self.captured(at, action, &injection.content, system);
                let before = self.remove_directive(&injection.id);
                let path = format!("@prompt.directive.{}", injection.id);
                let directive = self.directive(injection, values);
                let after = shown(&directive);
                self.session.directives.push(directive);
                changed(path, before, after)
            }
            ActionKind::Remove(id) => {
                let before = self.remove_directive(id);
                changed(format!("@prompt.directive.{id}"), before, Value::Null)
            }
            ActionKind::Entry(id, on) => {
                let entry = self.rules.entries.iter().find(|entry| entry.id == *id);
                let written = entry.map(|entry| entry.enabled);
                let before = self.session.entries.insert(id.clone(), *on).or(written);
                let before = before.map_or(Value::Null, Value::Bool);
                changed(format!("@prompt.entry.{id}"), before, (*on).into())
            }
            ActionKind::Rule(id, on) => {
                let before = self.rules.get(id).map(|rule| !is_enabled(rule, &self.session));
                let known = self.session.rules.insert(id.clone(), *on).map(|on| !on);
                let before = before.or(known).map_or(Value::Null, Value::Bool);
                changed(format!("@rules.disabled.{id}"), before, (!on).into())
            }
            ActionKind::Context(message, role) => {
                let values = self.captured(at, action, message, *role == Role::System);
                let mut after = Map::new();
                after.insert("message", Value::Text(message.clone()));
                insert_values(&mut after, &values);
                after.insert("role", role.name().into());
                let queued = ContextMessage { message: message.clone(), values, role: *role };
                self.session.context.push(queued);
                changed("@prompt.context".to_owned(), Value::Null, Value::Map(after))
            }
            ActionKind::Emit(body) => {
                self.raise(Event { by: Some(at), ..Event::of(body.clone()) });
                None
            }
            ActionKind::Trigger(id) => {
                self.trigger(at, id, action);
                None
            }
            ActionKind::Effect(kind, fields) => {
                let fields = self.filled_fields(at, action, *kind, fields);
                self.effect(*kind, fields);
                None
            }
            ActionKind::SetFrom(path, source) => self.set_from(at, index, action, path, source),
        }
    }

    /// The value of a source; if it has none, the action has no effect.
    fn look_up(&mut self, at: usize, action: &Action, source: &Source) -> Option<Value> {
        let value = source.get(self.event_of(at), &self.session);
        if value.is_none() {
            self.refuse(action, format!("`{source}` has no value, so the action has no effect"));
        }
        value
    }

    /// Whether a value that was looked up contains only text of the author or of the host.
    fn is_trusted(&self, at: usize, source: &Source, value: &Value) -> bool {
        let trust = &self.rules.trust;
        !carries_text(value)
            || match source {
                Source::Turn => true,
                Source::Variable(path) => trust.holds(path, &self.session),
                Source::Field(path) => {
                    self.event_of(at).is_some_and(|event| trust.field(event, path, value))
                }
            }
    }

    /// The event that triggered a firing.
    fn event_of(&self, at: usize) -> Option<&Event> {
        self.trace.event(self.trace.fired.get(at)?)
    }

    /// The values of the event that a text needs. Whatever is untrusted does not enter the system
    /// layer.
    fn captured(
        &mut self,
        at: usize,
        action: &Action,
        text: &str,
        system: bool,
    ) -> BTreeMap<Box<str>, Value> {
        let mut values = BTreeMap::new();
        for source in template::sources(text) {
            let Source::Field(path) = &source else { continue };
            let event = self.event_of(at);
            let found = event.and_then(|event| Some((event, path.get(event.body())?)));
            let trusted = |(event, value): (&Event, &Value)| {
                !system || self.rules.trust.field(event, path, value)
            };
            match found {
                None => self.missing(action, &source),
                Some(found) if trusted(found) => {
                    values.insert(source.to_string().into(), found.1.clone());
                }
                Some(_) => self.diagnostics.push(untrusted(&source, action.span)),
            }
        }
        values
    }

    fn missing(&mut self, action: &Action, source: &Source) {
        self.diagnostics.push(no_value(source, action.span));
    }

    /// The fields of an effect, with the placeholders of a notification filled.
    fn filled_fields(&mut self, at: usize, action: &Action, kind: EffectKind, fields: &Map) -> Map {
        let mut fields = fields.clone();
        let message = fields.get("message").and_then(Value::as_text);
        if let (EffectKind::NotifyPlayer, Some(message)) = (kind, message) {
            let mut missing = Vec::new();
            let filled = template::fill(message, |source| {
                let value = source.get(self.event_of(at), &self.session);
                if value.is_none() {
                    missing.push(source.clone());
                }
                value.as_ref().map(template::quoted).unwrap_or_default()
            });
            fields.insert("message", filled.as_str().into());
            for source in missing {
                self.missing(action, &source);
            }
        }
        fields
    }

    /// Sets an `@` path to the value of a source. A text is a placeholder for that value, so that
    /// it is not substituted again.
    fn set_from(
        &mut self,
        at: usize,
        index: usize,
        action: &Action,
        path: &str,
        source: &Source,
    ) -> Option<Change> {
        let value = self.look_up(at, action, source)?;
        let place = Place::find(path)?;
        let text = action.kind.text();
        let node = match &text {
            Some(text) => to_node(&Value::from(&*text.content)),
            None => to_node(&value),
        };
        let mut problems = Vec::new();
        let kind = effect(&place, &node, path, &mut problems);
        let Some(kind) = kind.filter(|_| problems.is_empty()) else {
            let why = problems.first().map_or("it cannot be set", |problem| &problem.message);
            self.refuse(action, format!("`{path}` is unchanged: {why}"));
            return None;
        };
        let change = self.act(at, index, &Action { kind, span: action.span });
        if let (Source::Variable(variable), Some(text)) = (source, text)
            && (!text.system || self.rules.trust.holds(variable, &self.session))
        {
            // The value counts now, not when the prompt is rendered.
            let held = [(source.to_string().into(), value)];
            match place {
                Place::Directive(_) => {
                    self.session.directives.last_mut().map(|last| last.values.extend(held))
                }
                Place::Context => {
                    self.session.context.last_mut().map(|last| last.values.extend(held))
                }
                Place::Notification
                | Place::Audio(_)
                | Place::Stop
                | Place::Entry(_)
                | Place::Disabled(_)
                | Place::Request => None,
            };
        }
        change
    }

    fn refuse(&mut self, action: &Action, message: String) {
        self.diagnostics.push(Diagnostic::new(&REFUSED_ACTION, action.span, message));
    }

    fn modify(
        &mut self,
        at: usize,
        index: usize,
        action: &Action,
        path: &Path,
        (operation, trusted): (&Operation, bool),
    ) -> Option<Change> {
        let variable = root(path).unwrap_or_default();
        let known = self.touched.iter().any(|touched| *touched.variable == *variable);
        // Only the value before the first write of a wave counts.
        let before = (!known).then(|| self.session.variables.get(variable).cloned());
        match self.rules.declared.write(&mut self.session.variables, path, operation) {
            Err(why) => {
                self.refuse(action, format!("`{path}` is unchanged: {why}"));
                None
            }
            Ok(written) => {
                self.record_origin(path, operation, trusted);
                let unchanged = written.before == written.after && written.note.is_none();
                let by = (!unchanged).then_some(at);
                self.touch(variable, before.flatten().unwrap_or_default(), by);
                if unchanged {
                    return None;
                }
                let (before, after) = (written.before, written.after);
                let path = path.to_string();
                Some(Change { action: index, path, before, after, note: written.note })
            }
        }
    }

    fn remove_directive(&mut self, id: &str) -> Value {
        let at = self.session.directives.iter().position(|known| *known.id == *id);
        at.map_or(Value::Null, |at| shown(&self.session.directives.remove(at)))
    }

    /// A directive injected in turn t is in the prompt from turn t+1.
    fn directive(&self, injection: &Injection, values: BTreeMap<Box<str>, Value>) -> Directive {
        let turn = self.session.turn;
        Directive {
            id: injection.id.clone(),
            content: injection.content.clone(),
            values,
            position: injection.position,
            from: Session::after(turn, 1),
            until: injection.turns.map(|turns| Session::after(turn, turns)),
        }
    }

    fn trigger(&mut self, at: usize, id: &str, action: &Action) {
        let found = self.rules.by_id.get(id).copied();
        let manual = found.filter(|found| self.rules.rule(*found).trigger.on == On::Manual);
        let Some(target) = manual else {
            let name = escape::name(id);
            let left_out =
                || self.rules.quarantined.iter().any(|(of, _)| of.as_deref() == Some(id));
            let what = match found {
                Some(_) => "is not a manual rule",
                None if left_out() => "has errors and is ignored",
                None => "does not exist",
            };
            self.refuse(action, format!("`{name}` {what}, so it cannot be triggered"));
            return;
        };
        let event = Event::new(RULE_TRIGGERED, [("ruleId", id.into())]);
        self.raise(Event { by: Some(at), target: Some(target), ..event });
    }

    fn effect(&mut self, kind: EffectKind, fields: Map) {
        let n = self.effects.len() + 1;
        let id = format!("{}.{}.{n}", self.session.turn, self.session.step);
        self.effects.push(Effect { id, kind, fields });
    }
}

/// A directive as the trace shows it.
fn shown(directive: &Directive) -> Value {
    let turn = |turn: u64| Value::from(i64::try_from(turn).unwrap_or(i64::MAX));
    let mut out = Map::new();
    out.insert("content", Value::Text(directive.content.clone()));
    insert_values(&mut out, &directive.values);
    out.insert("position", directive.position.name().into());
    if let Some(depth) = directive.position.depth() {
        out.insert("depth", i64::from(depth).into());
    }
    out.insert("from", turn(directive.from));
    if let Some(until) = directive.until {
        out.insert("until", turn(until));
    }
    Value::Map(out)
}

/// Adds the values that a text was given when it was injected.
fn insert_values(out: &mut Map, values: &BTreeMap<Box<str>, Value>) {
    if !values.is_empty() {
        let mut map = Map::new();
        for (source, value) in values {
            map.insert(source.clone(), value.clone());
        }
        out.insert("values", Value::Map(map));
    }
}
