//! Constants: whole numbers, symbols and booleans, each encoded as one small number.
//!
//! A number from 0 up to 2^31 is its own code, so counters and indexes need no lookup. The same is
//! true of booleans. Every other number and every symbol is interned. Equal constants have equal
//! codes, so comparing constants is comparing integers.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A constant, valid with the [`Constants`] that created it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constant(pub(crate) u32);

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum<'c> {
    /// A whole number.
    Number(i64),
    /// A string.
    Symbol(&'c str),
    /// True or false.
    Boolean(bool),
}

/// Marks a code that is itself a number.
const INLINE: u32 = 1 << 31;
/// The codes of the booleans; the codes of interned constants are smaller.
const TRUE: u32 = INLINE - 1;
const FALSE: u32 = INLINE - 2;

impl Constant {
    /// The number from 0 up to 2^31 that the constant encodes, if it does.
    pub(crate) fn as_counter(self) -> Option<usize> {
        (self.0 & INLINE != 0).then_some((self.0 & !INLINE) as usize)
    }
}

/// The table of interned constants.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    entries: Vec<Entry>,
    text: String,
    numbers: HashTable<u32>,
    symbols: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Number(i64),
    Symbol { start: u32, end: u32 },
}

/// The size of a table; see [`Constants::forget`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    entries: usize,
    text: usize,
}

impl Constants {
    /// The constant of a number.
    #[inline]
    pub fn number(&mut self, number: i64) -> Constant {
        if let Ok(small) = u32::try_from(number)
            && small < INLINE
        {
            return Constant(small | INLINE);
        }
        let hash = self.hasher.hash_one(number);
        let entries = &self.entries;
        let same = |code: &u32| matches!(entries.get(*code as usize), Some(Entry::Number(known)) if *known == number);
        if let Some(code) = self.numbers.find(hash, same) {
            return Constant(*code);
        }
        let code = code_of(entries.len());
        self.entries.push(Entry::Number(number));
        let (entries, hasher) = (&self.entries, &self.hasher);
        self.numbers.insert_unique(hash, code, |code| {
            hasher.hash_one(match entries.get(*code as usize) {
                Some(Entry::Number(number)) => *number,
                Some(Entry::Symbol { .. }) | None => 0,
            })
        });
        Constant(code)
    }

    /// The constant of a boolean, the same for every table.
    pub fn boolean(&self, boolean: bool) -> Constant {
        Constant(if boolean { TRUE } else { FALSE })
    }

    /// The constant of a symbol.
    pub fn symbol(&mut self, symbol: &str) -> Constant {
        let hash = self.hasher.hash_one(symbol);
        if let Some(code) = self.symbols.find(hash, |code| self.text_of(*code) == symbol) {
            return Constant(*code);
        }
        let code = code_of(self.entries.len());
        let start = code_of(self.text.len());
        self.text.push_str(symbol);
        self.entries.push(Entry::Symbol { start, end: code_of(self.text.len()) });
        let (entries, text, hasher) = (&self.entries, &self.text, &self.hasher);
        self.symbols
            .insert_unique(hash, code, |code| hasher.hash_one(text_in(entries, text, *code)));
        Constant(code)
    }

    /// The value of a constant.
    #[inline]
    pub fn datum(&self, constant: Constant) -> Datum<'_> {
        if constant.0 & INLINE != 0 {
            return Datum::Number(i64::from(constant.0 & !INLINE));
        }
        match (constant.0, self.entries.get(constant.0 as usize)) {
            (_, Some(Entry::Number(number))) => Datum::Number(*number),
            (TRUE | FALSE, None) => Datum::Boolean(constant.0 == TRUE),
            (_, Some(Entry::Symbol { .. }) | None) => Datum::Symbol(self.text_of(constant.0)),
        }
    }

    fn text_of(&self, code: u32) -> &str {
        text_in(&self.entries, &self.text, code)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), text: self.text.len() }
    }

    /// Forgets every constant that was created after the mark.
    pub(crate) fn forget(&mut self, mark: Mark) {
        if self.entries.len() == mark.entries {
            return;
        }
        let kept = code_of(mark.entries);
        self.numbers.retain(|code| *code < kept);
        self.symbols.retain(|code| *code < kept);
        self.entries.truncate(mark.entries);
        self.text.truncate(mark.text);
    }
}

fn text_in<'t>(entries: &[Entry], text: &'t str, code: u32) -> &'t str {
    match entries.get(code as usize) {
        Some(Entry::Symbol { start, end }) => {
            text.get(*start as usize..*end as usize).unwrap_or_default()
        }
        Some(Entry::Number(_)) | None => "",
    }
}

/// Positions stay far below 2^31, because the size of a program is limited before.
fn code_of(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(FALSE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_constants_have_equal_codes() {
        let mut constants = Constants::default();
        for number in [0, 1, i64::from(INLINE) - 1, i64::from(INLINE), -1, i64::MIN, i64::MAX] {
            let first = constants.number(number);
            assert_eq!(first, constants.number(number));
            assert_eq!(constants.datum(first), Datum::Number(number));
        }
        let text = constants.symbol("1");
        assert_ne!(text, constants.number(1));
        assert_eq!(text, constants.symbol("1"));
        assert_eq!(constants.datum(text), Datum::Symbol("1"));
        for boolean in [true, false] {
            let constant = constants.boolean(boolean);
            assert_eq!(constants.datum(constant), Datum::Boolean(boolean));
            assert_ne!(constant, constants.symbol(&boolean.to_string()));
        }
    }

    #[test]
    fn what_came_after_a_mark_is_forgotten() {
        let mut constants = Constants::default();
        let kept = constants.symbol("kept");
        let mark = constants.mark();
        let gone = constants.symbol("gone");
        constants.number(-7);
        constants.forget(mark);
        assert_eq!(constants.symbol("kept"), kept);
        assert_eq!(constants.symbol("another"), gone);
        assert_eq!(constants.datum(gone), Datum::Symbol("another"));
    }
}
