//! What an agent was given of its session: directives and messages.
//!
//! A prompt that is composed for every turn contains every directive. A harness keeps its own
//! conversation instead, and what it was given once stays there. So a directive is given once, again if
//! its text changes, and again after the harness dropped its conversation.
//!
//! **Invariant:** nothing that a rule injects is lost because a harness has no place for it in one
//! answer. It is kept for the next answer that has one.

use std::collections::BTreeMap;

use lawful::insertion::{Insertion, InsertionKind};
use serde::{Deserialize, Serialize};

use super::grant::hash;

/// What the main agent of a session was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Given {
    /// A hash of the text of each directive that is in the conversation, by its id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    directives: BTreeMap<String, String>,
    /// How many messages of the queue were given.
    #[serde(default)]
    messages: usize,
    /// Texts of earlier turns that no answer could contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    owed: Vec<String>,
}

/// The maximal number of texts that are kept for a later answer. The oldest are dropped.
const MOST_OWED: usize = 64;

impl Given {
    /// What the agent was not given yet.
    pub(crate) fn pending(&self, insertions: &[Insertion]) -> Vec<String> {
        let new = insertions.iter().filter(|insertion| self.is_new(insertion));
        self.owed.iter().cloned().chain(new.map(|insertion| insertion.text.to_string())).collect()
    }

    /// Records that the agent was given everything.
    pub(crate) fn give(&mut self, insertions: &[Insertion]) {
        self.owed.clear();
        self.directives.clear();
        self.messages = 0;
        for insertion in insertions {
            match insertion.kind {
                InsertionKind::Directive => {
                    self.directives.insert(insertion.id.to_string(), hash(&[&insertion.text]));
                }
                InsertionKind::Context => self.messages += 1,
                InsertionKind::Entry => {}
            }
        }
    }

    /// Keeps what was not given before its turn ends. The queue of messages is emptied.
    pub(crate) fn end_turn(&mut self, insertions: &[Insertion]) {
        let mut owed = self.pending(insertions);
        let surplus = owed.len().saturating_sub(MOST_OWED);
        owed.drain(..surplus);
        self.give(insertions);
        self.messages = 0;
        self.owed = owed;
    }

    /// Records that the conversation was dropped.
    pub(crate) fn forget(&mut self) {
        self.directives.clear();
    }

    fn is_new(&self, insertion: &Insertion) -> bool {
        match insertion.kind {
            InsertionKind::Directive => {
                let given = self.directives.get(&*insertion.id);
                given.is_none_or(|text| *text != hash(&[&insertion.text]))
            }
            // Its id is its place in the queue.
            InsertionKind::Context => {
                insertion.id.parse::<usize>().is_ok_and(|at| at >= self.messages)
            }
            // Entries are a part of the prompt that was installed.
            InsertionKind::Entry => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use lawful::insertion::Position;

    use super::*;

    fn insertion(kind: InsertionKind, id: &str, text: &str) -> Insertion {
        let (id, text) = (id.into(), text.into());
        Insertion { kind, id, position: Position::Bottom, role: None, text, place: None }
    }

    fn directive(id: &str, text: &str) -> Insertion {
        insertion(InsertionKind::Directive, id, text)
    }

    fn message(at: usize, text: &str) -> Insertion {
        insertion(InsertionKind::Context, &at.to_string(), text)
    }

    fn check(given: &Given, insertions: &[Insertion], expected: &[&str]) {
        assert_eq!(given.pending(insertions), expected);
    }

    #[test]
    fn a_directive_is_given_once_and_again_if_it_changes() {
        let mut given = Given::default();
        check(&given, &[directive("a", "one")], &["one"]);
        given.give(&[directive("a", "one")]);
        check(&given, &[directive("a", "one")], &[]);
        check(&given, &[directive("a", "two"), directive("b", "b")], &["two", "b"]);
    }

    #[test]
    fn a_directive_that_was_removed_is_given_again() {
        let mut given = Given::default();
        given.give(&[directive("a", "one")]);
        given.give(&[]);
        check(&given, &[directive("a", "one")], &["one"]);
    }

    #[test]
    fn a_dropped_conversation_needs_every_directive() {
        let mut given = Given::default();
        given.give(&[directive("a", "one"), message(0, "m")]);
        given.forget();
        check(&given, &[directive("a", "one"), message(0, "m")], &["one"]);
    }

    #[test]
    fn messages_are_given_once() {
        let mut given = Given::default();
        given.give(&[message(0, "m")]);
        check(&given, &[message(0, "m"), message(1, "n")], &["n"]);
        given.end_turn(&[message(0, "m")]);
        check(&given, &[message(0, "next")], &["next"]);
    }

    #[test]
    fn what_could_not_be_given_is_owed() {
        let mut given = Given::default();
        given.end_turn(&[directive("once", "o"), message(0, "m")]);
        check(&given, &[message(0, "next")], &["o", "m", "next"]);
        given.give(&[message(0, "next")]);
        check(&given, &[message(0, "next")], &[]);
    }

    #[test]
    fn what_is_owed_is_limited() {
        let mut given = Given::default();
        for turn in 0..100 {
            given.end_turn(&[directive("d", &turn.to_string())]);
        }
        assert_eq!(given.pending(&[]).len(), MOST_OWED);
        assert_eq!(given.pending(&[]).last().map(String::as_str), Some("99"));
    }
}
