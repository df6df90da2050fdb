//! Actions: what each one changes in the session.
//!
//! Every change has a path. For anything but a variable it is the equivalent `@` path.

use lawful_syntax::{Diagnostic, escape};

use super::action::{Action, ActionKind, Effect, EffectKind, Injection};
use super::codes::REFUSED_ACTION;
use super::event::{Event, RULE_TRIGGERED};
use super::gate::is_enabled;
use super::operation::Operation;
use super::session::{ContextMessage, Directive, Session};
use super::step::Running;
use super::trace::Change;
use super::trigger::On;
use super::variables::root;
use crate::path::Path;
use crate::value::{Map, Value};

impl Running<'_> {
    /// Runs one action of the firing `at` and returns what it changed.
    pub(super) fn act(&mut self, at: usize, index: usize, action: &Action) -> Option<Change> {
        let changed = |path: String, before: Value, after: Value| {
            (before != after).then_some(Change { action: index, path, before, after, note: None })
        };
        match &action.kind {
            ActionKind::Write(path, operation) => self.modify(at, index, action, path, operation),
            ActionKind::Inject(injection) => {
                let before = self.remove_directive(&injection.id);
                let path = format!("@prompt.directive.{}", injection.id);
                let directive = self.directive(injection);
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
                let queued = ContextMessage { message: message.clone(), role: *role };
                self.session.context.push(queued);
                let mut after = Map::new();
                after.insert("message", Value::Text(message.clone()));
                after.insert("role", role.name().into());
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
                self.effect(*kind, fields);
                None
            }
        }
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
        operation: &Operation,
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
                if written.before == written.after && written.note.is_none() {
                    return None;
                }
                self.touch(variable, before.flatten().unwrap_or_default(), Some(at));
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
    fn directive(&self, injection: &Injection) -> Directive {
        let turn = self.session.turn;
        Directive {
            id: injection.id.clone(),
            content: injection.content.clone(),
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

    fn effect(&mut self, kind: EffectKind, fields: &Map) {
        let n = self.effects.len() + 1;
        let id = format!("{}.{}.{n}", self.session.turn, self.session.step);
        self.effects.push(Effect { id, kind, fields: fields.clone() });
    }
}

/// A directive as the trace shows it.
fn shown(directive: &Directive) -> Value {
    let turn = |turn: u64| Value::from(i64::try_from(turn).unwrap_or(i64::MAX));
    let mut out = Map::new();
    out.insert("content", Value::Text(directive.content.clone()));
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
