//! The facts of one relation: rows of constants as a set, with indexes.
//!
//! Rows are in the order of insertion, so the rows of the last round are a range of row numbers. An
//! index maps the constants of some columns to the newest row that has them, and every row to the
//! next older one with the same constants.
//!
//! Most rows are one or two small numbers. They are found by the numbers themselves, without hashing.

#![expect(
    clippy::indexing_slicing,
    reason = "rows are numbered by the table itself, and columns checked when a program is compiled"
)]

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use crate::constant::Constant;

/// No row.
pub(crate) const NO_ROW: u32 = u32::MAX;
/// The rule of a given fact.
pub(crate) const GIVEN: u32 = u32::MAX;
/// Larger sets are freed when a table is cleared, so that one large run does not slow down small
/// ones after it.
const KEPT: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Table {
    arity: usize,
    values: Vec<u32>,
    /// For each row, the rule that derived it, and when.
    origins: Vec<(u32, u32)>,
    rows: HashTable<u32>,
    /// The row at each [place](place) plus one; 0 for a place without a row.
    by_place: Vec<u32>,
    indexes: Vec<Index>,
    seed: u64,
}

#[derive(Debug)]
struct Index {
    columns: Box<[u8]>,
    newest: HashTable<u32>,
    /// The newest row at each [place](place) of the columns plus one; 0 for a place without a row.
    by_place: Vec<u32>,
    older: Vec<u32>,
}

impl Table {
    /// An empty table with a capacity, and an index over each of these groups of columns.
    pub(crate) fn new(arity: usize, room: usize, indexes: &[Box<[u8]>], seed: u64) -> Self {
        let index = |columns: &[u8]| Index {
            columns: columns.into(),
            newest: HashTable::new(),
            by_place: Vec::new(),
            older: Vec::new(),
        };
        Self {
            arity,
            values: Vec::with_capacity(room * arity),
            origins: Vec::with_capacity(room),
            rows: HashTable::new(),
            by_place: if arity == 1 { Vec::with_capacity(room) } else { Vec::new() },
            indexes: indexes.iter().map(|columns| index(columns)).collect(),
            seed,
        }
    }

    pub(crate) fn len(&self) -> u32 {
        crate::program::position(self.origins.len())
    }

    pub(crate) fn clear(&mut self) {
        if self.origins.is_empty() {
            return;
        }
        if !self.by_place.is_empty() {
            for place in self.values.chunks_exact(self.arity).filter_map(place) {
                self.by_place[place] = 0;
            }
        }
        for index in &mut self.indexes {
            index.clear(self.values.chunks_exact(self.arity));
        }
        self.values.clear();
        self.origins.clear();
        empty(&mut self.rows);
    }

    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.arity;
        &self.values[start..start + self.arity]
    }

    /// The rule and the time of a row.
    pub(crate) fn origin(&self, row: u32) -> (u32, u32) {
        self.origins[row as usize]
    }

    /// The number of a row, if the table contains it.
    #[inline]
    pub(crate) fn find(&self, values: &[u32]) -> Option<u32> {
        if self.origins.is_empty() {
            return None;
        }
        self.find_at(Address::of(self.seed, values), values)
    }

    /// The same, for a row whose address is known.
    #[inline]
    pub(crate) fn find_at(&self, address: Address, values: &[u32]) -> Option<u32> {
        match address {
            Address::Place(place) => self.by_place.get(place as usize)?.checked_sub(1),
            Address::Hash(hash) => {
                self.rows.find(hash, |row| same(self.row(*row), values)).copied()
            }
        }
    }

    /// Adds a row unless the table contains it; returns whether it was added.
    #[inline]
    pub(crate) fn insert(&mut self, values: &[u32], rule: u32, moment: u32) -> bool {
        self.insert_at(Address::of(self.seed, values), values, rule, moment)
    }

    /// The same, for a row whose address is known.
    #[inline]
    pub(crate) fn insert_at(
        &mut self,
        address: Address,
        values: &[u32],
        rule: u32,
        moment: u32,
    ) -> bool {
        debug_assert_eq!(values.len(), self.arity);
        let Self { arity, values: all, origins, rows, by_place, indexes, seed } = self;
        let (arity, seed) = (*arity, *seed);
        let row_of = |row: u32| row as usize * arity..(row as usize + 1) * arity;
        let new = crate::program::position(origins.len());
        match address {
            Address::Place(place) => {
                let place = place as usize;
                if by_place.len() <= place {
                    by_place.resize(place + 1, 0);
                }
                let row = &mut by_place[place];
                if *row != 0 {
                    return false;
                }
                *row = new + 1;
            }
            Address::Hash(hashed) => {
                let entry = rows.entry(
                    hashed,
                    |row| same(&all[row_of(*row)], values),
                    |row| hash(seed, all[row_of(*row)].iter()),
                );
                match entry {
                    Entry::Occupied(_) => return false,
                    Entry::Vacant(vacant) => vacant.insert(new),
                };
            }
        }
        match *values {
            // Without a call for a few bytes.
            [one] => all.push(one),
            [first, second] => all.extend_from_slice(&[first, second]),
            _ => all.extend_from_slice(values),
        }
        origins.push((rule, moment));
        for index in indexes {
            index.insert(seed, new, values, |row| &all[row_of(row)]);
        }
        true
    }

    /// The newest row with these constants in the columns of an index.
    #[inline]
    pub(crate) fn newest(&self, index: usize, key: &[u32]) -> u32 {
        if self.origins.is_empty() {
            return NO_ROW;
        }
        let index = &self.indexes[index];
        if let Some(place) = place(key) {
            return index.by_place.get(place).map_or(NO_ROW, |row| row.wrapping_sub(1));
        }
        let fits = |row: &u32| {
            let row = self.row(*row);
            index.columns.iter().zip(key).all(|(column, value)| row[usize::from(*column)] == *value)
        };
        index.newest.find(hash(self.seed, key.iter()), fits).copied().unwrap_or(NO_ROW)
    }

    /// The next older row with the same constants in the columns of an index.
    #[inline]
    pub(crate) fn older(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].older[row as usize]
    }
}

