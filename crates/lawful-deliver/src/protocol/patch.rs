//! The paths of a patch in the format of `apply_patch`.
//!
//! Only the paths are read. A line that could name a path does name one here, even inside the text
//! of a file: a path too many can deny a call that was harmless, a path too few could let one
//! through.

use std::collections::BTreeSet;

use super::fields::{Read, usable};

/// What a line that names a path begins with.
const HEADERS: [&str; 4] =
    ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
/// Other lines of a patch that are not text of a file.
const OTHERS: [&str; 2] = ["*** End of File", "*** Environment ID:"];

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// Every path that a patch adds, changes, deletes or moves to.
pub(super) fn paths(patch: &str) -> Read<Vec<Box<str>>> {
    let mut lines: Vec<&str> = patch.trim().lines().collect();
    // The whole patch can be in a heredoc.
    if lines.first().is_some_and(|first| first.trim_start().starts_with("<<")) {
        lines.remove(0);
        lines.pop();
    }
    let is = |line: Option<&&str>, marker: &str| line.is_some_and(|line| line.trim() == marker);
    if !is(lines.first(), BEGIN) || !is(lines.last(), END) || lines.len() < 2 {
        return Err(format!("the patch is not between `{BEGIN}` and `{END}`"));
    }
    let mut paths: Vec<Box<str>> = Vec::new();
    let mut seen = BTreeSet::new();
    for line in lines.iter().skip(1).take(lines.len().saturating_sub(2)) {
        let line = line.trim();
        if let Some(path) = HEADERS.iter().find_map(|header| line.strip_prefix(header)) {
            let path = usable(path.trim(), "a path of the patch")?;
            if seen.insert(path.clone()) {
                paths.push(path);
            }
        } else if line.starts_with("*** ") && !OTHERS.iter().any(|other| line.starts_with(other)) {
            return Err("the patch has a line with `***` that is not known".to_owned());
        }
    }
    if paths.is_empty() {
        return Err("the patch names no file".to_owned());
    }
    Ok(paths)
}

/// A shell line that is nothing but a patch: `apply_patch <<'EOF' …`, after an optional `cd DIR &&`.
pub(super) enum InShell {
    /// There is no patch in the line.
    None,
    /// The line is this patch, in this folder.
    Patch {
        /// The folder that the line changes to.
        folder: Option<Box<str>>,
        /// The paths of the patch.
        paths: Vec<Box<str>>,
    },
}

/// The patch in a shell line. A harness runs such a line itself, so the shell does not see it.
pub(super) fn in_shell(command: &str) -> Read<InShell> {
    let names_it = ["apply_patch", "applypatch"].iter().any(|name| command.contains(name));
    if !names_it || !command.contains(BEGIN) {
        return Ok(InShell::None);
    }
    let unclear = || "the line has a patch besides other commands".to_owned();
    let (first, rest) = command.trim().split_once('\n').ok_or_else(unclear)?;
    let (folder, call) = match first.trim().split_once("&&") {
        Some((change, call)) => (Some(folder(change).ok_or_else(unclear)?), call.trim()),
        None => (None, first.trim()),
    };
    let tag = ["apply_patch", "applypatch"].iter().find_map(|name| call.strip_prefix(name));
    let tag = tag.and_then(|tag| tag.trim().strip_prefix("<<")).ok_or_else(unclear)?.trim();
    let bare = tag.trim_matches(['\'', '"']);
    if bare.is_empty() || !bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(unclear());
    }
    let (patch, last) = rest.trim_end().rsplit_once('\n').ok_or_else(unclear)?;
    if last.trim() != bare || patch.lines().any(|line| line == bare) {
        return Err(unclear());
    }
    Ok(InShell::Patch { folder, paths: paths(patch)? })
}

/// The folder of `cd DIR`, if it is one plain word.
fn folder(change: &str) -> Option<Box<str>> {
    let word = change.trim().strip_prefix("cd ")?.trim();
    let quoted = ['\'', '"'].iter().find_map(|quote| {
        let inside = word.strip_prefix(*quote)?.strip_suffix(*quote)?;
        (!inside.contains(*quote)).then_some(inside)
    });
    let plain = quoted.unwrap_or(word);
    let is_plain = |c: char| !"$`\\*?[]{}~'\"|&;<>()\n".contains(c);
    let is_word = quoted.is_some() || !plain.contains(char::is_whitespace);
    (!plain.is_empty() && is_word && plain.chars().all(is_plain)).then(|| plain.into())
}

#[cfg(test)]
mod tests;
