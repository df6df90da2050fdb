//! Numbers: exact integers and finite floats, compared exactly.

use std::cmp::Ordering;
use std::fmt;

use lawful_syntax::Kind;
use serde::{Serialize, Serializer};

/// A number: an integer of 64 bits, or a finite float.
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Int(i64),
    Float(f64),
}

impl Number {
    /// A float, or `None` for an infinity or not-a-number.
    pub fn from_float(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(Repr::Float(value)))
    }

    /// A number strictly between two others, or beyond one, if there is any. Prefers short numbers.
    pub(crate) fn between(low: Option<Self>, high: Option<Self>) -> Option<Self> {
        let float = Self::float;
        let whole = |number: Self| match number.0 {
            Repr::Int(value) => Some(value),
            #[expect(clippy::cast_possible_truncation, reason = "saturates, and is checked below")]
            Repr::Float(value) => Some(value.floor() as i64),
        };
        let mut guesses: Vec<Option<Self>> = Vec::new();
        if low.is_none() && high.is_none() {
            guesses.push(Some(0.into()));
        }
        if let Some(low) = low {
            guesses.push(whole(low).and_then(|value| value.checked_add(1)).map(Self::from));
            guesses.push(Self::from_float(float(low).next_up()));
            guesses.push(Self::from_float(float(low) * 2.0));
            guesses.push(Self::from_float(float(low) / 2.0));
        }
        if let Some(high) = high {
            guesses.push(whole(high).map(Self::from));
            guesses.push(whole(high).and_then(|value| value.checked_sub(1)).map(Self::from));
            guesses.push(Self::from_float(float(high).next_down()));
            guesses.push(Self::from_float(float(high) * 2.0));
            guesses.push(Self::from_float(float(high) / 2.0));
        }
        if let (Some(low), Some(high)) = (low, high) {
            // A short number in the middle reads better than the nearest one to an end.
            guesses.insert(1, Self::from_float(f64::midpoint(float(low), float(high))));
        }
        let fits = |number: &Self| {
            low.is_none_or(|low| *number > low) && high.is_none_or(|high| *number < high)
        };
        guesses.into_iter().flatten().find(fits)
    }

    /// The sum; `None` if out of range.
    pub fn plus(self, other: Self) -> Option<Self> {
        self.with(other, i64::checked_add, |a, b| a + b)
    }

    /// The difference; `None` if out of range.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.with(other, i64::checked_sub, |a, b| a - b)
    }

    /// The product; `None` if out of range.
    pub fn times(self, other: Self) -> Option<Self> {
        self.with(other, i64::checked_mul, |a, b| a * b)
    }

    /// Integers stay exact; anything else is computed as floats.
    fn with(
        self,
        other: Self,
        exact: impl Fn(i64, i64) -> Option<i64>,
        float: impl Fn(f64, f64) -> f64,
    ) -> Option<Self> {
        match (self.0, other.0) {
            (Repr::Int(a), Repr::Int(b)) => exact(a, b).map(Self::from),
            (_, _) => Self::from_float(float(self.float(), other.float())),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a float is as near as a float can be")]
    fn float(self) -> f64 {
        match self.0 {
            Repr::Int(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    pub(super) fn to_json(self) -> serde_json::Value {
        match self.0 {
            Repr::Int(value) => value.into(),
            Repr::Float(value) => value.into(),
        }
    }

    pub(crate) fn to_kind(self) -> Kind {
        match self.0 {
            Repr::Int(value) => Kind::Int(value),
            Repr::Float(value) => Kind::Float(value),
        }
    }

    /// The number as an integer, if it is whole.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Int(value) => Some(value),
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
            Repr::Float(value) => (value.fract() == 0.0
                && (-TWO_TO_63..TWO_TO_63).contains(&value))
            .then_some(value as i64),
        }
    }

    /// The number as a count: a whole number that is not negative.
    pub fn as_count(self) -> Option<u64> {
        match self.0 {
            Repr::Int(value) => u64::try_from(value).ok(),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked to be whole and in range"
            )]
            Repr::Float(value) => {
                (value >= 0.0 && value.fract() == 0.0 && value < TWO_TO_63).then_some(value as u64)
            }
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(Repr::Int(value))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Repr::Int(a), Repr::Int(b)) => a.cmp(&b),
            (Repr::Int(a), Repr::Float(b)) => compare(a, b),
            (Repr::Float(a), Repr::Int(b)) => compare(b, a).reverse(),
            // Both are finite, so there is always an order; `-0.0` equals `0.0`.
            (Repr::Float(a), Repr::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        }
    }
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// Compares an integer with a finite float without rounding either.
fn compare(int: i64, float: f64) -> Ordering {
    if float >= TWO_TO_63 {
        return Ordering::Less;
    }
    if float < -TWO_TO_63 {
        return Ordering::Greater;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked above")]
    let whole = float.trunc() as i64;
    int.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal))
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Int(value) => write!(f, "{value}"),
            Repr::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Repr::Int(value) => serializer.serialize_i64(value),
            Repr::Float(value) => serializer.serialize_f64(value),
        }
    }
}
