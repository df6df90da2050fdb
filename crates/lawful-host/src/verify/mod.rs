//! Judging envelopes: one, many, and those that an agent writes.

mod artifacts;
mod batch;
pub mod diagnostic;
mod envelope;
mod folder;
mod one;
mod rulespec;
mod stream;
mod total;

pub use artifacts::{clear_artifacts, write_artifacts};
pub use batch::BatchRequest;
pub(crate) use envelope::NAME;
pub use envelope::{EnvelopeChecked, EnvelopeRequest};
pub use folder::OutputFolder;
pub use lawful::verify::Strictness;
pub(crate) use one::decode;
pub use one::{Observation, ObservedFacts, Verified};
pub use rulespec::{Home, LoadedRulespec};
pub(crate) use rulespec::{Unusable, of_book};
pub use stream::is_lines;
pub use total::{BatchVerified, ReportedEnvelope};
