//! Regular expressions that must match whole words.
//!
//! An expression may match in many ways at one place, and any of them may end where a word ends:
//! `cat|cats` matches in "two cats" whichever comes first. So all ways are followed at once. Every
//! state of the automaton stores the earliest start that reached it, a new start is added wherever
//! a word may begin, and an end counts wherever a word may end.
//!
//! **Invariant:** the time is bounded by the length of the text times the size of the automaton.

use std::ops::Range;

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::word::Words;

/// The leftmost match that is a whole word, and the longest of those. It does not begin before
/// `from`.
pub(crate) fn find(nfa: &NFA, text: &str, from: usize, words: &Words<'_>) -> Option<Range<usize>> {
    let mut best: Option<Range<usize>> = None;
    let (mut now, mut next) = (Active::new(nfa), Active::new(nfa));
    let mut at = from;
    while at <= text.len() {
        if now.states.is_empty() {
            // No match is open: continue where the next word begins, if one can still count.
            match words.next_edge(at).filter(|_| best.is_none()) {
                Some(edge) => at = edge,
                None => break,
            }
        }
        if best.is_none() && words.is_edge(at) {
            now.add(nfa, text, at, nfa.start_anchored(), at);
        }
        let byte = text.as_bytes().get(at).copied();
        // They are in the order of their starts.
        for (state, start) in now.states.drain(..) {
            if best.as_ref().is_some_and(|best| best.start < start) {
                break;
            }
            let to = match (nfa.state(state), byte) {
                (State::Match { .. }, _) => {
                    if words.is_edge(at) {
                        best = Some(start..at);
                    }
                    None
                }
                (State::ByteRange { trans }, Some(byte)) => {
                    trans.matches_byte(byte).then_some(trans.next)
                }
                (State::Sparse(sparse), Some(byte)) => sparse.matches_byte(byte),
                (State::Dense(dense), Some(byte)) => dense.matches_byte(byte),
                (_, _) => None,
            };
            if let Some(to) = to {
                next.add(nfa, text, at + 1, to, start);
            }
        }
        now.clear();
        std::mem::swap(&mut now, &mut next);
        at += 1;
    }
    best
}

/// The states that were reached at one place, each with its earliest start.
struct Active {
    states: Vec<(StateID, usize)>,
    /// The last round in which each state was reached.
    reached: Vec<usize>,
    round: usize,
    open: Vec<StateID>,
}

impl Active {
    fn new(nfa: &NFA) -> Self {
        let reached = vec![0; nfa.states().len()];
        Self { states: Vec::new(), reached, round: 1, open: Vec::new() }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.round += 1;
    }

    /// Adds a state, and the states that follow without consuming a byte.
    fn add(&mut self, nfa: &NFA, text: &str, at: usize, state: StateID, start: usize) {
        self.open.push(state);
        while let Some(state) = self.open.pop() {
            let Some(reached) = self.reached.get_mut(state.as_usize()) else { continue };
            if std::mem::replace(reached, self.round) == self.round {
                continue;
            }
            match nfa.state(state) {
                State::ByteRange { .. }
                | State::Sparse(_)
                | State::Dense(_)
                | State::Match { .. } => self.states.push((state, start)),
                State::Look { look, next } => {
                    if nfa.look_matcher().matches(*look, text.as_bytes(), at) {
                        self.open.push(*next);
                    }
                }
                State::Union { alternates } => self.open.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => self.open.extend([*alt2, *alt1]),
                State::Capture { next, .. } => self.open.push(*next),
                State::Fail => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, by trying every part of the text.
    fn naive(pattern: &str, text: &str) -> Option<Range<usize>> {
        let words = Words::of(text);
        let regex = regex_automata::meta::Regex::new(&format!("(?:{pattern})$")).unwrap();
        let edges: Vec<usize> = (0..=text.len()).filter(|at| words.is_edge(*at)).collect();
        for start in &edges {
            for end in edges.iter().rev().take_while(|end| *end >= start) {
                let anchored = regex_automata::Input::new(text.get(..*end).unwrap())
                    .range(*start..)
                    .anchored(regex_automata::Anchored::Yes);
                if regex.is_match(anchored) {
                    return Some(*start..*end);
                }
            }
        }
        None
    }

    fn check(pattern: &str, text: &str, expected: Option<&str>) {
        let nfa = NFA::new(pattern).unwrap();
        let found = find(&nfa, text, 0, &Words::of(text));
        assert_eq!(found.map(|range| text.get(range).unwrap()), expected, "{pattern} in {text}");
    }

    #[test]
    fn any_way_to_match_may_be_the_whole_word() {
        check("cat|cats", "two cats", Some("cats"));
        check("cats|cat", "two cats", Some("cats"));
        check("cats?", "a cat", Some("cat"));
        check("cat", "two cats", None);
        check("(?i)c.*t", "concat a CAT sat", Some("concat a CAT sat"));
        check(r"^cat\b", "cat cat", Some("cat"));
        check("cat$", "cats cat", Some("cat"));
        check("猫|猫が", "彼は猫が好き", Some("猫が"));
    }

    proptest! {
        #[test]
        fn it_is_what_trying_every_part_finds(
            pattern in "[abé .]{1,3}(\\|[ab' ]{1,4}){0,2}[*?+]?",
            text in "[abé' ]{0,12}",
        ) {
            let nfa = NFA::new(&pattern).unwrap();
            prop_assert_eq!(find(&nfa, &text, 0, &Words::of(&text)), naive(&pattern, &text));
        }
    }
}
