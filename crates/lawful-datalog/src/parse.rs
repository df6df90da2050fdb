//! Parses the text form: the part of Soufflé's dialect that the engine runs.
//!
//! ```text
//! .decl edge(x: symbol, y: symbol)      declares a relation; optional, except for its kinds
//! edge("a", "b").                       a fact
//! path(x, y) :- edge(x, y).             a rule
//! path(x, z) :- path(x, y), edge(y, z).
//! lone(x) :- edge(x, _), !path(_, x), x != "root", count : { edge(x, _) } >= 2.
//! good(x) :- test(x, true).             `true` and `false` are constants; Soufflé has none of them
//! .output path                          an answer of the program
//! ```
//!
//! `//` and `/* */` are comments. After an error, parsing continues after the next full stop, so
//! that it reports every error of a text.

mod directive;
mod keyword;
mod lex;
mod mistake;

use std::borrow::Cow;

pub use keyword::is_keyword;
use mistake::Uses;

use crate::problem::{Problem, ProblemKind};
use crate::program::{
    Atom, Column, Comparison, Literal, Place, Program, RelationId, Rule, Term, Variable, position,
};

/// The maximum number of columns of a relation.
pub(crate) const WIDEST: usize = 32;
/// The number of relation names in the cache.
const RECENT: usize = 16;
/// The maximum number of variables of a rule.
const VARIABLES: usize = 1_000;

/// Adds a text to a program, and reports every problem of the text.
///
/// The text can use the relations that the program already has.
pub fn parse(text: &str, program: &mut Program) -> Vec<Problem> {
    parse_with(text, program, |symbol| symbol)
}

/// The same, for a host that encodes symbols.
pub fn parse_with<'t>(
    text: &'t str,
    program: &mut Program,
    keep: impl Fn(Cow<'t, str>) -> Cow<'t, str>,
) -> Vec<Problem> {
    // An estimate for a text of this length; the lists grow if it is too small.
    let clauses = (text.len() / 32).min(4096);
    program.rules.reserve(clauses);
    program.literals.reserve(clauses * 2);
    program.terms.reserve(clauses * 4);
    let mut parser = Parser {
        text,
        at: 0,
        program,
        keep: &keep,
        problems: Vec::new(),
        recent: [None; RECENT],
        uses: Uses::default(),
    };
    loop {
        parser.blank();
        if parser.at >= text.len() {
            return parser.problems;
        }
        let clause = (parser.program.literals.len(), parser.program.names.len());
        if let Err(problem) = parser.clause() {
            parser.problems.push(*problem);
            parser.program.literals.truncate(clause.0);
            parser.program.names.truncate(clause.1);
            parser.recover();
        }
    }
}

type Result<T> = std::result::Result<T, Box<Problem>>;

