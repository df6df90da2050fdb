//! The changes that harnesses make to a text.
//!
//! None of them can be escaped so that the model gets the text as it was written, so `install`
//! refuses a text that a harness would change.

use crate::reading::Alteration;

/// The text as the model gets it.
pub(crate) fn altered(text: &str, alterations: &[Alteration]) -> String {
    let mut text = text.to_owned();
    for alteration in alterations {
        text = match alteration {
            Alteration::Imports => without_imports(&text),
            Alteration::Variables => without_variables(&text, |_| true),
            Alteration::PromptVariables => without_variables(&text, is_of_prompt),
            Alteration::BlankLines => without_blank_runs(&text),
            Alteration::Comments => without_comments(&text),
        };
    }
    text
}

/// What a harness would change in a text, in words, and what to write instead.
pub(crate) fn described(
    text: &str,
    alterations: &[Alteration],
) -> Option<(&'static str, &'static str)> {
    let alteration = alterations.iter().find(|one| altered(text, &[**one]) != text)?;
    Some(match alteration {
        Alteration::Imports => ("`@` and a name is an import there", "put the name in backticks"),
        Alteration::Variables => (
            "`${name}` is a variable there",
            "write it without the braces, or with a space in them",
        ),
        Alteration::PromptVariables => (
            "it has a variable of the harness, such as `${SubAgents}`",
            "write it without the braces",
        ),
        Alteration::BlankLines => ("consecutive blank lines arrive as one", "leave one blank line"),
        Alteration::Comments => ("a comment `<!-- -->` is removed there", "remove the comment"),
    })
}

/// What stands in place of something that the harness replaces.
const REPLACED: &str = "\u{fffd}";

/// An import starts with `@` after white space, and ends before the next. In backticks it is text.
fn without_imports(text: &str) -> String {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let code = code_regions(text);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices('@') {
        let head = text.get(..at).unwrap_or_default();
        let rest = text.get(at + 1..).unwrap_or_default();
        let starts = head.chars().next_back().is_none_or(is_space);
        let is_path = rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '.' | '/'));
        let is_code = code.iter().any(|region| region.contains(&at));
        if at < done || !starts || !is_path || is_code {
            continue;
        }
        out.push_str(text.get(done..at).unwrap_or_default());
        out.push_str(REPLACED);
        done = at + 1 + rest.find(is_space).unwrap_or(rest.len());
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// From a run of backticks to the next run of at least that length, whatever is between them.
fn code_regions(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find('`')).map(|next| at + next) {
        let rest = text.get(start..).unwrap_or_default();
        let longest = rest.len() - rest.trim_start_matches('`').len();
        // A shorter run is tried if the longest has no end.
        let end = (1..=longest).rev().find_map(|length| {
            let ticks = rest.get(..length)?;
            let inside = rest.get(length..)?;
            inside.find(ticks).map(|end| start + length + end + length)
        });
        match end {
            Some(end) => {
                found.push(start..end);
                at = end;
            }
            None => at = start + longest,
        }
    }
    found
}

/// `${name}` of some names.
fn without_variables(text: &str, is_known: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("${") {
        out.push_str(head);
        let is_word = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match tail.split_once('}') {
            Some((name, after)) if is_word(name) && is_known(name) => {
                out.push_str(REPLACED);
                rest = after;
            }
            Some(_) | None => {
                out.push_str("${");
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_of_prompt(name: &str) -> bool {
    ["AgentSkills", "SubAgents", "AvailableTools"].contains(&name) || name.ends_with("_ToolName")
}

fn without_blank_runs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut ends = 0;
    for c in text.chars() {
        ends = if c == '\n' { ends + 1 } else { 0 };
        if ends < 3 {
            out.push(c);
        }
    }
    out
}

/// Without comments that start a line outside of fenced code.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(end);
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_) | None, _) => {}
        }
        let comment = rest.find("-->").filter(|_| fence.is_none() && bare.starts_with("<!--"));
        match comment {
            Some(close) => {
                let tail = rest.get(close + 3..).unwrap_or_default();
                // The rest of its last line goes with it if that is blank.
                let end = tail.find('\n').map_or(tail.len(), |end| end + 1);
                let is_blank = tail.get(..end).is_some_and(|line| line.trim().is_empty());
                rest = if is_blank { tail.get(end..).unwrap_or_default() } else { tail };
            }
            None => {
                out.push_str(line);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(alteration: Alteration, text: &str, expected: &str) {
        assert_eq!(altered(text, &[alteration]), expected.replace('#', REPLACED), "{text:?}");
    }

    #[test]
    fn an_import_is_a_word_with_an_at_sign_outside_of_code() {
        check(Alteration::Imports, "see @rules.md now", "see # now");
        check(Alteration::Imports, "@./x\n@/y", "#\n#");
        check(Alteration::Imports, "ask a@b.c, @1, @, (@x)", "ask a@b.c, @1, @, (@x)");
        check(
            Alteration::Imports,
            "use `@name` or\n```\n@x\n```\n",
            "use `@name` or\n```\n@x\n```\n",
        );
        check(Alteration::Imports, "one ` tick @name", "one ` tick #");
    }

    #[test]
    fn a_variable_is_a_word_in_braces() {
        check(Alteration::Variables, "a ${b} $c ${d.e} ${}", "a # $c ${d.e} ${}");
        check(Alteration::PromptVariables, "${b} ${SubAgents} ${edit_ToolName}", "${b} # #");
    }

    #[test]
    fn blank_lines_and_comments_go() {
        check(Alteration::BlankLines, "a\n\nb\n\n\n\nc\n", "a\n\nb\n\nc\n");
        check(Alteration::Comments, "a\n<!-- b -->\nc <!-- d -->\n", "a\nc <!-- d -->\n");
        check(Alteration::Comments, "```\n<!-- b -->\n```\n", "```\n<!-- b -->\n```\n");
        check(Alteration::Comments, "<!-- b\nb -->\nc", "c");
    }

    #[test]
    fn the_way_out_is_told() {
        let told = |text: &str| described(text, &[Alteration::Imports, Alteration::BlankLines]);
        assert_eq!(told("plain"), None);
        assert_eq!(told("@x").map(|(_, help)| help), Some("put the name in backticks"));
        assert_eq!(told("a\n\n\nb").map(|(_, help)| help), Some("leave one blank line"));
    }
}
