//! Compound commands: groups, loops, conditions, functions.

use super::Dialect;
use super::cursor::{Parse, Parser, is_delimiter};
use super::tree::{Node, Part, Redirect, Word};
use super::word::Position;

impl Parser<'_> {
    /// One command of a pipeline.
    pub(super) fn command(&mut self) -> Parse<Node> {
        self.blanks()?;
        self.nested(|parser| match parser.compound()? {
            Some(node) => Ok(node),
            None => parser.simple(),
        })
    }

    /// A compound command with its redirections, if one starts here.
    pub(super) fn compound(&mut self) -> Parse<Option<Node>> {
        if self.peek() == Some('(') {
            return self.parenthesis().map(Some);
        }
        let Some(keyword) = self.keyword()? else { return Ok(None) };
        if matches!(keyword, "in" | "]]" | "time") {
            // Reserved only inside `for`, `case` and `[[`, and at the start of a pipeline.
            return Ok(None);
        }
        self.nested(|parser| {
            Ok(Some(match keyword {
                "{" => {
                    parser.take("{")?;
                    let body = parser.body()?;
                    parser.expect_keyword("}")?;
                    Node::Group(Box::new(body), parser.redirects()?)
                }
                "if" => parser.conditional()?,
                "while" | "until" => {
                    parser.take(keyword)?;
                    let condition = Box::new(parser.body()?);
                    let body = Box::new(parser.do_group()?);
                    let redirects = parser.redirects()?;
                    Node::Loop { name: None, words: Vec::new(), condition, body, redirects }
                }
                "for" | "select" => {
                    parser.take(keyword)?;
                    parser.for_loop()?
                }
                "case" => parser.case()?,
                "[[" => parser.test()?,
                "function" => {
                    parser.take("function")?;
                    parser.blanks()?;
                    let name = parser.name()?;
                    parser.blanks()?;
                    if parser.take("(")? {
                        parser.blanks()?;
                        if !parser.take(")")? {
                            return parser.fail("it does not parse");
                        }
                    }
                    parser.function_body(name)?
                }
                "coproc" => parser.coprocess()?,
                _ => return parser.fail("a reserved word is out of place"),
            }))
        })
    }

    /// `( … )` or `(( … ))`.
    fn parenthesis(&mut self) -> Parse<Node> {
        if self.sees("((")? {
            let (start, simples, bodies) = (self.at, self.simples.len(), self.bodies.len());
            self.take("((")?;
            if let Some(word) = self.arithmetic(")")? {
                if self.dialect == Dialect::Posix {
                    self.note("another shell may run `((` as commands", start);
                }
                return Ok(Node::Test(vec![word], self.redirects()?));
            }
            self.at = start;
            self.simples.truncate(simples);
            self.bodies.truncate(bodies);
        }
        self.pass('(')?;
        let body = self.body()?;
        if !self.take(")")? {
            return self.fail("a `)` is missing");
        }
        Ok(Node::Subshell(Box::new(body), self.redirects()?))
    }

    fn conditional(&mut self) -> Parse<Node> {
        let mut arms = Vec::new();
        self.take("if")?;
        loop {
            let condition = self.body()?;
            self.expect_keyword("then")?;
            arms.push((condition, self.body()?));
            if self.take_keyword("elif")? {
                continue;
            }
            if self.take_keyword("else")? {
                arms.push((Node::List(Vec::new()), self.body()?));
            }
            self.expect_keyword("fi")?;
            return Ok(Node::If(arms, self.redirects()?));
        }
    }

    fn do_group(&mut self) -> Parse<Node> {
        self.lines()?;
        if self.take_keyword("{")? {
            let body = self.body()?;
            self.expect_keyword("}")?;
            return Ok(body);
        }
        self.expect_keyword("do")?;
        let body = self.body()?;
        self.expect_keyword("done")?;
        Ok(body)
    }

    fn for_loop(&mut self) -> Parse<Node> {
        self.blanks()?;
        let mut words = Vec::new();
        let mut name = None;
        if self.sees("((")? {
            self.take("((")?;
            match self.arithmetic(")")? {
                Some(word) if semicolons(&word) == 2 => words.push(word),
                Some(_) | None => return self.fail("it does not parse"),
            }
            self.blanks()?;
            self.take(";")?;
        } else {
            name = Some(self.name()?);
            self.lines()?;
            if self.take_keyword("in")? {
                loop {
                    self.blanks()?;
                    match self.peek() {
                        Some(character) if !is_delimiter(character) || self.sees_process()? => {
                            words.push(self.word(Position::Argument)?);
                        }
                        Some(';') => {
                            self.pass(';')?;
                            break;
                        }
                        Some('\n') => {
                            self.line_end()?;
                            break;
                        }
                        Some(_) | None => return self.fail("it does not parse"),
                    }
                }
            } else {
                self.take(";")?;
            }
        }
        let body = Box::new(self.do_group()?);
        let redirects = self.redirects()?;
        let condition = Box::new(Node::List(Vec::new()));
        Ok(Node::Loop { name, words, condition, body, redirects })
    }

    fn case(&mut self) -> Parse<Node> {
        self.take("case")?;
        self.blanks()?;
        let mut words = vec![self.word_here()?];
        let mut bodies = Vec::new();
        self.lines()?;
        self.expect_keyword("in")?;
        loop {
            self.lines()?;
            if self.take_keyword("esac")? {
                return Ok(Node::Case { words, bodies, redirects: self.redirects()? });
            }
            if self.peek() == Some('(') {
                self.pass('(')?;
                self.blanks()?;
            }
            loop {
                words.push(self.word_here()?);
                self.blanks()?;
                if self.take(")")? {
                    break;
                }
                if !self.take("|")? {
                    return self.fail("it does not parse");
                }
                self.blanks()?;
            }
            bodies.push(self.list()?);
            if !(self.take(";;&")? || self.take(";;")? || self.take(";&")?) {
                self.lines()?;
                self.expect_keyword("esac")?;
                return Ok(Node::Case { words, bodies, redirects: self.redirects()? });
            }
        }
    }

    /// `[[ … ]]`. Operators do not matter, only the substitutions in the operands.
    fn test(&mut self) -> Parse<Node> {
        if self.dialect == Dialect::Posix {
            self.notes.push(("another shell may run `[[` as a command", self.rest().to_owned()));
        }
        self.take("[[")?;
        let mut words = Vec::new();
        self.test_expression(&mut words)?;
        if !self.take_keyword("]]")? {
            return self.fail("it does not parse");
        }
        let redirects: Vec<Redirect> = self.redirects()?;
        Ok(Node::Test(words, redirects))
    }

    /// Terms between `&&` and `||`.
    fn test_expression(&mut self, words: &mut Vec<Word>) -> Parse<()> {
        loop {
            self.nested(|parser| parser.test_term(words))?;
            self.test_blanks()?;
            if !(self.take("&&")? || self.take("||")?) {
                return Ok(());
            }
        }
    }

    fn test_term(&mut self, words: &mut Vec<Word>) -> Parse<()> {
        self.test_blanks()?;
        if self.take_keyword("!")? {
            return self.nested(|parser| parser.test_term(words));
        }
        if self.peek() == Some('(') {
            self.pass('(')?;
            self.test_expression(words)?;
            self.test_blanks()?;
            return if self.take(")")? { Ok(()) } else { self.fail("it does not parse") };
        }
        let first = self.operand()?;
        let unary = is_unary(&first);
        words.push(first);
        self.blanks_only()?;
        if self.take("=~")? {
            self.blanks_only()?;
            words.push(self.regular_expression()?);
            return Ok(());
        }
        if matches!(self.peek(), Some('<' | '>')) && !self.sees_process()? {
            if let Some(operator) = self.peek() {
                self.pass(operator)?;
            }
        } else if self.at_operand_end()? {
            return Ok(());
        } else if !unary {
            let operator = self.operand()?;
            if !is_binary(&operator) {
                return self.fail("it does not parse");
            }
        }
        self.blanks_only()?;
        words.push(self.operand()?);
        Ok(())
    }

    fn at_operand_end(&mut self) -> Parse<bool> {
        Ok(matches!(self.peek(), None | Some('\n' | ')' | '&' | '|'))
            || self.keyword()? == Some("]]"))
    }

    fn operand(&mut self) -> Parse<Word> {
        if self.keyword()? == Some("]]") || self.peek() == Some('#') {
            return self.fail("it does not parse");
        }
        self.word_here()
    }

    /// The right side of `=~`, where parentheses and bars are part of the word.
    fn regular_expression(&mut self) -> Parse<Word> {
        let mut word = Word::default();
        let mut open = 0_usize;
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\n' if open == 0 => break,
                '\n' | ';' | '&' | '<' | '>' | '#' => return self.fail("it does not parse"),
                '(' => open += 1,
                ')' => match open.checked_sub(1) {
                    Some(left) => open = left,
                    None => break,
                },
                _ => {}
            }
            self.piece(&mut word, character)?;
        }
        if word.parts.is_empty() || open > 0 {
            return self.fail("it does not parse");
        }
        Ok(word)
    }

    fn blanks_only(&mut self) -> Parse<()> {
        while let Some(blank @ (' ' | '\t')) = self.peek() {
            self.pass(blank)?;
        }
        Ok(())
    }

    /// Blanks and line ends inside `[[`.
    fn test_blanks(&mut self) -> Parse<()> {
        while let Some(blank @ (' ' | '\t' | '\n')) = self.peek() {
            if blank == '\n' && !self.pending.is_empty() {
                return self.fail("a here-document starts inside `[[`");
            }
            self.pass(blank)?;
        }
        Ok(())
    }

    fn coprocess(&mut self) -> Parse<Node> {
        self.take("coproc")?;
        self.blanks()?;
        if let Some(body) = self.compound()? {
            return Ok(Node::Coprocess(Box::new(body)));
        }
        // `coproc NAME { … }`: the name is only a name in front of a compound command.
        let start = self.at;
        let plain = self.name().is_ok();
        self.blanks()?;
        if plain && let Some(body) = self.compound()? {
            return Ok(Node::Coprocess(Box::new(body)));
        }
        self.at = start;
        Ok(Node::Coprocess(Box::new(self.simple()?)))
    }

    /// A plain word: the name of a function or a variable.
    fn name(&mut self) -> Parse<String> {
        let mut name = String::new();
        while let Some(letter) = self.peek() {
            if is_delimiter(letter) {
                break;
            }
            if matches!(letter, '\'' | '"' | '\\' | '$' | '`') {
                return self.fail("a name is not plain");
            }
            self.pass(letter)?;
            name.push(letter);
        }
        if name.is_empty() { self.fail("a name is missing") } else { Ok(name) }
    }

    /// A word that must be here.
    fn word_here(&mut self) -> Parse<Word> {
        match self.peek() {
            Some(character) if !is_delimiter(character) || self.sees_process()? => {
                self.word(Position::Argument)
            }
            Some(_) | None => self.fail("a word is missing"),
        }
    }
}

/// The semicolons of `for ((…))`, which are outside expansions.
fn semicolons(word: &Word) -> usize {
    let count = |part: &Part| match part {
        Part::Plain(text) | Part::Quoted(text) => text.matches(';').count(),
        Part::Expansion { .. } | Part::Process { .. } => 0,
    };
    word.parts.iter().map(count).sum()
}

/// `-f` and the like.
fn is_unary(word: &Word) -> bool {
    let [Part::Plain(text)] = word.parts.as_slice() else { return false };
    matches!(text.as_bytes(), [b'-', letter] if letter.is_ascii_alphabetic())
}

fn is_binary(word: &Word) -> bool {
    const OPERATORS: [&str; 12] =
        ["!=", "-ef", "-eq", "-ge", "-gt", "-le", "-lt", "-ne", "-nt", "-ot", "=", "=="];
    let [Part::Plain(text)] = word.parts.as_slice() else { return false };
    OPERATORS.contains(&text.as_str())
}
