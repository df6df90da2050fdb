//! One rule system for AI agents.
//!
//! Lawful composes an agent's prompt before a turn, reacts to events between turns, and verifies the
//! agent's work afterwards. It explains every decision. This crate is the library: it has no clock,
//! no network and no randomness, and only the feature `fs` reads the disk.
//!
//! Start with [`Lawbook`]:
//!
//! ```no_run
//! use serde_json::json;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let book = lawful::Lawbook::open("examples/support-desk")?;
//! let composed = book.compose("reply").context(json!({"tone": "terse"})).run()?;
//! let answer = book.eval(&"{tier: vip}".parse()?, &json!({"tier": "vip"}))?;
//! let step = book.step(book.start(), &json!({"user": "hello"}).try_into()?);
//! let verdict = book.verify(&json!({"facts": {}})).observed(&json!({})).run()?;
//! let report = book.check();
//! # Ok(())
//! # }
//! ```
//!
//! Every verb has a runnable example in its own documentation.
//!
//! # Conditions
//!
//! Compose, react and verify share one condition language. It can be used alone:
//!
//! ```
//! use lawful::Value;
//! use lawful::cond::{Condition, Outcome, Registry};
//!
//! let condition: Condition = "{user.tier: vip}".parse()?;
//! let (set, id, warnings) = Registry::default().compile(&condition).unwrap();
//! assert!(warnings.is_empty());
//!
//! let document: Value = "user: {tier: free}".parse()?;
//! let mut run = set.run(&document);
//! assert_eq!(run.outcome(id), Outcome::False);
//!
//! let why = set.explain(id, &document, &run.finish());
//! assert_eq!(why.actual, Some("free".into()));
//! # Ok::<(), lawful::Error>(())
//! ```

pub mod align;
pub mod book;
mod check;
pub mod code;
pub mod compose;
pub mod cond;
pub mod coverage;
mod decode;
mod diagnostics;
pub mod diff;
mod error;
pub mod guard;
mod index;
pub mod insertion;
mod lawbook;
mod limits;
pub mod live;
pub mod markdown;
pub mod mutate;
mod path;
mod phrase;
mod policy;
mod prose;
pub mod react;
pub mod scenario;
#[cfg(feature = "schema")]
pub mod schema;
pub mod suggest;
#[cfg(test)]
pub(crate) mod testing;
pub mod tokens;
mod value;
pub mod verify;
pub mod view;
mod word;

pub use check::{check, check_evaluated, rulespec};
pub use diagnostics::Diagnostics;
pub use error::{Error, ErrorKind};
pub use lawbook::{
    Compose, ComposeRole, Lawbook, LawbookOptions, ListKind, LiveLaw, LiveRules, LiveStep,
    PromptMatrix, Test, TestCase, Verify,
};
pub use lawful_syntax as syntax;
pub use lawful_syntax::{Diagnostic, Severity};
pub use limits::{Cascade, Limits};
pub use path::{Path, PathError, Segment};
pub use policy::{Impact, Verb, blocks, impact};
pub use value::{Map, Number, Value};

/// The guide to the library, whose examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
pub struct RustGuide;
