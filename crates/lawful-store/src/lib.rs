//! Persistent sessions.
//!
//! A session is a state that turns change. The engine that computes a turn is pure; this crate
//! stores the results. A state, an input or a trace is opaque to it: a JSON text that the caller
//! submits and gets back byte for byte. The crate is responsible for their order: versions, keys,
//! branches and effects, and for durability.
//!
//! - **One turn is one transaction**: state, log, key and effects are stored together or not at
//!   all.
//! - **A version counts the writes of a session** and never decreases. A turn names the version it
//!   was computed from; if that is no longer current, the result is a conflict.
//! - **A key is an idempotency key.** A repeated key, even of an abandoned turn, returns the stored
//!   result and changes nothing.
//! - **Rewinding abandons entries and does not delete them.** The log keeps every branch.
//! - **An effect id is used for one effect**; see [`Status`].
//!
//! ```
//! use std::sync::Arc;
//! use lawful_store::{Book, Json, NewSession, NewTurn, Options, Outcome, Record, Sqlite, Store};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("lawful-store-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let file = folder.join("stories.db");
//! let store = Sqlite::open(&file, &Options { create: true, ..Options::default() })?;
//! let book = Arc::new(Book { hash: "1f".to_owned(), text: Json::parse(r#"{"rules": []}"#)? });
//! let start = NewSession { name: None, book: book.clone(), turn: 0, snapshot: Json::parse("{}")? };
//! let created = store.create(start)?;
//!
//! let turn = NewTurn {
//!     session: created.session,
//!     key: Some("request-1".to_owned()),
//!     expect: created.version,
//!     turn: 1,
//!     book,
//!     record: Record { input: Json::parse(r#"{"user": "hello"}"#)?, ..Record::default() },
//!     snapshot: Json::parse(r#"{"turn": 1}"#)?,
//!     effects: Vec::new(),
//! };
//! assert!(matches!(store.commit(turn.clone())?, Outcome::Committed(done) if done.version == 1));
//! assert!(matches!(store.commit(turn)?, Outcome::Duplicate(_)));
//! # drop(store);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod book;
mod effect;
mod error;
mod export;
mod json;
#[cfg(feature = "model")]
pub mod model;
mod session;
mod sqlite;
mod store;
mod ticket;
mod turn;

pub use book::Book;
pub use effect::{Acknowledged, Effect, EffectId, NewEffect, Repeat, Status};
pub use error::{Error, Failure};
pub use json::Json;
pub use session::{Created, Export, Fork, Head, NewSession, Rewind, Rewound, Summary, Target};
pub use sqlite::{Durability, Options, Sqlite};
pub use store::Store;
pub use ticket::{Resolver, Ticket, Writes};
pub use turn::{Committed, Duplicate, Entry, NewTurn, Outcome, Record};

/// The format of the texts in a row and in an export. A row of another format is refused.
pub const FORMAT: u32 = 1;
