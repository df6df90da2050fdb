//! Delivery of prompts and hooks to harnesses.
//!
//! A harness is a row of a table: the files it reads ([`HARNESSES`]), and its hooks with what it
//! honours of an answer ([`HOOKS`]). Everything else is the same for all of them. The protocol
//! ([`read`], [`answer`]) and the edit of settings ([`install`], [`uninstall`]) are pure functions
//! of texts; [`Settings`] and [`State`] access the disk.
//!
//! **Invariant:** a file is replaced atomically, text that others wrote in it is unchanged, and
//! nothing outside the given folder is written.

mod agent_file;
mod apply;
mod arrive;
mod atomic;
mod block;
mod choose;
pub mod codes;
mod delivery;
mod desk;
mod detect;
mod disk;
mod disk_snapshot;
mod edit;
mod empty_settings;
mod finding;
mod harness;
mod harness_limits;
mod hook;
mod in_project;
mod journal;
mod json;
pub mod jsonc;
mod kept;
mod keys;
mod ledger;
mod lockfile;
mod named_by;
mod owned;
mod place;
mod plan;
mod plugin;
mod preserve;
mod project;
mod promise;
mod prompts;
mod protocol;
mod reach;
mod reading;
mod seal;
mod separators;
mod settings;
mod splice;
mod state;
mod status;
mod switch;
mod table;
mod target;
mod text;
mod tools;
mod trace;
mod undelivered;
mod unledgered_blocks;
mod unledgered_files;

use codes as code;

pub use agent_file::{BadKey, bad_keys};
pub use apply::{Lock, apply, is_interrupted, recover};
pub use arrive::Arrives;
pub use atomic::{write as write_atomically, write_private};
pub use delivery::{Delivered, RoleDelivery};
pub use desk::Desk;
pub use detect::detect;
pub use disk::{Disk, Kind, Mode, OsDisk};
pub use edit::{EditError, install, uninstall};
pub use empty_settings::EmptySettings;
pub use finding::Finding;
pub use harness::{
    Audience, Base, Form, Front, Harness, Limit, Place, Strength, Surface, Switch, SwitchValue,
    Syntax, ToolForm, Used,
};
pub use hook::{
    BookFolder, Confirmed, Event, EventRow, Evidence, HOOKS, Honours, Hook, HookCommand, find_hook,
    harnesses_with_tool, quote, tool_in_other_case,
};
pub use in_project::{IGNORE, is_own_ignore};
pub use kept::{
    KeptFile, KeptText, KeptTexts, Overwritten, Part, ReplacedBy, Restoration, RestoreError,
};
pub use ledger::{Installed, KnownBook, Ledger, LedgerError};
pub use place::Places;
pub use plan::{BookRef, Edit, Op, Operation, Plan, Request, plan_install, plan_uninstall};
pub use promise::{NamedFile, Promise, named_files, named_folders, persona, promises};
pub use prompts::{Prompts, RolePrompt, book_id, holds_core};
pub use protocol::{
    Answer, Decision, Incoming, LONGEST_EVENT, Reply, Sent, StopEvent, answer, read, read_stop,
};
pub use reading::{Alteration, EnvFiles, Hidden, NameSetting, Reading, Trust, TrustForm};
pub use settings::{
    Done, EventInSettings, HookInSettings, HookState, Scope, Settings, SettingsError,
    SettingsSnapshot,
};
pub use state::State;
pub use status::{Asked, FileState, FileStatus, status};
pub use switch::disabled_by;
pub use table::{HARNESSES, find, meant_by};
pub use tools::ToolNames;
pub use trace::{InstalledText, installed_texts};

#[cfg(test)]
mod tests;
