//! A file that Lawful owns.
//!
//! It has a marker after its front matter, with the lawbook, the role and a hash of everything
//! else. So it can be recognized, and an edit detected, even without the ledger.

use std::fmt::Write as _;

use lawful::compose::AgentKeys;

use crate::harness::Front;
use crate::text::{mark, short_hash, with_plain_lines};

const MARKER: &str = "<!-- lawful:owned ";

/// A file of Lawful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owned {
    pub(crate) id: String,
    /// The text after the marker, with `\n` line ends and without the last one.
    pub(crate) text: String,
    /// Whether it is unedited.
    pub(crate) is_whole: bool,
    /// The line on which the text starts, from 1.
    pub(crate) first_line: usize,
}

/// The whole file of a role.
pub(crate) fn render(
    front: &[(&str, Front)],
    id: &str,
    role: &str,
    agent: &AgentKeys,
    text: &str,
) -> String {
    let mut head = String::new();
    if !front.is_empty() {
        head.push_str("---\n");
        for (key, value) in front {
            let value = match value {
                Front::Name => Some(format!("lawful-{role}")),
                Front::Description => Some(match &agent.description {
                    Some(description) => scalar(description),
                    None => format!("The role {role} of the lawbook {id}"),
                }),
                Front::Tools => agent.tools.as_ref().map(|tools| scalar(&tools.join(", "))),
                Front::Model => agent.model.as_deref().map(scalar),
                Front::Raw(value) => Some((*value).to_owned()),
            };
            let Some(value) = value else { continue };
            let _ = writeln!(head, "{key}: {value}");
        }
        head.push_str("---\n");
    }
    let hash = short_hash(&format!("{head}{text}\n"));
    format!(
        "{head}{MARKER}{id} {role} {hash} by `lawful install`; edit the lawbook, not this -->\n{text}\n"
    )
}

/// A text as one line of YAML that parses to the same text.
fn scalar(text: &str) -> String {
    /// Words that some YAML version reads as something other than a string.
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-./,()*".contains(c);
    let is_word = WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain);
    if is_plain && !is_word && !text.ends_with(' ') {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Some of these are not allowed in YAML, and some end a line there.
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The content of a file of Lawful; `None` if it is not one.
pub(crate) fn parse(file: &str) -> Option<Owned> {
    let plain = with_plain_lines(mark(file).1);
    let mut at = 0;
    for (number, line) in plain.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let Some(rest) = line.trim_end().strip_prefix(MARKER) else { continue };
        let mut words = rest.strip_suffix("-->")?.split_whitespace();
        let (id, _role, hash) = (words.next()?, words.next()?, words.next()?);
        let head = plain.get(..start)?;
        // The marker directly follows the front matter; further down it would be ordinary text.
        let is_front = head.starts_with("---\n") && head.ends_with("---\n");
        if !(head.is_empty() || is_front) {
            return None;
        }
        let text = plain.get(at..)?;
        let is_whole = short_hash(&format!("{head}{text}")) == hash;
        let text = text.strip_suffix('\n').unwrap_or(text).to_owned();
        return Some(Owned { id: id.to_owned(), text, is_whole, first_line: number + 2 });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &[(&str, Front)] =
        &[("name", Front::Name), ("description", Front::Description), ("mode", Front::Raw("x"))];

    #[test]
    fn the_marker_stands_after_the_front_matter() {
        assert_eq!(
            render(FRONT, "law", "scout", &AgentKeys::default(), "Look.\n\nTell."),
            "---\nname: lawful-scout\ndescription: The role scout of the lawbook law\nmode: x\n---\n\
             <!-- lawful:owned law scout 7c6476bd4ffd2993 by `lawful install`; edit the lawbook, not this -->\n\
             Look.\n\nTell.\n"
        );
    }

    #[test]
    fn what_was_written_is_read_back() {
        for front in [&[][..], FRONT] {
            let file = render(front, "law", "scout", &AgentKeys::default(), "Look.");
            let found = parse(&file).unwrap();
            assert_eq!((found.id.as_str(), found.text.as_str()), ("law", "Look."));
            assert!(found.is_whole);
            assert_eq!(file.lines().nth(found.first_line - 1), Some("Look."));
            assert!(parse(&file.replace('\n', "\r\n")).unwrap().is_whole);
            assert!(!parse(&file.replace("Look", "Book")).unwrap().is_whole);
            assert!(!parse(&format!("{file}more\n")).unwrap().is_whole);
        }
    }

    #[test]
    fn what_a_persona_says_of_an_agent_is_yaml_that_says_the_same() {
        let front = &[
            ("description", Front::Description),
            ("tools", Front::Tools),
            ("model", Front::Model),
        ];
        let head = |agent: &AgentKeys| {
            let file = render(front, "law", "scout", agent, "Look.");
            assert!(parse(&file).unwrap().is_whole);
            file.split("<!--").next().unwrap().to_owned()
        };
        let tools = ["Read", "Bash(git log *)"].map(ToOwned::to_owned).to_vec();
        let agent = AgentKeys {
            description: Some("Looks: \"far\" # and\n---\nwide \u{85}\u{2028}\\".to_owned()),
            tools: Some(tools),
            model: Some("sonnet".to_owned()),
        };
        assert_eq!(
            head(&agent),
            "---\ndescription: \"Looks: \\\"far\\\" # and\\n---\\nwide \\u0085\\u2028\\\\\"\n\
             tools: Read, Bash(git log *)\nmodel: sonnet\n---\n"
        );
        let one = |model: &str| {
            head(&AgentKeys { model: Some(model.to_owned()), ..AgentKeys::default() })
        };
        for word in ["true", "No", "3", "*", "- a", "a: b", "[a]", "a #b", "~", "&a", "x "] {
            assert!(one(word).contains(&format!("model: \"{word}\"\n")), "{word}");
        }
    }

    #[test]
    fn a_file_of_others_is_not_ours() {
        assert_eq!(parse(""), None);
        assert_eq!(parse("---\nname: x\n---\ntext\n"), None);
        assert_eq!(parse("text\n<!-- lawful:owned law scout 0 -->\n"), None);
    }
}
