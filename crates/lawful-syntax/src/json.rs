//! JSON text to nodes, strictly by RFC 8259.
//!
//! A parser of our own, because no available one keeps the place of every key and value. A syntax
//! error ends the parse; duplicate keys and numbers that cannot be represented are collected. The
//! result is a [`Tree`]: nodes, or values without places for very large inputs.
//!
//! Files are read strictly. What a host or an agent sends while it runs is read leniently: one bad
//! value must not cost the rest, so it becomes null with a warning.

use crate::problems;
use crate::scalar::{self, NumberError};
use crate::{Diagnostic, Entry, FileId, Kind, Limits, Node, Severity, Span, codes, escape};

/// The result of parsing JSON text.
pub trait Tree: Sized {
    /// An entry of a mapping.
    type Entry;
    /// A null, a boolean, a number or a text.
    fn scalar(scalar: Kind, span: Span) -> Self;
    /// A list.
    fn list(items: Vec<Self>, span: Span) -> Self;
    /// An entry of a mapping.
    fn entry(key: Box<str>, key_span: Span, value: Self) -> Self::Entry;
    /// The key of an entry, and its place if it is kept.
    fn key(entry: &Self::Entry) -> (&str, Span);
    /// A mapping; duplicate keys are already reported.
    fn map(entries: Vec<Self::Entry>, span: Span) -> Self;
}

impl Tree for Node {
    type Entry = Entry;

    fn scalar(kind: Kind, span: Span) -> Self {
        Self { kind, span }
    }

    fn list(items: Vec<Self>, span: Span) -> Self {
        Self { kind: Kind::List(items), span }
    }

    fn entry(key: Box<str>, key_span: Span, value: Self) -> Entry {
        Entry { key, key_span, value }
    }

    fn key(entry: &Entry) -> (&str, Span) {
        (&entry.key, entry.key_span)
    }

    fn map(entries: Vec<Entry>, span: Span) -> Self {
        Self { kind: Kind::Map(entries), span }
    }
}

/// The tree of a JSON text, or `None` if it has any error; [`parse`](crate::parse) reports which.
pub fn parse_json<T: Tree>(text: &str, limits: &Limits) -> Option<T> {
    let (tree, problems) = parse(text, Span::NONE.file, limits);
    tree.filter(|_| problems.is_empty())
}

/// Parses JSON that a host or an agent sent while it runs: an input, an event, an envelope or a
/// record.
///
/// A lone surrogate becomes U+FFFD. A value that nests too deeply, a number that cannot be
/// represented and a string longer than [`Limits::bytes`] become null. Each of them is a warning,
/// and [`is_dropped`] tells which warnings stand for a lost value. Other problems are errors, as in
/// a file.
pub fn parse_json_leniently<T: Tree>(
    text: &str,
    file: FileId,
    limits: &Limits,
) -> (Option<T>, Vec<Diagnostic>) {
    parse_in(Mode::Lenient, text, file, limits)
}

/// Whether a problem of [`parse_json_leniently`] is a value that was replaced by null.
pub fn is_dropped(problem: &Diagnostic) -> bool {
    let dropped =
        [&codes::TOO_DEEP, &codes::TOO_LARGE, &codes::INTEGER_RANGE, &codes::NUMBER_NOT_FINITE];
    !problem.is_error() && dropped.contains(&problem.code)
}

pub(crate) fn parse<T: Tree>(
    text: &str,
    file: FileId,
    limits: &Limits,
) -> (Option<T>, Vec<Diagnostic>) {
    parse_in(Mode::Strict, text, file, limits)
}

/// What a value that cannot be represented costs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The document.
    Strict,
    /// Only the value.
    Lenient,
}

fn parse_in<T: Tree>(
    mode: Mode,
    text: &str,
    file: FileId,
    limits: &Limits,
) -> (Option<T>, Vec<Diagnostic>) {
    let mut reader = Reader { mode, text, at: 0, file, limits, problems: Vec::new() };
    reader.skip_space();
    if reader.at == text.len() {
        return (None, vec![problems::empty(file, 0)]);
    }
    let result = reader.value(0).and_then(|node| {
        reader.skip_space();
        match reader.peek() {
            None => Ok(node),
            Some(_) => Err(reader.error("expected the end of the document")),
        }
    });
    match result {
        Ok(node) => (Some(node), reader.problems),
        Err(problem) => {
            let mut problems = reader.problems;
            problems.push(*problem);
            (None, problems)
        }
    }
}

struct Reader<'t> {
    mode: Mode,
    text: &'t str,
    at: usize,
    file: FileId,
    limits: &'t Limits,
    problems: Vec<Diagnostic>,
}

