//! The front matter of a text. An agent can have hooks and servers there.

use super::names::is_harmful;

/// The text without harmful keys in its front matter, and the keys; `None` if there is a key that
/// cannot be removed as whole lines.
pub(super) fn without(text: &str) -> Option<(String, Vec<String>)> {
    let mut lines = text.split_inclusive('\n');
    let as_is = || Some((text.to_owned(), Vec::new()));
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return as_is() };
    let rest: Vec<&str> = lines.collect();
    let Some(end) = rest.iter().position(|line| line.trim_end() == "---") else { return as_is() };
    let (head, body) = rest.split_at_checked(end)?;
    let (mut kept, mut removed, mut goes) = (first.to_owned(), Vec::new(), false);
    for line in head {
        let is_inside = line.starts_with([' ', '\t', '-', '#']) || line.trim().is_empty();
        if !is_inside {
            goes = key(line).is_some_and(is_harmful);
            removed.extend(key(line).filter(|_| goes).map(str::to_owned));
        }
        if !goes {
            if is_unclear(line) {
                return None;
            }
            kept.push_str(line);
        }
    }
    kept.extend(body.iter().copied());
    Some((kept, removed))
}

/// The key that a line starts with.
fn key(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    Some(name.trim().trim_matches(['"', '\'']))
}

/// Whether a line that stays may have a harmful key that is not at its start, or is written in
/// another way.
fn is_unclear(line: &str) -> bool {
    let start = line.trim_start_matches([' ', '\t', '-']);
    let is_special = start.starts_with(['?', '!', '&', '*', '{'])
        || (start.starts_with('"') && key(start).is_some_and(|name| name.contains('\\')));
    let within = line.split(['{', ',']);
    is_special
        || within.filter_map(|part| key(part.trim_start_matches([' ', '\t', '-']))).any(is_harmful)
}
