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
//!
//! # React
//!
//! Rules of a book turn a session and an input into the next session:
//!
//! ```
//! use lawful::book::{MemorySource, Options, load};
//! use lawful::react::{Input, Rules};
//!
//! let source = MemorySource::new().with("lawful.yaml", "name: tale").with(
//!     "rules/tale.yaml",
//!     "[{id: hello, trigger: {type: keyword, keywords: [hello]}, \
//!        actions: [{type: notify-player, message: Welcome.}]}]",
//! );
//! let (book, _) = load(&source, Options::default()).unwrap();
//! let (rules, problems) = Rules::decode(&book);
//! assert!(problems.is_empty());
//!
//! let turn = Input::Turn { user: Some("Hello there".into()), ai: None, writes: Vec::new() };
//! let step = rules.step(rules.start(), &turn);
//! assert_eq!(step.session.turn, 1);
//! assert_eq!(step.effects[0].id, "1.1.1");
//! ```

pub mod align;
pub mod book;
mod check;
pub mod code;
pub mod compose;
pub mod cond;
mod decode;
mod diagnostics;
mod error;
mod index;
pub mod insertion;
mod lawbook;
mod limits;
mod markdown;
mod path;
mod policy;
mod prose;
pub mod react;
pub mod testing;
pub mod tokens;
mod value;
pub mod verify;
pub mod view;

pub use check::{check, check_evaluated, rulespec};
pub use diagnostics::Diagnostics;
pub use error::{Error, ErrorKind};
pub use lawbook::{Compose, ComposeRole, Lawbook, LawbookOptions};
pub use lawful_syntax as syntax;
pub use limits::{Cascade, Limits};
pub use path::{Path, PathError, Segment};
pub use policy::{Impact, Verb, blocks, impact};
pub use value::{Map, Number, Value};
