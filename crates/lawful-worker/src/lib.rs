//! The worker process that evaluates conditioning in Nickel: its protocol, its limits, and the
//! parent that starts it.
//!
//! A Nickel program can run forever, exhaust memory, and import any file that the process can read,
//! and a lawbook can come from someone else. So the parent never parses or evaluates Nickel, and
//! links nothing that could. It starts the program [`protocol::PROGRAM`], which is installed next
//! to it. The child sets its own limits, asks the parent for the files it needs, one by one, and
//! answers with strings or with problems:
//!
//! ```text
//! child:  the version of its protocol    -> parent: the files to evaluate, and the limits
//! child:  limits set; may I have a file? -> parent: a file of the book, or no
//! child:  every role forced; strings and problems
//! ```
//!
//! **Invariant:** the child gets texts and reads copies of them, in its own folder. For every
//! import, the parent decides by the rules of the lawbook whether the file exists, and the child
//! opens no other file.

mod convert;
mod limits;
mod parent;
pub mod protocol;
mod running;
mod scratch;

pub use limits::Limits;
pub use parent::{Worker, evaluate};
