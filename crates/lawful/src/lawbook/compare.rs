//! `diff`: two prompts compared.

use std::sync::Arc;

use lawful_syntax::Span;

use super::compose::Resolved;
use crate::diagnostics::Diagnostics;
use crate::diff::{UnifiedDiff, compare};
use crate::tokens::Tokenizer;
use crate::view::{Diff, DiffTokens};

pub(super) fn diff(before: &Resolved<'_>, after: &Resolved<'_>, tokenizer: Tokenizer<'_>) -> Diff {
    let names = |made: &Resolved<'_>| -> Vec<String> {
        let ids = made.resolution.order.iter();
        ids.map(|id| made.book.compositions().name(*id).to_owned()).collect()
    };
    let (old, new) = (names(before), names(after));
    let (old_text, new_text) = (&before.resolution.prompt.text, &after.resolution.prompt.text);
    let diff = unified(old_text, new_text);
    Diff {
        entered: new.iter().filter(|id| !old.contains(id)).cloned().collect(),
        left: old.iter().filter(|id| !new.contains(id)).cloned().collect(),
        moved: moved(&old, &new),
        first_different_byte: first_difference(old_text, new_text),
        tokens: DiffTokens {
            before: tokenizer.count(old_text),
            after: tokenizer.count(new_text),
            method: tokenizer.method(),
        },
        coarse: diff.is_coarse(),
        diff,
        diagnostics: warnings(before, after),
    }
}

/// The warnings of both prompts. One that only one of them has says which.
fn warnings(before: &Resolved<'_>, after: &Resolved<'_>) -> Diagnostics {
    let (old, new) = (&before.resolution.trace.warnings, &after.resolution.trace.warnings);
    let mut list = Vec::new();
    for (own, other, side) in [(old, new, "first"), (new, old, "second")] {
        for warning in own {
            let shared = other.contains(warning);
            if shared && side == "second" {
                continue;
            }
            let note = format!("only in the {side} prompt");
            list.push(if shared { warning.clone() } else { warning.clone().note(note) });
        }
    }
    let sources = &before.book.sources;
    if !Arc::ptr_eq(sources, &after.book.sources) {
        // One list has one table of sources, so places in another book would be wrong.
        for warning in &mut list {
            warning.span = Span::NONE;
            warning.labels.clear();
        }
    }
    Diagnostics::in_order(list, sources.clone())
}

/// The ids in both orders whose relative position changed.
fn moved(old: &[String], new: &[String]) -> Vec<String> {
    let both = |list: &[String], other: &[String]| -> Vec<String> {
        list.iter().filter(|id| other.contains(id)).cloned().collect()
    };
    let (old, new) = (both(old, new), both(new, old));
    let changes = compare(&old, &new).changes;
    changes
        .into_iter()
        .flat_map(|change| old.get(change.old).unwrap_or_default().to_vec())
        .collect()
}

fn first_difference(old: &str, new: &str) -> Option<usize> {
    let common = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    (old != new).then_some(common)
}

fn unified(old: &str, new: &str) -> UnifiedDiff {
    // A prompt does not end with a newline, which is no news.
    let end = |text: &str| format!("{text}\n");
    UnifiedDiff::new(("before", &end(old)), ("after", &end(new)), 2)
}