struct Parser<'t, 'p> {
    text: &'t str,
    at: usize,
    program: &'p mut Program,
    keep: &'p dyn Fn(Cow<'t, str>) -> Cow<'t, str>,
    problems: Vec<Problem>,
    /// Recently used relations, by a rough hash of their names.
    recent: [Option<(&'t str, RelationId)>; RECENT],
    /// The variables of the current clause.
    uses: Uses,
}

impl<'t> Parser<'t, '_> {
    fn clause(&mut self) -> Result<()> {
        if self.peek() == Some(b'.') {
            return self.directive();
        }
        self.uses.clear();
        let start = self.at;
        let names = self.program.names.len();
        let body = position(self.program.literals.len());
        let head = self.atom(names)?;
        self.blank();
        if self.eat(".") {
            return self.fact(head, names, start);
        }
        self.uses.end_head();
        if !self.eat(":-") {
            if let Some(problem) = self.missing_stop() {
                self.problems.push(*problem);
                return self.fact(head, names, start);
            }
            return Err(self.expected("`.` or `:-` after the head of a rule"));
        }
        loop {
            let literal = self.literal(names)?;
            self.program.literals.push(literal);
            self.blank();
            if self.eat(",") {
                continue;
            }
            if self.eat(".") {
                break;
            }
            if self.peek() == Some(b';') {
                return Err(self.problem(
                    self.at..self.at + 1,
                    "`;` is not supported",
                    "write a rule for each alternative",
                ));
            }
            if let Some(problem) = self.missing_stop() {
                self.problems.push(*problem);
                break;
            }
            let and = self.rest().get(..3).is_some_and(|word| word.eq_ignore_ascii_case("and"));
            return Err(match self.after_term() {
                Some(problem) => problem,
                None if and || self.bytes().starts_with(b"&&") => {
                    let length = if and { 3 } else { 2 };
                    self.problem(self.at..self.at + length, "`and` is not supported", "write `,`")
                }
                None => self.expected("`,` or `.` in the body of a rule"),
            });
        }
        self.note_single_uses();
        let variables = position(names)..position(self.program.names.len());
        let at = self.place(start..self.at);
        let body = body..position(self.program.literals.len());
        self.program.rules.push(Rule { head, body, variables, note: "".into(), at });
        Ok(())
    }

    fn fact(&mut self, head: Atom, names: usize, start: usize) -> Result<()> {
        let values = position(self.program.values.len());
        for term in self.program.terms.get(head.start as usize..).unwrap_or_default() {
            let Term::Constant(constant) = term else {
                let clause = start..self.at;
                // Parsing continues after this full stop, not after the next one.
                self.at = self.at.saturating_sub(1).max(start);
                return Err(match self.uses.first() {
                    None => self.problem(
                        clause,
                        "a fact contains only constants",
                        "give the rule a body that binds its variables, or write text in quotes",
                    ),
                    Some(here) => {
                        let name = self.text.get(here.clone()).unwrap_or_default();
                        let message =
                            format!("`{name}` is a variable, and a fact contains only constants");
                        let help = format!(
                            "write `\"{name}\"` for text, or give the rule a body that binds `{name}`"
                        );
                        self.problem(here, &message, &help)
                    }
                });
            };
            self.program.values.push(*constant);
        }
        let end = position(self.program.values.len());
        self.program.facts.push(crate::program::Fact {
            relation: head.relation,
            start: values,
            end,
        });
        self.program.terms.truncate(head.start as usize);
        self.program.names.truncate(names);
        Ok(())
    }

    fn literal(&mut self, names: usize) -> Result<Literal> {
        self.blank();
        if self.peek() == Some(b'!') && !self.bytes().starts_with(b"!=") {
            self.at += 1;
            self.blank();
            return Ok(Literal::Negative(self.atom(names)?));
        }
        let start = self.at;
        if self.eat("\\+") {
            let problem = self.negation(start);
            return Err(problem.unwrap_or_else(|| self.expected("an atom such as `edge(x, y)`")));
        }
        if let Some(word) = self.word() {
            if word.eq_ignore_ascii_case("not")
                && let Some(problem) = self.negation(start)
            {
                return Err(problem);
            }
            self.blank();
            if word == "count" && self.peek() == Some(b'(') {
                return Err(self.count_form(start..start + word.len()));
            }
            if self.peek() == Some(b'(') {
                return Ok(Literal::Positive(self.arguments(word, start, names)?));
            }
            if word == "count" && self.eat(":") {
                return self.count(names);
            }
            if word == "count" {
                return Err(self.count_form(start..start + word.len()));
            }
            self.at = start;
        }
        let left = self.term(names)?;
        self.blank();
        if let Some(problem) = self.after_term() {
            return Err(problem);
        }
        let comparison = self.comparison()?;
        self.blank();
        let sign = self.at;
        if self.eat("=") {
            return Err(self.problem(sign - 1..sign + 1, "`==` is not a comparison", "write `=`"));
        }
        let right = self.term(names)?;
        Ok(Literal::Compare(left, comparison, right))
    }

    fn count(&mut self, names: usize) -> Result<Literal> {
        self.blank();
        if !self.eat("{") {
            return Err(self.expected("`{` after `count :`"));
        }
        self.blank();
        if self.peek() == Some(b'}') {
            return Err(self.count_form(self.at..self.at + 1));
        }
        let atom = self.atom(names)?;
        self.blank();
        if self.peek() == Some(b',') {
            let help = "write a rule that derives what to count, and count its facts";
            return Err(self.problem(self.at..self.at + 1, "`count` counts one atom", help));
        }
        if !self.eat("}") {
            return Err(self.expected("`}` after the counted atom"));
        }
        let comparison = self.comparison()?;
        self.blank();
        let start = self.at;
        let bound = self.number()?;
        let Some(bound) = bound else {
            return Err(self.problem(
                start..self.at,
                "a count is compared with a whole number",
                "write a whole number",
            ));
        };
        Ok(Literal::Count(atom, comparison, bound))
    }

    fn comparison(&mut self) -> Result<Comparison> {
        self.blank();
        for (sign, comparison) in Comparison::SIGNS {
            if self.eat(sign) {
                return Ok(comparison);
            }
        }
        Err(self.expected("an atom such as `edge(x, y)`, or a comparison such as `x < 3`"))
    }

    fn atom(&mut self, names: usize) -> Result<Atom> {
        let start = self.at;
        let Some(word) = self.word() else {
            return Err(self.expected("the name of a relation"));
        };
        self.blank();
        if self.peek() != Some(b'(') {
            return Err(self.expected("`(` after the name of a relation"));
        }
        self.arguments(word, start, names)
    }

    fn arguments(&mut self, name: &'t str, start: usize, names: usize) -> Result<Atom> {
        self.at += 1;
        let from = self.program.terms.len();
        self.blank();
        if !self.eat(")") {
            loop {
                let term = self.term(names)?;
                self.program.terms.push(term);
                self.blank();
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    let problem = self.after_term();
                    return Err(
                        problem.unwrap_or_else(|| self.expected("`,` or `)` between arguments"))
                    );
                }
            }
        }
        let to = self.program.terms.len();
        let relation = self.relation(name, start, to - from)?;
        Ok(Atom { relation, start: position(from), end: position(to) })
    }

    fn relation(&mut self, name: &'t str, start: usize, arity: usize) -> Result<RelationId> {
        let here = start..start + name.len();
        let Some(known) = self.known(name) else {
            if is_keyword(name) {
                return Err(self.keyword(here, name));
            }
            if arity > WIDEST {
                return Err(self.too_wide(here, name));
            }
            let column = |at: usize| Column { name: format!("c{at}").into(), kind: None };
            let columns = (0..arity).map(column).collect();
            let at = self.place(here);
            return Ok(self.program.add_relation(name, columns, false, at));
        };
        let columns = self.program.get(known).columns.len();
        if columns == arity {
            return Ok(known);
        }
        let message =
            format!("`{name}` has {}, but is used with {arity} here", columns_of(columns));
        Err(self.of(
            ProblemKind::Arity,
            here,
            message,
            "use the same number of columns everywhere; `_` matches any value",
        ))
    }

    /// The relation of a name. A few relations are used most, so the last ones are cached.
    fn known(&mut self, name: &'t str) -> Option<RelationId> {
        let rough = name.len() ^ name.bytes().next_back().map_or(0, usize::from);
        let recent = self.recent.get_mut(rough % RECENT)?;
        if let Some((known, relation)) = recent
            && *known == name
        {
            return Some(*relation);
        }
        let relation = self.program.find(name)?;
        *recent = Some((name, relation));
        Some(relation)
    }

    fn term(&mut self, names: usize) -> Result<Term> {
        self.blank();
        let start = self.at;
        if self.peek() == Some(b'"') {
            let symbol = (self.keep)(self.string()?);
            return Ok(Term::Constant(self.program.constants.symbol(&symbol)));
        }
        if let Some(number) = self.small_number() {
            return Ok(Term::Constant(self.program.constants.number(i64::from(number))));
        }
        if let Some(number) = self.number()? {
            return Ok(Term::Constant(self.program.constants.number(number)));
        }
        if self.peek() == Some(b'\'') {
            return Err(self.single_quotes());
        }
        let Some(word) = self.word() else {
            return Err(
                self.expected("a variable, a number, a quoted string, `true`, `false` or `_`")
            );
        };
        match word {
            "_" => return Ok(Term::Any),
            "true" | "false" => {
                return Ok(Term::Constant(self.program.constants.boolean(word == "true")));
            }
            _ => {}
        }
        if is_keyword(word) {
            return Err(self.keyword(start..self.at, word));
        }
        let known = self.program.names.get(names..).unwrap_or_default();
        let number = match known.iter().position(|name| &**name == word) {
            Some(number) => number,
            None if known.len() >= VARIABLES => {
                let message = format!("a rule has more than {VARIABLES} variables");
                return Err(self.of(ProblemKind::Size, start..self.at, message, "split the rule"));
            }
            None => {
                self.program.names.push(word.into());
                self.program.names.len() - names - 1
            }
        };
        self.uses.add(number, start..self.at);
        Ok(Term::Variable(Variable(u16::try_from(number).unwrap_or(u16::MAX))))
    }

    /// Skips to the end of the clause with the error, which is the next full stop.
    fn recover(&mut self) {
        let mut quoted = false;
        let mut before = ' ';
        for (at, c) in self.rest().char_indices() {
            match c {
                '"' if before != '\\' => quoted = !quoted,
                '\n' => quoted = false,
                '.' if !quoted => {
                    self.at += at + 1;
                    return;
                }
                _ => {}
            }
            before = c;
        }
        self.at = self.text.len();
    }

    fn expected(&self, what: &str) -> Box<Problem> {
        let found = self.rest().chars().next();
        let here = self.at..self.at + found.map_or(0, char::len_utf8);
        let message = match found {
            Some(c) => format!("expected {what}, found `{c}`"),
            None => format!("expected {what}, found the end of the text"),
        };
        self.problem(here, &message, "a rule has the form `head(x) :- body(x, _).`")
    }

    fn keyword(&self, here: std::ops::Range<usize>, word: &str) -> Box<Problem> {
        let next = self.bytes().trim_ascii_start().first();
        if word == "count" && matches!(next, Some(b':' | b'{')) {
            return self.count_form(here);
        }
        let message = format!("`{word}` is a keyword of Soufflé and cannot be a name");
        self.problem(here, &message, "use another name")
    }

    fn too_wide(&self, here: std::ops::Range<usize>, name: &str) -> Box<Problem> {
        let message = format!("`{name}` has more than {WIDEST} columns");
        self.of(ProblemKind::Size, here, message, "split the relation")
    }

    fn problem(&self, here: std::ops::Range<usize>, message: &str, help: &str) -> Box<Problem> {
        self.of(ProblemKind::Syntax, here, message.to_owned(), help)
    }

    fn of(
        &self,
        kind: ProblemKind,
        here: std::ops::Range<usize>,
        message: String,
        help: &str,
    ) -> Box<Problem> {
        Box::new(Problem::new(kind, self.place(here), message, help))
    }

    #[expect(clippy::unused_self, reason = "reads better at the call")]
    fn place(&self, here: std::ops::Range<usize>) -> Place {
        position(here.start)..position(here.end)
    }
}

fn columns_of(count: usize) -> String {
    if count == 1 { "1 column".to_owned() } else { format!("{count} columns") }
}
