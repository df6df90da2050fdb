//! Lists, pipelines, simple commands and redirections.

use super::cursor::{Parse, Parser, is_delimiter};
use super::heredoc::Pending;
use super::tree::{
    Assignment, Node, Part, Redirect, RedirectKind, Separator, Simple, SimpleId, Word,
};
use super::word::Position;

/// The words that end a list where a command would start.
const CLOSERS: [&str; 8] = ["}", "do", "done", "elif", "else", "esac", "fi", "then"];

impl Parser<'_> {
    /// The whole text.
    pub(super) fn script(&mut self) -> Parse<Node> {
        let list = self.list()?;
        match self.peek() {
            None => Ok(list),
            Some(_) => self.fail("it does not parse"),
        }
    }

    /// Commands up to something that cannot start one. The caller checks what that is.
    pub(super) fn list(&mut self) -> Parse<Node> {
        self.nested(|parser| {
            let mut items = Vec::new();
            loop {
                parser.lines()?;
                if parser.at_list_end()? {
                    break;
                }
                let command = parser.pipeline()?;
                parser.blanks()?;
                let Some(separator) = parser.separator()? else {
                    items.push((command, Separator::Sequence));
                    break;
                };
                items.push((command, separator));
                if matches!(separator, Separator::And | Separator::Or) {
                    parser.lines()?;
                    if parser.at_list_end()? {
                        return parser.fail("a command is missing after `&&` or `||`");
                    }
                }
            }
            Ok(Node::List(items))
        })
    }

    /// A list with at least one command.
    pub(super) fn body(&mut self) -> Parse<Node> {
        let list = self.list()?;
        if matches!(&list, Node::List(items) if items.is_empty()) {
            return self.fail("a command is missing");
        }
        Ok(list)
    }

    fn separator(&mut self) -> Parse<Option<Separator>> {
        if self.take("&&")? {
            return Ok(Some(Separator::And));
        }
        if self.take("||")? {
            return Ok(Some(Separator::Or));
        }
        if self.sees(";;")? || self.sees(";&")? {
            return Ok(None);
        }
        Ok(match self.peek() {
            Some(';') => {
                self.pass(';')?;
                Some(Separator::Sequence)
            }
            Some('&') => {
                self.pass('&')?;
                Some(Separator::Background)
            }
            Some('\n') => {
                self.line_end()?;
                Some(Separator::Sequence)
            }
            Some(_) | None => None,
        })
    }

    fn at_list_end(&mut self) -> Parse<bool> {
        Ok(match self.peek() {
            None | Some(')' | ';' | '&' | '|') => !self.sees("&>")?,
            Some(_) => self.keyword()?.is_some_and(|word| CLOSERS.contains(&word)),
        })
    }

    fn pipeline(&mut self) -> Parse<Node> {
        let mut negated = false;
        loop {
            self.blanks()?;
            if self.take_keyword("!")? {
                negated = !negated;
            } else if self.take_keyword("time")? {
                self.blanks()?;
                while self.take_option("-p")? || self.take_option("--")? {
                    self.blanks()?;
                }
                if self.at_pipeline_end()? {
                    return Ok(Node::List(Vec::new()));
                }
            } else {
                break;
            }
        }
        if negated && self.at_pipeline_end()? {
            return Ok(Node::List(Vec::new()));
        }
        let first = self.command()?;
        let mut commands = vec![first];
        loop {
            self.blanks()?;
            if self.sees("||")? || self.peek() != Some('|') {
                break;
            }
            self.pass('|')?;
            if self.peek() == Some('&') {
                self.pass('&')?;
            }
            self.lines()?;
            commands.push(self.command()?);
        }
        let node = match commands.pop() {
            Some(only) if commands.is_empty() => only,
            Some(last) => {
                commands.push(last);
                Node::Pipeline(commands)
            }
            None => Node::List(Vec::new()),
        };
        Ok(if negated { Node::Not(Box::new(node)) } else { node })
    }

    fn at_pipeline_end(&mut self) -> Parse<bool> {
        self.blanks()?;
        Ok(matches!(self.peek(), None | Some('\n' | ';' | ')')))
    }

    /// Assignments, words and redirections.
    pub(super) fn simple(&mut self) -> Parse<Node> {
        let mut simple = Simple::default();
        loop {
            self.blanks()?;
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                continue;
            }
            match self.peek() {
                None => break,
                Some('(') => {
                    return self.function(&simple);
                }
                Some(character) if is_delimiter(character) && !self.sees_process()? => break,
                Some(_) => {}
            }
            let start = simple.words.is_empty();
            let position = match simple.words.first() {
                None => Position::Command,
                Some(word) if declares(word) => Position::Declaration,
                Some(_) => Position::Argument,
            };
            let word = self.word(position)?;
            if start && let Some(assignment) = assignment(&word) {
                simple.assignments.push(assignment);
            } else {
                simple.words.push(word);
            }
        }
        if simple.assignments.is_empty() && simple.words.is_empty() && simple.redirects.is_empty() {
            return self.fail("a command is missing");
        }
        let id = SimpleId(self.simples.len());
        self.simples.push(simple);
        Ok(Node::Simple(id))
    }

    /// `name ()` and a body, after the name.
    fn function(&mut self, simple: &Simple) -> Parse<Node> {
        let Simple { assignments, words, redirects } = simple;
        let [word] = words.as_slice() else { return self.fail("it does not parse") };
        if !assignments.is_empty() || !redirects.is_empty() {
            return self.fail("it does not parse");
        }
        let [Part::Plain(name)] = word.parts.as_slice() else {
            return self.fail("the name of a function is not plain");
        };
        let name = name.clone();
        self.pass('(')?;
        self.blanks()?;
        if !self.take(")")? {
            return self.fail("it does not parse");
        }
        self.function_body(name)
    }

    pub(super) fn function_body(&mut self, name: String) -> Parse<Node> {
        self.lines()?;
        match self.compound()? {
            Some(body) => Ok(Node::Function { name, body: Box::new(body) }),
            None => self.fail("the body of a function is not a compound command"),
        }
    }

    /// The redirections after a compound command.
    pub(super) fn redirects(&mut self) -> Parse<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            self.blanks()?;
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    fn redirect(&mut self) -> Parse<Option<Redirect>> {
        let start = self.at;
        let descriptor = self.descriptor()?;
        let kind = self.redirect_operator()?;
        let Some(operator) = kind else {
            self.at = start;
            return Ok(None);
        };
        self.blanks()?;
        if let Operator::HereDocument { strip_tabs } = operator {
            let index = self.bodies.len();
            self.bodies.push(None);
            let (delimiter, literal) = self.delimiter()?;
            self.pending.push(Pending { delimiter, strip_tabs, literal, index });
            let kind = RedirectKind::HereDocument(index);
            return Ok(Some(Redirect { descriptor, kind, target: Word::default() }));
        }
        match self.peek() {
            Some(character) if !is_delimiter(character) => {}
            Some('<' | '>') if self.sees_process()? => {}
            Some(_) | None => return self.fail("the target of a redirection is missing"),
        }
        let target = self.word(Position::Argument)?;
        if is_number(&target) && matches!(self.peek(), Some('<' | '>')) {
            return self.fail("the target of a redirection is missing");
        }
        let kind = match operator {
            Operator::Read => RedirectKind::Read,
            Operator::Write => RedirectKind::Write,
            Operator::ReadWrite => RedirectKind::ReadWrite,
            Operator::DuplicateInput => RedirectKind::Duplicate { input: true },
            Operator::DuplicateOutput if is_descriptor(&target) => {
                RedirectKind::Duplicate { input: false }
            }
            Operator::DuplicateOutput => RedirectKind::Write,
            Operator::HereString | Operator::HereDocument { .. } => RedirectKind::HereString,
        };
        Ok(Some(Redirect { descriptor, kind, target }))
    }

    /// `2` or `{name}` directly in front of an operator.
    fn descriptor(&mut self) -> Parse<Option<String>> {
        let start = self.at;
        let mut text = String::new();
        if self.peek() == Some('{') {
            self.pass('{')?;
            if self.peek().is_some_and(|first| first.is_ascii_digit()) {
                self.at = start;
                return Ok(None);
            }
            while let Some(letter @ ('a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '[' | ']')) =
                self.peek()
            {
                self.pass(letter)?;
                text.push(letter);
            }
            if text.is_empty() || !self.take("}")? {
                self.at = start;
                return Ok(None);
            }
        } else {
            while let Some(digit @ '0'..='9') = self.peek() {
                self.pass(digit)?;
                text.push(digit);
            }
        }
        Ok((!text.is_empty()).then_some(text))
    }

    fn redirect_operator(&mut self) -> Parse<Option<Operator>> {
        const OPERATORS: [(&str, Operator); 12] = [
            ("<<<", Operator::HereString),
            ("<<-", Operator::HereDocument { strip_tabs: true }),
            ("<<", Operator::HereDocument { strip_tabs: false }),
            ("<&", Operator::DuplicateInput),
            ("<>", Operator::ReadWrite),
            ("<", Operator::Read),
            (">>", Operator::Write),
            (">|", Operator::Write),
            (">&", Operator::DuplicateOutput),
            (">", Operator::Write),
            ("&>>", Operator::Write),
            ("&>", Operator::Write),
        ];
        if !matches!(self.peek(), Some('<' | '>' | '&')) || self.sees_process()? {
            return Ok(None);
        }
        for (text, operator) in OPERATORS {
            if self.take(text)? {
                return Ok(Some(operator));
            }
        }
        Ok(None)
    }

    /// Whether `<(` or `>(` comes next.
    pub(super) fn sees_process(&mut self) -> Parse<bool> {
        Ok(self.sees("<(")? || self.sees(">(")?)
    }

    /// The reserved word here, if there is one. A quoted or longer word is not reserved.
    pub(super) fn keyword(&mut self) -> Parse<Option<&'static str>> {
        const KEYWORDS: [&str; 22] = [
            "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac",
            "fi", "for", "function", "if", "in", "select", "then", "time", "until", "while",
        ];
        let start = self.at;
        let mut found = None;
        let mut text = String::new();
        loop {
            match self.peek() {
                Some(character) if !is_delimiter(character) => {
                    if text.len() > 8 {
                        break;
                    }
                    self.at += character.len_utf8();
                    text.push(character);
                }
                Some(_) | None => {
                    found = KEYWORDS.into_iter().find(|keyword| *keyword == text);
                    break;
                }
            }
        }
        self.at = start;
        self.spend(1)?;
        Ok(found)
    }

    pub(super) fn take_keyword(&mut self, wanted: &str) -> Parse<bool> {
        if self.keyword()? == Some(wanted) {
            return self.take(wanted);
        }
        Ok(false)
    }

    pub(super) fn expect_keyword(&mut self, wanted: &str) -> Parse<()> {
        if self.take_keyword(wanted)? { Ok(()) } else { self.fail("it does not parse") }
    }

    fn take_option(&mut self, wanted: &str) -> Parse<bool> {
        let start = self.at;
        if self.take(wanted)? && self.peek().is_none_or(is_delimiter) {
            return Ok(true);
        }
        self.at = start;
        Ok(false)
    }
}

