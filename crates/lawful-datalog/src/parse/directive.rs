//! Directives: `.decl` and `.output`.

use super::{Parser, Result, WIDEST, columns_of, is_keyword};
use crate::problem::{Problem, ProblemKind};
use crate::program::{Column, Kind, position};

impl Parser<'_, '_> {
    pub(super) fn directive(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 1;
        let word = self.word().unwrap_or_default();
        match word {
            "decl" => self.declaration(),
            "output" => {
                self.blank();
                let name_at = self.at;
                let Some(name) = self.word() else {
                    return Err(self.expected("the name of a relation after `.output`"));
                };
                let Some(relation) = self.program.find(name) else {
                    let message = format!("unknown relation `{name}`");
                    return Err(self.of(
                        ProblemKind::Unknown,
                        name_at..self.at,
                        message,
                        "declare it before its `.output`",
                    ));
                };
                self.program.output(relation);
                if let Some(relation) = self.program.relations.get_mut(relation.index()) {
                    relation.at = position(start)..position(self.at);
                }
                Ok(())
            }
            _ => {
                let end = self.rest().find('\n').map_or(self.text.len(), |to| self.at + to);
                let message = format!("the directive `.{word}` is not supported");
                self.problems.push(Problem::new(
                    ProblemKind::Directive,
                    self.place(start..self.at),
                    message,
                    "remove the line; only `.decl` and `.output` are supported",
                ));
                self.at = end;
                Ok(())
            }
        }
    }

    fn declaration(&mut self) -> Result<()> {
        self.blank();
        let start = self.at;
        let Some(name) = self.word() else {
            return Err(self.expected("the name of a relation after `.decl`"));
        };
        self.blank();
        if !self.eat("(") {
            return Err(self.expected("`(` after the name of a relation"));
        }
        let mut columns = Vec::new();
        self.blank();
        if !self.eat(")") {
            loop {
                columns.push(self.column()?);
                self.blank();
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    return Err(self.expected("`,` or `)` between columns"));
                }
            }
        }
        let here = start..start + name.len();
        if columns.len() > WIDEST {
            return Err(self.too_wide(here, name));
        }
        let at = self.place(here.clone());
        let Some(known) = self.program.find(name) else {
            if is_keyword(name) {
                return Err(self.keyword(here, name));
            }
            self.program.add_relation(name, columns, true, at);
            return Ok(());
        };
        let relation = self.program.get(known);
        if relation.columns.len() != columns.len() {
            let (had, has) = (relation.columns.len(), columns.len());
            let message = format!("`{name}` has {}, but is declared with {has}", columns_of(had));
            return Err(self.of(
                ProblemKind::Arity,
                here,
                message,
                "declare it with as many columns as it has",
            ));
        }
        if relation.declared && relation.columns.iter().any(|column| column.kind.is_some()) {
            let message = format!("`{name}` is declared twice");
            return Err(self.of(
                ProblemKind::Arity,
                here,
                message,
                "remove one of the declarations",
            ));
        }
        if let Some(relation) = self.program.relations.get_mut(known.index()) {
            relation.columns = columns;
            relation.declared = true;
        }
        Ok(())
    }

    fn column(&mut self) -> Result<Column> {
        self.blank();
        let Some(name) = self.word() else {
            return Err(self.expected("the name of a column"));
        };
        if is_keyword(name) {
            return Err(self.keyword(self.at - name.len()..self.at, name));
        }
        self.blank();
        if !self.eat(":") {
            return Err(self.expected("`:` and a type after the name of a column"));
        }
        self.blank();
        let start = self.at;
        let kind = match self.word().unwrap_or_default() {
            "number" => Kind::Number,
            "symbol" => Kind::Symbol,
            "boolean" => Kind::Boolean,
            other => {
                let message = format!("unknown type `{other}`");
                return Err(self.problem(
                    start..self.at,
                    &message,
                    "the types are `number`, `symbol` and `boolean`",
                ));
            }
        };
        Ok(Column { name: name.into(), kind: Some(kind) })
    }
}
