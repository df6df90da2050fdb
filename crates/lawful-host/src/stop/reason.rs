//! What an agent is told that may not stop, and what its user is told.
//!
//! Most of it comes from an envelope, from commands or from the harness. So every line is one
//! line, escaped and cut short, and there are only so many.

use std::fmt::Write as _;

use lawful::syntax::escape;

/// A line has so many characters at most.
const WIDE: usize = 400;
/// So many lines are shown.
pub(super) const LINES: usize = 40;

/// Lines from outside, made harmless.
pub(super) fn lines(lines: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = lines.iter().take(LINES).map(|line| self::line(line)).collect();
    match lines.len().saturating_sub(LINES) {
        0 => {}
        1 => kept.push("and one more line".to_owned()),
        more => kept.push(format!("and {more} more lines")),
    }
    kept
}

/// One line from outside, made harmless.
pub(super) fn line(text: &str) -> String {
    escape::shorten(&escape::line(text), WIDE).into_owned()
}

/// The work was judged and is not good enough.
pub(super) fn failed(found: &[String], again: &str) -> String {
    let mut reason = String::from("The work does not pass verification yet:\n\n");
    for line in lines(found) {
        reason.push_str(&line);
        reason.push('\n');
    }
    let _ = write!(
        reason,
        "\nMend the work, or the envelope where it does not say what was done. Then write the \
         envelope again with `{again}`, and stop."
    );
    reason
}

/// The envelope is none, or says what cannot be judged.
pub(super) fn unsound(found: &[String], again: &str) -> String {
    let mut reason = String::from("The envelope cannot be judged:\n\n");
    for line in lines(found) {
        let _ = writeln!(reason, "- {line}");
    }
    let _ = write!(reason, "\nWrite it again with `{again}`, and stop.");
    reason
}

/// There is nothing to judge.
pub(super) fn no_envelope(place: &str, again: &str) -> String {
    format!(
        "No envelope was written: there is no `{}`. Say what was done, as facts, with `{again}`, \
         and stop.",
        line(place)
    )
}

/// It cannot be decided whether the work is good enough.
pub(super) fn undecided(why: &str) -> String {
    format!("Whether the work is good enough cannot be decided: {}", line(why))
}

/// Nothing failed, and something was not observed.
pub(super) fn unobserved(found: &[String]) -> String {
    let mut reason = String::from("Whether the work is good enough cannot be decided:\n\n");
    for line in lines(found) {
        reason.push_str(&line);
        reason.push('\n');
    }
    reason.push_str(
        "\nThe lawbook reads what its hook does not observe: whoever keeps it must ask for it, or \
         correct the name. `lawful check` says where.",
    );
    reason
}

/// The agent is let go all the same.
pub(super) fn let_go(blocks: u64, reason: &str) -> String {
    let times = if blocks == 1 { "once".to_owned() } else { format!("{blocks} times in a row") };
    format!("Lawful lets the agent stop after keeping it from stopping {times}. {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_is_one_line_escaped_and_cut() {
        let hostile = vec!["a\nb\u{1b}[31m\u{202e}".to_owned(), "x".repeat(10_000)];
        let shown = lines(&hostile);
        assert_eq!(shown[0], "a\\nb\\u{1b}[31m\\u{202e}");
        assert_eq!(shown[1].chars().count(), WIDE + 1);
        let many: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
        let shown = lines(&many);
        assert_eq!(
            (shown.len(), shown.last().unwrap().as_str()),
            (LINES + 1, "and 960 more lines")
        );
        assert_eq!(lines(&many[..=LINES]).last().unwrap(), "and one more line");
    }
}
