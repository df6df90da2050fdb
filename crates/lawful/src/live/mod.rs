//! Live events: what a harness reports while its agent works.
//!
//! Every harness has names of its own for its hooks and its tools. Reading a hook gives one of these
//! events, the same for every harness; guards decide on it and rules react to it.

mod moment;

pub use moment::{Action, Moment, Target, ToolUse};
