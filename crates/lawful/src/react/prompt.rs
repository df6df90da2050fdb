//! What a session inserts into the prompt of its next turn.

use super::rules::Rules;
use super::session::Session;
use crate::insertion::{Insertion, InsertionKind, Position, Role};

impl Rules {
    /// The insertions of the next turn: the enabled entries in the order of their files, the
    /// directives in the order of injection, and the queued messages in the order of arrival.
    pub fn insertions(&self, session: &Session) -> Vec<Insertion> {
        let next = session.turn.saturating_add(1);
        let mut out = Vec::new();
        for entry in &self.entries {
            if session.entries.get(&entry.id).copied().unwrap_or(entry.enabled) {
                out.push(Insertion {
                    kind: InsertionKind::Entry,
                    id: entry.id.clone(),
                    position: entry.position,
                    role: role(entry.position),
                    text: entry.text.clone(),
                    place: Some((entry.file, entry.first_line)),
                });
            }
        }
        for directive in &session.directives {
            let over = directive.until.is_some_and(|until| until < next);
            if directive.from <= next && !over {
                out.push(Insertion {
                    kind: InsertionKind::Directive,
                    id: directive.id.clone(),
                    position: directive.position,
                    role: role(directive.position),
                    text: directive.content.trim().into(),
                    place: None,
                });
            }
        }
        for (at, queued) in session.context.iter().enumerate() {
            out.push(Insertion {
                kind: InsertionKind::Context,
                id: at.to_string().into(),
                // After the newest message.
                position: Position::Depth(0),
                role: Some(queued.role),
                text: queued.message.trim().into(),
                place: None,
            });
        }
        out.retain(|insertion| !insertion.text.is_empty());
        out
    }
}

/// An insertion in the history needs a role.
fn role(position: Position) -> Option<Role> {
    position.depth().map(|_| Role::System)
}
