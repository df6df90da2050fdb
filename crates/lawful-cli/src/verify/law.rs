//! The rulespec that a command judges by.

use std::path::{Path, PathBuf};

use lawful::book::{Book, Manifest};
use lawful::cond::Registry;
use lawful::syntax::{Diagnostic, Sources, sort};
use lawful::verify::{NO_RULESPEC, Rulespec};
use lawful::{Limits, Verb, blocks};

use crate::input::document;
use crate::lawbook::{self, Failure, book_folder, find_from};

/// A rulespec, the texts that diagnostics point into, and the lawbook around it.
pub(crate) struct Law {
    pub(crate) rulespec: Rulespec,
    pub(crate) sources: Sources,
    pub(crate) limits: Limits,
    /// The lawbook, if there is one.
    pub(crate) home: Option<Home>,
}

/// What a lawbook says of envelopes, beside how they are judged.
pub(crate) struct Home {
    /// Its folder.
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Home {
    /// The folder of the envelope.
    pub(crate) fn envelope(&self) -> PathBuf {
        self.folder.join(&self.manifest.hooks.stop.envelope)
    }
}

/// Loads the rulespec that was named, or that of the lawbook. Warnings are `check`'s to tell.
pub(crate) fn load(rulespec: Option<&Path>, book: Option<&Path>) -> Result<Law, Failure> {
    let folder = match book {
        Some(book) => Ok(book_folder(book)),
        None => find_from(Path::new("."), None),
    };
    match (rulespec, folder) {
        // A rulespec that is named needs no lawbook.
        (Some(file), Err(_)) => {
            from_file(file, Sources::default(), &Registry::default(), Limits::default(), None)
        }
        (Some(file), Ok(folder)) => {
            let (_, book, problems) = lawbook::open(&folder)?;
            let problems = blocking(Verb::VerifyWith, &book, problems);
            let limits = book.manifest.limits;
            let sources = stop(problems, book.sources)?;
            let home = Home { folder, manifest: book.manifest };
            from_file(file, sources, &book.registry, limits, Some(home))
        }
        (None, folder) => from_book(folder?),
    }
}

fn from_file(
    file: &Path,
    mut sources: Sources,
    registry: &Registry,
    limits: Limits,
    home: Option<Home>,
) -> Result<Law, Failure> {
    let mut problems = Vec::new();
    let node = document(file, &mut sources, &mut problems);
    let decode = |node| Rulespec::decode(&node, &sources, registry, &limits);
    let (rulespec, found) = node.map(decode).unwrap_or_default();
    problems.extend(found);
    finish(rulespec, problems, sources, limits, home)
}

fn from_book(folder: PathBuf) -> Result<Law, Failure> {
    let (_, book, problems) = lawbook::open(&folder)?;
    let mut problems = blocking(Verb::Verify, &book, problems);
    let Some((rulespec, found)) = lawful::rulespec(&book) else {
        stop(problems, book.sources)?;
        let path = folder.join(book.manifest.hooks.stop.rulespec());
        return Err(Failure::instead_of(&path, |span| {
            Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                .help("write it, or name another with `--rulespec FILE`")
        }));
    };
    problems.extend(found);
    let limits = book.manifest.limits;
    let home = Home { folder, manifest: book.manifest };
    finish(rulespec, problems, book.sources, limits, Some(home))
}

/// The problems of the documents that a verdict depends on.
fn blocking(verb: Verb, book: &Book, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    problems.retain(|problem| blocks(verb, book, problem));
    problems
}

fn stop(mut problems: Vec<Diagnostic>, sources: Sources) -> Result<Sources, Failure> {
    problems.retain(Diagnostic::is_error);
    if problems.is_empty() {
        return Ok(sources);
    }
    sort(&mut problems, &sources);
    Err(Failure::new(sources, problems))
}

fn finish(
    rulespec: Option<Rulespec>,
    problems: Vec<Diagnostic>,
    sources: Sources,
    limits: Limits,
    home: Option<Home>,
) -> Result<Law, Failure> {
    let sources = stop(problems, sources)?;
    match rulespec {
        Some(rulespec) => Ok(Law { rulespec, sources, limits, home }),
        None => Err(Failure::usage("the rulespec cannot be used", "run `lawful check` on it")),
    }
}
