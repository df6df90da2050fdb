//! One rule system for AI agents.
//!
//! Lawful gives an agent its law at three moments (composing its prompt, reacting between turns,
//! verifying its work) and explains every decision. This crate is the library: it has no clock, no
//! network and no randomness, and reads the disk in one module only.
//!
//! # Conditions
//!
//! One condition language stands under everything:
//!
//! ```
//! use lawful::cond::{Outcome, Registry};
//! use lawful::testing::{condition, value};
//!
//! let registry = Registry::default();
//! let (set, id) = registry.compile(&condition("{user.tier: vip}")).unwrap();
//!
//! let document = value("user: {tier: free}");
//! let mut run = set.run(&document);
//! assert_eq!(run.outcome(id), Outcome::False);
//!
//! let why = set.explain(id, &document, &run.finish());
//! assert_eq!(why.actual, Some("free".into()));
//! ```

pub mod align;
pub mod book;
mod check;
pub mod code;
pub mod compose;
pub mod cond;
mod decode;
mod index;
pub mod insertion;
mod limits;
mod path;
mod prose;
pub mod react;
pub mod testing;
pub mod tokens;
mod value;
pub mod verify;
pub mod view;

pub use check::{check, check_evaluated, rulespec, rulespec_at};
pub use lawful_syntax as syntax;
pub use limits::{Cascade, Limits};
pub use path::{Path, PathError, Segment};
pub use value::{Map, Number, Value};
