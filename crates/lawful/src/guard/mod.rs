//! Guards: rules that decide on what an agent is about to do.
//!
//! ```text
//! book --decode--> Guards;  Guards + Event + Session --decide--> deny, ask, allow or nothing
//! ```
//!
//! A condition is evaluated once for each thing that a call touches. `deny` and `ask` act if it is
//! true for some thing, `allow` only if it is true for every thing and everything is known. Deny
//! takes precedence over ask, and ask over allow.
//!
//! **Invariant:** a guard fails closed. One that cannot be evaluated, or that has errors, denies
//! unless it is an `allow`; and an `allow` never acts on what is only guessed.

mod asked;
mod builtin;
mod codes;
mod decide;
pub(crate) mod decode;
mod document;
mod explain;
mod guards;
pub(crate) mod lint;
pub(crate) mod packed_on;
mod reach;
mod reason;

/// The ids of the guards that no lawbook writes.
pub(crate) const BUILT_IN_GUARDS: [&str; 5] =
    [builtin::LAW, builtin::BOOK, builtin::PATHS, decide::OPAQUE, decide::INVALID];

pub use codes::ALL as CODES;
pub use decide::Decided;
pub use explain::{GuardRow, Result as GuardResult};
pub use guards::{Decision, Guard, GuardId, Guards, On};
pub(crate) use reach::reach_guard;

#[cfg(test)]
mod tests;
