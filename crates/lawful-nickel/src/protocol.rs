//! What parent and child say to each other: one JSON document on each line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// The first thing the parent says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Files that must come to a string.
    pub(crate) texts: Vec<String>,
    /// The file that must come to a record of role to string.
    pub(crate) record: Option<String>,
    /// An empty folder, in which the child keeps copies.
    pub(crate) folder: String,
    /// What the child puts itself under before anything else.
    pub(crate) limits: Limits,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Request {
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
pub(crate) enum Reply {
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
pub(crate) struct Outcome {
    /// The strings of files, by path.
    pub(crate) texts: BTreeMap<String, String>,
    /// The prompt of each role.
    pub(crate) roles: BTreeMap<String, String>,
    /// What is wrong.
    pub(crate) problems: Vec<Problem>,
}

/// Something that Nickel, or the child, found wrong.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    pub(crate) message: String,
    /// The file that was evaluated.
    pub(crate) file: String,
    /// The role that was forced.
    pub(crate) role: Option<String>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) notes: Vec<String>,
}

impl Problem {
    /// Something that Nickel says, of which nothing else is known.
    pub(crate) fn of(message: String) -> Self {
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
pub(crate) enum ProblemKind {
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
pub(crate) struct Mark {
    pub(crate) path: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) message: String,
    pub(crate) primary: bool,
}
