//! The fences of `spec/cond`.
//!
//! | input | is |
//! |---|---|
//! | `condition` | a condition, in any form |
//! | `data`, `json` | the document it is asked of, as YAML or JSON |
//! | `conditions` | saved conditions by id |
//! | `test` | an operator and its value, for `truth` |
//! | `path` | a path, for `slots` |
//!
//! | expectation | says |
//! |---|---|
//! | `result` | `true`, `false`, `error` or `does not compile` |
//! | `explanation` | the explanation as `lawful eval` prints it |
//! | `diagnostics` | every problem of the inputs so far; empty without problems |
//! | `stored` | the condition in its stored form |
//! | `reads` | the paths it reads |
//! | `value` | the document as JSON |
//! | `slots` | the slots of the path in the document |
//! | `truth` | a table: what each value makes of the `test`, under each quantifier |
//!
//! A host stands behind every section, with the primitives `host.fails` (always an error) and
//! `host.stage` (`args: {stage}`, reads `deal.stage`).

use std::ops::ControlFlow;

use lawful::cond::{
    ArgKind, ArgSpec, Args, Condition, ConditionKind, ConditionSet, Inputs, Outcome, Primitive,
    Ref, Registry, SavedCondition, Surface as Asked, decode, decode_when, without_echoes,
};
use lawful::syntax::{Diagnostic, Format, Kind, Limits, Node, Sources, Span, parse, sort, text};
use lawful::{Path, Value, view};

use crate::page::Block;
use crate::runner::Surface;

#[derive(Default)]
pub(crate) struct Conditions {
    sources: Sources,
    condition: Option<Option<Condition>>,
    data: Option<Value>,
    saved: Vec<SavedCondition>,
    test: Option<String>,
    path: Option<String>,
    problems: Vec<Diagnostic>,
}

impl Surface for Conditions {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        match block.kind.as_str() {
            "condition" => {
                let node = self.parse("condition", &block.text, Format::Yaml);
                // What parsed with errors is not decided from.
                let broken = self.problems.iter().any(Diagnostic::is_error);
                let (tree, problems) = decode_when(node.as_ref());
                self.problems.extend(problems);
                self.condition = Some((node.is_some() && !broken).then_some(tree));
            }
            "data" => {
                self.data =
                    self.parse("data", &block.text, Format::Yaml).map(Value::from_owned_node)
            }
            "json" => {
                self.data =
                    self.parse("json", &block.text, Format::Json).map(Value::from_owned_node)
            }
            "conditions" => {
                let node = self.parse("conditions", &block.text, Format::Yaml);
                for entry in node.as_ref().and_then(|node| node.as_map()).ok_or("no mapping")? {
                    let (tree, problems) = decode(&entry.value);
                    self.problems.extend(problems);
                    let id_span = entry.key_span;
                    self.saved.push(SavedCondition { id: entry.key.clone(), id_span, tree });
                }
            }
            "test" => self.test = Some(block.text.clone()),
            "path" => self.path = Some(block.text.trim_end_matches('\n').to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        Some(match block.kind.as_str() {
            "result" => self.decide().map(|(outcome, _)| match outcome {
                Some(outcome) => outcome.name().to_owned(),
                None => "does not compile".to_owned(),
            }),
            "explanation" => self.decide().map(|(_, explanation)| explanation),
            "diagnostics" => Ok(self.diagnostics()),
            "stored" => self.condition().map(|condition| condition.to_value().to_string()),
            "reads" => self.reads(),
            "value" => {
                self.data.as_ref().map(ToString::to_string).ok_or_else(|| "no data".to_owned())
            }
            "slots" => self.slots(),
            "truth" => self.truth(&block.text),
            _ => return None,
        })
    }
}

/// A set, the one condition in it, and its warnings.
type Compiled = (ConditionSet, lawful::cond::CondId, Vec<Diagnostic>);

impl Conditions {
    fn parse(&mut self, name: &str, source: &str, format: Format) -> Option<Node> {
        let (file, _) = text::add(&mut self.sources, name, source.as_bytes());
        let (node, problems) = parse(&self.sources, file, format, &Limits::default());
        self.problems.extend(problems);
        node
    }

    fn condition(&self) -> Result<&Condition, String> {
        self.condition.as_ref().and_then(Option::as_ref).ok_or_else(|| "no condition".to_owned())
    }

    fn registry(&self) -> (Registry, Vec<Diagnostic>) {
        let mut builder = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        builder.primitive(Primitive::new("host.fails", fails)).unwrap();
        let stage = Primitive::new("host.stage", |args: &Args| {
            let wanted = args.text("stage").to_owned();
            Ok(move |inputs: &Inputs<'_>| {
                Ok(inputs.get(0).and_then(Value::as_text) == Some(&wanted))
            })
        });
        let stage = stage.reads("deal.stage").arg(ArgSpec::required("stage", ArgKind::Text));
        builder.primitive(stage).unwrap();
        let clashes = self.saved.iter().filter_map(|saved| builder.saved(saved.clone()).err());
        let clashes = clashes.collect();
        (builder.build(), clashes)
    }

    fn compile(&self) -> Result<Option<Compiled>, String> {
        let wanted = self.condition.as_ref().ok_or("no condition")?;
        Ok(wanted.as_ref().and_then(|condition| self.registry().0.compile(condition).ok()))
    }

