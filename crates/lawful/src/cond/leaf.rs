//! A compiled built-in test: one operator on the slots of one path.
//!
//! [`Test::on`] defines the operators; [`How`] defines `[*]` and quantifiers. A negative operator
//! negates its positive complement, slot by slot.

use std::ops::ControlFlow;

use super::operator::Operator;
use super::pattern::{PatternId, Patterns};
use crate::path::Slots;
use crate::value::{Number, Value};

/// How the results for the slots of a `[*]` path are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// Every slot; true without slots.
    All,
    /// Some slot; false without slots.
    Any,
    /// No slot; true without slots.
    None,
}

impl Quantifier {
    /// Every quantifier with its name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("all", Self::All), ("any", Self::Any), ("none", Self::None)];
}

/// How a test evaluates its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum How {
    /// The path has no `[*]`: one slot.
    One,
    /// The present values are taken as one list.
    AsList,
    /// Some slot must be true; no slots count as one absent slot.
    Some,
    /// Every slot must be true; no slots count as one absent slot.
    Every,
    /// The written quantifier.
    Written(Quantifier),
}

/// A positive operator with its operand.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Exists,
    Equals(Value),
    Contains(Value),
    AnyOf(Set),
    GreaterThan(Number),
    LessThan(Number),
    AtLeast(Number),
    AtMost(Number),
    MinLength(u64),
    MaxLength(u64),
    Matches(PatternId),
    StartsWith(Box<str>),
    EndsWith(Box<str>),
}

/// A set of values, with its strings and numbers sorted.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub values: Vec<Value>,
    texts: Vec<Box<str>>,
    numbers: Vec<Number>,
}

impl Set {
    pub(crate) fn new(values: Vec<Value>) -> Self {
        let mut texts: Vec<Box<str>> =
            values.iter().filter_map(Value::as_text).map(Into::into).collect();
        texts.sort_unstable();
        let number = |value: &Value| if let Value::Number(n) = value { Some(*n) } else { None };
        let mut numbers: Vec<Number> = values.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Self { values, texts, numbers }
    }

    fn contains(&self, value: &Value) -> bool {
        match value {
            Value::Text(text) => self.texts.binary_search(text).is_ok(),
            Value::Number(number) => self.numbers.binary_search(number).is_ok(),
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
                self.values.contains(value)
            }
        }
    }
}

/// A test of the slots of a path.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub operator: Operator,
    pub test: Test,
    pub negated: bool,
    pub how: How,
}

/// A test that takes the present values of a `[*]` path as one list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListTest<'t> {
    /// It contains a value, or this value if one is given.
    Has(Option<&'t Value>),
    /// It is this list.
    Is(&'t [Value]),
    /// It has at least this many values.
    AtLeast(u64),
    /// It has at most this many values.
    AtMost(u64),
}

impl ListTest<'_> {
    /// Whether value number `count`, counted from 1, decides the result.
    fn is_settled_by(self, count: u64, value: &Value) -> bool {
        match self {
            Self::Has(None) => true,
            Self::Has(Some(wanted)) => value == wanted,
            Self::Is(wanted) => {
                let at = usize::try_from(count - 1).unwrap_or(usize::MAX);
                wanted.get(at) != Some(value)
            }
            Self::AtLeast(_) => false,
            Self::AtMost(most) => count > most,
        }
    }

    /// The result, after it is decided or no value is left.
    fn answer(self, count: u64, settled: bool) -> bool {
        match self {
            Self::Has(_) => settled,
            Self::Is(wanted) => !settled && count == wanted.len() as u64,
            Self::AtLeast(least) => count >= least,
            Self::AtMost(_) => !settled,
        }
    }
}

/// The result for the slots of a path with `[*]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub holds: bool,
    /// The number of the first slot that decides it, if any.
    pub by: Option<usize>,
}

impl Leaf {
    /// The result for one slot.
    #[inline]
    pub(crate) fn holds(&self, slot: Option<&Value>, patterns: &Patterns) -> bool {
        slot.is_some_and(|value| self.test.on(value, patterns)) != self.negated
    }

    /// The result for the only slot of a path without `[*]`. A needless quantifier still counts.
    #[inline]
    pub(crate) fn holds_for_one(&self, slot: Option<&Value>, patterns: &Patterns) -> bool {
        self.holds(slot, patterns) != (self.how == How::Written(Quantifier::None))
    }

    /// The result for the slots of a path with `[*]`, and what decided it. Later slots are not
    /// evaluated.
    pub(crate) fn decide(&self, slots: Slots<'_, '_>, patterns: &Patterns) -> Decision {
        if let (How::AsList, Some(list)) = (self.how, self.test.of_list()) {
            let mut present = 0;
            let (by, _) = first(slots, |slot| {
                let Some(value) = slot else { return false };
                present += 1;
                list.is_settled_by(present, value)
            });
            return Decision { holds: list.answer(present, by.is_some()) != self.negated, by };
        }
        let settling = !matches!(self.how, How::Every | How::Written(Quantifier::All));
        let (by, seen) = first(slots, |slot| self.holds(slot, patterns) == settling);
        let holds = match self.how {
            How::One | How::AsList | How::Some | How::Every if seen == 0 => {
                self.holds(None, patterns)
            }
            How::One | How::AsList | How::Some | How::Written(Quantifier::Any) => by.is_some(),
            How::Every | How::Written(Quantifier::All | Quantifier::None) => by.is_none(),
        };
        Decision { holds, by }
    }
}

