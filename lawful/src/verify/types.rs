//! What the columns of relations hold: strings, whole numbers or booleans.
//!
//! To the program a boolean is a symbol like any text, so that `true` and `"true"` are kept apart
//! here: columns that are joined hold one type, and so does a tuple that a predicate asks for.

use lawful_datalog::{Kind as ColumnKind, Kinds, Program};
use lawful_syntax::Diagnostic;

use super::codes;
use super::law::Wanted;
use super::rulespec::{Predicate, Subject};
use crate::value::Value;

/// What the values of a class of columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Whole,
    Bool,
}

impl Type {
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Text(_) => Some(Self::Text),
            Value::Bool(_) => Some(Self::Bool),
            Value::Number(number) => number.as_i64().map(|_| Self::Whole),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Whether a column of a kind that the rules give can hold it; the error is what it holds.
    pub(super) fn fits(self, declared: Option<ColumnKind>) -> Result<(), &'static str> {
        match (declared, self) {
            (None, _)
            | (Some(ColumnKind::Number), Self::Whole)
            | (Some(ColumnKind::Symbol), Self::Text | Self::Bool) => Ok(()),
            (Some(ColumnKind::Number), Self::Text | Self::Bool) => Err(Self::Whole.name()),
            (Some(ColumnKind::Symbol), Self::Whole) => Err(Self::Text.name()),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "strings",
            Self::Whole => "whole numbers",
            Self::Bool => "booleans",
        }
    }
}

/// The type of each class of columns, as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Types(Vec<Option<Type>>);

impl Types {
    /// What the tuples of predicates say, and every predicate that is at odds with one before it.
    pub(super) fn of_tuples(
        predicates: &[Predicate],
        wanted: &[Option<Wanted>],
        program: &Program,
        kinds: &Kinds,
    ) -> (Self, Vec<Diagnostic>) {
        let mut types = Self::default();
        let mut problems = Vec::new();
        for (predicate, wanted) in predicates.iter().zip(wanted) {
            let (Subject::Relation(name), Some(Wanted::Tuple(tuple))) =
                (&predicate.subject, wanted)
            else {
                continue;
            };
            let Some(relation) = program.find(name) else { continue };
            for (column, value) in tuple.iter().enumerate() {
                let Some(found) = Type::of(value) else { continue };
                let given = types.give(kinds.class(relation, column), found);
                let given =
                    given.map_err(Type::name).and_then(|()| found.fits(kinds.of(relation, column)));
                let Err(known) = given else { continue };
                let found = found.name();
                let message = format!(
                    "column {column} of `{name}` is compared with {found}, and elsewhere with {known}"
                );
                problems.push(
                    Diagnostic::new(&codes::BAD_PREDICATE, predicate.span, message)
                        .help("values of different types are never equal; ask for one type"),
                );
            }
        }
        (types, problems)
    }

    /// Says what a class holds; the error is what it is known to hold instead.
    pub(super) fn give(&mut self, class: usize, found: Type) -> Result<(), Type> {
        if self.0.len() <= class {
            self.0.resize(class + 1, None);
        }
        match self.0.get_mut(class) {
            Some(Some(known)) if *known != found => Err(*known),
            Some(kind) => {
                *kind = Some(found);
                Ok(())
            }
            None => Ok(()),
        }
    }
}
