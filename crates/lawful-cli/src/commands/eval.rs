//! `lawful eval CONDITION-FILE --data FILE`

use std::sync::Arc;

use lawful::book::saved_conditions;
use lawful::code;
use lawful::cond::{Condition, Outcome, Registry, decode_when, without_echoes};
use lawful::syntax::{Diagnostic, Kind, Sources};
use lawful::view::{Evaluation, explanation_text};
use lawful::{Diagnostics, Limits, Value};
use lawful_host::input::document;

use crate::args::{Eval, Format};
use crate::input::one_stdin;
use crate::output::{Answer, print, print_error, print_json, stderr_style};

pub(crate) fn run(args: &Eval) -> Answer {
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    let question = read(args, &mut sources, &mut problems);
    let sources = Arc::new(sources);
    let evaluation = match question {
        Some((registry, condition, data)) => {
            let mut evaluation = Evaluation::of(&registry, &condition, &data, sources.clone());
            evaluation.diagnostics = Diagnostics::new(problems, sources);
            evaluation
        }
        None => Evaluation::undecided(Diagnostics::new(problems, sources)),
    };
    match args.output.format {
        Format::Human => {
            print_error(&evaluation.diagnostics.render(stderr_style()));
            if let Some(explanation) = &evaluation.explanation {
                print(&explanation_text(explanation));
            }
        }
        Format::Json => print_json(&evaluation),
    }
    match evaluation.result {
        Outcome::True => Answer::Yes,
        Outcome::False => Answer::No,
        Outcome::Error | Outcome::NotEvaluated => Answer::Undecided,
    }
}

/// Reads everything first, to report the problems of all files at once.
fn read(
    args: &Eval,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Registry, Condition, Value)> {
    let uses = [&args.condition, &args.data].into_iter().chain(&args.conditions);
    if let Some(twice) = one_stdin(uses) {
        problems.push(twice);
        return None;
    }
    let condition = condition(args, sources, problems);
    let mut registry = Registry::builder().limits(Limits::default());
    for path in &args.conditions {
        if let Some(node) = document(path, &Limits::default().document, sources, problems) {
            saved_conditions(&node, &mut registry, problems);
        }
    }
    let registry = registry.build();
    problems.extend(registry.validate_saved());
    let data = data(args, sources, problems);
    if let Some(condition) = &condition {
        let found = without_echoes(registry.validate(condition), problems);
        problems.extend(found);
    }
    if problems.iter().any(Diagnostic::is_error) {
        return None;
    }
    Some((registry, condition?, data?))
}

fn condition(
    args: &Eval,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Condition> {
    let node = document(&args.condition, &Limits::default().document, sources, problems)?;
    let (condition, found) = decode_when(Some(&node));
    problems.extend(found);
    Some(condition)
}

fn data(args: &Eval, sources: &mut Sources, problems: &mut Vec<Diagnostic>) -> Option<Value> {
    let node = document(&args.data, &Limits::default().document, sources, problems)?;
    if !matches!(node.kind, Kind::Map(_) | Kind::List(_)) {
        let kind = node.kind_name();
        let message = format!("the data must be a mapping or a list, but is {kind}");
        problems.push(
            Diagnostic::new(&code::WRONG_TYPE, node.span, message)
                .help("a condition looks values up by path; write `key: value`"),
        );
        return None;
    }
    Some(Value::from_owned_node(node))
}
