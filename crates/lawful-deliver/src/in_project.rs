//! Records that are in a project, where earlier versions of Lawful kept them.
//!
//! A project can come from someone else, with a ledger or a journal. Following those would let a
//! stranger control what Lawful writes. Those that this user wrote have [a seal](crate::seal): the
//! next installation moves their content to the state folder and removes them. All others are
//! reported and left alone.
//!
//! **Invariant:** a record in a project without the seal of this user, for this project, is never
//! used, and nothing is ever written to one.

use std::io;

use crate::desk::{Desk, LEDGER};
use crate::disk::{Disk, Kind, inside};
use crate::finding::Finding;
use crate::ledger::Ledger;
use crate::place::Places;
use crate::plan::Change;
use crate::{code, journal};

/// The `.gitignore` that Lawful writes into a folder of its own. It lists exactly the files that
/// Lawful keeps there, so that it cannot hide anything else.
pub const IGNORE: &str = "\
# Written by Lawful: these are for this machine alone.
/.gitignore
/envelope.yaml
/rulespec.compiled.dl
/datalog_evaluation.txt
";

/// The same of versions that kept their records there.
pub(crate) const EARLIER_IGNORE: &str = "\
# Written by Lawful: these are for this machine alone.
/.gitignore
/ledger.json
/journal.json
/journal.staged.json
/envelope.yaml
/rulespec.compiled.dl
/datalog_evaluation.txt
";

/// Whether a `.gitignore` with these bytes was written by Lawful.
pub fn is_own_ignore(bytes: &[u8]) -> bool {
    bytes == IGNORE.as_bytes() || bytes == EARLIER_IGNORE.as_bytes()
}

/// The folder of such records, unless a link leads out of the project.
fn folder(disk: &impl Disk, desk: &Desk) -> Option<Desk> {
    let old = desk.in_project()?;
    inside(disk, &old.root, &old.folder).ok()?;
    let is_folder = disk.kind(&old.folder).is_ok_and(|kind| kind == Kind::Folder);
    is_folder.then_some(old)
}

/// The ledger of this user.
pub(crate) fn ledger(disk: &impl Disk, desk: &Desk) -> Option<Ledger> {
    let old = folder(disk, desk)?;
    let bytes = disk.read(&old.path()).ok()??;
    Ledger::sealed(disk, &old, &bytes)
}

/// The removal of the ledger of this user, once it is in the state folder.
pub(crate) fn retirement(disk: &impl Disk, desk: &Desk) -> io::Result<Option<Change>> {
    let Some(old) = folder(disk, desk).filter(|_| ledger(disk, desk).is_some()) else {
        return Ok(None);
    };
    let path = disk.resolve(&old.path())?;
    let text = disk.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.map(|text| Change { path, before: Some(text), after: None }))
}

/// Completes or reverts what an earlier version of this user had begun.
pub(crate) fn recover(disk: &impl Disk, desk: &Desk, places: &Places) -> io::Result<bool> {
    folder(disk, desk).map_or(Ok(false), |old| journal::recover(disk, &old, places))
}

/// Whether an earlier version of this user left something to complete.
pub(crate) fn is_pending(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    folder(disk, desk).map_or(Ok(false), |old| journal::is_pending(disk, &old))
}

/// The findings about records of others.
pub(crate) fn findings(disk: &impl Disk, desk: &Desk) -> Vec<Finding> {
    let Some(old) = folder(disk, desk) else { return Vec::new() };
    // A record that cannot be read is not used either.
    let mut names = journal::foreign(disk, &old).unwrap_or_default();
    let is_there = disk.kind(&old.path()).is_ok_and(|kind| kind != Kind::Missing);
    if is_there && ledger(disk, desk).is_none() {
        names.push(LEDGER);
    }
    let found = |name: &'static str| {
        let what = if name == LEDGER { "ledger" } else { "journal" };
        let message = format!("you did not write this {what} here, so it is ignored");
        let help = "delete it if it came with the project";
        Finding::new(&code::FOREIGN_LEDGER, Some(&format!(".lawful/{name}")), message, help)
    };
    names.into_iter().map(found).collect()
}

/// Removes the folder if only the `.gitignore` of Lawful is left in it.
pub(crate) fn close(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    let Some(old) = folder(disk, desk).filter(|old| !disk.is_link(&old.folder)) else {
        return Ok(());
    };
    let ignore = old.folder.join(".gitignore");
    match disk.names(&old.folder)?.as_slice() {
        [name] if name == ".gitignore" && !disk.is_link(&ignore) => {
            // A crash can have truncated it.
            let is_ours = |bytes: Vec<u8>| {
                is_own_ignore(&bytes) || EARLIER_IGNORE.as_bytes().starts_with(&bytes)
            };
            if !disk.read(&ignore)?.is_some_and(is_ours) {
                return Ok(());
            }
            disk.remove_file(&ignore)?;
        }
        _ => return Ok(()),
    }
    disk.remove_folder(&old.folder)
}
