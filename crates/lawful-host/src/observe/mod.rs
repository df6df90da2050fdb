//! Observation: facts that no agent can influence by what it says.
//!
//! Git is read first, so that the changes are the agent's work and not the output of our commands.
//! Then the commands run, then the reports they may have written are read, and the files come last.
//!
//! **Invariant:** the result has everything that was asked for, or there is no result. A key is
//! present exactly if it was asked for.

mod files;
mod git;
#[cfg(unix)]
mod group;
#[cfg(not(unix))]
#[path = "no_group.rs"]
mod group;
mod junit;
pub(crate) mod process;
mod root;
mod run;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lawful::book::{Manifest, Wanted};
use lawful::code;
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::{Diagnostics, Map, Value};
use serde::{Serialize, Serializer};

use crate::failure::Failure;

pub use root::root;

/// An observation. Serialises as its facts only.
#[derive(Clone, Debug)]
pub struct Observed {
    /// An object with a key for each thing that was asked for.
    pub facts: Value,
    /// Warnings.
    pub warnings: Diagnostics,
}

impl Serialize for Observed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.facts.serialize(serializer)
    }
}

/// Where to observe.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// The root of the project, which paths and patterns are relative to.
    pub root: &'p Path,
    /// The folder that report paths are relative to.
    pub reports: &'p Path,
    /// When everything must be done; a command still running then is killed.
    pub deadline: Option<Instant>,
}

/// Gathers everything in `wanted`, or fails.
pub fn gather(
    wanted: &Wanted,
    manifest: Option<&Manifest>,
    place: &Place<'_>,
) -> Result<Observed, Failure> {
    let mut gathering = Gathering::default();
    if let Some(base) = &wanted.git {
        gathering.git(base, place.root);
    }
    if let Some(names) = &wanted.run {
        gathering.run(names, manifest, place);
    }
    if let Some(patterns) = &wanted.junit {
        gathering.junit(patterns, place.reports);
    }
    if let Some(patterns) = &wanted.files {
        gathering.files(patterns, place.root);
    }
    let Gathering { facts, problems, sources } = gathering;
    if problems.iter().any(Diagnostic::is_error) {
        return Err(Failure::new(sources, problems));
    }
    Ok(Observed {
        facts: Value::Map(facts),
        warnings: Diagnostics::in_order(problems, Arc::new(sources)),
    })
}

#[derive(Default)]
struct Gathering {
    facts: Map,
    problems: Vec<Diagnostic>,
    sources: Sources,
}

impl Gathering {
    fn git(&mut self, base: &str, root: &Path) {
        match git::changes(base, root) {
            Ok(changes) => {
                self.facts.insert("changed", texts(changes.changed));
                self.facts.insert("added", texts(changes.added));
                self.facts.insert("deleted", texts(changes.deleted));
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn run(&mut self, names: &[String], manifest: Option<&Manifest>, place: &Place<'_>) {
        let mut runs = Map::new();
        // Look up the names before anything runs.
        let commands = names.iter().map(|name| match manifest {
            Some(manifest) => manifest.command(name),
            None => Err(failed("no lawbook lists commands", "create a `lawful.yaml`")),
        });
        let (commands, unknown): (Vec<_>, Vec<_>) = commands.partition(Result::is_ok);
        self.problems.extend(unknown.into_iter().filter_map(Result::err));
        if !self.problems.is_empty() {
            return;
        }
        for command in commands.into_iter().flatten() {
            match run::run(command, place.root, place.deadline) {
                Ok(seen) => runs.insert(command.name.clone(), seen),
                Err(problem) => self.problems.push(problem),
            }
        }
        self.facts.insert("runs", Value::Map(runs));
    }

    fn junit(&mut self, patterns: &[String], folder: &Path) {
        let mut results = junit::Results::default();
        for pattern in patterns {
            match files::named(pattern, folder) {
                Ok(paths) => {
                    for path in paths {
                        results.read(&path, &mut self.sources, &mut self.problems);
                    }
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        let (tests, failing) = results.facts();
        self.facts.insert("tests", tests);
        self.facts.insert("failing", failing);
    }

    fn files(&mut self, patterns: &[String], root: &Path) {
        match files::find(patterns, root) {
            Ok(found) => self.facts.insert("files", texts(found)),
            Err(problem) => self.problems.push(problem),
        }
    }
}

fn texts(texts: Vec<String>) -> Value {
    Value::List(texts.into_iter().map(|text| Value::Text(text.into())).collect())
}

/// The diagnostic for something that cannot be observed.
fn failed(message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(&code::CANNOT_OBSERVE, Span::NONE, message).help(help)
}

/// A file name in facts: a byte that is not UTF-8 is written `\xNN`.
fn name_of(bytes: &[u8]) -> String {
    let mut name = String::new();
    for chunk in bytes.utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(name, "\\x{byte:02x}");
        }
    }
    name
}
