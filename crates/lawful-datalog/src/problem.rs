//! What can be wrong with a program, and with a run of it.

use crate::program::Place;

/// Something wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What sort of mistake it is.
    pub kind: ProblemKind,
    /// Where in the text; empty for a program that was built.
    pub at: Place,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// The sorts of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The text is not of the language.
    Syntax,
    /// A directive that only another engine knows.
    Directive,
    /// A relation is used in two shapes, or declared twice.
    Arity,
    /// A relation that nothing defines.
    Unknown,
    /// A variable that nothing binds.
    Unsafe,
    /// A relation depends on its own absence.
    Cycle,
    /// A column holds constants of one kind in one place and of another elsewhere.
    Kind,
    /// The program is larger than the engine takes.
    Size,
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

/// How much a run may take. Limits are counted, not timed, so an answer never depends on how busy
/// a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many facts may be held, given and derived.
    pub facts: usize,
    /// How many rows the rules may look at while they derive.
    pub derivations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { facts: 1_000_000, derivations: 100_000_000 }
    }
}

/// A limit was reached; nothing of such a run may be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// Too many facts.
    #[error("the program comes to more than the limit of {0} facts")]
    Facts(usize),
    /// Too much work.
    #[error("the program takes more than the limit of {0} derivation steps")]
    Derivations(usize),
}
