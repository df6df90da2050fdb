//! Assertions of every target about documents and their problems.
//!
//! A fuzz target reports by panicking, so everything here panics on purpose.

pub mod verdict;

use lawful_syntax::render::{Style, human, to_json, view};
use lawful_syntax::{
    Diagnostic, FileId, Format, Kind, Limits, Node, Sources, Span, escape, parse, text,
};

/// A file name that would color a terminal if a renderer did not escape it.
pub const NAME: &str = "fuzz\u{1b}[31m.yaml";

/// Adds a file and checks the problems of its bytes. `None` if they are not text.
pub fn add(sources: &mut Sources, bytes: &[u8]) -> Option<FileId> {
    let (file, unreadable) = text::add(sources, NAME, bytes);
    check_problems(sources, unreadable.as_slice());
    unreadable.is_none().then_some(file)
}

/// Parses a file and checks the result: there is a node or an error, every place is in the file,
/// and the limits are kept.
pub fn read(
    sources: &Sources,
    file: FileId,
    format: Format,
    limits: &Limits,
) -> (Option<Node>, Vec<Diagnostic>) {
    let (node, problems) = parse(sources, file, format, limits);
    check_places(sources, &problems);
    match &node {
        Some(node) => check_node(sources, node, limits),
        None => assert!(has_error(&problems), "neither a node nor an error: {problems:?}"),
    }
    (node, problems)
}

/// The node of a text without problems.
pub fn read_clean(sources: &mut Sources, text: &str, format: Format) -> Option<Node> {
    let file = add(sources, text.as_bytes())?;
    let (node, problems) = read(sources, file, format, &Limits::default());
    node.filter(|_| problems.is_empty())
}

/// Whether some problem is an error.
pub fn has_error(problems: &[Diagnostic]) -> bool {
    problems.iter().any(Diagnostic::is_error)
}

/// Checks that every problem points into its file.
pub fn check_places(sources: &Sources, problems: &[Diagnostic]) {
    for problem in problems {
        check_span(sources, problem.span);
        for label in &problem.labels {
            check_span(sources, label.span);
        }
    }
}

/// Checks that every problem points into its file and renders to harmless text.
pub fn check_problems(sources: &Sources, problems: &[Diagnostic]) {
    check_places(sources, problems);
    let mut sorted = problems.to_vec();
    lawful_syntax::sort(&mut sorted, sources);
    if sorted.is_empty() {
        return;
    }
    let views: Vec<_> = sorted.iter().map(|problem| view(problem, sources)).collect();
    let json = to_json(&views).expect("a diagnostic is JSON");
    check_harmless(&json);
    check_json(&json);
    check_harmless(&human(&sorted, sources, Style::Plain));
}

/// Checks that a span is in its file and starts and ends between characters.
pub fn check_span(sources: &Sources, span: Span) {
    if !span.is_some() {
        return;
    }
    let file = sources.file(span.file).expect("a span names a file that was added");
    let part = file.text().get(span.start as usize..span.end as usize);
    assert!(part.is_some(), "{span:?} does not fit a text of {} bytes", file.text().len());
}

/// Checks the spans of a node and its children, and that it is within the limits.
pub fn check_node(sources: &Sources, node: &Node, limits: &Limits) {
    let mut size = Size::default();
    walk(sources, node, 0, &mut size);
    assert!(size.depth <= limits.depth, "{} levels, but {} allowed", size.depth, limits.depth);
    let bytes = sources.file(node.span.file).map_or(0, |file| file.text().len());
    let allowed = 2 * bytes + limits.aliases + 2;
    assert!(size.nodes <= allowed, "{} nodes, but {allowed} allowed", size.nodes);
    // Checks that it neither panics nor grows with the node.
    assert!(node.describe().chars().count() <= 61);
}

/// Checks that no character can control a terminal.
pub fn check_harmless(text: &str) {
    let bad = text.chars().find(|c| *c != '\n' && escape::is_unsafe(*c));
    assert_eq!(bad, None, "an unsafe character in {text:?}");
}

/// Checks that our JSON output parses as JSON.
pub fn check_json(json: &str) {
    let mut sources = Sources::default();
    let (file, unreadable) = text::add(&mut sources, "written.json", json.as_bytes());
    assert_eq!(unreadable, None);
    let (_, problems) = parse(&sources, file, Format::Json, &Limits::default());
    assert!(problems.is_empty(), "{json} is not JSON: {problems:?}");
}

#[derive(Default)]
struct Size {
    nodes: usize,
    depth: usize,
}

fn walk(sources: &Sources, node: &Node, depth: usize, size: &mut Size) {
    check_span(sources, node.span);
    size.nodes += 1;
    match &node.kind {
        Kind::List(items) => {
            size.depth = size.depth.max(depth + 1);
            for item in items {
                walk(sources, item, depth + 1, size);
            }
        }
        Kind::Map(entries) => {
            size.depth = size.depth.max(depth + 1);
            for entry in entries {
                check_span(sources, entry.key_span);
                walk(sources, &entry.value, depth + 1, size);
            }
        }
        Kind::Float(value) => assert!(value.is_finite()),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Text(_) => {}
    }
}
