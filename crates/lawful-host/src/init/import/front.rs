//! The front matter of rule files.
//!
//! Editors write patterns there without quotes (`globs: *.ts`), which is not YAML. So it is read line by
//! line: `key: value`, and lists of `- item` below a key.

/// Front matter, and the text after it.
pub(super) struct Front<'t> {
    entries: Vec<FrontEntry<'t>>,
    /// The text after it.
    pub(super) body: &'t str,
    /// How many lines are before the body.
    pub(super) lines: usize,
}

/// A key and its values.
pub(super) struct FrontEntry<'t> {
    /// The key; empty for a line that has none.
    pub(super) key: &'t str,
    /// Its values.
    pub(super) values: Vec<String>,
    /// Its line.
    pub(super) line: usize,
    /// Whether it starts a list that does not end on the line.
    pub(super) is_unclosed: bool,
}

impl<'t> Front<'t> {
    /// No front matter: everything is the body.
    pub(super) fn none(text: &'t str) -> Self {
        Self { entries: Vec::new(), body: text, lines: 0 }
    }

    /// Splits a text. Without a closing `---` everything is the body.
    pub(super) fn split(text: &'t str) -> Self {
        let whole = Self::none(text);
        let mut lines = text.split_inclusive('\n');
        let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
            return whole;
        };
        let (mut at, mut entries): (usize, Vec<FrontEntry<'t>>) = (first.len(), Vec::new());
        for (number, line) in lines.enumerate() {
            at += line.len();
            let number = number + 2;
            let written = line.trim();
            if line.trim_end() == "---" {
                let body = text.get(at..).unwrap_or_default();
                return Self { entries, body, lines: number };
            }
            if written.is_empty() || written.starts_with('#') {
                continue;
            }
            match (written.strip_prefix("- "), entries.last_mut(), written.split_once(':')) {
                (Some(item), Some(last), _) => last.values.extend(values(item)),
                (None, _, Some((key, value))) if !key.contains(char::is_whitespace) => {
                    let is_unclosed = is_unclosed(value.trim());
                    let values = values(value);
                    entries.push(FrontEntry { key, values, line: number, is_unclosed });
                }
                (_, _, _) => {
                    let values = vec![written.to_owned()];
                    let is_unclosed = false;
                    entries.push(FrontEntry { key: "", values, line: number, is_unclosed });
                }
            }
        }
        whole
    }

    /// The values of a key.
    pub(super) fn get(&self, key: &str) -> &[String] {
        self.entries.iter().find(|entry| entry.key == key).map_or(&[], |entry| &entry.values)
    }

    /// The first value of a key.
    pub(super) fn first(&self, key: &str) -> Option<&str> {
        self.get(key).first().map(String::as_str)
    }

    /// Whether a key is `true`.
    pub(super) fn is_true(&self, key: &str) -> bool {
        self.first(key) == Some("true")
    }

    /// The entries whose list is not closed.
    pub(super) fn unclosed(&self) -> impl Iterator<Item = &FrontEntry<'t>> {
        self.entries.iter().filter(|entry| entry.is_unclosed)
    }

    /// The entries with other keys.
    pub(super) fn except(&self, known: &[&str]) -> impl Iterator<Item = &FrontEntry<'t>> {
        self.entries.iter().filter(move |entry| !known.contains(&entry.key))
    }
}

/// The values of a line. A description may contain commas, so only lists in brackets are split.
fn values(written: &str) -> Vec<String> {
    let written = written.trim();
    let list = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let items = match list {
        Some(items) => split_outside_braces(items),
        // What is on the line is still in the list.
        None if is_unclosed(written) => split_outside_braces(written.trim_start_matches('[')),
        None => vec![written],
    };
    let plain = |item: &str| {
        let item = item.trim();
        let quoted = |mark: char| item.len() > 1 && item.starts_with(mark) && item.ends_with(mark);
        if quoted('"') || quoted('\'') {
            item.get(1..item.len() - 1).unwrap_or(item).to_owned()
        } else {
            item.to_owned()
        }
    };
    items.into_iter().map(plain).filter(|item| !item.is_empty()).collect()
}

/// Whether a list is opened and not closed. `[ab].ts` is a pattern.
fn is_unclosed(written: &str) -> bool {
    written.starts_with('[') && !written.contains(']')
}

/// Splits a list of patterns at its commas, but not inside `{a,b}`.
pub(super) fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}
