//! `lawful eval CONDITION-FILE --data FILE`

use lawful::book::saved_conditions;
use lawful::code;
use lawful::cond::{Condition, Explanation, Outcome, Registry, decode_when, news};
use lawful::syntax::{Diagnostic, Kind, Sources, render, sort};
use lawful::view::{EvalView, explanation_text};
use lawful::{Limits, Value};
use lawful_host::input::document;

use crate::args::{Eval, Format};
use crate::input::one_stdin;
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};

/// What came of it.
struct Decision {
    outcome: Outcome,
    reads: Vec<String>,
    explanation: Explanation,
}

pub(crate) fn run(args: &Eval) -> Answer {
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    let decision = decide(args, &mut sources, &mut problems);
    sort(&mut problems, &sources);
    let outcome = decision.as_ref().map_or(Outcome::Error, |decision| decision.outcome);
    match args.format {
        Format::Human => {
            print_error(&diagnostics(&problems, &sources, stderr_style()));
            if let Some(decision) = &decision {
                print(&explanation_text(&decision.explanation));
            }
        }
        Format::Json => {
            let diagnostics = problems.iter().map(|problem| render::view(problem, &sources));
            let diagnostics = diagnostics.collect();
            let (reads, explanation) = match decision {
                Some(decision) => (decision.reads, Some(decision.explanation)),
                None => (Vec::new(), None),
            };
            print_json(&EvalView { result: outcome, reads, explanation, diagnostics });
        }
    }
    match outcome {
        Outcome::True => Answer::Yes,
        Outcome::False => Answer::No,
        Outcome::Error | Outcome::NotEvaluated => Answer::Undecided,
    }
}

/// Reads everything first, so that the problems of every file are reported at once.
fn decide(args: &Eval, sources: &mut Sources, problems: &mut Vec<Diagnostic>) -> Option<Decision> {
    let uses = [&args.condition, &args.data].into_iter().chain(&args.conditions);
    if let Some(twice) = one_stdin(uses) {
        problems.push(twice);
        return None;
    }
    let condition = condition(args, sources, problems);
    let mut registry = Registry::builder().limits(Limits::default());
    for path in &args.conditions {
        if let Some(node) = document(path, sources, problems) {
            saved_conditions(&node, &mut registry, problems);
        }
    }
    let registry = registry.build();
    problems.extend(registry.validate_saved());
    let data = data(args, sources, problems);
    if let Some(condition) = &condition {
        let found = news(registry.validate(condition), problems);
        problems.extend(found);
    }
    if problems.iter().any(Diagnostic::is_error) {
        return None;
    }
    let (condition, data) = (condition?, data?);
    let (set, id) = registry.compile(&condition).ok()?;
    let mut run = set.run(&data);
    let outcome = run.outcome(id);
    let explanation = set.explain(id, &data, &run.finish());
    let reads = set.reads(id).iter().map(ToString::to_string).collect();
    Some(Decision { outcome, reads, explanation })
}

fn condition(
    args: &Eval,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Condition> {
    let node = document(&args.condition, sources, problems)?;
    let (condition, found) = decode_when(Some(&node));
    problems.extend(found);
    Some(condition)
}

fn data(args: &Eval, sources: &mut Sources, problems: &mut Vec<Diagnostic>) -> Option<Value> {
    let node = document(&args.data, sources, problems)?;
    if !matches!(node.kind, Kind::Map(_) | Kind::List(_)) {
        let kind = node.kind_name();
        let message = format!("the data must be a mapping or a list, and this is {kind}");
        problems.push(
            Diagnostic::new(&code::WRONG_TYPE, node.span, message)
                .help("a condition looks values up by path; write `key: value`"),
        );
        return None;
    }
    Some(Value::from_owned_node(node))
}
