//! The types of columns: strings, whole numbers or booleans, one type for each column.
//!
//! The program knows the type of a column if a rule or a tuple of a predicate compares it with a
//! constant. Otherwise the first value of an envelope determines it, for all columns that are
//! joined.

use lawful_datalog::{Kind, Kinds, Program};
use lawful_syntax::Diagnostic;

use super::codes;
use super::law::Wanted;
use super::rulespec::{Predicate, Subject};
use crate::value::Value;

/// The kind of a value that a column can hold.
pub(super) fn kind_of(value: &Value) -> Option<Kind> {
    match value {
        Value::Text(_) => Some(Kind::Symbol),
        Value::Bool(_) => Some(Kind::Boolean),
        Value::Number(number) => number.as_i64().map(|_| Kind::Number),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

/// The plural name of a kind.
pub(super) fn values_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Symbol => "strings",
        Kind::Number => "whole numbers",
        Kind::Boolean => "booleans",
    }
}

/// The known kind of each class of columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Types(Vec<Option<Kind>>);

impl Types {
    /// Sets the kind of a class; the error is the kind that is already known.
    pub(super) fn give(&mut self, class: usize, found: Kind) -> Result<(), Kind> {
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

/// Every predicate whose tuple conflicts with the rules, or with a predicate before it.
pub(super) fn conflicts(
    predicates: &[(&Predicate, Option<&Wanted>)],
    program: &Program,
    kinds: &Kinds,
) -> Vec<Diagnostic> {
    let mut types = Types::default();
    let mut problems = Vec::new();
    for (predicate, wanted) in predicates {
        let (Subject::Relation(name), Some(Wanted::Tuple(tuple))) = (&predicate.subject, wanted)
        else {
            continue;
        };
        let Some(relation) = program.find(name) else { continue };
        for (column, value) in tuple.iter().enumerate() {
            let Some(found) = kind_of(value) else { continue };
            let known = match kinds.of(relation, column) {
                Some(known) if known != found => known,
                Some(_) => continue,
                None => match types.give(kinds.class(relation, column), found) {
                    Err(known) => known,
                    Ok(()) => continue,
                },
            };
            let (found, known) = (values_of(found), values_of(known));
            let message = format!(
                "column {column} of `{name}` is compared with {found}, and elsewhere with {known}"
            );
            problems.push(
                Diagnostic::new(&codes::BAD_PREDICATE, predicate.span, message)
                    .help("values of different types are never equal; use one type"),
            );
        }
    }
    problems
}
