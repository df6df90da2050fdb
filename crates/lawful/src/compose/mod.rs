//! Compose: builds a prompt from fragments by rules.
//!
//! ```text
//! book --decode--> Compositions;  Composition + context --resolve--> order + trace --render--> prompt
//! ```
//!
//! A [composition](Composition) has a base list of fragment ids and rules that change it. Rules run
//! in written order ([`cascade`]); the final ids are rendered ([`render`]). A [trace](Trace)
//! records every decision.
//!
//! **Invariant:** resolving never fails on data. A mismatch adds a warning to the trace, and the
//! cascade continues. Malformed documents are rejected at load time.

mod agent;
mod cascade;
mod codes;
mod context;
pub mod contract;
pub(crate) mod decode;
mod fragment;
mod layers;
pub(crate) mod lint;
mod matrix;
mod nickel;
mod places;
mod reach;
mod render;
mod resolve;
mod role;
mod size;
mod snapshot;

pub use agent::{AgentKeys, OwnKey, OwnKeys};
pub use cascade::{Effect, Row};
pub use codes::ALL as CODES;
pub(crate) use codes::{NICKEL_NOT_EVALUATED, NOT_A_SNAPSHOT, UNKNOWN_COMPOSITION};
pub(crate) use context::{ContextKeys, key_place, replaced_by_session};
pub use decode::{Action, ActionKind, Composition, Rule};
pub(crate) use fragment::placeholders as page_placeholders;
pub use fragment::{Fragment, FragmentId, Layer};
pub use layers::project_record;
pub use matrix::{Matrix, MatrixClass};
pub use nickel::{Evaluated, RecordFields};
pub use render::{Line, Origin, Prompt, Section};
pub use resolve::{Compositions, Resolution, Trace};
pub(crate) use role::persona_pages;
pub use role::{Core, Refusal, RolePrompt, Roles};
pub(crate) use size::{Size, largest};
pub use snapshot::SnapshotProblem;

#[cfg(test)]
mod tests;
