//! Records that lie in a project and that this user did not write there.
//!
//! They are told of and left alone. Only where Lawful has to write a record of its own are they put
//! under another name, in the same folder and to the last byte.

use std::io;

use crate::disk::{Disk, Kind};
use crate::finding::Finding;
use crate::ledger::{Desk, Ledger, LedgerError};
use crate::{Scope, code, journal};

/// The names of such records.
fn names(disk: &impl Disk, desk: &Desk) -> io::Result<Vec<&'static str>> {
    if desk.scope == Scope::User {
        return Ok(Vec::new());
    }
    desk.check(disk)?;
    let mut names = journal::foreign(disk, desk)?;
    match Ledger::is_foreign(disk, desk) {
        Ok(true) => names.push(LEDGER),
        // One that cannot be read stops every command by itself.
        Ok(false) | Err(LedgerError::Broken(_) | LedgerError::Format(_)) => {}
        Err(LedgerError::Io(error)) => return Err(error),
    }
    Ok(names)
}

const LEDGER: &str = "ledger.json";

/// What there is to say of them.
pub(crate) fn findings(disk: &impl Disk, desk: &Desk) -> Vec<Finding> {
    let found = |name: &'static str| {
        let what = if name == LEDGER { "ledger" } else { "journal" };
        let message = format!("this {what} was not written here by you, so nothing is done by it");
        let help = format!(
            "remove it if it came with the project; an installation puts it aside as `.lawful/{}`",
            aside(name, 1)
        );
        Finding::new(&code::FOREIGN_LEDGER, Some(&format!(".lawful/{name}")), message, help)
    };
    // What cannot be looked at cannot be obeyed either, and is told of by who tries.
    names(disk, desk).unwrap_or_default().into_iter().map(found).collect()
}

/// Puts them under other names, so that there is room for records of this user.
pub(crate) fn set_aside(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    /// So many may be there already.
    const MOST: usize = 1000;
    for name in names(disk, desk)? {
        let mut places = (1..MOST).map(|number| desk.folder.join(aside(name, number)));
        let is_free = |path: &std::path::PathBuf| {
            !disk.is_link(path) && disk.kind(path).is_ok_and(|kind| kind == Kind::Missing)
        };
        let Some(free) = places.find(is_free) else {
            return Err(io::Error::other(format!("too many files like `{}`", aside(name, 1))));
        };
        disk.rename(&desk.folder.join(name), &free)?;
    }
    Ok(())
}

fn aside(name: &str, number: usize) -> String {
    let stem = name.trim_end_matches(".json");
    if number == 1 {
        format!("{stem}.foreign.json")
    } else {
        format!("{stem}.foreign-{number}.json")
    }
}
