//! A small Datalog engine for programs that are built at run time.
//!
//! Datalog is a language of *facts* and *rules*. A fact states that a relation contains some
//! constants: `edge("a", "b")`. A rule states that its head is true whenever everything in its body
//! is true:
//!
//! ```text
//! path(x, y) :- edge(x, y).
//! path(x, z) :- path(x, y), edge(y, z).
//! ```
//!
//! Running a program derives facts until nothing new follows. A run always ends, because rules
//! create no new constants. The order of the rules does not matter.
//!
//! # How it works
//!
//! 1. [`parse`] reads the text form, or calls build a [`Program`]. Constants become small numbers
//!    ([`Constants`]), so that everything after this point compares integers.
//! 2. [`Program::compile`] checks the program and plans each rule: the order of its atoms, and the
//!    index for each ([`plan`]). It checks these properties:
//!    - *Arity*: a relation always has the same number of columns.
//!    - *Kinds*: a column contains only numbers, only symbols or only booleans ([`Kinds`]).
//!    - *Safety*: a positive atom binds every variable. Otherwise a rule would derive infinitely
//!      many facts.
//!    - *Strata*: no relation depends on its own negation ([`stratify`](mod@stratify)).
//! 3. [`Run::run`] evaluates stratum by stratum, semi-naively: a round of a recursive stratum
//!    combines only facts of which at least one is new since the last round ([`run`]).
//! 4. [`Run::why`] explains a fact: which rule derived it, and from which facts ([`why`]).
//!
//! A run has fuel ([`Limits`]): the number of facts and of derivation steps. If it runs out, the
//! result is an error, never a partial answer.
//!
//! ```
//! use lawful_datalog::{Limits, Program, parse};
//!
//! let mut program = Program::default();
//! let problems = parse(
//!     r#"
//!     edge("a", "b"). edge("b", "c"). edge("c", "a"). edge("c", "d").
//!     path(x, y) :- edge(x, y).
//!     path(x, z) :- path(x, y), edge(y, z).
//!     circle(x) :- path(x, x).
//!     straight(x) :- edge(_, x), !circle(x).
//!     "#,
//!     &mut program,
//! );
//! assert!(problems.is_empty());
//! let straight = program.find("straight").unwrap();
//! let compiled = program.compile().unwrap();
//! let mut run = compiled.start();
//! run.run(Limits::default()).unwrap();
//! assert_eq!(run.len(straight), 1);
//! let d = run.constants.symbol("d");
//! assert!(run.contains(straight, &[d]));
//! ```

mod clingo;
mod compile;
mod constant;
mod kinds;
mod parse;
mod plan;
mod print;
mod problem;
mod program;
mod run;
mod stratify;
mod table;
mod why;

pub use compile::Compiled;
pub use constant::{Constant, Constants, Datum};
pub use kinds::Kinds;
pub use parse::{is_keyword, parse, parse_with};
pub use problem::{Exhausted, Limits, Problem, ProblemKind};
pub use program::{
    Atom, Column, Comparison, Kind, Literal, Place, Program, Relation, RelationId, Rule,
    RuleBuilder, RuleId, Term, Variable, variable,
};
pub use run::Run;
pub use why::{By, Derivation, Reason};

#[cfg(test)]
mod tests;
