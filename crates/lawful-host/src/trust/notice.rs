//! What a user is told about the trust in a lawbook.

use std::path::Path;

use lawful::syntax::{Diagnostic, Span, escape};
use lawful_deliver::State;

use super::law::{Law, Trusted};
use crate::codes;
use crate::stop::quote;
use crate::workspace::Workspace;

const KIND: &str = "law-changed";

impl Trusted {
    /// Says once a session that the files of the lawbook differ from what was trusted. Where edits
    /// count at once there is nothing to say.
    pub fn changed_notice(
        &self,
        harness: &str,
        session: &str,
        state: Option<&State>,
    ) -> Option<String> {
        let key = [harness, session];
        let is_said =
            state.is_some_and(|state| state.note(KIND, &key).is_ok_and(|note| note.is_some()));
        if self.follows() || is_said || !self.is_changed(state) {
            return None;
        }
        if let Some(state) = state {
            // If it cannot be stored, it is said again.
            let _ = state.set_note(KIND, &key, session.as_bytes());
        }
        Some(format!("law-changed: {}", changed(&self.book)))
    }
}

impl Workspace {
    /// Whether hooks would judge by the files of the lawbook as they are; a diagnostic if not. Without
    /// a lawbook there is nothing to say.
    pub(crate) fn trust_problem(&self, project: &Path) -> Option<Diagnostic> {
        match self.law(project) {
            Law::Trusted(law) if !law.follows() && law.is_changed(self.state().ok().as_ref()) => {
                let message = changed(&law.book);
                Some(Diagnostic::new(&codes::LAW_CHANGED, Span::NONE, message))
            }
            Law::Trusted(_) | Law::None => None,
            Law::Untrusted { book, why } => {
                let message = untrusted(&book, &why);
                Some(Diagnostic::new(&codes::UNTRUSTED_LAW, Span::NONE, message))
            }
            Law::Unknown { why } => Some(Diagnostic::new(&codes::TRUST_STATE, Span::NONE, why)),
        }
    }
}

fn changed(book: &Path) -> String {
    let folder = book.display().to_string();
    format!(
        "the lawbook `{}` has changed since it was trusted, and the trusted copy decides; to review \
         and accept the changes, run `lawful trust {}`",
        escape::name(&folder),
        quote(&folder)
    )
}

/// Why a lawbook does not judge, and what its user can do.
pub(crate) fn untrusted(book: &Path, why: &str) -> String {
    let folder = book.display().to_string();
    format!(
        "the lawbook `{}` is not trusted: {why}; the user must read it and run `lawful trust {}`",
        escape::name(&folder),
        quote(&folder)
    )
}
