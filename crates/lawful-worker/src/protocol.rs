//! What parent and child say to each other: one JSON document on each line.
//!
//! The child speaks first and says which protocol it speaks, so that a parent tells nothing to a child
//! that would take it for something else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// The name of the program that is the child, without the ending that the system gives to programs.
pub const PROGRAM: &str = "lawful-nickel";

/// The one argument with which the parent starts it.
pub const ARGUMENT: &str = "worker";

/// The version of everything below [`Greeting`]. It changes when a message does.
pub const VERSION: u32 = 1;

/// The first thing the child says. It reads the same in every version of the protocol.
#[derive(Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// The version of the protocol that the child speaks.
    pub protocol: u32,
    /// The version of the program, for messages.
    pub version: String,
}

impl Greeting {
    /// The greeting of a child of this version.
    pub fn current() -> Self {
        Self { protocol: VERSION, version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// The first thing the parent says.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// Files that must come to a string.
    pub texts: Vec<String>,
    /// The file that must come to a record of role to string.
    pub record: Option<String>,
    /// An empty folder, in which the child keeps copies.
    pub folder: String,
    /// What the child puts itself under before anything else.
    pub limits: Limits,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// May I have this file of the book?
    File {
        /// As the import or the manifest names it.
        written: String,
        /// Where it is imported, if it is.
        from: Option<Mark>,
    },
    /// What came of it all. Nothing follows.
    Done(Outcome),
}

/// What the parent says to a request for a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// Here it is.
    File {
        /// Its path in the book.
        path: String,
        /// Its text.
        text: String,
    },
    /// No. The parent has noted why.
    Refused,
}

/// What came of an evaluation.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The strings of files, by path.
    pub texts: BTreeMap<String, String>,
    /// The prompt of each role.
    pub roles: BTreeMap<String, String>,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Something that Nickel, or the child, found wrong.
#[derive(Debug, Serialize, Deserialize)]
pub struct Problem {
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// What is wrong, in Nickel's words or the child's.
    pub message: String,
    /// The file that was evaluated.
    pub file: String,
    /// The role that was forced.
    pub role: Option<String>,
    /// The places it is about.
    pub marks: Vec<Mark>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

impl Problem {
    /// Something that Nickel says, of which nothing else is known.
    pub fn of(message: String) -> Self {
        Self {
            kind: ProblemKind::Nickel,
            message,
            file: String::new(),
            role: None,
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// What sort of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// Nickel refuses the program.
    Nickel,
    /// A contract of the program is broken.
    Contract,
    /// The author of the program ends it here.
    Abort,
    /// Something is there that is not what is wanted.
    Shape,
    /// The evaluator broke down.
    Breakdown,
}

/// A place in a file of the book.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// The path of the file in the book.
    pub path: String,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// What is said of this place.
    pub message: String,
    /// Whether the problem is here, and not only explained by it.
    pub primary: bool,
}
