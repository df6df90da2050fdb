//! The sorted values that the tests on a path name. A value is looked up once, and every test on it
//! is then a comparison of small numbers.
//!
//! A value gets a type and a code. For a string, the code says which named string it is. For a
//! number, it says where it lies among the named numbers: named number *i* is `2i + 1`, the gap
//! before it `2i`. So `equals`, `greater_than` and similar operators check that the type matches
//! and the code lies in a range. For `contains`, a list gets a bit for each named element it
//! contains.

use std::cmp::Ordering;

use super::leaf::{Leaf, Test};
use crate::value::{Number, Value, is_same};

/// The named values of one path.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    texts: Vec<Box<str>>,
    /// The [marks](mark) of all texts.
    marks: u64,
    numbers: Vec<Number>,
    /// The number of strings that `contains` tests for.
    pub parts: usize,
    /// The first bit word of this path.
    pub words: usize,
}

/// The type of a value, as a small number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Not looked up yet.
    Unknown,
    Absent,
    Bool,
    Number,
    Text,
    List,
    Map,
}

/// A test for a type and a range of codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub kind: Type,
    pub low: u32,
    pub high: u32,
}

/// A test on types, codes and bits.
pub(super) enum Sorted {
    /// The type matches and the code lies in the range.
    Range(Range),
    /// The type does not match, or the code lies outside.
    NotRange(Range),
    /// The list contains this named string.
    Part(u32),
}

/// An order that compares bytes only for strings of equal length.
fn by_length(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// One bit for the length and the first byte of a string. Most strings that are not named have a bit
/// that no named one has.
#[inline]
fn mark(text: &str) -> u64 {
    let first = text.as_bytes().first().copied().unwrap_or_default();
    1 << ((text.len() * 11 + usize::from(first)) % 64)
}

impl Names {
    /// Records the values that a test names.
    pub(super) fn note(&mut self, test: &Test) {
        match test {
            Test::Equals(Value::Text(text)) => self.texts.push(text.clone()),
            Test::Contains(Value::Text(text)) => {
                self.texts.push(text.clone());
                self.parts += 1;
            }
            Test::Equals(Value::Number(number))
            | Test::GreaterThan(number)
            | Test::LessThan(number)
            | Test::AtLeast(number)
            | Test::AtMost(number) => self.numbers.push(*number),
            Test::Exists
            | Test::Equals(_)
            | Test::Contains(_)
            | Test::AnyOf(_)
            | Test::MinLength(_)
            | Test::MaxLength(_)
            | Test::Matches(_)
            | Test::StartsWith(_)
            | Test::EndsWith(_) => {}
        }
    }

    /// Sorts the recorded values. `words` is the first bit word of this path; returns the end.
    pub(super) fn sort(&mut self, words: usize) -> usize {
        self.texts.sort_unstable_by(|a, b| by_length(a, b));
        self.texts.dedup();
        self.marks = self.texts.iter().fold(0, |marks, text| marks | mark(text));
        self.numbers.sort_unstable();
        self.numbers.dedup();
        self.words = words;
        if self.parts == 0 { words } else { words + self.texts.len().div_ceil(64) }
    }

    /// The type and code of a value.
    pub(super) fn code(&self, value: Option<&Value>) -> (Type, u32) {
        match value {
            None | Some(Value::Null) => (Type::Absent, 0),
            Some(Value::Bool(value)) => (Type::Bool, u32::from(*value)),
            Some(Value::Number(number)) => (Type::Number, self.number(*number)),
            Some(Value::Text(text)) => (Type::Text, self.text(text).unwrap_or(u32::MAX)),
            Some(Value::List(_)) => (Type::List, 0),
            Some(Value::Map(_)) => (Type::Map, 0),
        }
    }

    /// The index of a named string.
    pub(super) fn text(&self, text: &str) -> Option<u32> {
        /// Up to this many are searched one by one.
        const FEW: usize = 8;
        if self.marks & mark(text) == 0 {
            return None;
        }
        let at = if self.texts.len() <= FEW {
            self.texts.iter().position(|known| is_same(known, text))?
        } else {
            self.texts.binary_search_by(|known| by_length(known, text)).ok()?
        };
        u32::try_from(at).ok()
    }

    fn number(&self, number: Number) -> u32 {
        let at = match self.numbers.binary_search(&number) {
            Ok(at) => 2 * at + 1,
            Err(at) => 2 * at,
        };
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// A test in this form; `None` if it has to read the value itself.
    pub(super) fn sorted(&self, leaf: &Leaf) -> Option<Sorted> {
        let range = |kind: Type, low: u32, high: u32| Sorted::Range(Range { kind, low, high });
        Some(match &leaf.test {
            Test::Exists => Sorted::NotRange(Range { kind: Type::Absent, low: 0, high: u32::MAX }),
            Test::Equals(Value::Bool(value)) => {
                range(Type::Bool, u32::from(*value), u32::from(*value))
            }
            Test::Equals(Value::Text(text)) => {
                let code = self.text(text)?;
                range(Type::Text, code, code)
            }
            Test::Equals(Value::Number(number)) => {
                let code = self.number(*number);
                range(Type::Number, code, code)
            }
            Test::GreaterThan(bound) => range(Type::Number, self.number(*bound) + 1, u32::MAX),
            Test::AtLeast(bound) => range(Type::Number, self.number(*bound), u32::MAX),
            Test::LessThan(bound) => range(Type::Number, 0, self.number(*bound) - 1),
            Test::AtMost(bound) => range(Type::Number, 0, self.number(*bound)),
            Test::Contains(Value::Text(text)) => Sorted::Part(self.text(text)?),
            Test::Equals(_)
            | Test::Contains(_)
            | Test::AnyOf(_)
            | Test::MinLength(_)
            | Test::MaxLength(_)
            | Test::Matches(_)
            | Test::StartsWith(_)
            | Test::EndsWith(_) => return None,
        })
    }
}
