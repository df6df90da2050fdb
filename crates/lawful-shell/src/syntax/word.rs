//! Words: quotes, escapes and the expansions between them.

use super::cursor::{Parse, Parser, is_delimiter};
use super::tree::{Node, Part, Word};

impl Parser<'_> {
    /// A word. The caller has checked that one starts here.
    pub(super) fn word(&mut self, position: Position) -> Parse<Word> {
        let command_position = position == Position::Command;
        let start = self.at;
        let mut word = Word::default();
        // Quotes with nothing between them are a word, too.
        let mut empty = true;
        while let Some(character) = self.peek() {
            match character {
                '<' | '>' if self.sees_process()? => self.process(&mut word)?,
                '(' if position != Position::Argument && assigns(&word) => self.array(&mut word)?,
                _ if is_delimiter(character) => break,
                '[' if command_position && is_name(&word) => self.subscript(&mut word)?,
                '?' | '*' | '+' | '@' | '!' if self.sees_pattern(character)? => {
                    if command_position && !assigns_anything(&word) {
                        return self.fail("the program is a pattern");
                    }
                    self.pattern(&mut word)?;
                }
                _ => self.piece(&mut word, character)?,
            }
            empty = false;
        }
        if empty {
            self.at = start;
            return self.fail("a word is missing");
        }
        Ok(word)
    }

    /// One quoted text, one expansion, or one character.
    pub(super) fn piece(&mut self, word: &mut Word, character: char) -> Parse<()> {
        match character {
            '\'' => self.single_quotes(word),
            '"' => {
                self.pass('"')?;
                self.nested(|parser| parser.double_quotes(word))
            }
            '\\' => {
                self.pass('\\')?;
                match self.raw() {
                    Some(escaped) => {
                        self.pass(escaped)?;
                        word.push_quoted(escaped);
                    }
                    None => word.push_quoted('\\'),
                }
                Ok(())
            }
            '$' => self.dollar(word, false),
            '`' => self.backquotes(word, false),
            _ => {
                self.pass(character)?;
                word.push_plain(character);
                Ok(())
            }
        }
    }

    pub(super) fn single_quotes(&mut self, word: &mut Word) -> Parse<()> {
        self.pass('\'')?;
        let Some(length) = self.rest().find('\'') else {
            return self.fail("a quote is not closed");
        };
        let quoted = self.rest().get(..length).unwrap_or_default();
        self.spend(length)?;
        self.at += length + 1;
        word.parts.push(Part::Quoted(quoted.to_owned()));
        Ok(())
    }

    /// Up to the closing `"`, after the opening one.
    pub(super) fn double_quotes(&mut self, word: &mut Word) -> Parse<()> {
        word.parts.push(Part::Quoted(String::new()));
        loop {
            match self.peek() {
                None => return self.fail("a quote is not closed"),
                Some('"') => return self.pass('"'),
                Some(character) => self.quoted_piece(word, character, true)?,
            }
        }
    }

    /// One character or expansion in double quotes, a here-document or arithmetic.
    pub(super) fn quoted_piece(
        &mut self,
        word: &mut Word,
        character: char,
        escapes_quote: bool,
    ) -> Parse<()> {
        match character {
            '\\' => {
                self.pass('\\')?;
                match self.raw() {
                    Some(escaped @ ('$' | '`' | '\\')) => {
                        self.pass(escaped)?;
                        word.push_quoted(escaped);
                    }
                    Some('"') if escapes_quote => {
                        self.pass('"')?;
                        word.push_quoted('"');
                    }
                    Some(_) | None => word.push_quoted('\\'),
                }
                Ok(())
            }
            '$' => self.dollar(word, true),
            '`' => self.backquotes(word, escapes_quote),
            _ => {
                self.pass(character)?;
                word.push_quoted(character);
                Ok(())
            }
        }
    }

    /// `<(…)` or `>(…)`.
    pub(super) fn process(&mut self, word: &mut Word) -> Parse<()> {
        let start = self.at;
        if let Some(direction @ ('<' | '>')) = self.peek() {
            self.pass(direction)?;
        }
        self.take("(")?;
        let script = self.substitution(")")?;
        let text = self.since(start).to_owned();
        word.parts.push(Part::Process { text, script });
        Ok(())
    }

    /// Commands up to a closing text, which is passed too.
    pub(super) fn substitution(&mut self, close: &str) -> Parse<Node> {
        self.nested(|parser| {
            // A line end inside belongs to the commands inside, so it starts no document outside.
            let outside = std::mem::take(&mut parser.pending);
            let script = parser.list()?;
            let closed = if close == "}" {
                parser.take_keyword("}")? || parser.take("}")?
            } else {
                parser.take(close)?
            };
            if !closed {
                return parser.fail("a substitution is not closed");
            }
            if !parser.pending.is_empty() {
                return parser.fail("a here-document has no body inside its substitution");
            }
            parser.pending = outside;
            Ok(script)
        })
    }

    /// `` `…` ``, where `\$`, `` \` `` and `\\` lose their backslash before the text is read.
    pub(super) fn backquotes(&mut self, word: &mut Word, in_quotes: bool) -> Parse<()> {
        let start = self.at;
        self.pass('`')?;
        let mut inside = String::new();
        loop {
            let Some(character) = self.raw() else {
                return self.fail("a backquote is not closed");
            };
            self.pass(character)?;
            match character {
                '`' => break,
                '\\' => match self.raw() {
                    Some(escaped @ ('$' | '`' | '\\')) => {
                        self.pass(escaped)?;
                        inside.push(escaped);
                    }
                    Some('"') if in_quotes => {
                        self.pass('"')?;
                        inside.push('"');
                    }
                    Some(_) | None => inside.push('\\'),
                },
                _ => inside.push(character),
            }
        }
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the lifetimes differ")]
        let script = self.rewritten(&inside, |inner| inner.script())?;
        let text = self.since(start).to_owned();
        word.parts.push(Part::Expansion { text, scripts: vec![script] });
        Ok(())
    }

    /// The elements of `name=(…)`.
    fn array(&mut self, word: &mut Word) -> Parse<()> {
        self.nested(|parser| {
            let start = parser.at;
            parser.pass('(')?;
            let mut scripts = Vec::new();
            loop {
                parser.lines()?;
                match parser.peek() {
                    Some(')') => break,
                    Some('[') => {
                        let mut element = Word::default();
                        parser.subscript(&mut element)?;
                        if parser.peek().is_some_and(|next| !is_delimiter(next)) {
                            element.parts.extend(parser.word(Position::Argument)?.parts);
                        }
                        scripts.extend(element.into_scripts());
                    }
                    Some(character) if !is_delimiter(character) || parser.sees_process()? => {
                        scripts.extend(parser.word(Position::Argument)?.into_scripts());
                    }
                    Some(_) | None => return parser.fail("an array is not closed"),
                }
            }
            parser.pass(')')?;
            let text = parser.since(start).to_owned();
            word.parts.push(Part::Expansion { text, scripts });
            Ok(())
        })
    }

    /// `[…]` after the name of an array. Blanks and operators inside are part of the word.
    fn subscript(&mut self, word: &mut Word) -> Parse<()> {
        let mut open = 0_usize;
        while let Some(character) = self.peek() {
            match character {
                '[' => open += 1,
                ']' => open -= 1,
                '\'' | '"' | '\\' | '$' | '`' => {
                    self.piece(word, character)?;
                    continue;
                }
                _ => {}
            }
            self.pass(character)?;
            word.push_plain(character);
            if open == 0 {
                // A subscript is arithmetic, where quotes do not protect.
                return if word.hides_expansion() {
                    self.fail("quotes inside a subscript are ambiguous")
                } else {
                    Ok(())
                };
            }
        }
        self.fail("a subscript is not closed")
    }

    /// Whether an extended pattern such as `@(` comes next.
    fn sees_pattern(&mut self, prefix: char) -> Parse<bool> {
        let start = self.at;
        self.pass(prefix)?;
        let found = self.peek() == Some('(');
        self.at = start;
        Ok(found)
    }

    /// `@(a|b)` and the like.
    fn pattern(&mut self, word: &mut Word) -> Parse<()> {
        self.nested(|parser| {
            let mut open = 0_usize;
            while let Some(character) = parser.peek() {
                match character {
                    '(' => open += 1,
                    ')' => open -= 1,
                    '\'' | '"' | '\\' | '$' | '`' => {
                        parser.piece(word, character)?;
                        continue;
                    }
                    '\n' | ';' | '&' | '#' => return parser.fail("a pattern holds an operator"),
                    '<' | '>' if parser.sees_process()? => {
                        parser.process(word)?;
                        continue;
                    }
                    _ => {}
                }
                parser.pass(character)?;
                word.push_plain(character);
                if open == 0 && character == ')' {
                    return Ok(());
                }
            }
            parser.fail("a pattern is not closed")
        })
    }
}

/// Where a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// It may be a program or an assignment.
    Command,
    /// It is an argument of a builtin that assigns, such as `declare`.
    Declaration,
    Argument,
}

/// Whether the word so far is `name=` or `name+=`, after which `(` starts an array.
fn assigns(word: &Word) -> bool {
    let (Some(Part::Plain(first)), Some(Part::Plain(last))) =
        (word.parts.first(), word.parts.last())
    else {
        return false;
    };
    let Some(before) = last.strip_suffix("+=").or_else(|| last.strip_suffix('=')) else {
        return false;
    };
    let name = first.split(['[', '+', '=']).next().unwrap_or_default();
    let is_subscript = first.get(name.len()..).is_some_and(|rest| rest.starts_with('['));
    is_plain_name(name) && (before == name || (is_subscript && before.ends_with(']')))
}

/// Whether the word so far has a `=` outside quotes, so a pattern in it is in a value.
fn assigns_anything(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Plain(text) if text.contains('=')))
}

/// Whether the word so far is the name of a variable.
fn is_name(word: &Word) -> bool {
    let [Part::Plain(name)] = word.parts.as_slice() else { return false };
    is_plain_name(name)
}

fn is_plain_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