    fn decide(&self) -> Result<(Option<Outcome>, String), String> {
        let Some((set, id, _)) = self.compile()? else { return Ok((None, String::new())) };
        let document = self.data.as_ref().ok_or("no data")?;
        let mut run = set.run(document);
        let outcome = run.outcome(id);
        let explanation = set.explain(id, document, &run.finish());
        assert_eq!(explanation.result, outcome);
        Ok((Some(outcome), view::explanation_text(&explanation)))
    }

    fn reads(&self) -> Result<String, String> {
        let (set, id, _) = self.compile()?.ok_or("it does not compile")?;
        let paths: Vec<String> = set.reads(id).iter().map(ToString::to_string).collect();
        Ok(paths.join("\n"))
    }

    fn diagnostics(&self) -> String {
        let (registry, clashes) = self.registry();
        let mut problems = self.problems.clone();
        problems.extend(clashes);
        problems.extend(registry.validate_saved());
        if let Some(Some(condition)) = &self.condition {
            let found = without_echoes(registry.validate(condition), &problems);
            problems.extend(found);
        }
        sort(&mut problems, &self.sources);
        let line = |problem: &Diagnostic| {
            let place = self.sources.locate(problem.span).map_or(String::new(), |(file, at)| {
                format!(" {}:{}:{}", file.name(), at.line, at.column)
            });
            let help =
                problem.help.as_ref().map_or(String::new(), |help| format!("\n  help: {help}"));
            let severity = problem.severity.name();
            format!("{severity}[{}]{place}: {}{help}", problem.code.name, problem.message)
        };
        problems.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn slots(&self) -> Result<String, String> {
        let text = self.path.as_ref().ok_or("no path")?;
        let path = match Path::parse(text) {
            Ok(path) => path,
            Err(error) => {
                let column = text[..error.at.start].chars().count() + 1;
                return Ok(format!("column {column}: {error}\n  help: {}", error.help));
            }
        };
        let document = self.data.as_ref().ok_or("no data")?;
        let mut out = Vec::new();
        let _: ControlFlow<()> = path.visit(document, &mut |slot| {
            out.push(slot.map_or("absent".to_owned(), ToString::to_string));
            ControlFlow::Continue(())
        });
        Ok(if out.is_empty() { "no slots".to_owned() } else { out.join("\n") })
    }

    /// Fills a truth table. Its first line is `PATH | columns`; every other is `VALUE | answers`,
    /// where VALUE is what stands at the key `v`, or `missing`.
    fn truth(&self, table: &str) -> Result<String, String> {
        let test = self.test.as_ref().ok_or("no test")?;
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        let mut lines = table.lines();
        let cells = |line: &str| -> Option<(String, Vec<String>)> {
            let (value, answers) = line.rsplit_once('|')?;
            let answers = answers.split_whitespace().map(str::to_owned).collect();
            Some((value.trim().to_owned(), answers))
        };
        let head = lines.next().and_then(cells).ok_or("the table has no head")?;
        for line in lines {
            let (value, _) = cells(line).unwrap_or((line.trim().to_owned(), Vec::new()));
            let mut answers = Vec::new();
            for column in &head.1 {
                answers.push(answer(test, &head.0, column, &value)?);
            }
            rows.push((value, answers));
        }
        rows.insert(0, head);
        let width = rows.iter().map(|(value, _)| value.chars().count()).max().unwrap_or(0);
        let mut out = String::new();
        for (value, answers) in &rows {
            let pad = " ".repeat(width - value.chars().count());
            let mut line = format!("{value}{pad} |");
            for (answer, column) in answers.iter().zip(&rows[0].1) {
                line += &format!(" {answer:<width$}", width = column.len().max(5));
            }
            out += line.trim_end();
            out += "\n";
        }
        Ok(out)
    }
}

fn answer(test: &str, path: &str, column: &str, value: &str) -> Result<String, String> {
    let document = if value == "missing" { "{}".to_owned() } else { format!("{{v: {value}}}") };
    let document = crate::read::value(&document);
    let mut node = crate::read::node(test);
    let Kind::Map(entries) = &mut node.kind else { return Err("a test is a mapping".into()) };
    let mut set = |key: &str, text: &str| {
        let value = Node::text(text, Span::NONE);
        let entry = lawful::syntax::Entry { key: key.into(), key_span: Span::NONE, value };
        entries.push(entry);
    };
    set("path", path);
    let asked = match column {
        "result" | "when" => Asked::When,
        "predicate" => Asked::Predicate,
        "all" | "any" | "none" => {
            set("quantifier", column);
            Asked::When
        }
        _ => return Err(format!("unknown column `{column}`")),
    };
    let (condition, problems) = decode(&node);
    assert!(!problems.iter().any(Diagnostic::is_error), "{}", crate::read::messages(&problems));
    assert!(matches!(&condition.kind, ConditionKind::Ref(Ref { .. })));
    let registry = Registry::default();
    let mut builder = registry.set();
    let (id, problems) = builder.add(&condition, asked);
    let id = id.ok_or_else(|| crate::read::messages(&problems))?;
    Ok(builder.finish().run(&document).outcome(id).name().to_owned())
}
