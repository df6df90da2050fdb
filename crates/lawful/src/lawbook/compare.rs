//! `diff`: two prompts compared.

use similar::{DiffTag, TextDiff, capture_diff_slices};

use super::compose::Resolved;
use crate::tokens::Tokenizer;
use crate::view::{Diff, DiffTokens};

pub(super) fn diff(before: &Resolved<'_>, after: &Resolved<'_>, tokenizer: Tokenizer<'_>) -> Diff {
    let names = |made: &Resolved<'_>| -> Vec<String> {
        let ids = made.resolution.order.iter();
        ids.map(|id| made.book.compositions().name(*id).to_owned()).collect()
    };
    let (old, new) = (names(before), names(after));
    let (old_text, new_text) = (&before.resolution.prompt.text, &after.resolution.prompt.text);
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
        diff: unified(old_text, new_text),
    }
}

/// The ids in both orders whose relative position changed.
fn moved(old: &[String], new: &[String]) -> Vec<String> {
    let both = |list: &[String], other: &[String]| -> Vec<String> {
        list.iter().filter(|id| other.contains(id)).cloned().collect()
    };
    let (old, new) = (both(old, new), both(new, old));
    let changes = capture_diff_slices(similar::Algorithm::Myers, &old, &new);
    let gone = changes.iter().filter(|change| change.tag() != DiffTag::Equal);
    gone.flat_map(|change| old.get(change.old_range()).unwrap_or_default().to_vec()).collect()
}

fn first_difference(old: &str, new: &str) -> Option<usize> {
    let common = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    (old != new).then_some(common)
}

fn unified(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let end = |text: &str| format!("{text}\n");
    let (old, new) = (end(old), end(new));
    TextDiff::from_lines(&old, &new)
        .unified_diff()
        .context_radius(2)
        .header("before", "after")
        .to_string()
}
