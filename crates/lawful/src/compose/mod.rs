//! Compose: a prompt from fragments, by rules.
//!
//! ```text
//! book --decode--> Compositions;  Composition + context --resolve--> order + trace --render--> prompt
//! ```
//!
//! A [composition](Composition) has a base list of fragment ids and rules that change it. Rules run
//! in the order they are written ([`cascade`]); the ids that are left are rendered
//! ([`render`]). Every decision is kept in a [trace](Trace).
//!
//! **Invariant:** resolving never fails on data. What does not fit leaves a warning in the trace and
//! the cascade goes on; what is malformed was refused when the book was loaded.

mod agent;
mod cascade;
mod codes;
pub mod contract;
pub(crate) mod decode;
mod fragment;
mod layers;
pub(crate) mod lint;
mod matrix;
mod nickel;
mod places;
mod render;
mod resolve;
mod role;
mod snapshot;

pub use agent::AgentKeys;
pub use cascade::{Effect, Row};
pub use codes::ALL as CODES;
pub use decode::{Action, ActionKind, Composition, Rule};
pub use fragment::{Fragment, FragmentId, Layer};
pub use layers::project_record;
pub use matrix::{Matrix, MatrixClass};
pub use nickel::{Evaluated, RecordFields};
pub use render::{Line, Origin, Prompt, Section};
pub use resolve::{Compositions, Resolution, Trace};
pub use role::{Core, Refusal, RolePrompt, Roles};

#[cfg(test)]
mod tests;
