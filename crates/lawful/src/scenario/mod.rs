//! Scenarios: tests of a lawbook.
//!
//! ```text
//! book --decode--> Scenario;  Lawbook + Scenario --play--> what happened --compare--> failures, with why
//! ```
//!
//! A scenario is a list of steps with what is expected of them. Playing it calls the same functions
//! as a host does, so a scenario that passes says what the lawbook does.
//!
//! **Invariant:** playing reads no disk, runs no command and has no clock. The same book and the same
//! scenario give the same result everywhere.

mod bless;
mod check;
mod codes;
mod compare;
mod context;
pub(crate) mod decode;
mod document;
mod expect;
mod happened;
mod name;
mod play;
mod surroundings;
mod touched;
mod why;
mod write;

pub use bless::{bless, cannot_bless};
pub(crate) use check::check;
pub use check::check_harness_events;
pub use codes::ALL as CODES;
pub use codes::NO_SCENARIO;
pub use compare::Failure;
pub(crate) use decode::{Scenarios, envelope_files, stem};
pub use document::{
    Act, Composing, Given, Live, PromptOf, Scenario, Step, StepKind, Submitted, Target,
};
pub use expect::{Decided, Expect, Listed, PromptTest, StateTest};
pub use happened::{Happened, Prompted};
pub(crate) use name::Names;
pub(crate) use play::play;
pub use play::{Collect, Played, TestOutcome};
pub use surroundings::{HOME, Harnesses, NoHarnesses, PROJECT, Reported, Surroundings, Unreadable};
pub use touched::{ConditionOf, Seen, Touched};
pub use write::{block, flow};

#[cfg(test)]
mod tests;
