//! The use cases of Lawful that need I/O: a lawbook on disk, its project, the user's state folder
//! and a store of sessions.
//!
//! The crate `lawful` is pure. This crate opens files, runs git and commands, uses the store and
//! writes into projects, for every front end: the command line, a server, a language binding. A
//! front end parses a request, calls one function here, and renders the result. Results are typed
//! and serialise to the public JSON.
//!
//! Start with [`Workspace`]:
//!
//! ```
//! use lawful_host::Workspace;
//!
//! # fn main() -> Result<(), lawful_host::Failure> {
//! # let folder = std::env::temp_dir().join(format!("lawful-host-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! # std::fs::write(folder.join("lawful.yaml"), "name: doc").unwrap();
//! let workspace = Workspace::at(&folder);
//! let book = workspace.lawbook_for(lawful::Verb::React)?;
//! let sessions = workspace.create_sessions(&folder.join("sessions.db"))?;
//! let created = sessions.start(&book, Some("first".to_owned()))?;
//! assert_eq!(created.version, 0);
//! # drop(sessions);
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok(())
//! # }
//! ```
//!
//! **Invariant:** nothing here prints, parses command-line arguments or exits the process.

pub mod align;
mod answer;
pub mod check;
pub mod codes;
pub mod decision_log;
pub mod deliver;
pub mod doctor;
mod failure;
pub mod init;
pub mod input;
mod interrupt;
pub mod lawbook;
pub mod limits;
mod list;
pub mod live;
pub mod observe;
pub mod roles;
#[cfg(feature = "schema")]
mod schema;
pub mod session;
pub mod state_file;
mod stop;
pub mod test;
pub mod trust;
pub mod verify;
pub mod watch;
mod workspace;

pub use answer::Answer;
pub use failure::Failure;
pub use interrupt::interrupt_flag;
pub use workspace::Workspace;
