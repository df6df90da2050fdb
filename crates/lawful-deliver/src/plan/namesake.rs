//! Lawbooks with the same name in different folders.

use lawful::book::MANIFEST;
use lawful::syntax::escape;

use super::{BookRef, Request};
use crate::code;
use crate::disk::{Disk, Kind};
use crate::finding::Finding;
use crate::ledger::{Installed, Ledger};
use crate::place::Places;

/// Another lawbook with the same name, which this one would replace.
pub(super) fn replaced(book: &str, request: &Request, ledger: &Ledger) -> Option<Finding> {
    let is_other = |row: &&Installed| row.book == book && row.source != request.source;
    let other = ledger.installed.iter().find(is_other).filter(|_| !request.overwrite)?;
    let message = format!(
        "the lawbook `{}` is already installed here from `{}`, and this one is in `{}`",
        escape::name(book),
        escape::name(&other.source),
        escape::name(&request.source)
    );
    let help = "rename one of them; if the lawbook was moved, pass `--overwrite`";
    Some(Finding::new(&code::NOT_OURS, None, message, help))
}

/// The installations of another lawbook with the same name. If its folder no longer has a lawbook,
/// that one was moved, and is this one.
pub(super) fn of_others<'l>(
    book: BookRef<'_>,
    places: &Places,
    ledger: &'l Ledger,
    disk: &impl Disk,
) -> Vec<&'l Installed> {
    let folder = |source: &str| places.project().join(source);
    let own = disk.resolve(&folder(book.source)).ok();
    let is_other = |row: &&Installed| {
        let there = folder(&row.source);
        // A link may remain where the lawbook was.
        let is_same = || own.is_some() && disk.resolve(&there).ok() == own;
        let is_gone = || matches!(disk.kind(&there.join(MANIFEST)), Ok(kind) if kind != Kind::File);
        row.book == book.id && row.source != book.source && !is_gone() && !is_same()
    };
    ledger.installed.iter().filter(is_other).collect()
}

/// That what another lawbook installed stays.
pub(super) fn stays(book: BookRef<'_>, other: &Installed) -> Finding {
    let message = format!(
        "the lawbook `{}` is installed here from `{}`, and this one is in `{}`, so it stays",
        escape::name(book.id),
        escape::name(&other.source),
        escape::name(book.source)
    );
    let help = "pass `--book` with its folder to uninstall it";
    Finding::new(&code::SAME_NAME, None, message, help)
}
