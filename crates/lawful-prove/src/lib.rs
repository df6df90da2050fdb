//! What a harness really sends to its model.
//!
//! A client is started once against a [`Stub`] of the API of its model. How to start it is a row of a
//! table ([`CLIENTS`]); what the stub answers is a [`Script`]; what its requests contain is read by
//! [`read`], and compared with the prompts of a lawbook by [`examine`]. Those three are pure. The
//! stub uses threads and the loopback interface of the standard library.
//!
//! **Invariants:** the stub answers only the paths of the API, and records and refuses everything
//! else. Requests, bytes and connections are bounded. A copied settings file keeps no setting that
//! can run a program, load code, or hold a credential ([`harmless`]).

mod client;
#[cfg(target_os = "linux")]
mod loopback;
mod proof;
mod script;
mod settings;
mod stub;
mod texts;
mod wire;

pub use client::{CLIENTS, Client, Delegation, Slots, find};
#[cfg(target_os = "linux")]
pub use loopback::bring_up;
pub use proof::{Arrival, Piece, Proof, Subject, Whole, examine};
pub use script::{PROMPT, Script, task};
pub use settings::{Harmless, harmless, harmless_text, strings, with_members};
pub use stub::{Limits, Recorded, Reply, Stub};
pub use texts::{RoleText, TextRole, read};
pub use wire::{Answer, Wire};
