//! A file that Lawful owns.
//!
//! It has a marker after its front matter, or in a comment at the start of a TOML file, with the
//! lawbook, the role and a hash of everything else. So it can be recognized, and an edit detected,
//! even without the ledger.

use crate::agent_file::{Subject, TOML_PROMPT, front_matter, toml_keys};
use crate::harness::Form;
use crate::text::{mark, short_hash, with_plain_lines};
use crate::{Syntax, keys, trace};

const MARKER: &str = "<!-- lawful:owned ";
const TOML_MARKER: &str = "# lawful:owned ";
const ADVICE: &str = "by `lawful install`; edit the lawbook, not this";

/// A file of Lawful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owned {
    pub(crate) id: String,
    /// The prompt, with `\n` line ends and without the last one.
    pub(crate) text: String,
    /// Whether it is unedited.
    pub(crate) is_whole: bool,
    /// The line on which the prompt starts, from 1.
    pub(crate) first_line: usize,
}

/// The whole file of a role.
pub(crate) fn render(form: Form, subject: &Subject<'_>, text: &str) -> String {
    let (id, role) = (subject.book, subject.role);
    match form {
        Form::OwnedToml(front) => {
            let keys = toml_keys(front, subject, text);
            format!("{TOML_MARKER}{id} {role} {} {ADVICE}\n{keys}", short_hash(&keys))
        }
        Form::Owned(_) | Form::Block | Form::Setting(..) => {
            let head = front_matter(form.front(), subject);
            let hash = short_hash(&format!("{head}{text}\n"));
            format!("{head}{MARKER}{id} {role} {hash} {ADVICE} -->\n{text}\n")
        }
    }
}

/// The content of a file of Lawful; `None` if it is not one.
pub(crate) fn parse(file: &str) -> Option<Owned> {
    let plain = with_plain_lines(mark(file).1);
    if let Some(marked) = plain.strip_prefix(TOML_MARKER) {
        return parse_toml(&plain, marked);
    }
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

/// A TOML file. One that no longer parses was edited, and all of it is the text.
fn parse_toml(file: &str, marked: &str) -> Option<Owned> {
    let (marker, rest) = marked.split_once('\n')?;
    let mut words = marker.split_whitespace();
    let (id, _role, hash) = (words.next()?, words.next()?, words.next()?);
    let is_whole = short_hash(rest) == hash;
    let text = keys::get(Syntax::Toml, file, TOML_PROMPT).ok().flatten().and_then(|held| held.text);
    let first_line =
        trace::in_settings(file, Syntax::Toml, TOML_PROMPT).map_or(2, |(line, _)| line);
    let text = text.unwrap_or_else(|| rest.to_owned());
    Some(Owned { id: id.to_owned(), text, is_whole, first_line })
}

#[cfg(test)]
mod tests {
    use lawful::compose::AgentKeys;

    use super::*;
    use crate::Front;

    const FRONT: &[(&str, Front)] =
        &[("name", Front::Name), ("description", Front::Description), ("mode", Front::Word("x"))];
    const TOML: &[(&str, Front)] = &[("name", Front::Name), (TOML_PROMPT, Front::Prompt)];

    fn file(form: Form, text: &str) -> String {
        let agent = &AgentKeys::default();
        render(form, &Subject { harness: "x", book: "law", role: "scout", agent }, text)
    }

    #[test]
    fn the_marker_stands_after_the_front_matter() {
        assert_eq!(
            file(Form::Owned(FRONT), "Look.\n\nTell."),
            "---\nname: lawful-scout\ndescription: The role scout of the lawbook law\nmode: x\n---\n\
             <!-- lawful:owned law scout 7c6476bd4ffd2993 by `lawful install`; edit the lawbook, not this -->\n\
             Look.\n\nTell.\n"
        );
    }

    #[test]
    fn what_was_written_is_read_back() {
        for form in [Form::Owned(&[]), Form::Owned(FRONT), Form::OwnedToml(TOML)] {
            for text in ["Look.", "Look.\n\n\"\"\" ''' \\d [x] = 1\n", "Look \u{1}\n\tat it.\n\n"] {
                let file = file(form, text);
                let found = parse(&file).unwrap();
                assert_eq!((found.id.as_str(), found.text.as_str()), ("law", text));
                assert!(found.is_whole);
                assert!(parse(&file.replace('\n', "\r\n")).unwrap().is_whole);
                assert!(!parse(&file.replace("Look", "Book")).unwrap().is_whole);
                assert!(!parse(&format!("{file}more\n")).unwrap().is_whole);
            }
            let file = file(form, "Look.\nTell.");
            let found = parse(&file).unwrap();
            assert_eq!(file.lines().nth(found.first_line - 1), Some("Look."));
        }
    }

    #[test]
    fn a_file_of_others_is_not_ours() {
        assert_eq!(parse(""), None);
        assert_eq!(parse("---\nname: x\n---\ntext\n"), None);
        assert_eq!(parse("text\n<!-- lawful:owned law scout 0 -->\n"), None);
        assert_eq!(parse("name = \"x\"\n# lawful:owned law scout 0\n"), None);
    }
}