/// The room that a list has at first: what it would get with its first element, but in one step.
const FIRST: usize = 4;

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &str) -> Box<Diagnostic> {
        let next = self.rest().chars().next();
        let found = match next {
            Some(c) => format!("found `{}`", escape::line(c.encode_utf8(&mut [0; 4]))),
            None => "found the end of the text".to_owned(),
        };
        let span = Span::new(self.file, self.at, self.at + next.map_or(0, char::len_utf8));
        Box::new(Diagnostic::new(&codes::JSON_SYNTAX, span, format!("{expected}, {found}")))
    }

    fn value<T: Tree>(&mut self, depth: usize) -> Parsed<T> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{' | b'[') if self.mode == Mode::Lenient && depth >= self.limits.depth => {
                self.skip_nested()?;
                let span = self.span(start);
                self.drop_value(problems::too_deep(span, self.limits));
                Kind::Null
            }
            Some(b'{') => {
                let entries = self.map::<T>(depth + 1)?;
                return Ok(T::map(entries, self.span(start)));
            }
            Some(b'[') => {
                let items = self.list(depth + 1)?;
                return Ok(T::list(items, self.span(start)));
            }
            Some(b'"') => self.text()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
            None => return Err(self.error("expected a value")),
        };
        Ok(T::scalar(kind, self.span(start)))
    }

    /// A string. In lenient mode one that is too long is dropped.
    fn text(&mut self) -> Parsed<Kind> {
        let start = self.at;
        let text = self.string()?;
        if self.mode == Mode::Lenient && text.len() > self.limits.bytes {
            let most = escape::bytes(self.limits.bytes);
            let message = format!("the string is longer than {most}");
            self.drop_value(Diagnostic::new(&codes::TOO_LARGE, self.span(start), message));
            return Ok(Kind::Null);
        }
        Ok(Kind::Text(text))
    }

    /// Reports a value that is replaced by null.
    fn drop_value(&mut self, problem: Diagnostic) {
        let limits = self.limits;
        problems::report(&mut self.problems, || {
            let message = format!("{}; the value is dropped", problem.message);
            let problem = Diagnostic { severity: Severity::Warning, message, ..problem };
            let help = limits.help_on_dropped(problem.code);
            problem.help(help)
        });
    }

    /// Skips a list or mapping without reading it. Nesting must not use the stack here.
    fn skip_nested(&mut self) -> Parsed<()> {
        let mut open = 0_usize;
        loop {
            match self.peek() {
                Some(b'{' | b'[') => open += 1,
                Some(b'}' | b']') => open -= 1,
                Some(b'"') => {
                    self.string()?;
                    continue;
                }
                Some(_) => {}
                None => return Err(self.error("expected a closing bracket")),
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Parsed<Kind> {
        let words =
            [("true", Kind::Bool(true)), ("false", Kind::Bool(false)), ("null", Kind::Null)];
        for (word, kind) in words {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(match self.peek() {
            Some(b'\'') => self.hinted("expected a value", "write strings in double quotes"),
            Some(b'/') => self.hinted("expected a value", "JSON has no comments"),
            Some(b'`' | b'~') => {
                let span = Span::new(self.file, self.at, self.at + 1);
                Box::new(problems::fence(&codes::JSON_SYNTAX, span))
            }
            _ => self.error("expected a value"),
        })
    }

    fn hinted(&self, expected: &str, help: &str) -> Box<Diagnostic> {
        Box::new(self.error(expected).help(help))
    }

    fn enter(&mut self, depth: usize) -> Parsed<()> {
        if depth > self.limits.depth {
            let span = Span::new(self.file, self.at, self.at + 1);
            return Err(Box::new(problems::too_deep(span, self.limits)));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn list<T: Tree>(&mut self, depth: usize) -> Parsed<Vec<T>> {
        self.enter(depth)?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Vec::new());
        }
        let mut items = Vec::with_capacity(FIRST);
        loop {
            items.push(self.value(depth)?);
            if self.separator(b']', "expected `,` or `]`")? {
                return Ok(items);
            }
        }
    }

    fn map<T: Tree>(&mut self, depth: usize) -> Parsed<Vec<T::Entry>> {
        self.enter(depth)?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Vec::new());
        }
        let mut entries = Vec::with_capacity(FIRST);
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a key in double quotes"));
            }
            let key = self.string()?;
            let key_span = self.span(start);
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.error("expected `:` after the key"));
            }
            self.at += 1;
            self.skip_space();
            let value = self.value(depth)?;
            entries.push(T::entry(key, key_span, value));
            if self.separator(b'}', "expected `,` or `}`")? {
                problems::duplicate_keys(&entries, T::key, &mut self.problems);
                return Ok(entries);
            }
        }
    }

    /// Reads `,` (false) or the closing bracket (true).
    fn separator(&mut self, close: u8, expected: &str) -> Parsed<bool> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(close) {
                    return Err(
                        self.hinted("expected a value after the comma", "remove the last comma")
                    );
                }
                Ok(false)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) | None => Err(self.error(expected)),
        }
    }

    fn number(&mut self) -> Parsed<Kind> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let whole = self.at;
        self.digits("expected a digit")?;
        let whole_text = self.text.get(whole..self.at).unwrap_or_default();
        if whole_text.len() > 1 && whole_text.starts_with('0') {
            self.at = whole;
            return Err(self.hinted("expected a number", "remove the leading zeros"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("expected a digit after the point")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits("expected a digit in the exponent")?;
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        if let Some(number) = short_integer(written) {
            return Ok(Kind::Int(number));
        }
        let parsed = scalar::parse_number(written).unwrap_or(Err(NumberError::NotFinite));
        Ok(parsed.unwrap_or_else(|error| {
            let problem = problems::number(error, written, self.span(start));
            match self.mode {
                Mode::Strict => problems::report(&mut self.problems, || problem),
                Mode::Lenient => self.drop_value(problem),
            }
            Kind::Null
        }))
    }

    fn digits(&mut self, expected: &str) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.error(expected)) } else { Ok(()) }
    }

    fn string(&mut self) -> Parsed<Box<str>> {
        self.at += 1;
        let mut out: Option<String> = None;
        loop {
            let plain = self.at;
            self.at += plain_bytes(self.text.as_bytes().get(plain..).unwrap_or_default());
            let run = self.text.get(plain..self.at).unwrap_or_default();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match out {
                        None => run.into(),
                        Some(mut text) => {
                            text.push_str(run);
                            text.into_boxed_str()
                        }
                    });
                }
                Some(b'\\') => {
                    let text = out.get_or_insert_default();
                    text.push_str(run);
                    let c = self.escaped()?;
                    text.push(c);
                }
                Some(_) => {
                    let help = "write it as an escape such as `\\n`";
                    return Err(self.hinted("expected no control character in a string", help));
                }
                None => return Err(self.error("expected a closing `\"`")),
            }
        }
    }

    fn escaped(&mut self) -> Parsed<char> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(_) | None => return Err(self.error("expected an escape such as `\\n`")),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self) -> Parsed<char> {
        let start = self.at;
        let high = self.hex()?;
        let after_high = self.at;
        let code = match high {
            0xd800..=0xdbff if self.rest().starts_with("\\u") => {
                self.at += 1;
                let low = self.hex()?;
                if !(0xdc00..=0xdfff).contains(&low) {
                    return self.lone_surrogate(start, after_high);
                }
                0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
            }
            other => other,
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.lone_surrogate(start, after_high),
        }
    }

    /// Half of a pair, whose escape ends at `end`: an error, or U+FFFD in lenient mode. What follows
    /// is read by itself.
    fn lone_surrogate(&mut self, start: usize, end: usize) -> Parsed<char> {
        if self.mode == Mode::Strict {
            self.at = start;
            return Err(self.error("expected a surrogate pair"));
        }
        self.at = end;
        let span = Span::new(self.file, start.saturating_sub(1), end);
        problems::report(&mut self.problems, || {
            let message = "half of a surrogate pair is replaced by U+FFFD";
            Diagnostic::new(&codes::LONE_SURROGATE, span, message)
                .help("send both halves; a text was probably cut between them")
        });
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// Reads `uXXXX`, starting at the `u`.
    fn hex(&mut self) -> Parsed<u32> {
        self.at += 1;
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.at += 4;
            return Ok(u32::from_str_radix(digits, 16).unwrap_or_default());
        }
        Err(self.error("expected four hexadecimal digits"))
    }
}

/// The value of an integer that is too short to overflow; `None` for any other number.
fn short_integer(written: &str) -> Option<i64> {
    const LONGEST: usize = 18;
    let digits = written.strip_prefix('-').unwrap_or(written);
    if digits.len() > LONGEST {
        return None;
    }
    let value = digits.bytes().try_fold(0_i64, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })?;
    Some(if digits.len() == written.len() { value } else { -value })
}

/// The number of bytes before the first quote, backslash or control character.
///
/// Eight bytes are tested together: a byte is below `n` if subtracting `n` borrows, and equal to
/// another if their XOR is zero. A borrow can reach into the byte after a hit, so only the first hit
/// counts.
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut start = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let quote = below(word ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
        let hits = (quote | backslash | below(word, b' ')) & TOPS;
        if hits != 0 {
            return start + hits.trailing_zeros() as usize / 8;
        }
        start += 8;
    }
    let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    start + end.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;
