//! Conditioning written in Nickel, evaluated in a child process under limits.
//!
//! Nickel is a language: a program in it can run for ever, fill the memory, and import any file that
//! the process may read, and a lawbook may come from someone else. So the parent never parses or
//! evaluates Nickel. It starts a [child](work) of the same program, which sets its own limits, asks
//! the parent for the files it needs, one by one, and answers with strings or with problems:
//!
//! ```text
//! parent: the files to evaluate -> child: limits set, files parsed for imports
//!         file of the book      <- child: may I have this one?
//!         strings and problems  <- child: every role forced
//! ```
//!
//! **Invariant:** the child is given texts and reads copies of those texts, in a folder of its own.
//! Whatever an import names, the parent decides by the rules of the book whether it is there, and no
//! file is opened that it did not hand out.

mod child;
mod closure;
mod convert;
mod evaluate;
mod limits;
mod parent;
mod protocol;
mod refusal;
mod running;
mod scratch;

pub use child::work;
pub use limits::Limits;
pub use parent::{Worker, evaluate};
