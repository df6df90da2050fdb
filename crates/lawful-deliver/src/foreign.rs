//! Records in a project that this user did not write there.
//!
//! They are reported and left alone. Only if Lawful has to write its own record are they renamed,
//! in the same folder and with the same bytes.

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
        // One of this user that cannot be used already stops every command.
        Ok(false) | Err(LedgerError::Broken(_) | LedgerError::Format(_)) => {}
        Err(LedgerError::Io(error)) => return Err(error),
    }
    Ok(names)
}

const LEDGER: &str = "ledger.json";

/// The findings about them.
pub(crate) fn findings(disk: &impl Disk, desk: &Desk) -> Vec<Finding> {
    let found = |name: &'static str| {
        let what = if name == LEDGER { "ledger" } else { "journal" };
        let message = format!("you did not write this {what} here, so it is ignored");
        let help = format!(
            "delete it if it came with the project; an installation moves it to `.lawful/{}`",
            aside(name, 1)
        );
        Finding::new(&code::FOREIGN_LEDGER, Some(&format!(".lawful/{name}")), message, help)
    };
    // A record that cannot be read is not used either, and whoever needs it reports the error.
    names(disk, desk).unwrap_or_default().into_iter().map(found).collect()
}

/// Renames them, to make room for the records of this user.
pub(crate) fn set_aside(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    /// The maximal number of renamed files.
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