impl Index {
    fn insert<'t>(
        &mut self,
        seed: u64,
        new: u32,
        values: &[u32],
        row_of: impl Fn(u32) -> &'t [u32],
    ) {
        let place = self.place(values);
        let Self { columns, newest, by_place, older } = self;
        if let Some(place) = place {
            if by_place.len() <= place {
                by_place.resize(place + 1, 0);
            }
            older.push(std::mem::replace(&mut by_place[place], new + 1).wrapping_sub(1));
            return;
        }
        let key = |row: &[u32]| hash(seed, columns.iter().map(|column| &row[usize::from(*column)]));
        let fits = |row: &u32| {
            let row = row_of(*row);
            columns.iter().all(|column| row[usize::from(*column)] == values[usize::from(*column)])
        };
        match newest.entry(key(values), fits, |row| key(row_of(*row))) {
            Entry::Occupied(mut entry) => older.push(std::mem::replace(entry.get_mut(), new)),
            Entry::Vacant(entry) => {
                entry.insert(new);
                older.push(NO_ROW);
            }
        }
    }
}

impl Index {
    /// The place of the columns of a row.
    #[inline]
    fn place(&self, row: &[u32]) -> Option<usize> {
        match *self.columns {
            [one] => place(&[row[usize::from(one)]]),
            [first, second] => place(&[row[usize::from(first)], row[usize::from(second)]]),
            _ => None,
        }
    }

    fn clear<'t>(&mut self, rows: impl Iterator<Item = &'t [u32]>) {
        if !self.by_place.is_empty() {
            for row in rows {
                if let Some(place) = self.place(row) {
                    self.by_place[place] = 0;
                }
            }
        }
        empty(&mut self.newest);
        self.older.clear();
    }
}

/// How a table finds a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// By its [place](place).
    Place(u32),
    /// By its hash.
    Hash(u64),
}

impl Address {
    #[inline]
    pub(crate) fn of(seed: u64, values: &[u32]) -> Self {
        match place(values).and_then(|place| u32::try_from(place).ok()) {
            Some(place) => Self::Place(place),
            None => Self::Hash(hash(seed, values.iter())),
        }
    }
}

/// An unpredictable seed, so that nobody can choose constants that collide.
pub(crate) fn seed() -> u64 {
    DefaultHashBuilder::default().hash_one(0)
}

/// Rows are a few integers, so a folded multiplication for each is enough mixing.
#[inline]
fn hash<'v>(seed: u64, values: impl Iterator<Item = &'v u32>) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    values.fold(seed, |state, value| {
        let product = u128::from(state ^ u64::from(*value)) * u128::from(FACTOR);
        #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
        let folded = (product as u64) ^ ((product >> 64) as u64);
        folded
    })
}

#[inline]
fn same(left: &[u32], right: &[u32]) -> bool {
    // A loop, because rows are too short for a call.
    left.iter().zip(right).all(|(left, right)| left == right)
}

/// The place of a row of small numbers in a list of such rows; `None` for any other row. No two rows
/// of the same length have the same place.
#[inline]
fn place(values: &[u32]) -> Option<usize> {
    const BITS: u32 = 16;
    // The first column usually numbers what the program is about; the second, its few slots.
    const SECOND: u32 = 6;
    let small =
        |value: u32, bits: u32| Constant(value).as_counter().filter(|number| number >> bits == 0);
    match values {
        [one] => small(*one, BITS),
        [first, second] => Some(small(*first, BITS - SECOND)? << SECOND | small(*second, SECOND)?),
        _ => None,
    }
}

fn empty(set: &mut HashTable<u32>) {
    if set.capacity() > KEPT {
        *set = HashTable::new();
    } else {
        set.clear();
    }
}

#[cfg(test)]
mod tests;
