//! The harnesses that agents run in.
//!
//! A harness is a row of a table ([`HARNESSES`]): how it asks whether an agent may stop, how it
//! wants the answer, where its settings are and what an entry in them looks like. Everything else
//! here is the same for all of them: the protocol ([`read_stop`], [`Hook::answer`]) and the
//! edit of settings ([`install`], [`uninstall`]) are pure functions of texts; [`Settings`] and
//! [`State`] are what touches the disk.
//!
//! **Invariant:** a file is replaced whole or not at all, what others wrote in it stays as it was
//! written, and nothing outside of the folder that was named is written to.

mod apply;
mod atomic;
mod block;
mod detect;
mod disk;
mod edit;
mod finding;
mod foreign;
mod glue;
mod harness;
mod hook;
mod journal;
mod keys;
mod ledger;
mod owned;
mod place;
mod plan;
mod prompts;
mod protocol;
mod reach;
mod seal;
mod seen;
mod settings;
mod splice;
mod state;
mod status;
mod stray;
mod table;
mod target;
mod text;
mod trace;
mod watch;

use lawful::code::deliver as code;

pub use apply::{IGNORE, Lock, apply, is_interrupted, recover};
pub use atomic::write as write_atomically;
pub use detect::detect;
pub use disk::{Disk, Kind, Mode, OsDisk};
pub use edit::{EditError, install, uninstall};
pub use finding::Finding;
pub use harness::{
    Audience, Base, Form, Front, Harness, Limit, Place, Strength, Surface, Switch, SwitchValue,
    Syntax, Used,
};
pub use hook::{HOOKS, Hook, find_hook};
pub use ledger::{Desk, Installed, Ledger, LedgerError};
pub use place::Places;
pub use plan::{BookRef, Op, Operation, Plan, Request, plan_install, plan_uninstall};
pub use prompts::{Prompts, RolePrompt, book_id, holds_core};
pub use protocol::{Answer, StopEvent, read_stop};
pub use seal::Seal;
pub use settings::{Done, Scope, Settings, SettingsError};
pub use state::State;
pub use status::{Asked, FileState, FileStatus, status};
pub use table::{HARNESSES, find};
pub use trace::{InstalledText, installed_texts};

#[cfg(test)]
mod tests;
