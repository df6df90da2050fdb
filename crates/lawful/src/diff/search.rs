//! The search for what two lists have in common.

use std::ops::Range;

/// What two lists have in common.
pub(super) struct Found {
    /// The positions that match, in order.
    pub(super) matches: Vec<(usize, usize)>,
    /// Whether a part was not searched to the end.
    pub(super) coarse: bool,
}

/// A longest common subsequence; or, if that takes more than the fuel, one that is good.
pub(super) fn search(a: &[usize], b: &[usize], fuel: usize) -> Found {
    if let Some(matches) = shortest_script(a, b, fuel) {
        return Found { matches, coarse: false };
    }
    let mut found = Found { matches: Vec::new(), coarse: false };
    let (mut x, mut y) = (0, 0);
    let total = a.len() + b.len();
    for (next_x, next_y) in anchors(a, b).into_iter().chain([(a.len(), b.len())]) {
        let size = next_x - x + (next_y - y);
        // A share by size, so that no gap starves the others.
        let share = fuel.saturating_mul(size).checked_div(total).unwrap_or(0) + size;
        gap((a, x..next_x), (b, y..next_y), share, &mut found);
        if next_x < a.len() {
            found.matches.push((next_x, next_y));
        }
        (x, y) = (next_x + 1, next_y + 1);
    }
    found
}

/// Searches a gap between two anchors.
fn gap(
    (a, old): (&[usize], Range<usize>),
    (b, new): (&[usize], Range<usize>),
    fuel: usize,
    found: &mut Found,
) {
    let (x, y) = (old.start, new.start);
    let (a, b) = (a.get(old).unwrap_or_default(), b.get(new).unwrap_or_default());
    if let Some(matches) = shortest_script(a, b, fuel) {
        found.matches.extend(matches.into_iter().map(|(i, j)| (x + i, y + j)));
        return;
    }
    found.coarse = true;
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(before..).unwrap_or_default(), b.get(before..).unwrap_or_default());
    let after = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (x, y) = (x + before, y + before);
    found.matches.extend((x - before..x).zip(y - before..y));
    let (x, y) = (x + a.len() - after, y + b.len() - after);
    found.matches.extend((x..x + after).zip(y..y + after));
}

/// Myers' greedy algorithm, with the furthest point of every diagonal kept for each number of
/// edits; `None` if it takes more than the fuel. The fuel also bounds the memory.
fn shortest_script(a: &[usize], b: &[usize], mut fuel: usize) -> Option<Vec<(usize, usize)>> {
    if a.is_empty() || b.is_empty() {
        return Some(Vec::new());
    }
    // Entry `t` of row `d` is the diagonal `x - y = d - 2t`.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for d in 0..=a.len() + b.len() {
        fuel = fuel.checked_sub(d + 1)?;
        let mut row = Vec::with_capacity(d + 1);
        for t in 0..=d {
            let (_, start) = step(rows.last().map_or(&[], Vec::as_slice), t);
            let mut x = start;
            let mut y = (x + 2 * t).checked_sub(d)?;
            while let (Some(left), Some(right)) = (a.get(x), b.get(y))
                && left == right
            {
                (x, y) = (x + 1, y + 1);
            }
            fuel = fuel.checked_sub(x - start)?;
            row.push(x);
            if x >= a.len() && y >= b.len() {
                rows.push(row);
                return Some(trace(&rows, t));
            }
        }
        rows.push(row);
    }
    None
}

/// The entry of the row before from which a diagonal is reached, and the `x` it starts at: one item
/// of the new list is added, or one of the old list removed.
fn step(before: &[usize], t: usize) -> (usize, usize) {
    let added = t.checked_sub(1).and_then(|t| Some((t, *before.get(t)?)));
    let removed = before.get(t).map(|x| (t, x + 1));
    match (removed, added) {
        (Some((_, x)), Some(added)) if x <= added.1 => added,
        (Some(removed), _) => removed,
        (None, Some(added)) => added,
        (None, None) => (0, 0),
    }
}

/// Follows the rows back from the end.
fn trace(rows: &[Vec<usize>], mut t: usize) -> Vec<(usize, usize)> {
    let mut matches = Vec::new();
    for (d, row) in rows.iter().enumerate().rev() {
        let before = d.checked_sub(1).and_then(|d| rows.get(d));
        let (from, start) = step(before.map_or(&[], Vec::as_slice), t);
        let end = row.get(t).copied().unwrap_or(start);
        matches.extend((start..end).rev().map(|x| (x, (x + 2 * t).saturating_sub(d))));
        t = from;
    }
    matches.reverse();
    matches
}

/// The longest list of positions, in order on both sides, of what each side has once.
fn anchors(a: &[usize], b: &[usize]) -> Vec<(usize, usize)> {
    let symbols = a.iter().chain(b).max().map_or(0, |most| most + 1);
    let once = |list: &[usize]| {
        let mut at: Vec<(usize, usize)> = vec![(0, 0); symbols];
        for (position, symbol) in list.iter().enumerate() {
            if let Some((count, place)) = at.get_mut(*symbol) {
                (*count, *place) = (*count + 1, position);
            }
        }
        at
    };
    let (in_a, in_b) = (once(a), once(b));
    let pairs: Vec<(usize, usize)> = a
        .iter()
        .enumerate()
        .filter(|(_, symbol)| in_a.get(**symbol).is_some_and(|(count, _)| *count == 1))
        .filter_map(|(x, symbol)| match in_b.get(*symbol) {
            Some((1, y)) => Some((x, *y)),
            Some(_) | None => None,
        })
        .collect();
    increasing(&pairs)
}

/// A longest part of the pairs in which the second positions increase too.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The index of the pair that ends the best list of each length, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |index: &usize| pairs.get(*index).map(|(_, y)| *y);
    for (index, (_, y)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(end) < Some(*y));
        before.push(length.checked_sub(1).and_then(|last| ends.get(last)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut longest = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        longest.extend(pairs.get(index));
        next = before.get(index).copied().flatten();
    }
    longest.reverse();
    longest
}
