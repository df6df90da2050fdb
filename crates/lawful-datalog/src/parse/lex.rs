//! The tokens of the text: white space, words, numbers and strings.

use std::borrow::Cow;

use super::{Parser, Result};

impl<'t> Parser<'t, '_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.bytes().starts_with(sign.as_bytes());
        if found {
            self.at += sign.len();
        }
        found
    }

    pub(super) fn word(&mut self) -> Option<&'t str> {
        let bytes = self.bytes();
        let first = *bytes.first()?;
        if !(first.is_ascii_alphabetic() || matches!(first, b'_' | b'?')) {
            return None;
        }
        let part =
            |byte: &&u8| matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'?');
        let length = bytes.iter().take_while(part).count();
        let start = self.at;
        self.at += length;
        self.text.get(start..self.at)
    }

    #[inline]
    pub(super) fn blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\n' => self.at += 1,
                // Other white space, and comments.
                b'\t' | b'\r' | b'\x0c' | b'/' => return self.comments(),
                _ => return,
            }
        }
    }

    #[cold]
    fn comments(&mut self) {
        loop {
            self.at += self.bytes().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.at += end + 2,
                    None => {
                        let problem = self.problem(
                            self.at..self.at + 2,
                            "the comment is not closed",
                            "close it with `*/`",
                        );
                        self.problems.push(*problem);
                        self.at = self.text.len();
                    }
                }
            } else {
                return;
            }
        }
    }

    /// A number of few digits without a sign, which nearly all are.
    #[inline]
    pub(super) fn small_number(&mut self) -> Option<u32> {
        let mut at = self.at;
        let mut value = 0;
        while let Some(byte @ b'0'..=b'9') = self.text.as_bytes().get(at) {
            if at - self.at == 9 {
                return None;
            }
            value = value * 10 + u32::from(*byte - b'0');
            at += 1;
        }
        if at == self.at {
            return None;
        }
        self.at = at;
        Some(value)
    }

    pub(super) fn number(&mut self) -> Result<Option<i64>> {
        let rest = self.bytes();
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest.iter().skip(sign).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Ok(None);
        }
        let here = self.at..self.at + sign + digits;
        self.at = here.end;
        match self.text.get(here.clone()).unwrap_or_default().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(self.problem(
                here,
                "the number is out of range",
                "numbers are between -9223372036854775808 and 9223372036854775807",
            )),
        }
    }

    pub(super) fn string(&mut self) -> Result<Cow<'t, str>> {
        let start = self.at;
        let inside = self.text.get(start + 1..).unwrap_or_default();
        let plain = inside.find(['"', '\\', '\n']).unwrap_or(inside.len());
        if inside.as_bytes().get(plain) == Some(&b'"') {
            self.at = start + plain + 2;
            return Ok(Cow::Borrowed(inside.get(..plain).unwrap_or_default()));
        }
        let mut out = String::new();
        let mut characters = inside.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = start + at + 2;
                    return Ok(Cow::Owned(out));
                }
                '\\' => match characters.next() {
                    Some((_, '"')) => out.push('"'),
                    Some((_, '\\')) => out.push('\\'),
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, 't')) => out.push('\t'),
                    Some((to, other)) => {
                        let end = start + 1 + to + other.len_utf8();
                        self.at = end;
                        return Err(self.problem(
                            start + 1 + at..end,
                            "unknown escape",
                            "the escapes are `\\\"`, `\\\\`, `\\n`, `\\r` and `\\t`",
                        ));
                    }
                    None => break,
                },
                '\n' => break,
                _ => out.push(c),
            }
        }
        let end = self
            .text
            .get(start..)
            .and_then(|rest| rest.find('\n'))
            .map_or(self.text.len(), |at| start + at);
        self.at = end;
        Err(self.problem(
            start..end,
            "the string is not closed",
            "close it with `\"`; write `\\n` for a newline",
        ))
    }
}
