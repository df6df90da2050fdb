//! One change to a text, stored so that it can be undone without the text.
//!
//! A settings file can contain secrets, so only the changed range and a hash of the whole are
//! stored.

use serde::{Deserialize, Serialize};

use crate::text::hash;

/// The removed and the inserted text at one place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Splice {
    /// The place, in bytes.
    at: usize,
    /// The removed text.
    removed: String,
    /// The inserted text.
    inserted: String,
    /// The hash of the text after the change.
    after: String,
}

impl Splice {
    /// The change from one text to another.
    pub(crate) fn between(before: &str, after: &str) -> Self {
        let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
        };
        let start = same(&mut before.chars().zip(after.chars()));
        let rest = |text: &str| text.get(start..).unwrap_or_default().to_owned();
        let (old, new) = (rest(before), rest(after));
        let end = same(&mut old.chars().rev().zip(new.chars().rev()));
        let removed = old.get(..old.len() - end).unwrap_or_default().to_owned();
        let inserted = new.get(..new.len() - end).unwrap_or_default().to_owned();
        Self { at: start, removed, inserted, after: hash(after) }
    }

    /// The inserted text.
    pub(crate) fn inserted(&self) -> &str {
        &self.inserted
    }

    /// The text before the change, if this is the text after it.
    pub(crate) fn undo(&self, now: &str) -> Option<String> {
        if hash(now) != self.after {
            return None;
        }
        let head = now.get(..self.at)?;
        let tail = now.get(self.at.checked_add(self.inserted.len())?..)?;
        Some(format!("{head}{}{tail}", self.removed))
    }

    /// The text without the change, if the inserted text occurs once, at any place.
    pub(crate) fn take_out(&self, now: &str) -> Option<String> {
        let mut found = now.match_indices(&*self.inserted);
        let (at, _) =
            found.next().filter(|_| found.next().is_none() && !self.inserted.is_empty())?;
        let (head, tail) = (now.get(..at)?, now.get(at + self.inserted.len()..)?);
        Some(format!("{head}{}{tail}", self.removed))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_changed_is_undone(before in "[abé\n]{0,12}", after in "[abé\n]{0,12}") {
            let splice = Splice::between(&before, &after);
            prop_assert_eq!(splice.undo(&after), Some(before));
            prop_assert_eq!(splice.undo(&format!("{after}x")), None);
        }
    }

    #[test]
    fn only_what_changed_is_kept() {
        let splice =
            Splice::between("{\"token\": \"secret\"}", "{\"token\": \"secret\", \"a\": 1}");
        assert!(!serde_json::to_string(&splice).unwrap().contains("secret"));
    }
}
