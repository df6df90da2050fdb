//! The messages between parent and child: one JSON document per line.
//!
//! The child starts with the version of its protocol, so that the parent sends nothing to a child
//! that would misunderstand it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// The name of the child program, without the extension of the system.
pub const PROGRAM: &str = "lawful-nickel";

/// The only argument with which the parent starts it.
pub const ARGUMENT: &str = "worker";

/// The version of everything below [`Greeting`]. It changes with every change to a message.
pub const VERSION: u32 = 1;

/// The first message of the child. It is the same in every version of the protocol.
#[derive(Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// The protocol version of the child.
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

/// The first message of the parent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// Files that must evaluate to a string.
    pub texts: Vec<String>,
    /// The file that must evaluate to a record of role to string.
    pub record: Option<String>,
    /// An empty folder for the child's copies.
    pub folder: String,
    /// The limits that the child sets before anything else.
    pub limits: Limits,
}

/// A message of the child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// A request for a file of the lawbook.
    File {
        /// The path in the import or the manifest.
        written: String,
        /// The place of the import, if any.
        from: Option<Mark>,
    },
    /// The result. Nothing follows.
    Done(Outcome),
}

/// The answer of the parent to a request for a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// The file.
    File {
        /// Its path in the lawbook.
        path: String,
        /// Its text.
        text: String,
    },
    /// A refusal. The parent has recorded the reason.
    Refused,
}

/// The result of an evaluation.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The string of each file, by path.
    pub texts: BTreeMap<String, String>,
    /// The prompt of each role.
    pub roles: BTreeMap<String, String>,
    /// The problems.
    pub problems: Vec<Problem>,
}

/// A problem that Nickel or the child found.
#[derive(Debug, Serialize, Deserialize)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The message of Nickel or of the child.
    pub message: String,
    /// The file that was evaluated.
    pub file: String,
    /// The evaluated role.
    pub role: Option<String>,
    /// The places.
    pub marks: Vec<Mark>,
    /// Further notes.
    pub notes: Vec<String>,
}

impl Problem {
    /// A message of Nickel without further information.
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

/// The kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// Nickel rejects the program.
    Nickel,
    /// A contract of the program is broken.
    Contract,
    /// The program calls `std.fail_with`.
    Abort,
    /// A value has the wrong type.
    Shape,
    /// The evaluator failed.
    Breakdown,
}

/// A place in a file of the lawbook.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// The path of the file in the lawbook.
    pub path: String,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// The label.
    pub message: String,
    /// Whether this is the place of the problem, and not only related to it.
    pub primary: bool,
}
