//! Decodes the fields of a mapping. All problems are reported, not only the first.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Span, did_you_mean, escape};

use crate::code;
use crate::path::Path;
use crate::value::{Number, Value};

/// A mapping whose keys are a closed set.
pub(crate) struct Fields<'n> {
    entries: &'n [Entry],
    span: Span,
}

impl<'n> Fields<'n> {
    /// The fields of a node, or a diagnostic if it is not a mapping or has unknown keys.
    ///
    /// `what` names the item in messages: "a variable".
    pub(crate) fn of(
        node: &'n Node,
        what: &str,
        known: &[&str],
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let Some(entries) = node.as_map() else {
            problems.push(wrong_type(node, what, "a mapping"));
            return None;
        };
        for entry in entries {
            if !known.contains(&&*entry.key) {
                let message = format!("unknown key `{}` in {what}", escape::name(&entry.key));
                let same = known.iter().find(|known| known.eq_ignore_ascii_case(&entry.key));
                let help = match same {
                    Some(known) => format!("write `{known}`; keys are case-sensitive"),
                    None => did_you_mean("key", &entry.key, known.iter().copied()),
                };
                problems
                    .push(Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message).help(help));
            }
        }
        Some(Self { entries, span: node.span })
    }

    /// The value of a key; null is absent.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        let entry = self.entries.iter().find(|entry| &*entry.key == key)?;
        (!entry.value.is_null()).then_some(&entry.value)
    }

    /// The value of a key, null included.
    pub(crate) fn written(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| &*entry.key == key).map(|entry| &entry.value)
    }

    /// Whether there is a key that differs only in case. It is reported as unknown, and is what
    /// the author meant.
    pub(crate) fn has_in_other_case(&self, key: &str) -> bool {
        let same = |entry: &Entry| *entry.key != *key && entry.key.eq_ignore_ascii_case(key);
        self.entries.iter().any(same)
    }

    /// The value of a required key.
    pub(crate) fn require(
        &self,
        key: &str,
        what: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() && !self.has_in_other_case(key) {
            let start = Span { end: self.span.start, ..self.span };
            let message = format!("{what} is missing the key `{key}`");
            problems.push(
                Diagnostic::new(&code::MISSING_KEY, start, message).help(format!("add `{key}: …`")),
            );
        }
        found
    }
}

/// The diagnostic for a value of the wrong type.
pub(crate) fn wrong_type(node: &Node, what: &str, expected: &str) -> Diagnostic {
    let message = format!("{what} must be {expected}, found {}", node.kind_name());
    Diagnostic::new(&code::WRONG_TYPE, node.span, message)
}

/// The text of a string, or a diagnostic.
pub(crate) fn text<'n>(
    node: &'n Node,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<&'n str> {
    let text = node.as_text();
    if text.is_none() {
        problems.push(wrong_type(node, what, "a string"));
    }
    text
}

/// The strings of a list, each with its place.
pub(crate) fn strings(
    node: &Node,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(Box<str>, Span)> {
    let Some(items) = node.as_list() else {
        problems.push(wrong_type(node, what, "a list").help("write it as `[…]`"));
        return Vec::new();
    };
    let each = format!("an element of {what}");
    let mut out = Vec::new();
    for item in items {
        out.extend(text(item, &each, problems).map(|text| (text.into(), item.span)));
    }
    out
}

/// Parses a string as a path, or returns a diagnostic that points at the invalid part.
pub(crate) fn parse_path(node: &Node, text: &str) -> Result<Path, Box<Diagnostic>> {
    Path::parse(text).map_err(|error| {
        let column = text.get(..error.at.start).unwrap_or_default().chars().count() + 1;
        let message =
            format!("invalid path `{}` at column {column}: {}", escape::name(text), error.message);
        let span = narrow(node, text, error.at);
        Box::new(Diagnostic::new(&code::BAD_PATH, span, message).help(error.help))
    })
}

/// The place of a part of a scalar, if the scalar is written verbatim in the source: then its span
/// is as long as its text, or two longer for quotes.
pub(crate) fn narrow(node: &Node, text: &str, part: std::ops::Range<usize>) -> Span {
    let length = (node.span.end - node.span.start) as usize;
    // A scalar over several lines has a space or newline where the lines meet.
    let folded = text.contains([' ', '\n']);
    let lead = match length.checked_sub(text.len()) {
        Some(0) => 0,
        Some(2) if !folded => 1,
        Some(_) | None => return node.span,
    };
    let start = node.span.start as usize + lead;
    Span::new(node.span.file, start + part.start, start + part.end)
}

/// One of a closed set of names, or a diagnostic. `what` is the kind of thing: "layer".
pub(crate) fn choice<T: Copy>(
    node: &Node,
    what: &str,
    names: &[(&str, T)],
    problems: &mut Vec<Diagnostic>,
) -> Option<T> {
    let written = text(node, &format!("`{what}`"), problems)?;
    let found = names.iter().find(|(name, _)| *name == written);
    if found.is_none() {
        let message = format!("unknown {what} `{}`", escape::name(written));
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let help = did_you_mean(what, written, names.iter().copied());
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help(help));
    }
    found.map(|(_, value)| *value)
}

/// `true` or `false`, or a diagnostic.
pub(crate) fn boolean(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<bool> {
    if let Kind::Bool(value) = node.kind {
        return Some(value);
    }
    problems.push(wrong_type(node, what, "`true` or `false`"));
    None
}

/// A number, or a diagnostic.
pub(crate) fn number(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<Number> {
    if let Value::Number(number) = Value::from_node(node) {
        return Some(number);
    }
    problems.push(wrong_type(node, what, "a number"));
    None
}

/// A whole number of at least `least`, or a diagnostic.
pub(crate) fn whole(
    node: &Node,
    what: &str,
    least: u64,
    problems: &mut Vec<Diagnostic>,
) -> Option<u64> {
    let value = Value::from_node(node);
    let count = if let Value::Number(number) = value { number.as_count() } else { None };
    let count = count.filter(|count| *count >= least);
    if count.is_none() {
        let found = node.describe();
        let message = format!("{what} must be a whole number of at least {least}, found {found}");
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message));
    }
    count
}

/// A path to one value, or a diagnostic.
pub(crate) fn path(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<Path> {
    let written = text(node, what, problems)?;
    match parse_path(node, written) {
        Ok(path) if path.is_wild() => {
            let message = format!("{what} must name one value, but `[*]` selects many");
            problems.push(
                Diagnostic::new(&code::BAD_PATH, node.span, message)
                    .help("select one of them, such as `[0]`"),
            );
            None
        }
        Ok(path) => Some(path),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

/// An id: text that is not blank, or a diagnostic.
pub(crate) fn id<'n>(
    node: &'n Node,
    what: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<&'n str> {
    let found = text(node, what, problems)?;
    if found.trim().is_empty() {
        let message = format!("{what} is blank");
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help("give it a name"));
        return None;
    }
    Some(found)
}

/// The items of a list, or a diagnostic.
pub(crate) fn list<'n>(
    node: &'n Node,
    what: &str,
    of: &str,
    problems: &mut Vec<Diagnostic>,
) -> &'n [Node] {
    let items = node.as_list();
    if items.is_none() {
        let problem = wrong_type(node, what, &format!("a list of {of}"));
        problems.push(problem.help("write it as `[…]`"));
    }
    items.unwrap_or_default()
}
