//! Problems as the pages show them.

use lawful::syntax::{Diagnostic, Sources, Span};

/// Where a span starts.
pub(crate) fn place(span: Span, sources: &Sources) -> Option<String> {
    let (file, at) = sources.locate(span)?;
    Some(format!("{}:{}:{}", file.name(), at.line, at.column))
}

/// Problems, each on a line, with what belongs to it below.
pub(crate) fn list(problems: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for problem in problems {
        let at = place(problem.span, sources).map_or(String::new(), |place| format!(" {place}"));
        let severity = problem.severity.name();
        out += &format!("{severity}[{}]{at}: {}\n", problem.code.name, problem.message);
        for label in &problem.labels {
            let at = place(label.span, sources).unwrap_or_default();
            out += &format!("  {at}: {}\n", label.message);
        }
        if let Some(help) = &problem.help {
            out += &format!("  help: {help}\n");
        }
    }
    out
}
