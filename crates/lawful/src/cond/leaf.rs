//! A built-in test, compiled: one operator asked of the slots of one path.
//!
//! Everything an operator means is in [`Test::on`]; everything `[*]` and quantifiers mean is in
//! [`How`]. A negative operator is its positive twin with the answer turned round, slot by slot.

use std::ops::ControlFlow;

use super::operator::Operator;
use super::pattern::{PatternId, Patterns};
use crate::value::{Number, Value};

/// How the answers for the slots of a `[*]` path are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// Every slot; true of none.
    All,
    /// Some slot; false of none.
    Any,
    /// No slot; true of none.
    None,
}

impl Quantifier {
    /// Every quantifier with its name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("all", Self::All), ("any", Self::Any), ("none", Self::None)];
}

/// How a test looks at its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum How {
    /// The path has no `[*]`: one slot.
    One,
    /// The present values are taken as one list.
    AsList,
    /// Some slot must hold; no slots count as one that is absent.
    Some,
    /// Every slot must hold; no slots count as one that is absent.
    Every,
    /// As written.
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

/// What a list operation sees of a `[*]` path: its present values, as if they were one list.
pub(crate) trait Slots<'d> {
    fn visit<B>(
        &self,
        visit: &mut impl FnMut(Option<&'d Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B>;
}

impl Leaf {
    /// The answer for one slot.
    #[inline]
    pub(crate) fn holds(&self, slot: Option<&Value>, patterns: &Patterns) -> bool {
        slot.is_some_and(|value| self.test.on(value, patterns)) != self.negated
    }

    /// The answer for the only slot of a path without `[*]`. A needless quantifier still counts.
    #[inline]
    pub(crate) fn holds_for_one(&self, slot: Option<&Value>, patterns: &Patterns) -> bool {
        self.holds(slot, patterns) != (self.how == How::Written(Quantifier::None))
    }

    /// The answer for the slots of a path with `[*]`.
    pub(crate) fn holds_for<'d>(&self, slots: &impl Slots<'d>, patterns: &Patterns) -> bool {
        let mut none_seen = true;
        // Stops at the first slot that answers `answer`.
        let mut meets = |answer: bool| {
            let flow = slots.visit(&mut |slot| {
                none_seen = false;
                if self.holds(slot, patterns) == answer {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            flow.is_break()
        };
        match self.how {
            How::AsList => self.as_list(slots) != self.negated,
            How::Written(Quantifier::All) => !meets(false),
            How::Written(Quantifier::Any) => meets(true),
            How::Written(Quantifier::None) => !meets(true),
            How::Every => {
                let fails = meets(false);
                if none_seen { self.holds(None, patterns) } else { !fails }
            }
            How::One | How::Some => {
                let found = meets(true);
                if none_seen { self.holds(None, patterns) } else { found }
            }
        }
    }

    /// The number of the first slot that settles the answer, if one does.
    pub(crate) fn decisive<'d>(
        &self,
        slots: &impl Slots<'d>,
        patterns: &Patterns,
    ) -> Option<usize> {
        // How many values were there before this one.
        let mut before = 0_u64;
        let mut settles = |slot: Option<&Value>| match (self.how, &self.test, slot) {
            (How::AsList, _, None) => false,
            (How::AsList, test, Some(value)) => {
                before += 1;
                match test {
                    Test::Exists => true,
                    Test::Contains(wanted) => value == wanted,
                    Test::MaxLength(most) => before > *most,
                    Test::Equals(Value::List(wanted)) => {
                        let at = usize::try_from(before - 1).unwrap_or(usize::MAX);
                        wanted.get(at) != Some(value)
                    }
                    Test::MinLength(_)
                    | Test::Equals(_)
                    | Test::AnyOf(_)
                    | Test::GreaterThan(_)
                    | Test::LessThan(_)
                    | Test::AtLeast(_)
                    | Test::AtMost(_)
                    | Test::Matches(_)
                    | Test::StartsWith(_)
                    | Test::EndsWith(_) => false,
                }
            }
            (How::Every | How::Written(Quantifier::All), _, slot) => !self.holds(slot, patterns),
            (How::One | How::Some | How::Written(Quantifier::Any | Quantifier::None), _, slot) => {
                self.holds(slot, patterns)
            }
        };
        let mut at = 0;
        let found = slots.visit(&mut |slot| {
            at += 1;
            if settles(slot) { ControlFlow::Break(at - 1) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    fn as_list<'d>(&self, slots: &impl Slots<'d>) -> bool {
        let mut count = 0_u64;
        let mut walk = |stop: &mut dyn FnMut(&'d Value) -> bool| {
            slots
                .visit(&mut |slot| match slot {
                    None => ControlFlow::Continue(()),
                    Some(value) => {
                        count += 1;
                        if stop(value) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    }
                })
                .is_break()
        };
        match &self.test {
            Test::Exists => walk(&mut |_| true),
            Test::Contains(wanted) => walk(&mut |value| value == wanted),
            Test::Equals(Value::List(wanted)) => {
                let mut at = 0;
                let differs = walk(&mut |value| {
                    at += 1;
                    wanted.get(at - 1) != Some(value)
                });
                !differs && count == wanted.len() as u64
            }
            Test::MinLength(bound) => {
                walk(&mut |_| false);
                count >= *bound
            }
            Test::MaxLength(bound) => {
                walk(&mut |_| false);
                count <= *bound
            }
            Test::Equals(_)
            | Test::AnyOf(_)
            | Test::GreaterThan(_)
            | Test::LessThan(_)
            | Test::AtLeast(_)
            | Test::AtMost(_)
            | Test::Matches(_)
            | Test::StartsWith(_)
            | Test::EndsWith(_) => false,
        }
    }
}

impl Test {
    /// Whether the test looks at the present values of a `[*]` path as one list.
    pub(crate) fn looks_at_lists(&self) -> bool {
        match self {
            Self::Exists | Self::Contains(_) | Self::MinLength(_) | Self::MaxLength(_) => true,
            Self::Equals(value) => matches!(value, Value::List(_)),
            Self::AnyOf(_)
            | Self::GreaterThan(_)
            | Self::LessThan(_)
            | Self::AtLeast(_)
            | Self::AtMost(_)
            | Self::Matches(_)
            | Self::StartsWith(_)
            | Self::EndsWith(_) => false,
        }
    }

    /// The answer for a value that is there. A value of the wrong type makes it false.
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

    /// Why a value of this type can never pass, if that is so: what would be needed.
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
