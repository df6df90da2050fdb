//! The rulespec that envelopes are judged by.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::book::{Book, Document, Manifest, Part};
use lawful::cond::Registry;
use lawful::syntax::{Diagnostic, FileId, Sources};
use lawful::verify::{NO_RULESPEC, Rulespec};
use lawful::{Limits, Verb, blocks};

use crate::failure::Failure;
use crate::input::document;
use crate::lawbook::{self, OpenedBook};
use crate::workspace::Workspace;

/// A rulespec, the texts that diagnostics point into, and its lawbook.
#[derive(Debug)]
pub struct LoadedRulespec {
    /// The rulespec.
    pub rulespec: Rulespec,
    /// The texts, including those of envelopes.
    pub sources: Sources,
    /// The limits.
    pub limits: Limits,
    /// The lawbook, if there is one.
    pub home: Option<Home>,
    /// The fingerprint of the rulespec, `sha256:…`.
    pub law: String,
}

impl LoadedRulespec {
    /// The keys that the manifest declares for a host that observes more.
    pub fn declared(&self) -> &[Box<str>] {
        self.home.as_ref().map_or(&[], |home| &home.manifest.observed)
    }
}

/// What a lawbook says about envelopes, other than how to judge them.
#[derive(Debug)]
pub struct Home {
    /// Its folder.
    pub folder: PathBuf,
    /// Its manifest.
    pub manifest: Manifest,
}

impl Home {
    /// The folder of the envelope.
    pub fn envelope(&self) -> PathBuf {
        self.folder.join(&self.manifest.hooks.stop.envelope)
    }
}

impl Workspace {
    /// Loads the given rulespec, or the one of the lawbook. Warnings are left to `check`.
    pub fn rulespec(&self, file: Option<&Path>) -> Result<LoadedRulespec, Failure> {
        load(file, self.folder())
    }
}

fn load(
    rulespec: Option<&Path>,
    folder: Result<PathBuf, Failure>,
) -> Result<LoadedRulespec, Failure> {
    match (rulespec, folder) {
        // A rulespec given by path needs no lawbook.
        (Some(file), Err(_)) => {
            let (registry, limits) = (Registry::default(), Limits::default());
            from_file(file, Sources::default(), &registry, limits, None, &[])
        }
        (Some(file), Ok(folder)) => {
            let OpenedBook { book, problems, .. } = lawbook::open(&folder)?;
            let problems = blocking(Verb::VerifyWith, &book, problems);
            let limits = book.manifest.limits;
            let sources = stop(problems, book.sources)?;
            let conditions = conditions(&book.documents);
            let home = Home { folder, manifest: book.manifest };
            from_file(file, sources, &book.registry, limits, Some(home), &conditions)
        }
        (None, folder) => of_book(lawbook::open(&folder?)?).map_err(|unusable| match unusable {
            Unusable::Missing(path) => Failure::instead_of(&path, |span| {
                Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                    .help("write it, or pass another with `--rulespec FILE`")
            }),
            Unusable::Broken(failure) => failure,
        }),
    }
}

fn from_file(
    file: &Path,
    mut sources: Sources,
    registry: &Registry,
    limits: Limits,
    home: Option<Home>,
    conditions: &[FileId],
) -> Result<LoadedRulespec, Failure> {
    let mut problems = Vec::new();
    let node = document(file, &limits.document, &mut sources, &mut problems);
    let decode = |node| Rulespec::decode(&node, &sources, registry, &limits);
    let (rulespec, found) = node.map(decode).unwrap_or_default();
    problems.extend(found);
    finish(rulespec, problems, sources, limits, home, conditions)
}

/// The documents with the saved conditions of a lawbook.
fn conditions(documents: &[Arc<Document>]) -> Vec<FileId> {
    let saved = documents.iter().filter(|document| document.part == Part::Conditions);
    saved.map(|document| document.file).collect()
}

/// Why there is no usable rulespec.
pub(crate) enum Unusable {
    /// The lawbook has no such file.
    Missing(PathBuf),
    /// The rulespec has errors, or something it depends on has.
    Broken(Failure),
}

/// The rulespec of a lawbook.
pub(crate) fn of_book<S>(opened: OpenedBook<S>) -> Result<LoadedRulespec, Unusable> {
    let OpenedBook { folder, book, problems, .. } = opened;
    let mut problems = blocking(Verb::Verify, &book, problems);
    let Some((rulespec, found)) = lawful::rulespec(&book) else {
        let path = folder.join(book.manifest.hooks.stop.rulespec());
        stop(problems, book.sources).map_err(Unusable::Broken)?;
        return Err(Unusable::Missing(path));
    };
    problems.extend(found);
    let limits = book.manifest.limits;
    let home = Home { folder, manifest: book.manifest };
    let conditions = conditions(&book.documents);
    finish(rulespec, problems, book.sources, limits, Some(home), &conditions)
        .map_err(Unusable::Broken)
}

/// The problems of the documents that a verdict depends on.
fn blocking(verb: Verb, book: &Book, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    problems.retain(|problem| blocks(verb, book, problem));
    problems
}

fn stop(mut problems: Vec<Diagnostic>, sources: Sources) -> Result<Sources, Failure> {
    problems.retain(Diagnostic::is_error);
    if problems.is_empty() { Ok(sources) } else { Err(Failure::sorted(problems, sources)) }
}

fn finish(
    rulespec: Option<Rulespec>,
    problems: Vec<Diagnostic>,
    sources: Sources,
    limits: Limits,
    home: Option<Home>,
    conditions: &[FileId],
) -> Result<LoadedRulespec, Failure> {
    let mut sources = stop(problems, sources)?;
    // Every envelope that is reported has a copy of its own.
    sources.settle();
    match rulespec {
        Some(rulespec) => {
            let law = format!("sha256:{}", rulespec.fingerprint(&sources, conditions));
            Ok(LoadedRulespec { rulespec, sources, limits, home, law })
        }
        None => Err(Failure::usage("the rulespec has errors", "run `lawful check` on it")),
    }
}
