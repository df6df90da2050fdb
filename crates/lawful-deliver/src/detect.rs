//! Detecting the harnesses in use.

use std::ffi::OsStr;

use crate::disk::{Disk, Kind};
use crate::ledger::Ledger;
use crate::place::Places;
use crate::{HARNESSES, Harness};

/// The harnesses that left a sign: a file or folder in the project, a folder of the user, a program
/// on the `PATH`. Files that Lawful wrote do not count.
pub fn detect(
    disk: &impl Disk,
    places: &Places,
    path: &OsStr,
    ledger: &Ledger,
) -> Vec<&'static Harness> {
    HARNESSES.iter().filter(|harness| is_used(harness, disk, places, path, ledger)).collect()
}

fn is_used(
    harness: &Harness,
    disk: &impl Disk,
    places: &Places,
    path: &OsStr,
    ledger: &Ledger,
) -> bool {
    let there =
        |path: &std::path::Path| disk.kind(path).is_ok_and(|kind| !matches!(kind, Kind::Missing));
    let is_theirs = |sign: &&&str| !ledger.made(sign);
    let signs = harness.project_signs.iter().filter(is_theirs);
    let of_project = signs.map(|sign| places.project().join(sign)).any(|sign| there(&sign));
    let of_user = harness
        .user_signs
        .iter()
        .filter_map(|sign| places.locate(*sign, ""))
        .any(|sign| there(&sign.path));
    let folders = || std::env::split_paths(path).filter(|folder| folder.is_absolute());
    let is_program = |name: &str| folders().any(|folder| there(&folder.join(name)));
    of_project || of_user || harness.programs.iter().any(|name| is_program(name))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::disk::memory::MemoryDisk;
    use crate::tests::places;

    #[test]
    fn a_sign_anywhere_is_enough() {
        let found = |sign: &str, path: &str| -> Vec<&str> {
            let disk = MemoryDisk::new("/p");
            disk.put(Path::new(sign), b"");
            let found = detect(&disk, &places(), OsStr::new(path), &Ledger::default());
            found.iter().map(|harness| harness.id).collect()
        };
        assert_eq!(found("/p/src/main.rs", ""), Vec::<&str>::new());
        assert_eq!(found("/p/.cursor/x", ""), ["cursor"]);
        assert_eq!(found("/p/AGENTS.md", ""), ["agents-md"]);
        assert_eq!(found("/u/.claude/x", ""), ["claude-code"]);
        assert_eq!(found("/u/.config/zed/x", ""), ["zed"]);
        assert_eq!(found("/b/goose", "/a:/b"), ["goose"]);
        assert_eq!(found("/b/goose", "relative:/c"), Vec::<&str>::new());
    }

    #[test]
    fn what_we_made_is_no_sign() {
        let disk = MemoryDisk::new("/p");
        let user = crate::tests::User::new(&disk, crate::Scope::Project);
        let asked = crate::tests::request(crate::tests::named(&["codex", "cursor"]));
        user.install(&crate::tests::book("1"), &asked);
        let found = detect(&disk, &places(), OsStr::new(""), &user.ledger());
        assert!(found.is_empty(), "{found:?}");
    }
}
