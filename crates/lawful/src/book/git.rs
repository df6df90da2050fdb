//! The folder of git, which Lawful never writes to.

use std::path::Path;

/// Whether a path leads into the folder of git, on any file system.
pub fn is_in_git(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        let name = name.trim_end_matches(['.', ' ']);
        name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("git~1")
    })
}
