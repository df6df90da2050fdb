//! Errors of a program, and limits of a run.

use crate::program::Place;

/// An error in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of the error.
    pub kind: ProblemKind,
    /// The place in the text; empty for a program that was built.
    pub at: Place,
    /// The message.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The text is not valid.
    Syntax,
    /// An unsupported directive.
    Directive,
    /// A relation is used with different numbers of columns, or declared twice.
    Arity,
    /// A relation is not defined.
    Unknown,
    /// A variable is not bound.
    Unsafe,
    /// A relation depends on its own negation.
    Cycle,
    /// A column has constants of two kinds.
    Kind,
    /// The program exceeds a limit of the engine.
    Size,
    /// A variable occurs only once in a rule. The program is valid.
    SingleUse,
}

impl Problem {
    pub(crate) fn new(
        kind: ProblemKind,
        at: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { kind, at, message: message.into(), help: help.into() }
    }
}

/// The limits of a run. They count work, not time, so a result never depends on the load of a
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of facts, given and derived.
    pub facts: usize,
    /// The maximum number of rows that the rules may read.
    pub derivations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { facts: 1_000_000, derivations: 100_000_000 }
    }
}

/// A run reached a limit, and its results are not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// Too many facts.
    #[error("the program exceeds the limit of {0} facts")]
    Facts(usize),
    /// Too much work.
    #[error("the program exceeds the limit of {0} derivation steps")]
    Derivations(usize),
}
