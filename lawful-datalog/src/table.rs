//! The facts of one relation: rows of constants, a set of them, and indexes over them.
//!
//! Rows are kept in the order they came, so "what the last round added" is a range of row numbers.
//! An index maps the constants of some columns to the newest row that has them, and every row to
//! the next older one with the same.

#![expect(
    clippy::indexing_slicing,
    reason = "rows are numbered by the table itself, and columns checked when a program is compiled"
)]

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// No row.
pub(crate) const NO_ROW: u32 = u32::MAX;
/// The rule of a fact that was given.
pub(crate) const GIVEN: u32 = u32::MAX;
/// Sets larger than this are let go when a table is emptied, so that one large run does not slow
/// the small ones after it.
const KEPT: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Table {
    arity: usize,
    values: Vec<u32>,
    /// For each row, the rule that made it and the moment it was made.
    origins: Vec<(u32, u32)>,
    rows: HashTable<u32>,
    indexes: Vec<Index>,
    hasher: DefaultHashBuilder,
}

#[derive(Debug)]
struct Index {
    columns: Box<[u8]>,
    newest: HashTable<u32>,
    older: Vec<u32>,
}

impl Table {
    /// An empty table with an index over each of these groups of columns.
    pub(crate) fn new(arity: usize, indexes: &[Box<[u8]>], hasher: DefaultHashBuilder) -> Self {
        let index = |columns: &[u8]| Index {
            columns: columns.into(),
            newest: HashTable::new(),
            older: Vec::new(),
        };
        Self {
            arity,
            values: Vec::new(),
            origins: Vec::new(),
            rows: HashTable::new(),
            indexes: indexes.iter().map(|columns| index(columns)).collect(),
            hasher,
        }
    }

    pub(crate) fn len(&self) -> u32 {
        crate::program::position(self.origins.len())
    }

    pub(crate) fn clear(&mut self) {
        if self.origins.is_empty() {
            return;
        }
        self.values.clear();
        self.origins.clear();
        empty(&mut self.rows);
        for index in &mut self.indexes {
            empty(&mut index.newest);
            index.older.clear();
        }
    }

    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.arity;
        &self.values[start..start + self.arity]
    }

    /// The rule and the moment of a row.
    pub(crate) fn origin(&self, row: u32) -> (u32, u32) {
        self.origins[row as usize]
    }

    /// The number of a row, if it is there.
    #[inline]
    pub(crate) fn find(&self, values: &[u32]) -> Option<u32> {
        if self.origins.is_empty() {
            return None;
        }
        let hash = self.hasher.hash_one(values);
        self.rows.find(hash, |row| self.row(*row) == values).copied()
    }

    /// Adds a row unless it is there; tells whether it was added.
    pub(crate) fn insert(&mut self, values: &[u32], rule: u32, moment: u32) -> bool {
        debug_assert_eq!(values.len(), self.arity);
        let Self { arity, values: all, origins, rows, indexes, hasher } = self;
        let arity = *arity;
        let hash = hasher.hash_one(values);
        let at = |row: u32| row as usize * arity..(row as usize + 1) * arity;
        let known = rows.find(hash, |row| all[at(*row)] == *values);
        if known.is_some() {
            return false;
        }
        let new = crate::program::position(origins.len());
        all.extend_from_slice(values);
        origins.push((rule, moment));
        rows.insert_unique(hash, new, |row| hasher.hash_one(&all[at(*row)]));
        for index in indexes {
            let key = |row: &[u32]| {
                let mut key = [0; crate::parse::WIDEST];
                for (to, column) in key.iter_mut().zip(&index.columns) {
                    *to = row[usize::from(*column)];
                }
                key
            };
            let width = index.columns.len();
            let own = key(values);
            let hash = hasher.hash_one(&own[..width]);
            let same = |row: &u32| key(&all[at(*row)])[..width] == own[..width];
            match index.newest.find_mut(hash, same) {
                Some(newest) => index.older.push(std::mem::replace(newest, new)),
                None => {
                    index.older.push(NO_ROW);
                    index.newest.insert_unique(hash, new, |row| {
                        hasher.hash_one(&key(&all[at(*row)])[..width])
                    });
                }
            }
        }
        true
    }

    /// The newest row that has these constants in the columns of an index.
    #[inline]
    pub(crate) fn newest(&self, index: usize, key: &[u32]) -> u32 {
        if self.origins.is_empty() {
            return NO_ROW;
        }
        let index = &self.indexes[index];
        let fits = |row: &u32| {
            let row = self.row(*row);
            index.columns.iter().zip(key).all(|(column, value)| row[usize::from(*column)] == *value)
        };
        index.newest.find(self.hasher.hash_one(key), fits).copied().unwrap_or(NO_ROW)
    }

    /// The next older row with the same constants in the columns of an index.
    #[inline]
    pub(crate) fn older(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].older[row as usize]
    }
}

fn empty(set: &mut HashTable<u32>) {
    if set.capacity() > KEPT {
        *set = HashTable::new();
    } else {
        set.clear();
    }
}
