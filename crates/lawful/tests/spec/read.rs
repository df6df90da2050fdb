//! Values and nodes from the texts of fences.

use lawful::Value;
use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, parse, text};

/// The value of a YAML text.
pub(crate) fn value(yaml: &str) -> Value {
    yaml.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The node of a YAML text.
pub(crate) fn node(yaml: &str) -> Node {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "text.yaml", yaml.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
    node.unwrap_or_else(|| panic!("{}", messages(&problems)))
}

/// The codes and messages of diagnostics, one on a line.
pub(crate) fn messages(problems: &[Diagnostic]) -> String {
    let line = |problem: &Diagnostic| format!("{}: {}", problem.code.name, problem.message);
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}
