//! The harnesses that agents run in.
//!
//! A harness is a row of a table ([`HARNESSES`]): how it asks whether an agent may stop, how it
//! wants the answer, where its settings are and what an entry in them looks like. Everything else
//! here is the same for all of them: the protocol ([`read_stop`], [`Harness::answer`]) and the
//! edit of settings ([`install`], [`uninstall`]) are pure functions of texts; [`Settings`] and
//! [`State`] are what touches the disk.
//!
//! **Invariant:** a file is replaced whole or not at all, what others wrote in it stays as it was
//! written, and nothing outside of the folder that was named is written to.

mod atomic;
mod edit;
mod harness;
mod ledger;
mod protocol;
mod settings;
mod state;

pub use atomic::write as write_atomically;
pub use edit::{EditError, install, uninstall};
pub use harness::{HARNESSES, Harness, find};
pub use protocol::{Answer, StopEvent, read_stop};
pub use settings::{Done, Scope, Settings, SettingsError};
pub use state::State;
