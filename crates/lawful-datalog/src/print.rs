//! Prints the text form: a complete program in Soufflé's dialect.

use std::fmt::{self, Display, Write as _};

use crate::constant::{Constant, Constants, Datum};
use crate::kinds::Kinds;
use crate::program::{Atom, Kind, Literal, Program, RelationId, Rule, Term};
use crate::why::{By, Derivation, Reason};

/// Parsing the result gives the same program without its notes, and with symbols for booleans.
/// Soufflé has no booleans. A column of booleans contains nothing else, so the symbols are
/// unambiguous.
impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = Kinds::infer(self).0;
        for (id, relation) in self.relations() {
            write!(f, ".decl {}(", relation.name)?;
            for (at, column) in relation.columns.iter().enumerate() {
                let kind = kinds.of(id, at).unwrap_or(Kind::Symbol);
                let comma = if at == 0 { "" } else { ", " };
                write!(f, "{comma}{}: {}", column.name, kind.name())?;
            }
            f.write_str(")\n")?;
        }
        section(f, self.facts.is_empty())?;
        for (relation, values) in self.facts() {
            writeln!(
                f,
                "{}.",
                fact_with(self, &self.constants, relation, values, Booleans::Quoted)
            )?;
        }
        section(f, self.rules.is_empty())?;
        for rule in &self.rules {
            comment(f, &rule.note)?;
            writeln!(f, "{}", self.rule_with(rule, Booleans::Quoted))?;
        }
        section(f, !self.relations.iter().any(|relation| relation.output))?;
        for relation in self.relations.iter().filter(|relation| relation.output) {
            writeln!(f, ".output {}", relation.name)?;
        }
        Ok(())
    }
}

/// How booleans are written: as in a rulespec, or as Soufflé can read them.
#[derive(Clone, Copy)]
pub(crate) enum Booleans {
    Bare,
    Quoted,
}

fn section(f: &mut fmt::Formatter<'_>, empty: bool) -> fmt::Result {
    if empty { Ok(()) } else { f.write_char('\n') }
}

/// A comment of one line. Soufflé runs a preprocessor that joins a line ending in a backslash with
/// the next one, so no comment ends in a backslash.
fn comment(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if text.is_empty() {
        return Ok(());
    }
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let guard = if line.trim_end().ends_with('\\') { " ." } else { "" };
    writeln!(f, "// {line}{guard}")
}

impl Program {
    /// The text of a fact, without its full stop.
    pub fn show_fact<'p>(
        &'p self,
        relation: RelationId,
        values: &'p [Constant],
    ) -> impl Display + 'p {
        fact_with(self, &self.constants, relation, values, Booleans::Bare)
    }

    /// The text of a rule.
    pub fn show_rule<'p>(&'p self, rule: &'p Rule) -> impl Display + 'p {
        self.rule_with(rule, Booleans::Bare)
    }

    fn rule_with<'p>(&'p self, rule: &'p Rule, booleans: Booleans) -> impl Display + 'p {
        fmt::from_fn(move |f| {
            atom(f, self, rule, rule.head, booleans)?;
            for (at, literal) in self.body(rule).iter().enumerate() {
                f.write_str(if at == 0 { " :- " } else { ", " })?;
                match literal {
                    Literal::Positive(positive) => atom(f, self, rule, *positive, booleans)?,
                    Literal::Negative(negative) => {
                        f.write_char('!')?;
                        atom(f, self, rule, *negative, booleans)?;
                    }
                    Literal::Compare(left, comparison, right) => {
                        term(f, self, rule, *left, booleans)?;
                        write!(f, " {} ", comparison.sign())?;
                        term(f, self, rule, *right, booleans)?;
                    }
                    Literal::Count(counted, comparison, bound) => {
                        f.write_str("count : { ")?;
                        atom(f, self, rule, *counted, booleans)?;
                        write!(f, " }} {} {bound}", comparison.sign())?;
                    }
                }
            }
            f.write_char('.')
        })
    }
}

/// A fact whose constants may be newer than the program.
pub(crate) fn fact_with<'p>(
    program: &'p Program,
    constants: &'p Constants,
    relation: RelationId,
    values: &'p [Constant],
    booleans: Booleans,
) -> impl Display + 'p {
    fmt::from_fn(move |f| {
        write!(f, "{}(", program.get(relation).name)?;
        for (at, value) in values.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { ", " })?;
            constant(f, constants.datum(*value), booleans)?;
        }
        f.write_char(')')
    })
}

