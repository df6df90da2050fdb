//! Parses values and conditions from text, for unit tests. Invalid text panics.

use lawful_syntax::{Diagnostic, Format, Node, Sources, parse, text};

use crate::Limits;
use crate::cond::{self, Condition};
use crate::value::Value;

/// The node of a YAML text.
pub(crate) fn node(yaml: &str) -> Node {
    let mut sources = Sources::default();
    let (file, unreadable) = text::add(&mut sources, "text.yaml", yaml.as_bytes());
    let (node, mut problems) = parse(&sources, file, Format::Yaml, &Limits::default().document);
    problems.extend(unreadable);
    match node {
        Some(node) if problems.is_empty() => node,
        Some(_) | None => panic!("{}", messages(&problems)),
    }
}

/// The value of a YAML text.
pub(crate) fn value(yaml: &str) -> Value {
    Value::from_owned_node(node(yaml))
}

/// The condition of a YAML text.
pub(crate) fn condition(yaml: &str) -> Condition {
    match cond::decode(&node(yaml)) {
        (condition, problems) if !problems.iter().any(Diagnostic::is_error) => condition,
        (_, problems) => panic!("{}", messages(&problems)),
    }
}

/// The codes and messages of diagnostics, one on a line.
pub(crate) fn messages(problems: &[Diagnostic]) -> String {
    let line = |problem: &Diagnostic| format!("{}: {}", problem.code.name, problem.message);
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}
