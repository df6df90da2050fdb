//! Judging envelopes: one, many, and those that an agent writes.

mod artifacts;
mod batch;
mod batch_judge;
pub mod diagnostic;
mod each;
mod envelope;
mod folder;
mod id;
mod one;
mod rulespec;
mod source;
mod spool;
mod stream;
mod total;

pub use artifacts::{clear_artifacts, write_artifacts};
pub use batch::{BatchProgress, BatchRequest, BatchSink};
pub use each::{EachEnvelope, JudgedEnvelope};
pub(crate) use envelope::NAME;
pub use envelope::{EnvelopeChecked, EnvelopeRequest};
pub use folder::OutputFolder;
pub use lawful::verify::Strictness;
pub(crate) use one::decode;
pub use one::{Observation, ObservedFacts, Verified};
pub use rulespec::{Home, LoadedRulespec};
pub(crate) use rulespec::{Unusable, of_book};
pub use source::is_lines;
pub use spool::{Spool, SpooledList};
pub use stream::StoppedAt;
pub use total::{BatchVerified, Outcome, ReportedEnvelope, ReportedViews};
