//! What a `$` starts.

use super::Dialect;
use super::cursor::{Parse, Parser};
use super::tree::{Node, Part, Word};

impl Parser<'_> {
    /// An expansion, an ANSI-C or translated string, or only the character.
    pub(super) fn dollar(&mut self, word: &mut Word, quoted: bool) -> Parse<()> {
        let start = self.at;
        self.pass('$')?;
        let scripts = match self.peek() {
            Some('(') => self.command_or_arithmetic()?,
            Some('{') => self.nested(|parser| parser.parameter(start, quoted))?,
            Some('[') => {
                self.pass('[')?;
                match self.arithmetic("]")? {
                    Some(word) => word.into_scripts().collect(),
                    None => return self.fail("arithmetic is not closed"),
                }
            }
            Some(quote @ ('\'' | '"')) if !quoted && self.dialect == Dialect::Posix => {
                self.notes.push((
                    "another shell may read `$` and a quote differently",
                    self.rest().to_owned(),
                ));
                return if quote == '\'' { self.ansi_c(word) } else { self.translated(word) };
            }
            Some('\'') if !quoted => return self.ansi_c(word),
            Some('"') if !quoted => return self.translated(word),
            Some('a'..='z' | 'A'..='Z' | '_') => {
                while let Some(letter @ ('a'..='z' | 'A'..='Z' | '0'..='9' | '_')) = self.peek() {
                    self.pass(letter)?;
                }
                Vec::new()
            }
            Some(special @ ('0'..='9' | '@' | '*' | '#' | '?' | '$' | '!' | '-')) => {
                self.pass(special)?;
                Vec::new()
            }
            Some(_) | None => {
                if quoted {
                    word.push_quoted('$');
                } else {
                    word.push_plain('$');
                }
                return Ok(());
            }
        };
        let text = self.since(start).replace("\\\n", "");
        word.parts.push(Part::Expansion { text, scripts });
        Ok(())
    }

    /// `$(…)` or `$((…))`. What starts as arithmetic may turn out to be a subshell.
    fn command_or_arithmetic(&mut self) -> Parse<Vec<Node>> {
        if self.sees("((")? {
            let (start, simples, bodies) = (self.at, self.simples.len(), self.bodies.len());
            self.take("((")?;
            if let Some(word) = self.arithmetic(")")? {
                return Ok(word.into_scripts().collect());
            }
            self.at = start;
            self.simples.truncate(simples);
            self.bodies.truncate(bodies);
        }
        self.pass('(')?;
        Ok(vec![self.substitution(")")?])
    }

    /// Arithmetic up to `))` or `]`. `None` if a parenthesis closes alone, so that this is no
    /// arithmetic.
    pub(super) fn arithmetic(&mut self, close: &str) -> Parse<Option<Word>> {
        self.nested(|parser| {
            let mut word = Word::default();
            let mut open = 0_usize;
            loop {
                match parser.peek() {
                    None => return Ok(None),
                    // Single quotes hide parentheses, but not substitutions.
                    Some('\'') => return parser.fail("arithmetic holds quotes"),
                    Some('"') => {
                        let before = parser.at;
                        parser.pass('"')?;
                        parser.double_quotes(&mut word)?;
                        if parser.since(before).contains([')', ']']) {
                            return parser.fail("arithmetic holds quotes");
                        }
                    }
                    Some(']') if close == "]" && open == 0 => {
                        parser.pass(']')?;
                        return Ok(Some(word));
                    }
                    Some(')') if open == 0 && close == ")" => {
                        return Ok(parser.take("))")?.then_some(word));
                    }
                    Some(character) => {
                        match character {
                            '(' | '[' => open += 1,
                            ')' | ']' => open = open.saturating_sub(1),
                            _ => {}
                        }
                        parser.quoted_piece(&mut word, character, true)?;
                    }
                }
            }
        })
    }

    /// `${…}`, with the position of its `$`.
    fn parameter(&mut self, start: usize, quoted: bool) -> Parse<Vec<Node>> {
        self.pass('{')?;
        if matches!(self.peek(), Some(' ' | '\t' | '\n' | '|')) {
            // Bash 5.3: a command substitution without a subshell.
            self.take("|")?;
            return Ok(vec![self.substitution("}")?]);
        }
        if self.peek() == Some('(') {
            return self.fail("an expansion has flags of another shell");
        }
        let mut word = Word::default();
        // `${#}`, `${#x}` and `${!x}`: these characters do not start a pattern.
        while let Some(prefix @ ('#' | '!')) = self.peek() {
            self.pass(prefix)?;
        }
        loop {
            match self.peek() {
                None => return self.fail("an expansion is not closed"),
                Some('}') => {
                    self.pass('}')?;
                    break;
                }
                // Whether this nests depends on the shell.
                Some('{') => return self.fail("an expansion holds a brace"),
                Some('\'') if quoted => {
                    let before = self.at;
                    self.single_quotes(&mut Word::default())?;
                    if self.since(before).contains(['$', '`', '}', '"', '\\']) {
                        return self.fail("quotes inside an expansion are ambiguous");
                    }
                }
                Some('<' | '>') if self.sees_process()? => self.process(&mut word)?,
                Some('"') if quoted => {
                    let before = self.at;
                    self.pass('"')?;
                    self.double_quotes(&mut word)?;
                    if self.since(before).contains('}') {
                        return self.fail("quotes inside an expansion are ambiguous");
                    }
                }
                Some(character @ ('\\' | '$' | '`')) if quoted => {
                    if character == '\\' {
                        self.pass('\\')?;
                        if let Some(escaped) = self.raw() {
                            self.pass(escaped)?;
                        }
                    } else {
                        self.quoted_piece(&mut word, character, true)?;
                    }
                }
                Some(character) => self.piece(&mut word, character)?,
            }
        }
        if word.hides_expansion() {
            // A subscript or an offset is arithmetic, where quotes do not protect.
            return self.fail("quotes inside an expansion are ambiguous");
        }
        if self.since(start).ends_with("@P}") {
            self.note("an expansion runs the commands in a value", start);
        }
        Ok(word.into_scripts().collect())
    }

    /// `$"…"`
    fn translated(&mut self, word: &mut Word) -> Parse<()> {
        self.pass('"')?;
        self.nested(|parser| parser.double_quotes(word))
    }

    /// `$'…'`
    fn ansi_c(&mut self, word: &mut Word) -> Parse<()> {
        self.pass('\'')?;
        word.parts.push(Part::Quoted(String::new()));
        loop {
            let Some(character) = self.raw() else {
                return self.fail("a quote is not closed");
            };
            self.pass(character)?;
            match character {
                '\'' => return Ok(()),
                '\\' => {
                    let Some(escape) = self.raw() else {
                        return self.fail("a quote is not closed");
                    };
                    self.pass(escape)?;
                    self.escape(word, escape)?;
                }
                _ => word.push_quoted(character),
            }
        }
    }

    fn escape(&mut self, word: &mut Word, escape: char) -> Parse<()> {
        let simple = match escape {
            'a' => '\u{07}',
            'b' => '\u{08}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{0c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{0b}',
            '\\' | '\'' | '"' | '?' => escape,
            '0'..='7' => {
                let first = escape.to_digit(8).unwrap_or_default();
                return self.number(word, first, 8, 2);
            }
            'x' if self.raw() == Some('{') => {
                return self.fail("an escape differs between versions of bash");
            }
            'x' => return self.coded(word, escape, 2),
            'u' => return self.coded(word, escape, 4),
            'U' => return self.coded(word, escape, 8),
            'c' => return self.fail("a control character is in a quote"),
            other => {
                word.push_quoted('\\');
                other
            }
        };
        word.push_quoted(simple);
        Ok(())
    }

    /// Hexadecimal digits, or the escape as written if there are none.
    fn coded(&mut self, word: &mut Word, escape: char, digits: usize) -> Parse<()> {
        if self.raw().is_some_and(|digit| digit.is_ascii_hexdigit()) {
            return self.number(word, 0, 16, digits);
        }
        word.push_quoted('\\');
        word.push_quoted(escape);
        Ok(())
    }

    fn number(&mut self, word: &mut Word, first: u32, radix: u32, digits: usize) -> Parse<()> {
        let mut value = first;
        for _ in 0..digits {
            let Some(character) = self.raw() else { break };
            let Some(digit) = character.to_digit(radix) else { break };
            self.pass(character)?;
            value = value.wrapping_mul(radix).wrapping_add(digit);
        }
        // A byte above 127 is part of a character that only the bytes around it complete, and a
        // zero byte ends the string.
        let is_byte = radix == 8 || digits == 2;
        match char::from_u32(value) {
            Some(character) if value != 0 && (value < 128 || !is_byte) => {
                word.push_quoted(character);
                Ok(())
            }
            Some(_) | None => self.fail("a quote holds a byte that is no character"),
        }
    }

    pub(super) fn note(&mut self, reason: &'static str, start: usize) {
        let text = self.since(start).to_owned();
        self.notes.push((reason, text));
    }
}