/// The number of the first slot that decides the result, and how many slots were evaluated.
fn first(
    slots: Slots<'_, '_>,
    mut settles: impl FnMut(Option<&Value>) -> bool,
) -> (Option<usize>, usize) {
    let mut seen = 0;
    let found = slots.visit(&mut |slot| {
        seen += 1;
        if settles(slot) { ControlFlow::Break(seen - 1) } else { ControlFlow::Continue(()) }
    });
    (found.break_value(), seen)
}

impl Test {
    /// The test on the present values of a `[*]` path as one list, if the operator takes them so.
    pub(crate) fn of_list(&self) -> Option<ListTest<'_>> {
        match self {
            Self::Exists => Some(ListTest::Has(None)),
            Self::Contains(wanted) => Some(ListTest::Has(Some(wanted))),
            Self::Equals(Value::List(wanted)) => Some(ListTest::Is(wanted)),
            Self::MinLength(least) => Some(ListTest::AtLeast(*least)),
            Self::MaxLength(most) => Some(ListTest::AtMost(*most)),
            Self::Equals(_)
            | Self::AnyOf(_)
            | Self::GreaterThan(_)
            | Self::LessThan(_)
            | Self::AtLeast(_)
            | Self::AtMost(_)
            | Self::Matches(_)
            | Self::StartsWith(_)
            | Self::EndsWith(_) => None,
        }
    }

    /// The result for a present value. A value of the wrong type gives false.
    #[inline]
    pub(crate) fn on(&self, value: &Value, patterns: &Patterns) -> bool {
        match (self, value) {
            (Self::Exists, _) => true,
            (Self::Equals(wanted), _) => value == wanted,
            (Self::AnyOf(set), _) => set.contains(value),
            (Self::Contains(wanted), Value::List(items)) => items.contains(wanted),
            (Self::Contains(Value::Text(part)), Value::Text(text)) => text.contains(&**part),
            (Self::GreaterThan(bound), Value::Number(number)) => number > bound,
            (Self::LessThan(bound), Value::Number(number)) => number < bound,
            (Self::AtLeast(bound), Value::Number(number)) => number >= bound,
            (Self::AtMost(bound), Value::Number(number)) => number <= bound,
            (Self::MinLength(bound), Value::List(items)) => items.len() as u64 >= *bound,
            (Self::MaxLength(bound), Value::List(items)) => items.len() as u64 <= *bound,
            (Self::Matches(pattern), Value::Text(text)) => patterns.is_match(*pattern, text),
            (Self::StartsWith(start), Value::Text(text)) => text.starts_with(&**start),
            (Self::EndsWith(end), Value::Text(text)) => text.ends_with(&**end),
            (
                Self::Contains(_)
                | Self::GreaterThan(_)
                | Self::LessThan(_)
                | Self::AtLeast(_)
                | Self::AtMost(_)
                | Self::MinLength(_)
                | Self::MaxLength(_)
                | Self::Matches(_)
                | Self::StartsWith(_)
                | Self::EndsWith(_),
                _,
            ) => false,
        }
    }

    /// The type that is needed, if a value of this type can never pass.
    pub(crate) fn type_mismatch(&self, value: &Value) -> Option<&'static str> {
        let needed = match self {
            Self::Exists | Self::AnyOf(_) => return None,
            Self::Equals(wanted) => {
                let same = std::mem::discriminant(wanted) == std::mem::discriminant(value);
                return (!same).then(|| wanted.kind_name());
            }
            Self::Contains(Value::Text(_)) => {
                let fits = matches!(value, Value::List(_) | Value::Text(_));
                return (!fits).then_some("a list or a string");
            }
            Self::Contains(_) => "a list",
            Self::GreaterThan(_) | Self::LessThan(_) | Self::AtLeast(_) | Self::AtMost(_) => {
                "a number"
            }
            Self::MinLength(_) | Self::MaxLength(_) => "a list",
            Self::Matches(_) | Self::StartsWith(_) | Self::EndsWith(_) => "a string",
        };
        (value.kind_name() != needed).then_some(needed)
    }

    /// The operand, for an explanation.
    pub(crate) fn expected(&self, patterns: &Patterns) -> Option<Value> {
        let count = |bound: u64| i64::try_from(bound).map_or(Value::Null, Value::from);
        Some(match self {
            Self::Exists => return None,
            Self::Equals(value) | Self::Contains(value) => value.clone(),
            Self::AnyOf(set) => Value::List(set.values.clone()),
            Self::GreaterThan(bound)
            | Self::LessThan(bound)
            | Self::AtLeast(bound)
            | Self::AtMost(bound) => Value::Number(*bound),
            Self::MinLength(bound) | Self::MaxLength(bound) => count(*bound),
            Self::Matches(pattern) => patterns.text(*pattern).into(),
            Self::StartsWith(text) | Self::EndsWith(text) => Value::Text(text.clone()),
        })
    }
}

#[cfg(test)]
mod tests;
