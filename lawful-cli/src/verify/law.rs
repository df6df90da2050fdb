//! The rulespec that a command judges by.

use std::path::{Path, PathBuf};

use lawful::Limits;
use lawful::book::Part;
use lawful::cond::Registry;
use lawful::syntax::{Diagnostic, Sources, sort};
use lawful::verify::{NO_RULESPEC, Rulespec};

use crate::input::document;
use crate::lawbook::{self, Failure, book_folder, find_from};

/// A rulespec, the texts that diagnostics point into, and where its envelope is.
pub(crate) struct Law {
    pub(crate) rulespec: Rulespec,
    pub(crate) sources: Sources,
    pub(crate) limits: Limits,
    /// The folder of the envelope, if there is a lawbook to say it.
    pub(crate) envelope: Option<PathBuf>,
}

/// Loads the rulespec that was named, or that of the lawbook. Warnings are `check`'s to tell.
pub(crate) fn load(rulespec: Option<&Path>, book: Option<&Path>) -> Result<Law, Failure> {
    match (rulespec, book) {
        (Some(file), None) => {
            let sources = Sources::default();
            from_file(file, sources, &Registry::default(), Limits::default(), None)
        }
        (Some(file), Some(book)) => {
            let folder = book_folder(book);
            let (_, book, problems) = lawbook::open(&folder)?;
            let needed = [Part::Manifest, Part::Conditions];
            let (sources, problems) = only(problems, &book.documents, book.sources, &needed);
            stop(problems, sources).and_then(|sources| {
                let envelope = Some(folder.join(&book.manifest.hooks.stop.envelope));
                from_file(file, sources, &book.registry, book.manifest.limits, envelope)
            })
        }
        (None, book) => {
            let here = || find_from(Path::new("."), None);
            let folder = book.map_or_else(here, |book| Ok(book_folder(book)))?;
            from_book(&folder)
        }
    }
}

fn from_file(
    file: &Path,
    mut sources: Sources,
    registry: &Registry,
    limits: Limits,
    envelope: Option<PathBuf>,
) -> Result<Law, Failure> {
    let mut problems = Vec::new();
    let node = document(file, &mut sources, &mut problems);
    let decode = |node| Rulespec::decode(&node, &sources, registry, &limits);
    let (rulespec, found) = node.map(decode).unwrap_or_default();
    problems.extend(found);
    finish(rulespec, problems, sources, limits, envelope)
}

fn from_book(folder: &Path) -> Result<Law, Failure> {
    let (_, book, mut problems) = lawbook::open(folder)?;
    let Some((rulespec, found)) = lawful::rulespec(&book) else {
        return Err(Failure::instead_of(&folder.join("analysis/rulespec.yaml"), |span| {
            Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                .help("write it, or name another with `--rulespec FILE`")
        }));
    };
    problems.extend(found);
    let needed = [Part::Manifest, Part::Conditions, Part::Rulespec];
    let limits = book.manifest.limits;
    let (sources, problems) = only(problems, &book.documents, book.sources, &needed);
    let envelope = folder.join(&book.manifest.hooks.stop.envelope);
    finish(rulespec, problems, sources, limits, Some(envelope))
}

/// The problems of the parts that a verdict depends on; what is wrong elsewhere is not in the way.
fn only(
    mut problems: Vec<Diagnostic>,
    documents: &[lawful::book::Document],
    sources: Sources,
    needed: &[Part],
) -> (Sources, Vec<Diagnostic>) {
    problems.retain(|problem| {
        let document = documents.iter().find(|document| document.file == problem.span.file);
        document.is_none_or(|document| needed.contains(&document.part))
    });
    (sources, problems)
}

fn stop(mut problems: Vec<Diagnostic>, sources: Sources) -> Result<Sources, Failure> {
    problems.retain(Diagnostic::is_error);
    if problems.is_empty() {
        return Ok(sources);
    }
    sort(&mut problems, &sources);
    Err(Failure { sources, problems })
}

fn finish(
    rulespec: Option<Rulespec>,
    problems: Vec<Diagnostic>,
    sources: Sources,
    limits: Limits,
    envelope: Option<PathBuf>,
) -> Result<Law, Failure> {
    let sources = stop(problems, sources)?;
    match rulespec {
        Some(rulespec) => Ok(Law { rulespec, sources, limits, envelope }),
        None => Err(Failure::usage("the rulespec cannot be used", "run `lawful check` on it")),
    }
}
