//! Verify: judges what an agent states that it did by a rulespec.
//!
//! ```text
//! Node --Rulespec::decode--> Rulespec: claims, predicates, a ConditionSet, a Datalog program
//! Node --Envelope::decode--> Envelope: facts;  Node --Record::decode--> Record: facts, observation
//! Judge: facts -> ground facts -> the program, run -> an outcome for each predicate
//!                                                  -> a Finding for each, made on request
//! ```
//!
//! **There is one meaning.** The evaluator of [`cond`](crate::cond) computes the leaves: whether an
//! operator is true for a slot. Those answers are ground facts of the [program](mod@law).
//! Quantifiers, `when`, negation and verdicts are its rules. Only the program decides a predicate.

mod artifacts;
mod codes;
mod contradiction;
pub(crate) mod decode;
mod derivation;
pub(crate) mod envelope;
mod finding;
mod ground_facts;
mod hint;
mod judge;
mod judged;
mod key;
mod law;
mod reach;
pub(crate) mod relations;
mod rulespec;
mod symbol;
mod types;
mod vacuity;

pub use artifacts::{compiled_program, evaluation_report};
pub use codes::{
    ALL as CODES, INTERRUPTED, MORE_FAILURES, NO_ENVELOPE, NO_RULESPEC, NOT_ASKED_FOR,
    NOT_OBSERVED, PREDICATE_FAILED, PREDICATE_UNDECIDED, UNFIT_COLUMN, UNJUDGED_KEY,
    UNKNOWN_OBSERVED,
};
pub use envelope::{Envelope, Record, id_of, keep_long_id, observed, reading_errors};
pub use finding::{Finding, Findings, Step};
pub use ground_facts::Facts;
pub use hint::{Change, ChangeOp, apply};
pub use judge::{Judge, Judgement, Verdict};
pub use judged::{Judged, Strictness, Unjudged};
pub use key::{Asked, Key};
pub use rulespec::{Claim, Predicate, Rulespec, Subject};

#[cfg(test)]
mod tests;
