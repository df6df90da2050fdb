//! Diffs with a bound on their work.
//!
//! Lines that only one side has cannot match, so they are set aside first. The rest is searched for
//! a shortest edit script until the fuel runs out. Then the lines that occur once on both sides
//! split the problem, and each gap between them gets a share of the fuel. A gap that still cannot be
//! searched is replaced as a whole, and the diff is *coarse*.
//!
//! **Invariant:** the work is linear in the input, plus a constant. What matches is equal, and
//! replacing the changed ranges of the old side turns it into the new one, coarse or not.

mod search;
mod unified;
mod visible;

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

pub use unified::UnifiedDiff;

/// The comparisons that a diff may take beyond the linear part.
const FUEL: usize = 4_000_000;

/// Two lists compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The ranges that differ, in order. Everything between them is equal.
    pub changes: Vec<Change>,
    /// Whether a range was replaced as a whole because comparing it would take too long.
    pub coarse: bool,
    old_len: usize,
}

/// A range of the old list, and what replaces it. Either may be empty, but not both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The range of the old list.
    pub old: Range<usize>,
    /// The range of the new list.
    pub new: Range<usize>,
}

/// Compares two lists.
pub fn compare<T: Eq + Hash>(old: &[T], new: &[T]) -> Comparison {
    compare_within(old, new, FUEL)
}

/// Compares two lists with this much fuel.
pub(crate) fn compare_within<T: Eq + Hash>(old: &[T], new: &[T], fuel: usize) -> Comparison {
    let mut symbols = HashMap::new();
    let a: Vec<usize> = old.iter().map(|item| symbol(&mut symbols, item)).collect();
    let b: Vec<usize> = new.iter().map(|item| symbol(&mut symbols, item)).collect();
    let before = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (tail_a, tail_b) =
        (a.get(before..).unwrap_or_default(), b.get(before..).unwrap_or_default());
    let after = tail_a.iter().rev().zip(tail_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let middle = |list: &[usize]| -> Vec<(usize, usize)> {
        let end = list.len() - after;
        list.iter().copied().enumerate().take(end).skip(before).collect()
    };
    let (mut left, mut right) = (middle(&a), middle(&b));
    keep_shared(&mut left, &mut right, symbols.len());
    let side = |kept: &[(usize, usize)]| -> Vec<usize> { kept.iter().map(|(_, s)| *s).collect() };
    let found = search::search(&side(&left), &side(&right), fuel);
    let inner = found.matches.iter().filter_map(|(x, y)| {
        let ((x, _), (y, _)) = (left.get(*x)?, right.get(*y)?);
        Some((*x, *y))
    });
    let ends = (a.len() - after..a.len()).zip(b.len() - after..b.len());
    let matches = (0..before).zip(0..before).chain(inner).chain(ends);
    let mut changes = between(matches, (a.len(), b.len()));
    slide(&mut changes, &a, &b);
    Comparison { changes, coarse: found.coarse, old_len: a.len() }
}

impl Comparison {
    /// The positions of the items that are equal, in order.
    pub fn matches(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = std::iter::once((0, 0))
            .chain(self.changes.iter().map(|change| (change.old.end, change.new.end)));
        let ends = self.changes.iter().map(|change| change.old.start).chain([self.old_len]);
        starts.zip(ends).flat_map(|((old, new), end)| (old..end).zip(new..))
    }
}

fn symbol<'t, T: Eq + Hash>(symbols: &mut HashMap<&'t T, usize>, item: &'t T) -> usize {
    let next = symbols.len();
    *symbols.entry(item).or_insert(next)
}

/// Keeps only what both sides have, which changes no longest common subsequence.
fn keep_shared(left: &mut Vec<(usize, usize)>, right: &mut Vec<(usize, usize)>, symbols: usize) {
    let seen = |list: &[(usize, usize)]| {
        let mut seen = vec![false; symbols];
        for (_, symbol) in list {
            if let Some(seen) = seen.get_mut(*symbol) {
                *seen = true;
            }
        }
        seen
    };
    let (in_left, in_right) = (seen(left), seen(right));
    left.retain(|(_, symbol)| in_right.get(*symbol) == Some(&true));
    right.retain(|(_, symbol)| in_left.get(*symbol) == Some(&true));
}

/// The changes between matches.
fn between(
    matches: impl Iterator<Item = (usize, usize)>,
    (old_len, new_len): (usize, usize),
) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    for (x, y) in matches.chain([(old_len, new_len)]) {
        if old < x || new < y {
            changes.push(Change { old: old..x, new: new..y });
        }
        (old, new) = (x + 1, y + 1);
    }
    changes
}

/// Moves an insertion or a deletion down as far as it goes, and merges it with the change it
/// meets. So an added paragraph is shown with the blank line after it, wherever the search found
/// it.
fn slide(changes: &mut Vec<Change>, a: &[usize], b: &[usize]) {
    let mut steps = a.len() + b.len();
    let mut done: Vec<Change> = Vec::with_capacity(changes.len());
    // From the last to the first, so that the changes below have their final place.
    while let Some(mut change) = changes.pop() {
        loop {
            let limit = done.last().map_or(a.len(), |below: &Change| below.old.start);
            let moves = match (change.old.is_empty(), change.new.is_empty()) {
                (true, false) => b.get(change.new.start) == b.get(change.new.end),
                (false, true) => a.get(change.old.start) == a.get(change.old.end),
                (false, false) | (true, true) => false,
            };
            if change.old.end < limit && moves && steps > 0 {
                steps -= 1;
                change.old = change.old.start + 1..change.old.end + 1;
                change.new = change.new.start + 1..change.new.end + 1;
            } else if change.old.end == limit
                && let Some(below) = done.pop_if(|below| below.new.start == change.new.end)
            {
                change.old.end = below.old.end;
                change.new.end = below.new.end;
            } else {
                break;
            }
        }
        done.push(change);
    }
    done.reverse();
    *changes = done;
}

#[cfg(test)]
mod tests;
