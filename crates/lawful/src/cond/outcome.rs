//! Three-valued logic: the outcome of a part, and how `all`, `any` and `not` combine outcomes.
//!
//! This is strong Kleene logic with [`Outcome::Error`] as the third value: an error counts only if
//! nothing else decides. Evaluation, explanation and analysis all use this module.

/// The outcome of a condition or a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Not evaluated, because the result was already decided.
    #[default]
    NotEvaluated,
    /// False.
    False,
    /// True.
    True,
    /// A host primitive failed.
    Error,
}

impl Outcome {
    /// `true`, `false`, `error` or `not-evaluated`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotEvaluated => "not-evaluated",
            Self::False => "false",
            Self::True => "true",
            Self::Error => "error",
        }
    }

    /// Conjunction: false if one is false, otherwise an error if one is an error. A part that was
    /// not evaluated leaves the result open if only it could decide.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::Error, _) | (_, Self::Error) => Self::Error,
            (Self::NotEvaluated, _) | (_, Self::NotEvaluated) => Self::NotEvaluated,
            (Self::True, Self::True) => Self::True,
        }
    }

    /// Disjunction, by De Morgan's law.
    #[must_use]
    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// Negation. An error stays an error.
    #[expect(clippy::should_implement_trait, reason = "stands beside `and` and `or`")]
    #[must_use]
    #[inline]
    pub fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            other @ (Self::Error | Self::NotEvaluated) => other,
        }
    }

    #[inline]
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// A connective over any number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Join {
    /// `all`.
    And,
    /// `any`.
    Or,
}

impl Join {
    /// The outcome of no parts.
    #[inline]
    pub(super) fn neutral(self) -> Outcome {
        match self {
            Self::And => Outcome::True,
            Self::Or => Outcome::False,
        }
    }

    /// The outcome of one part that decides the whole.
    #[inline]
    pub(super) fn decisive(self) -> Outcome {
        self.neutral().not()
    }

    /// Combines two parts.
    #[inline]
    pub(super) fn of(self, a: Outcome, b: Outcome) -> Outcome {
        match self {
            Self::And => a.and(b),
            Self::Or => a.or(b),
        }
    }

    /// Combines all parts. Takes nothing from `parts` after the one that decides the whole.
    #[inline]
    pub(super) fn all(self, parts: impl IntoIterator<Item = Outcome>) -> Outcome {
        let mut whole = self.neutral();
        for part in parts {
            whole = self.of(whole, part);
            if whole == self.decisive() {
                break;
            }
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_kleenes() {
        use Outcome::{Error, False, True};

        let values = [False, Error, True];
        let table =
            |join: fn(Outcome, Outcome) -> Outcome| values.map(|a| values.map(|b| join(a, b)));
        assert_eq!(
            table(Outcome::and),
            [[False, False, False], [False, Error, Error], [False, Error, True]]
        );
        assert_eq!(
            table(Outcome::or),
            [[False, Error, True], [Error, Error, True], [True, True, True]]
        );
        assert_eq!(values.map(Outcome::not), [True, Error, False]);
    }

    #[test]
    fn what_was_not_evaluated_decides_nothing() {
        use Outcome::{Error, False, NotEvaluated, True};

        assert_eq!(
            [False, Error, True, NotEvaluated].map(|other| NotEvaluated.and(other)),
            [False, Error, NotEvaluated, NotEvaluated]
        );
        assert_eq!(
            [False, Error, True, NotEvaluated].map(|other| NotEvaluated.or(other)),
            [NotEvaluated, Error, True, NotEvaluated]
        );
        assert_eq!(NotEvaluated.not(), NotEvaluated);
    }

    #[test]
    fn nothing_is_taken_after_the_decisive_part() {
        for join in [Join::And, Join::Or] {
            let mut taken = 0;
            let parts = [Outcome::Error, join.neutral(), join.decisive(), Outcome::Error];
            let whole = join.all(parts.into_iter().inspect(|_| taken += 1));
            assert_eq!((whole, taken), (join.decisive(), 3));
            assert_eq!(join.all([]), join.neutral());
        }
    }
}
