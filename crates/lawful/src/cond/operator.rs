//! The operators, in one table for all surfaces.

/// A built-in operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// The value is present.
    Exists,
    /// The value is absent.
    NotExists,
    /// The value equals this one.
    Equals,
    /// The value does not equal this one.
    NotEquals,
    /// The list has this element, or the string this substring.
    Contains,
    /// The complement of `contains`.
    NotContains,
    /// The value is one of these.
    AnyOf,
    /// The value is none of these.
    NoneOf,
    /// The number is greater.
    GreaterThan,
    /// The number is less.
    LessThan,
    /// The number is greater or equal.
    AtLeast,
    /// The number is less or equal.
    AtMost,
    /// The list has at least this many elements.
    MinLength,
    /// The list has at most this many elements.
    MaxLength,
    /// The string matches a regular expression.
    Matches,
    /// The complement of `matches`.
    NotMatches,
    /// The string starts with this.
    StartsWith,
    /// The string ends with this.
    EndsWith,
}

/// What an operator compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Nothing,
    Anything,
    Set,
    Number,
    Count,
    Text,
    Pattern,
}

struct Row {
    operator: Operator,
    name: &'static str,
    alias: Option<&'static str>,
    id: &'static str,
    operand: Operand,
    /// For a negative operator, its positive complement.
    complement_of: Option<Operator>,
    /// Its wording in an explanation.
    phrase: &'static str,
}

macro_rules! table {
    ($($operator:ident $name:literal $alias:expr, $operand:ident, $complement_of:expr, $phrase:literal;)*) => {
        &[$(Row {
            operator: Operator::$operator,
            name: $name,
            alias: $alias,
            id: concat!("value.", $name),
            operand: Operand::$operand,
            complement_of: $complement_of,
            phrase: $phrase,
        }),*]
    };
}

static TABLE: &[Row] = table! {
    Exists "exists" None, Nothing, None, "exists";
    NotExists "not_exists" None, Nothing, Some(Operator::Exists), "does not exist";
    Equals "equals" Some("eq"), Anything, None, "equals";
    NotEquals "not_equals" Some("neq"), Anything, Some(Operator::Equals), "does not equal";
    Contains "contains" None, Anything, None, "contains";
    NotContains "not_contains" None, Anything, Some(Operator::Contains), "does not contain";
    AnyOf "any_of" None, Set, None, "is any of";
    NoneOf "none_of" None, Set, Some(Operator::AnyOf), "is none of";
    GreaterThan "greater_than" Some("gt"), Number, None, "is greater than";
    LessThan "less_than" Some("lt"), Number, None, "is less than";
    AtLeast "at_least" Some("gte"), Number, None, "is at least";
    AtMost "at_most" Some("lte"), Number, None, "is at most";
    MinLength "min_length" None, Count, None, "has a length of at least";
    MaxLength "max_length" None, Count, None, "has a length of at most";
    Matches "matches" None, Pattern, None, "matches";
    NotMatches "not_matches" None, Pattern, Some(Operator::Matches), "does not match";
    StartsWith "starts_with" None, Text, None, "starts with";
    EndsWith "ends_with" None, Text, None, "ends with";
};

impl Operator {
    /// Every operator, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        TABLE.iter().map(|row| row.operator)
    }

    /// The operator of a name or alias.
    pub fn find(name: &str) -> Option<Self> {
        let row = TABLE.iter().find(|row| row.name == name || row.alias == Some(name))?;
        Some(row.operator)
    }

    /// The operator whose primitive has this id.
    pub fn with_id(id: &str) -> Option<Self> {
        Self::find(id.strip_prefix("value.")?).filter(|operator| operator.id() == id)
    }

    /// Its name: `greater_than`.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Its short name, if it has one: `gt`.
    pub fn alias(self) -> Option<&'static str> {
        self.row()?.alias
    }

    /// The id of its primitive: `value.greater_than`.
    pub fn id(self) -> &'static str {
        self.row().map_or("", |row| row.id)
    }

    /// Its wording in a sentence: "is greater than".
    pub fn phrase(self) -> &'static str {
        self.row().map_or("", |row| row.phrase)
    }

    /// For a negative operator, its positive complement.
    pub fn complement_of(self) -> Option<Self> {
        self.row()?.complement_of
    }

    pub(crate) fn operand(self) -> Operand {
        self.row().map_or(Operand::Nothing, |row| row.operand)
    }

    fn row(self) -> Option<&'static Row> {
        TABLE.get(self as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_the_type() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(row.operator as usize, at, "{}", row.name);
            assert_eq!(Operator::find(row.name), Some(row.operator));
            assert_eq!(Operator::with_id(row.id), Some(row.operator));
        }
        assert_eq!(TABLE.len(), 18);
        assert_eq!(Operator::find("gte"), Some(Operator::AtLeast));
        assert_eq!(Operator::with_id("value.gte"), None);
    }
}
