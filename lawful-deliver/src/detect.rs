//! Which harnesses are used here.

use std::ffi::OsStr;

use crate::disk::{Disk, Kind};
use crate::place::Places;
use crate::{HARNESSES, Harness};

/// The harnesses that have left a sign: a file or folder in the project, a folder of the user, a
/// program on the path.
pub fn detect(disk: &impl Disk, places: &Places, path: &OsStr) -> Vec<&'static Harness> {
    HARNESSES.iter().filter(|harness| is_used(harness, disk, places, path)).collect()
}

fn is_used(harness: &Harness, disk: &impl Disk, places: &Places, path: &OsStr) -> bool {
    let there =
        |path: &std::path::Path| disk.kind(path).is_ok_and(|kind| !matches!(kind, Kind::Missing));
    let of_project = harness.project_signs.iter().any(|sign| there(&places.project().join(sign)));
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
    use crate::tests::{disk, places};

    #[test]
    fn a_sign_anywhere_is_enough() {
        let found = |sign: &str, path: &str| -> Vec<&str> {
            let disk = disk();
            disk.put(Path::new(sign), b"");
            let found = detect(&disk, &places(), OsStr::new(path));
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
}
