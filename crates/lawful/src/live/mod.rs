//! Live events: what a harness reports while its agent works.
//!
//! ```text
//! hook --protocol--> Moment --Places--> Event;  Event + Session --guards--> GuardDecision
//! ```
//!
//! Every harness has names of its own for its hooks and its tools. Reading a hook gives one of these
//! events, the same for every harness; guards decide on it and rules react to it.

mod decode;
mod event;
pub(crate) mod field;
mod host;
mod input;
mod kind;
mod moment;
mod names;
mod places;
mod shell;

pub use event::Event;
pub(crate) use event::{Thing, Unsaid, Written};
pub use host::Host;
pub use input::PATH_FIELDS;
pub use kind::EventKind;
pub use moment::{Action, Moment, Target, ToolUse};
pub use places::{LexicalPlaces, Placed, Places};
