//! Whether an export is one that a store could have written.
//!
//! Someone else may have written it, so nothing in it is assumed. What is checked here is what the
//! other requests rely on: the order of versions, one current branch, keys and effect ids that are
//! used once.

use std::collections::{BTreeMap, BTreeSet};

use crate::session::check_name;
use crate::{Entry, Error, Export, FORMAT, Status};

impl Export {
    /// Checks an export before it is imported. Every store calls this.
    pub fn check(&self) -> Result<(), Error> {
        check_name("name of a session", &self.session)?;
        let bad = |reason: String| Err(Error::BadExport { reason });
        if self.format != FORMAT {
            return bad(format!("its format is {}, expected {FORMAT}", self.format));
        }
        if [self.version, self.branch].iter().any(|number| i64::try_from(*number).is_err()) {
            return bad("a number is too large".to_owned());
        }
        if let Some(reason) = self.unsound() {
            return bad(reason);
        }
        for key in self.entries.iter().filter_map(|entry| entry.key.as_deref()) {
            check_name("key of a request", key)?;
        }
        Ok(())
    }

    /// The first contradiction.
    fn unsound(&self) -> Option<String> {
        let mut known: BTreeMap<u64, &Entry> = BTreeMap::new();
        for entry in &self.entries {
            if let Some(reason) = self.unsound_entry(entry, &known) {
                return Some(format!("version {}: {reason}", entry.version));
            }
            known.insert(entry.version, entry);
        }
        let last_live = self.entries.iter().rfind(|entry| entry.abandoned.is_none());
        if last_live.is_none_or(|entry| entry.version != self.head) {
            return Some("`head` is not the last entry of the current branch".to_owned());
        }
        let mut hashes = BTreeSet::new();
        if !self.books.iter().all(|book| hashes.insert(&*book.hash)) {
            return Some("a lawbook is listed twice".to_owned());
        }
        if let Some(entry) = self.entries.iter().find(|entry| !hashes.contains(&*entry.book)) {
            return Some(format!("version {}: its lawbook is missing", entry.version));
        }
        repeated(self.entries.iter().filter_map(|entry| entry.key.as_ref()), "key").or_else(|| {
            let all = self.entries.iter().flat_map(|entry| &entry.effects);
            let own = all.filter(|effect| effect.status != Status::Repeated);
            repeated(own.map(|effect| &effect.id), "effect id")
        })
    }

    /// What is wrong with an entry, given those before it.
    fn unsound_entry(&self, entry: &Entry, known: &BTreeMap<u64, &Entry>) -> Option<String> {
        let parent = entry.parent.and_then(|parent| known.get(&parent));
        let last = known.last_key_value().map(|(version, _)| *version);
        let reason = match (last, parent) {
            (None, _) if entry.version != 0 || entry.parent.is_some() => {
                "the first entry is not the start"
            }
            (Some(last), _) if entry.version <= last => "it is not in order",
            (Some(_), None) => "the entry before it is missing",
            (Some(_), Some(parent)) if entry.abandoned.is_none() && parent.abandoned.is_some() => {
                "it follows an abandoned entry"
            }
            (Some(_), Some(parent)) if self.has_other_live_child(parent, entry) => {
                "the current branch divides"
            }
            (Some(_), Some(parent)) if !follows_turn(parent, entry) => {
                "its turn is neither that of the entry before it nor the next one"
            }
            (Some(_), Some(parent)) if !follows_version(parent, entry) => {
                "its version and branch do not follow those of the entry before it"
            }
            (_, _) if entry.version > self.version || entry.branch > self.branch => {
                "it is newer than the session"
            }
            (_, _)
                if entry.abandoned.is_some_and(|by| by <= entry.version || by > self.version) =>
            {
                "it was abandoned at an impossible version"
            }
            (_, _) if i64::try_from(entry.turn).is_err() => "its turn is too large",
            (_, _) if entry.effects.iter().any(|effect| effect.version != entry.version) => {
                "an effect has another version"
            }
            (_, _) if entry.abandoned.is_some() && has(entry, Status::Pending) => {
                "an effect of an abandoned entry is pending"
            }
            (_, _) => return None,
        };
        Some(reason.to_owned())
    }

    fn has_other_live_child(&self, parent: &Entry, entry: &Entry) -> bool {
        entry.abandoned.is_none()
            && self.entries.iter().any(|other| {
                other.abandoned.is_none()
                    && other.parent == Some(parent.version)
                    && other.version < entry.version
            })
    }
}

/// A step is part of a turn, or starts the next one.
fn follows_turn(parent: &Entry, entry: &Entry) -> bool {
    entry.turn == parent.turn || parent.turn.checked_add(1) == Some(entry.turn)
}

/// Only a rewind leaves versions out. Each starts a branch, and takes a version itself.
fn follows_version(parent: &Entry, entry: &Entry) -> bool {
    let next = parent.version.saturating_add(1);
    match entry.branch.checked_sub(parent.branch) {
        Some(0) => entry.version == next,
        Some(rewinds) => next.checked_add(rewinds).is_some_and(|first| entry.version >= first),
        None => false,
    }
}

fn has(entry: &Entry, status: Status) -> bool {
    entry.effects.iter().any(|effect| effect.status == status)
}

/// The first that occurs twice.
fn repeated<T: Ord + std::fmt::Display>(
    all: impl Iterator<Item = T>,
    what: &str,
) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut all = all;
    let twice = all.find_map(|one| {
        let shown = one.to_string();
        (!seen.insert(one)).then_some(shown)
    });
    twice.map(|shown| format!("the {what} `{shown}` is used twice"))
}

#[cfg(test)]
mod tests;
