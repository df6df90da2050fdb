//! The messages for an agent that may not stop, and for its user.
//!
//! Most of the text comes from an envelope, from commands or from the harness. So every line is
//! escaped and truncated, and the number of lines is limited.

use std::fmt::Write as _;

use lawful::syntax::escape;

/// The maximal number of characters in a line.
const WIDE: usize = 400;
/// The maximal number of lines.
pub(super) const LINES: usize = 40;

/// External lines, escaped and truncated.
pub(super) fn lines(lines: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = lines.iter().take(LINES).map(|line| self::line(line)).collect();
    match lines.len().saturating_sub(LINES) {
        0 => {}
        1 => kept.push("and one more line".to_owned()),
        more => kept.push(format!("and {more} more lines")),
    }
    kept
}

/// One external line, escaped and truncated.
pub(super) fn line(text: &str) -> String {
    escape::shorten(&escape::line(text), WIDE).into_owned()
}

/// What was judged and fails.
fn failures(found: &[String]) -> String {
    let mut reason = String::from("The work does not pass verification yet:\n\n");
    for line in lines(found) {
        reason.push_str(&line);
        reason.push('\n');
    }
    reason
}

/// The work was judged by what was observed alone, and fails.
pub(super) fn failed_work(found: &[String]) -> String {
    failures(found) + "\nFix the work, and stop."
}

/// The work was judged and fails.
pub(super) fn failed(found: &[String], again: &str) -> String {
    let mut reason = failures(found);
    let _ = write!(
        reason,
        "\nFix the work, or the envelope if it does not say what was done. Then write the \
         envelope again with `{again}`, and stop."
    );
    reason
}

/// The envelope is invalid or cannot be judged.
pub(super) fn unsound(found: &[String], again: &str) -> String {
    let mut reason = String::from("The envelope cannot be judged:\n\n");
    for line in lines(found) {
        let _ = writeln!(reason, "- {line}");
    }
    let _ = write!(reason, "\nWrite it again with `{again}`, and stop.");
    reason
}

/// There is no envelope.
pub(super) fn no_envelope(place: &str, again: &str) -> String {
    format!(
        "No envelope was written: `{}` does not exist. Say what was done, as facts, with `{again}`, \
         and stop.",
        line(place)
    )
}

/// The verdict could not be decided.
pub(crate) fn undecided(why: &str) -> String {
    format!("The work could not be verified: {}", line(why))
}

/// Nothing failed, but something was not observed.
pub(super) fn unobserved(found: &[String]) -> String {
    let mut reason = String::from("The work could not be verified:\n\n");
    for line in lines(found) {
        reason.push_str(&line);
        reason.push('\n');
    }
    reason.push_str(
        "\nThe rulespec reads facts that the hook does not observe. The maintainer of the lawbook must \
         observe them, or correct the name. `lawful check` says where.",
    );
    reason
}

/// The agent is allowed to stop although it does not pass.
pub(crate) fn let_go(blocks: u64, reason: &str) -> String {
    let times = if blocks == 1 { "once".to_owned() } else { format!("{blocks} times in a row") };
    format!("Lawful allows the agent to stop, after blocking it {times}. {reason}")
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
