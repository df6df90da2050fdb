//! What a session inserts into the prompt of its next turn.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Severity, Span};

use super::codes::MISSING_VALUE;
use super::rules::Rules;
use super::session::Session;
use super::source::{Source, turn};
use super::template::{fill, plain, quoted};
use crate::code::UNTRUSTED_IN_SYSTEM;
use crate::insertion::{Insertion, InsertionKind, Insertions, Position, Role};
use crate::value::{Map, Value};

impl Rules {
    /// The insertions of the next turn: the enabled entries in the order of their files, the
    /// directives in the order of injection, and the queued messages in the order of arrival.
    ///
    /// Placeholders are filled. Only trusted values enter the system layer; in a message every
    /// value may stand, on one line and escaped.
    pub fn insertions(&self, session: &Session) -> Insertions {
        let next = session.turn.saturating_add(1);
        let session = &self.conforming(session);
        let nothing = BTreeMap::new();
        let mut out =
            Insertions { trusted: Some(self.trust.held_by(session)), ..Insertions::default() };
        for entry in &self.entries {
            if session.entries.get(&entry.id).copied().unwrap_or(entry.enabled) {
                let system = entry.position.depth().is_none();
                let values = (&nothing, session);
                let text = self.text(&entry.text, values, system, entry.text_span, &mut out);
                out.list.push(Insertion {
                    kind: InsertionKind::Entry,
                    id: entry.id.clone(),
                    position: entry.position,
                    role: role(entry.position),
                    text,
                    place: Some((entry.file, entry.first_line)),
                });
            }
        }
        for directive in &session.directives {
            let over = directive.until.is_some_and(|until| until < next);
            if directive.from <= next && !over {
                let system = directive.position.depth().is_none();
                let values = (&directive.values, session);
                let content = directive.content.trim();
                let text = self.text(content, values, system, Span::NONE, &mut out);
                out.list.push(Insertion {
                    kind: InsertionKind::Directive,
                    id: directive.id.clone(),
                    position: directive.position,
                    role: role(directive.position),
                    text,
                    place: None,
                });
            }
        }
        for (at, queued) in session.context.iter().enumerate() {
            let system = queued.role == Role::System;
            let values = (&queued.values, session);
            let text = self.text(queued.message.trim(), values, system, Span::NONE, &mut out);
            out.list.push(Insertion {
                kind: InsertionKind::Context,
                id: at.to_string().into(),
                // After the newest message.
                position: Position::Depth(0),
                role: Some(queued.role),
                text,
                place: None,
            });
        }
        out.list.retain(|insertion| !insertion.text.is_empty());
        out
    }

    /// What a session adds to the context of a prompt: its variables as `state`, and its turn.
    pub fn context(&self, session: &Session) -> Map {
        let session = self.conforming(session);
        let mut own = Map::new();
        own.insert("turn", turn(&session));
        let mut context = Map::new();
        context.insert("state", session.variables);
        context.insert("session", Value::Map(own));
        context
    }

    /// The session with variables that match their declarations. A state may come from another
    /// lawbook, and trust rests on the declarations.
    fn conforming(&self, session: &Session) -> Session {
        let mut session = session.clone();
        self.conform(&mut session);
        session
    }

    /// A text with its placeholders filled. `values` were looked up when it was injected.
    fn text(
        &self,
        text: &str,
        (values, session): (&BTreeMap<Box<str>, Value>, &Session),
        system: bool,
        place: Span,
        out: &mut Insertions,
    ) -> Box<str> {
        let show = |source: &Source| {
            if let Some(value) = values.get(&*source.to_string()) {
                return if system { plain(value) } else { quoted(value) };
            }
            let trusted = match source {
                // It was not stored when the text was injected, and the step reported why.
                Source::Field(_) => return String::new(),
                Source::Variable(path) => self.trust.holds(path, session),
                Source::Turn => true,
            };
            match source.get(None, session) {
                None => {
                    out.problems.push(no_value(source, place));
                    String::new()
                }
                Some(_) if system && !trusted => {
                    out.problems.push(untrusted(source, place));
                    String::new()
                }
                Some(value) if system => plain(&value),
                Some(value) => quoted(&value),
            }
        };
        fill(text, show).into()
    }
}

/// The warning for a placeholder that has no value.
pub(super) fn no_value(source: &Source, place: Span) -> Diagnostic {
    let message = format!("`${{{source}}}` has no value, so it renders as nothing");
    let help = match source {
        Source::Field(_) => "correct the name, or send the field with the event",
        Source::Variable(_) | Source::Turn => {
            "correct the name, or give the variable an `initial` value"
        }
    };
    Diagnostic::new(&MISSING_VALUE, place, message).help(help)
}

/// The warning for a value that must not enter the system layer.
pub(super) fn untrusted(source: &Source, place: Span) -> Diagnostic {
    let message =
        format!("`${{{source}}}` may hold text that no author wrote, so it renders as nothing");
    let problem = Diagnostic::new(&UNTRUSTED_IN_SYSTEM, place, message).help(HELP);
    Diagnostic { severity: Severity::Warning, ..problem }
}

/// How to show an untrusted value.
pub(super) const HELP: &str = "move the text into a message: a directive with `position: depth`, or \
                               a context message with `role: user`";

/// An insertion in the history needs a role.
fn role(position: Position) -> Option<Role> {
    position.depth().map(|_| Role::System)
}
