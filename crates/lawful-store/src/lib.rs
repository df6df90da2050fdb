//! Sessions that survive.
//!
//! A session is a state that turns change. The engine that works a turn out is pure and knows no
//! disk; this crate keeps what it made. It does not look into a state, an input or a trace: those are
//! JSON texts that the caller hands in and gets back byte for byte. What it owns is their order:
//! versions, keys, branches, effects, and that what was acknowledged is on the disk.
//!
//! - **One turn is one transaction**: state, log, key and effects are there together or not at all.
//! - **A version counts the writes of a session** and never goes back. A turn says which version it
//!   was worked out from; if that is no longer the current one, the answer is a conflict.
//! - **A key names a request.** The same key again, even after the turn was abandoned, is answered
//!   with what was stored and changes nothing.
//! - **Rewinding abandons, it does not delete.** The log keeps every branch.
//! - **An effect id is handed out for one effect, ever**; see [`Status`].
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
mod json;
#[cfg(feature = "model")]
pub mod model;
mod session;
mod sqlite;
mod store;
mod ticket;
mod turn;

pub use book::Book;
pub use effect::{Acknowledged, Effect, EffectId, NewEffect, Status};
pub use error::{Error, Failure};
pub use json::Json;
pub use session::{Created, Export, Head, NewSession, Rewind, Rewound, Summary};
pub use sqlite::{Options, Sqlite};
pub use store::Store;
pub use ticket::{Resolver, Ticket, Writes};
pub use turn::{Committed, Duplicate, Entry, NewTurn, Outcome, Record};

/// The format of the texts in a row and of an export. A row of another format is refused.
pub const FORMAT: u32 = 1;
