//! Judging envelopes: one, many, and those that an agent writes.

mod artifacts;
mod batch;
pub mod diagnostic;
mod envelope;
pub(crate) mod judged;
mod one;
mod rulespec;
mod stream;
mod total;

pub use artifacts::{clear_artifacts, write_artifacts};
pub use batch::BatchRequest;
pub(crate) use envelope::NAME;
pub use envelope::{EnvelopeChecked, EnvelopeRequest};
pub use one::{Observation, ObservedFacts, Verified};
pub use rulespec::{Home, LoadedRulespec};
pub(crate) use rulespec::{Unusable, of_book};
pub use stream::is_lines;
pub use total::{BatchVerified, ReportedEnvelope};

/// How strictly envelopes are judged, and how much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strictness {
    /// Fail predicates that pass only because a value is absent.
    pub deny_vacuous: bool,
    /// Tell how every verdict was derived.
    pub explain: bool,
}
