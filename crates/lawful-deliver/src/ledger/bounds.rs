//! The limits of a ledger.

use std::collections::BTreeSet;

use super::{Entry, Ledger, Mode};

/// The maximal size of a ledger.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// The maximal number of roles in a ledger.
const MOST_ROLES: usize = 1_000;

impl Ledger {
    /// Why the ledger cannot be stored, if it is too large.
    pub(crate) fn excess(&self) -> Option<String> {
        /// A smaller one needs no exact count: no text becomes six times as long.
        const SMALL: usize = 10 * 1024 * 1024;
        let entries = || self.files.iter().chain(&self.asleep.files);
        let roles: BTreeSet<(&str, &str)> =
            entries().map(|entry| (&*entry.book, &*entry.role)).collect();
        if roles.len() > MOST_ROLES {
            return Some(format!(
                "it would have {} roles, and at most {MOST_ROLES} fit",
                roles.len()
            ));
        }
        let length = |entry: &Entry| {
            let earlier = match &entry.mode {
                Mode::Owned { before } => before.as_deref(),
                Mode::Key { earlier, .. } => earlier.as_deref(),
                Mode::Block(_) => None,
            };
            entry.text.len() + earlier.map_or(0, str::len) + entry.path.len() + 1024
        };
        if entries().map(length).sum::<usize>() < SMALL {
            return None;
        }
        let text = self.to_text().ok().flatten().unwrap_or_default();
        let is_too_large = text.len() as u64 > LARGEST;
        let bytes = lawful::syntax::escape::bytes;
        let most = usize::try_from(LARGEST).unwrap_or(usize::MAX);
        is_too_large.then(|| {
            format!("it would have {}, and at most {} fit", bytes(text.len()), bytes(most))
        })
    }
}
