//! The lawbook: the user's folder of law, read once.
//!
//! [`load`] reads whatever exists of the layout from a [`Source`], of which the disk
//! ([`FolderSource`]) is one. Every problem becomes a diagnostic with a place, and one broken
//! document does not hide the problems of another. [`reload`] gives the book as it is now, and shares
//! with the one before what did not change.
//!
//! **Invariant:** loading runs no code, reads nothing outside the book, and takes bounded time and
//! memory, because a lawbook may come from someone else.

mod conditions;
mod contents;
#[cfg(feature = "fs")]
mod find;
#[cfg(feature = "fs")]
mod fs;
mod layout;
mod load;
pub(crate) mod manifest;
mod memory;
mod parse;
mod source;

pub use conditions::saved_conditions;
pub use contents::{Book, Document};
#[cfg(feature = "fs")]
pub use find::{FindError, find, repository};
#[cfg(feature = "fs")]
pub use fs::{FolderSource, read_file, read_from};
pub use layout::Part;
pub use load::{LoadError, Options, load, reload};
pub use manifest::{
    Axis, Conditioning, Hooks, Lint, Manifest, Observable, Observation, Persona, Predicates,
    RoleSource, Run, StopHook, Teaches, Undecided, Variable, VariableType, Wanted,
};
pub(crate) use manifest::{bad_role, same_but_for_case, unknown_command, unknown_role};
pub use source::{Item, ItemKind, MemorySource, Source, SourceError, Stamp};

#[cfg(test)]
mod tests;
