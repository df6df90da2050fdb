//! Reading the fields of a mapping: every problem is reported, none stops the reading.

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use crate::code;

/// A mapping whose keys are a closed set.
pub(crate) struct Fields<'n> {
    entries: &'n [Entry],
    span: Span,
}

impl<'n> Fields<'n> {
    /// The fields of a node, or a diagnostic if it is no mapping or has unknown keys.
    ///
    /// `what` names the thing in messages: "a variable".
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
                problems.push(
                    Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message)
                        .help(did_you_mean("key", &entry.key, known.iter().copied())),
                );
            }
        }
        Some(Self { entries, span: node.span })
    }

    /// The value of a key; null is absent.
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        let entry = self.entries.iter().find(|entry| &*entry.key == key)?;
        (!entry.value.is_null()).then_some(&entry.value)
    }

    /// The value of a key that must be there.
    pub(crate) fn require(
        &self,
        key: &str,
        what: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() {
            let start = Span { end: self.span.start, ..self.span };
            let message = format!("{what} needs the key `{key}`");
            problems.push(
                Diagnostic::new(&code::MISSING_KEY, start, message).help(format!("add `{key}: …`")),
            );
        }
        found
    }
}

/// The diagnostic for a value of the wrong type.
pub(crate) fn wrong_type(node: &Node, what: &str, expected: &str) -> Diagnostic {
    let message = format!("{what} must be {expected}, and this is {}", node.kind_name());
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
