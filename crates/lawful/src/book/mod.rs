//! Loading a lawbook: the folder with a `lawful.yaml` and its documents.
//!
//! [`load`] reads a book from a [`Source`], such as a folder on disk ([`FolderSource`]). Every
//! problem becomes a diagnostic with a place, and an error in one document does not hide problems
//! in another. [`reload`] returns the current book and shares unchanged documents with the previous
//! one.
//!
//! **Invariant:** a lawbook may be untrusted, so loading runs no code, reads nothing outside the
//! book, and takes bounded time and memory.

mod bundle;
mod conditions;
mod contents;
#[cfg(feature = "fs")]
mod find;
#[cfg(feature = "fs")]
mod fs;
mod git;
mod imports;
mod items;
mod layout;
mod load;
pub(crate) mod manifest;
mod memory;
pub(crate) mod packing;
mod parse;
mod part;
mod source;
mod trees;
mod variant;

pub use bundle::{Bundle, NotABundle};
pub use conditions::saved_conditions;
pub(crate) use contents::hexadecimal;
pub use contents::{Book, Document};
#[cfg(feature = "fs")]
pub use find::{FindError, book_in, find, find_outermost, home_of, repository};
#[cfg(feature = "fs")]
pub use fs::{FolderSource, read_file, read_from, read_sized};
pub use git::is_in_git;
pub use imports::import_path;
pub use layout::{BOOK_FOLDER, MANIFEST, Part, folders};
pub use load::{LoadError, Options, load, reload};
pub use manifest::{
    Axis, Conditioning, EditBook, GuardSettings, HookLaw, HookMode, Hooks, Lint, Log, Manifest,
    Observable, Observation, Opaque, Persona, Predicates, Protect, ProtectedPaths, Repetition,
    RoleSource, Run, StopHook, Teaches, Undecided, Variable, VariableType, Wanted,
};
pub(crate) use manifest::{bad_role, same_but_for_case, unknown_command, unknown_role};
pub(crate) use part::{BookPart, PackedRules, Selection};
pub use source::{Item, ItemKind, MemorySource, Source, SourceError, Stamp};
pub use trees::Trees;

#[cfg(test)]
mod tests;