#[derive(Clone, Copy)]
enum Operator {
    Read,
    Write,
    ReadWrite,
    DuplicateInput,
    DuplicateOutput,
    HereString,
    HereDocument { strip_tabs: bool },
}

/// Whether a program is a builtin that takes arrays as arguments.
fn declares(program: &Word) -> bool {
    const BUILTINS: [&str; 8] =
        ["alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"];
    match program.parts.as_slice() {
        [Part::Plain(name)] => BUILTINS.contains(&name.as_str()),
        _ => false,
    }
}

fn is_number(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Plain(text)] if text.chars().all(|digit| digit.is_ascii_digit()))
}

/// `1`, `-` or `1-` after `>&`.
fn is_descriptor(target: &Word) -> bool {
    target.literal().is_some_and(|text| {
        let digits = text.strip_suffix('-').unwrap_or(&text);
        !text.is_empty() && digits.chars().all(|digit| digit.is_ascii_digit())
    })
}

/// Splits `name=value`, `name+=value` and `name[index]=value`.
fn assignment(word: &Word) -> Option<Assignment> {
    let (first, rest) = word.parts.split_first()?;
    let Part::Plain(text) = first else { return None };
    let name_end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))?;
    let (name, after) = text.split_at_checked(name_end)?;
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if let Some(value) = after.strip_prefix("+=").or_else(|| after.strip_prefix('=')) {
        let mut parts = Vec::new();
        if !value.is_empty() {
            parts.push(Part::Plain(value.to_owned()));
        }
        parts.extend(rest.iter().cloned());
        let appends = after.starts_with('+');
        return Some(Assignment { name: name.to_owned(), value: Word { parts }, appends });
    }
    if after.starts_with('[') {
        // The subscript ends in the last `]=` outside quotes; what is in it may run commands, so
        // the whole word is kept as the value.
        let closes = word.parts.iter().any(|part| match part {
            Part::Plain(text) => text.contains("]=") || text.contains("]+="),
            Part::Quoted(_) | Part::Expansion { .. } | Part::Process { .. } => false,
        });
        return closes.then(|| Assignment {
            name: name.to_owned(),
            value: word.clone(),
            appends: false,
        });
    }
    None
}
