//! Prints a program for clingo, so that an independent engine can run it.
//!
//! clingo distinguishes variables from constants by their first letter, writes `not` for `!`, and
//! counts with `#count`. Names get a prefix, so that none is a keyword.

use std::fmt::Write as _;

use crate::constant::{Constant, Datum};
use crate::program::{Atom, Literal, Program, Term};

impl Program {
    /// The program in clingo's language, or the number that clingo cannot represent. `name(…)` is
    /// written `r_name(…)`, and only outputs are shown.
    pub fn to_clingo(&self) -> Result<String, i64> {
        let mut out = String::new();
        for (relation, values) in self.facts() {
            let terms: Result<Vec<String>, i64> =
                values.iter().map(|value| constant(self, *value)).collect();
            let _ = writeln!(out, "{}.", call(&self.get(relation).name, &terms?));
        }
        for rule in &self.rules {
            out.push_str(&atom(self, rule.head, false)?);
            for (at, literal) in self.body(rule).iter().enumerate() {
                out.push_str(if at == 0 { " :- " } else { ", " });
                out.push_str(&literal_of(self, literal)?);
            }
            out.push_str(".\n");
        }
        for relation in self.relations.iter().filter(|relation| relation.output) {
            let _ = writeln!(out, "#show r_{}/{}.", relation.name, relation.columns.len());
        }
        Ok(out)
    }
}

fn literal_of(program: &Program, literal: &Literal) -> Result<String, i64> {
    Ok(match literal {
        Literal::Positive(positive) => atom(program, *positive, false)?,
        Literal::Negative(negative) => format!("not {}", atom(program, *negative, false)?),
        Literal::Compare(left, comparison, right) => {
            format!("{} {} {}", term(program, *left)?, comparison.sign(), term(program, *right)?)
        }
        Literal::Count(counted, comparison, bound) => {
            // Every `_` becomes a separate variable, and the set contains all of them.
            let names: Vec<String> =
                (0..program.terms(*counted).len()).map(|at| format!("C{at}")).collect();
            let counted = atom(program, *counted, true)?;
            let set = if names.is_empty() { "0".to_owned() } else { names.join(",") };
            let bound = small(*bound)?;
            format!("#count {{ {set} : {counted} }} {} {bound}", comparison.sign())
        }
    })
}

fn atom(program: &Program, atom: Atom, counted: bool) -> Result<String, i64> {
    let mut equalities = String::new();
    let mut terms = Vec::new();
    for (at, one) in program.terms(atom).iter().enumerate() {
        if counted {
            terms.push(format!("C{at}"));
            if *one != Term::Any {
                let _ = write!(equalities, ", C{at} = {}", term(program, *one)?);
            }
        } else {
            terms.push(term(program, *one)?);
        }
    }
    Ok(call(&program.get(atom.relation).name, &terms) + &equalities)
}

fn call(name: &str, terms: &[String]) -> String {
    let name = name.replace('?', "__q");
    if terms.is_empty() { format!("r_{name}") } else { format!("r_{name}({})", terms.join(",")) }
}

fn term(program: &Program, term: Term) -> Result<String, i64> {
    match term {
        Term::Any => Ok("_".to_owned()),
        Term::Variable(variable) => Ok(format!("V{}", variable.0)),
        Term::Constant(value) => constant(program, value),
    }
}

fn constant(program: &Program, value: Constant) -> Result<String, i64> {
    match program.constants.datum(value) {
        Datum::Number(number) => small(number).map(|number| number.to_string()),
        Datum::Symbol(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            Ok(format!("\"{text}\""))
        }
        Datum::Boolean(boolean) => Ok(format!("\"{boolean}\"")),
    }
}

/// Numbers in clingo have 32 bits.
fn small(number: i64) -> Result<i32, i64> {
    i32::try_from(number).map_err(|_| number)
}