fn atom(
    f: &mut fmt::Formatter<'_>,
    program: &Program,
    rule: &Rule,
    atom: Atom,
    booleans: Booleans,
) -> fmt::Result {
    write!(f, "{}(", program.get(atom.relation).name)?;
    for (at, one) in program.terms(atom).iter().enumerate() {
        f.write_str(if at == 0 { "" } else { ", " })?;
        term(f, program, rule, *one, booleans)?;
    }
    f.write_char(')')
}

fn term(
    f: &mut fmt::Formatter<'_>,
    program: &Program,
    rule: &Rule,
    term: Term,
    booleans: Booleans,
) -> fmt::Result {
    match term {
        Term::Any => f.write_char('_'),
        Term::Constant(value) => constant(f, program.constants.datum(value), booleans),
        Term::Variable(variable) => match program.variables(rule).get(usize::from(variable.0)) {
            Some(name) => f.write_str(name),
            None => write!(f, "v{}", variable.0),
        },
    }
}

fn constant(f: &mut fmt::Formatter<'_>, datum: Datum<'_>, booleans: Booleans) -> fmt::Result {
    match datum {
        Datum::Boolean(boolean) => match booleans {
            Booleans::Bare => write!(f, "{boolean}"),
            Booleans::Quoted => write!(f, "\"{boolean}\""),
        },
        Datum::Number(number) => write!(f, "{number}"),
        Datum::Symbol(text) => {
            f.write_char('"')?;
            for c in text.chars() {
                match c {
                    '"' => f.write_str("\\\"")?,
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    _ => f.write_char(c)?,
                }
            }
            f.write_char('"')
        }
    }
}

impl crate::Run<'_> {
    /// The text of a fact, without its full stop.
    pub fn show(&self, relation: RelationId, values: &[Constant]) -> String {
        fact_with(&self.compiled.program, &self.constants, relation, values, Booleans::Bare)
            .to_string()
    }

    /// The text of an atom; `None` is `_`.
    pub fn show_form(&self, relation: RelationId, form: &[Option<Constant>]) -> String {
        let shown = |value: &Option<Constant>| match value {
            None => "_".to_owned(),
            Some(value) => {
                fmt::from_fn(|f| constant(f, self.constants.datum(*value), Booleans::Bare))
                    .to_string()
            }
        };
        let terms: Vec<String> = form.iter().map(shown).collect();
        format!("{}({})", self.compiled.program.get(relation).name, terms.join(", "))
    }

    /// A derivation, one fact on a line, with the facts it was derived from indented below it.
    pub fn show_derivation(&self, derivation: &Derivation) -> String {
        let mut out = String::new();
        self.derivation(derivation, 0, &mut out);
        out
    }

    fn derivation(&self, derivation: &Derivation, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let _ = write!(out, "{indent}{}", self.show(derivation.relation, &derivation.values));
        match &derivation.by {
            By::Given => out.push('\n'),
            By::Cut => out.push_str(" (more not shown)\n"),
            By::Rule(rule, reasons) => {
                let _ = writeln!(out, " by rule {}", rule.index());
                for reason in reasons {
                    self.show_reason(reason, depth + 1, out);
                }
            }
        }
    }

    fn show_reason(&self, reason: &Reason, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let _ = match reason {
            Reason::Fact(fact) => {
                self.derivation(fact, depth, out);
                Ok(())
            }
            Reason::Absent(relation, form, obstacles) => {
                let written = writeln!(out, "{indent}no {}", self.show_form(*relation, form));
                for obstacle in obstacles {
                    self.show_reason(obstacle, depth + 1, out);
                }
                written
            }
            Reason::Compared(left, comparison, right) => {
                let (left, right) = (self.constants.datum(*left), self.constants.datum(*right));
                let shown = fmt::from_fn(|f| {
                    constant(f, left, Booleans::Bare)?;
                    write!(f, " {} ", comparison.sign())?;
                    constant(f, right, Booleans::Bare)
                });
                writeln!(out, "{indent}{shown}")
            }
            Reason::Counted(relation, form, count) => {
                writeln!(out, "{indent}{count} of {}", self.show_form(*relation, form))
            }
        };
    }
}
