//! A path that was written without quotes inside `{…}` or `[…]`, where a bracket starts a list.

use std::ops::Range;

/// The path around an error, such as `tests[*].passed` in `{selector: tests[*].passed}`.
pub(crate) fn path_at(text: &str, at: usize) -> Option<Range<usize>> {
    let line_start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text.get(line_start..)?.lines().next()?;
    let mut depth = 0_usize;
    let mut quote = None;
    let mut word = None;
    let mut before = ' ';
    for (place, c) in line.char_indices() {
        let is_start = matches!(before, ' ' | '\t' | ',' | '{' | '[' | ':');
        match (quote, c) {
            (Some(open), _) => {
                if c == open {
                    quote = None;
                }
            }
            (None, '"' | '\'') if is_start => quote = Some(c),
            (None, '[') if !is_start && depth > 0 => {
                let start = word?;
                let end = start + length(line.get(start..)?);
                let found = line_start + start..line_start + end;
                // The parser reports the bracket, what is inside it, or what follows the path and its
                // colon.
                if found.start <= at && at <= found.end + 2 {
                    return Some(found);
                }
            }
            (None, '{' | '[') => depth += 1,
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, _) if is_start && !c.is_whitespace() => word = Some(place),
            (None, _) => {}
        }
        before = c;
    }
    None
}

/// What follows a path that is a key: the colon, and the value if it is a plain word. Empty if the
/// path is a value.
pub(crate) fn after_key(rest: &str) -> String {
    if !ends_key(rest) {
        return String::new();
    }
    let line = rest.lines().next().unwrap_or_default();
    let value = line.get(1..).unwrap_or_default();
    let (value, end) = match value.find([',', '}', ']']) {
        Some(end) => value.split_at(end),
        None => (value, ""),
    };
    let is_plain = !end.is_empty() && !value.contains(['{', '[', '\'', '"', '#', '`']);
    match value.trim() {
        "" => ":".to_owned(),
        plain if is_plain => format!(": {plain}"),
        _ => ": …".to_owned(),
    }
}

/// Whether a text starts with the colon after a key.
fn ends_key(text: &str) -> bool {
    let after = text.strip_prefix(':').map(|after| after.chars().next());
    matches!(after, Some(None | Some(' ' | '\t' | '\r' | '\n' | ',' | '}' | ']')))
}

/// The length of the path at the start of a text: up to a blank, a comma, the colon after a key, or a
/// bracket that closes something else.
fn length(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            ':' if depth == 0 && text.get(at..).is_some_and(ends_key) => return at,
            '[' => depth += 1,
            ']' if depth == 0 => return at,
            ']' => depth -= 1,
            ' ' | '\t' | ',' | '{' | '}' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_around_its_bracket() {
        let found = |text: &str, at: char| {
            let at = text.find(at).unwrap();
            path_at(text, at).and_then(|range| text.get(range)).map(ToOwned::to_owned)
        };
        let path = Some("tests[*].passed".to_owned());
        assert_eq!(found("- {name: a, selector: tests[*].passed}", '*'), path);
        assert_eq!(found("columns: [name, tests[*].passed, x]", '*'), path);
        assert_eq!(found("a: 1\nb: {c: tests[*].passed}\n", '*'), path);
        assert_eq!(found("{a: x[\"y z\"].b}", '"'), Some("x[\"y z\"].b".to_owned()));
        assert_eq!(found("{tests[*].passed: true}", '*'), path);
        for other in ["a: tests[*].passed", "{a: [*b]}", "{a: 'tests[*].passed'}", "{a: \"x[*]\"}"]
        {
            assert_eq!(found(other, '*'), None, "{other}");
        }
    }

    #[test]
    fn a_key_keeps_its_value() {
        assert_eq!(after_key(": 1}"), ": 1");
        assert_eq!(after_key(":  a b , c: d}"), ": a b");
        assert_eq!(after_key(":}"), ":");
        assert_eq!(after_key(": {gt: 1}}"), ": …");
        assert_eq!(after_key(": 'x'}"), ": …");
        assert_eq!(after_key(", b]"), "");
        assert_eq!(after_key("}"), "");
    }
}
