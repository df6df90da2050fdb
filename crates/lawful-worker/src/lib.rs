//! The worker process that evaluates conditioning written in Nickel: its protocol, its limits, and the
//! parent that starts it.
//!
//! Nickel is a language: a program in it can run for ever, fill the memory, and import any file that
//! the process may read, and a lawbook may come from someone else. So the parent never parses or
//! evaluates Nickel, and links nothing that could. It starts the program [`protocol::PROGRAM`], which
//! is installed beside it. That sets its own limits, asks the parent for the files it needs, one by
//! one, and answers with strings or with problems:
//!
//! ```text
//! child:  the version of its protocol    -> parent: the files to evaluate, and the limits
//! child:  limits set; may I have a file? -> parent: a file of the book, or no
//! child:  every role forced; strings and problems
//! ```
//!
//! **Invariant:** the child is given texts and reads copies of those texts, in a folder of its own.
//! Whatever an import names, the parent decides by the rules of the book whether it is there, and no
//! file is opened that it did not hand out.

mod convert;
mod limits;
mod parent;
pub mod protocol;
mod running;
mod scratch;

pub use limits::Limits;
pub use parent::{Worker, evaluate};
