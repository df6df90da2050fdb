//! The fences of `spec/scenario`: files of a lawbook, a scenario, and its result.

use lawful::book::{MemorySource, Options, load};
use lawful::cond::{Args, Inputs, Primitive, Registry};
use lawful::live::{Action, Moment, Target, ToolUse};
use lawful::mutate::{Fate, Mutant};
use lawful::scenario::{
    Collect, ConditionOf, Harnesses, Reported, Surroundings, Touched, Unreadable, bless,
    cannot_bless, flow,
};
use lawful::view::{CoverageView, TestedScenario};
use lawful::{Lawbook, Value};

use crate::page::Block;
use crate::problems::list;
use crate::runner::Surface;

#[derive(Default)]
pub(crate) struct Scenarios {
    /// Files of the book, by path.
    files: Vec<(String, String)>,
}

const SCENARIO: &str = "scenarios/s.yaml";

impl Surface for Scenarios {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let path = match (block.kind.as_str(), block.info.split_once(' ')) {
            ("scenario", None) => SCENARIO,
            ("manifest", None) => "lawful.yaml",
            ("rules", None) => "rules/r.yaml",
            ("guards", None) => "guards/g.yaml",
            ("conditions", None) => "conditions/c.yaml",
            ("composition", None) => "compositions/c.yaml",
            ("rulespec", None) => "analysis/rulespec.yaml",
            ("file", Some((_, path))) => path,
            _ => return Ok(false),
        };
        self.files.retain(|(known, _)| known != path);
        self.files.push((path.to_owned(), block.text.clone()));
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        let book = self.book();
        let surroundings = Surroundings { harnesses: &Toy, ..Surroundings::default() };
        let cases = book.test_cases();
        let run = || -> (TestedScenario, Touched) {
            let case = cases.first().expect("there is a scenario");
            let (plain, _) = book.run_case(case, &surroundings, Collect::Nothing);
            let (tested, touched) = book.run_case(case, &surroundings, Collect::Touched);
            assert_eq!(plain.result, tested.result, "collecting changes nothing");
            (tested, touched)
        };
        Some(Ok(match block.kind.as_str() {
            "result" => format!("{:?}", run().0.result).to_lowercase(),
            "failures" => failures(&run().0),
            "lints" => {
                let (book, mut problems) = self.loaded();
                problems.extend(lawful::check(&book));
                let of_scenarios = |problem: &lawful::Diagnostic| {
                    let file = book.sources.file(problem.span.file);
                    file.is_some_and(|file| !file.name().starts_with("lawful.yaml"))
                };
                problems.retain(of_scenarios);
                list(&problems, &book.sources)
            }
            "json" => {
                let report = book.test().surroundings(surroundings).run().unwrap();
                serde_json::to_string_pretty(&report).unwrap()
            }
            "blessed" => {
                let scenario = cases.first().and_then(|case| case.scenario).expect("it is sound");
                let played = book.play(scenario, &surroundings, Collect::Nothing);
                let (_, text) = self.files.iter().find(|(path, _)| path == SCENARIO).unwrap();
                if let Some(problem) = cannot_bless(text, scenario) {
                    return Some(Ok(list(&[problem], book.sources())));
                }
                match bless(text.as_bytes(), text, scenario, &played) {
                    None => "nothing to fill".to_owned(),
                    Some(bytes) => String::from_utf8(bytes).unwrap(),
                }
            }
            "touched" => touched(&run().1),
            "coverage" => coverage(&book, &run().1),
            "mutants" => mutants(&book, |_| true),
            "survivors" => {
                let touched = run().1;
                let scenario = cases.first().and_then(|case| case.scenario).expect("it is sound");
                let scenarios = [(scenario, &touched)];
                mutants(&book, |mutant| {
                    book.fate(mutant, &scenarios, &surroundings) == Fate::Survived
                })
            }
            _ => return None,
        }))
    }
}

