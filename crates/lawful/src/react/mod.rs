//! React: rules and reactions between turns.
//!
//! ```text
//! book --decode--> Rules;  Rules + Session + Input --step--> Session + effects + trace
//! ```
//!
//! Every [trigger] is a pattern of events, and every action decodes to one of a small set. So a
//! decoded rule and a decoded reaction are the same thing. One step raises the events of its input
//! and runs [waves](step) of rules until there are no more events.
//!
//! **Invariant:** the same rules, session and input give the same bytes. This module has no clock,
//! no randomness and no I/O. It returns effects for the host.

mod act;
mod action;
mod asked;
mod codes;
pub(crate) mod decode;
mod entry;
mod event;
mod fold;
mod gate;
mod graph;
mod index;
mod input;
mod keyword;
pub(crate) mod lint;
mod names;
mod operation;
mod origin;
pub(crate) mod packed_trigger;
mod prompt;
pub(crate) mod reach;
mod rules;
mod session;
mod source;
mod state;
mod step;
mod template;
mod trace;
pub(crate) mod trigger;
mod trust;
mod variables;
mod watch;
mod whole_word;
mod why_not;

pub use action::{Action, ActionKind, Effect, EffectKind, Injection};
pub use codes::ALL as CODES;
pub(crate) use codes::REFUSED_WRITE;
pub use entry::Entry;
pub use event::Event;
pub(crate) use event::STATE_CHANGED;
pub use gate::Gate;
pub use graph::{Edge, Graph, Via};
pub use input::{Input, Write};
pub use keyword::Hit;
pub(crate) use names::variable;
pub use operation::{Operation, OperationKind};
pub use rules::{Rule, RuleId, RuleKind, Rules};
pub use session::{ContextMessage, Directive, Fired, Session};
pub use source::Source;
pub(crate) use source::{EVENT, RESERVED, STATE};
pub use step::Step;
pub(crate) use template::{Piece, pieces, plain};
pub use trace::{Change, Firing, Trace, Wave};
pub use trigger::Trigger;
pub(crate) use trust::WholeTrust;
pub use why_not::NotFired;

#[cfg(test)]
pub(crate) mod tests;
