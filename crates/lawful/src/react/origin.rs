//! Where the text in variables comes from.
//!
//! A session outlives the lawbook that filled it: rules are corrected and deleted, and declarations
//! change. So the session itself remembers which variables hold text of the agent, of a user or of
//! a tool. What the rules and declarations of the current lawbook say of a variable counts only for
//! the others.
//!
//! **Invariant:** a variable that is not listed as untrusted holds no text but that of the author
//! and of the host.

use lawful_syntax::Diagnostic;

use super::operation::{Operation, OperationKind};
use super::rules::Rules;
use super::session::Session;
use super::step::Running;
use super::variables::root;
use crate::path::Path;
use crate::value::Value;

impl Rules {
    /// Makes the variables of a session match their declarations. A variable that is reset holds
    /// text of the author.
    pub(super) fn conform(&self, session: &mut Session) -> Vec<Diagnostic> {
        let value = |session: &Session, name: &str| session.variables.get(name).cloned();
        let listed: Vec<(Box<str>, Option<Value>)> =
            session.untrusted.iter().map(|name| (name.clone(), value(session, name))).collect();
        let problems = self.declared.apply_declarations(&mut session.variables);
        for (name, before) in listed {
            if value(session, &name) != before {
                session.untrusted.remove(&name);
            }
        }
        problems
    }
}

impl Running<'_> {
    /// Records who wrote the text of a variable, after an operation was applied to it.
    pub(super) fn record_origin(&mut self, path: &Path, operation: &Operation, trusted: bool) {
        let Some(name) = root(path) else { return };
        let session = &mut self.session;
        let now = session.variables.get(name);
        // The author wrote every declared value.
        let closed = self.rules.declared.get(name).is_some_and(|known| !known.values.is_empty());
        let whole = path.segments().len() == 1;
        let (stores, replaces) = match operation.kind {
            OperationKind::Set => (true, whole),
            OperationKind::Append | OperationKind::Push | OperationKind::Merge => (true, false),
            OperationKind::Delete => (false, whole && operation.value == Value::Null),
            OperationKind::Add
            | OperationKind::Subtract
            | OperationKind::Multiply
            | OperationKind::Toggle => (false, false),
        };
        if !now.is_some_and(carries_text) {
            session.untrusted.remove(name);
        } else if stores && !trusted && !closed && carries_text(&operation.value) {
            session.untrusted.insert(name.into());
        } else if replaces {
            session.untrusted.remove(name);
        }
    }
}

/// Whether a value contains words, which numbers and booleans do not.
pub(super) fn carries_text(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::Text(text) => !text.is_empty(),
        Value::List(items) => items.iter().any(carries_text),
        Value::Map(map) => !map.is_empty(),
    }
}