impl Scenarios {
    fn loaded(&self) -> (lawful::book::Book, Vec<lawful::Diagnostic>) {
        let mut source = MemorySource::new();
        if !self.files.iter().any(|(path, _)| path == "lawful.yaml") {
            source = source.with("lawful.yaml", "name: spec\n");
        }
        for (path, content) in &self.files {
            source = source.with(path, content.clone());
        }
        let mut registry = Registry::builder();
        let fails = |_: &Args| Ok(|_: &Inputs<'_>| Err("the service is down".to_owned()));
        registry.primitive(Primitive::new("host.fails", fails)).unwrap();
        load(&source, Options { registry, ..Options::default() }).unwrap()
    }

    fn book(&self) -> Lawbook {
        let (book, problems) = self.loaded();
        Lawbook::new(book, problems)
    }
}

/// A harness whose events are `{run: LINE, in: FOLDER}`, and `{ran: LINE}` afterwards.
struct Toy;

impl Harnesses for Toy {
    fn read(&self, harness: &str, event: &Value) -> Result<Reported, Unreadable> {
        if harness != "toy" {
            return Err(Unreadable::Harness(vec!["toy".to_owned()]));
        }
        let ran = event.get("ran");
        let line = event.get("run").or(ran).and_then(Value::as_text);
        let line = line.ok_or_else(|| Unreadable::Event("it has no `run`".to_owned()))?;
        let folder = event.get("in").and_then(Value::as_text).map(str::to_owned);
        let call = ToolUse {
            action: Action::Shell,
            tool: "Run".into(),
            agent: "main".into(),
            input: event.clone(),
            target: Target::Shell { command: line.into(), folder: None },
        };
        let project = folder.clone();
        let moment = match ran {
            None => Moment::ToolCall(call),
            Some(_) => Moment::ToolResult { call, ok: true, output: Value::Null },
        };
        Ok(Reported { moment, project, folder })
    }
}

/// Each failure or error, with its place and its notes.
fn failures(tested: &TestedScenario) -> String {
    let sources = tested.problems.sources();
    let mut out = String::new();
    for problem in &tested.problems {
        let place = sources.locate(problem.span);
        let place = place.map_or(String::new(), |(_, at)| format!("{}:{} ", at.line, at.column));
        let code = problem.code.name;
        let code = if code == "expectation-failed" { String::new() } else { format!("{code}: ") };
        out += &format!("{place}{code}{}\n", problem.message);
        for note in &problem.notes {
            out += &format!("  {note}\n");
        }
        if let Some(help) = &problem.help {
            out += &format!("  help: {help}\n");
        }
    }
    out
}

fn touched(touched: &Touched) -> String {
    let mut out = String::new();
    let mut line = |what: &str, names: Vec<String>| {
        if !names.is_empty() {
            out += &format!("{what}: {}\n", names.join(", "));
        }
    };
    let of = |names: &std::collections::BTreeSet<Box<str>>| {
        names.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    line("rules", of(&touched.rules));
    let rules = touched.composition_rules.iter();
    line("composition rules", rules.map(|(name, index)| format!("{name} {index}")).collect());
    let conditions = touched.conditions.iter().map(|(whose, seen)| {
        let whose = match whose {
            ConditionOf::Saved(id) => format!("saved {id}"),
            ConditionOf::Rule(id) => format!("rule {id}"),
            ConditionOf::CompositionRule(name, index) => format!("{name} {index}"),
            ConditionOf::Guard(id) => format!("guard {id}"),
            ConditionOf::Predicate(index) => format!("predicate {index}"),
        };
        let seen = match (seen.yes, seen.no) {
            (true, true) => "true and false",
            (true, false) => "true",
            (false, true) => "false",
            (false, false) => "neither",
        };
        format!("{whose} {seen}")
    });
    line("conditions", conditions.collect());
    line("fragments", of(&touched.fragments));
    let predicates = touched.predicates.iter().map(|(index, seen)| {
        let passed = if seen.yes { " passed" } else { "" };
        let failed = if seen.no { " failed" } else { "" };
        format!("{index}{passed}{failed}")
    });
    line("predicates", predicates.collect());
    let guards = touched.guards.iter();
    let guards = guards.map(|(id, decisions)| {
        format!("{id} {}", decisions.iter().copied().collect::<Vec<_>>().join("+"))
    });
    line("guards", guards.collect());
    line("asked rules", of(&touched.asked_rules));
    line("asked guards", of(&touched.asked_guards));
    line("compositions", of(&touched.compositions));
    line("roles", touched.roles.then(|| "yes".to_owned()).into_iter().collect());
    line("rulespec", touched.rulespec.then(|| "judged".to_owned()).into_iter().collect());
    out
}

/// How much is covered, and what is missing, with a context that reaches it.
fn coverage(book: &Lawbook, touched: &Touched) -> String {
    let view = CoverageView::new(book, &book.coverage(touched));
    let mut out = String::new();
    for (kind, covered) in view.kinds() {
        if covered.total > 0 {
            out += &format!("{kind}: {} of {}\n", covered.covered, covered.total);
        }
        for missing in &covered.missing {
            let reached = match (&missing.context, missing.unreachable) {
                (Some(context), _) => format!(": {}", flow(context)),
                (None, true) => ": no context reaches it".to_owned(),
                (None, false) => String::new(),
            };
            out += &format!("  {}:{} {}{reached}\n", missing.file, missing.line, missing.what);
        }
    }
    out
}

/// The mutants that count, each with its line.
fn mutants(book: &Lawbook, wanted: impl Fn(&Mutant) -> bool) -> String {
    let all = book.mutants();
    let counting = all.iter().filter(|mutant| book.mutated(mutant).is_some() && wanted(mutant));
    let line = |mutant: &Mutant| {
        let (file, at) = book.sources().locate(mutant.place).unwrap();
        format!("{}:{} {}\n", file.name(), at.line, mutant.change)
    };
    let found: String = counting.map(line).collect();
    if found.is_empty() { "none".to_owned() } else { found }
}
