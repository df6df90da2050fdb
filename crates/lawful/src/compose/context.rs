//! The check of a context against what the lawbook declares.
//!
//! A key that nothing reads is usually misspelled, and so is a value that its axis does not have.
//! Both are warnings: a host may pass one context to several lawbooks.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Node, Span, did_you_mean, escape};

use super::codes::UNKNOWN_CONTEXT;
use super::fragment::placeholders;
use super::resolve::Compositions;
use crate::book::{Axis, Book, Part};
use crate::cond::lint::VALUE_OFF_AXIS;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The keys under which a host passes a session.
const OF_SESSION: [&str; 2] = ["session", "state"];

/// The top-level context keys that a lawbook knows.
#[derive(Debug)]
pub(crate) struct ContextKeys {
    known: BTreeSet<Box<str>>,
}

impl ContextKeys {
    /// The keys of axes and variables, and those that conditions and placeholders read.
    pub(crate) fn of(book: &Book, compositions: &Compositions) -> Self {
        let manifest = &book.manifest;
        let mut known = BTreeSet::new();
        let mut note = |path: &Path| known.extend(first_key(path).map(Box::from));
        manifest.axes.iter().for_each(|axis| note(&axis.path));
        compositions.conditions().paths().for_each(&mut note);
        for (_, fragment) in compositions.fragments() {
            fragment.placeholders().for_each(|(path, _)| note(path));
        }
        let pages = book.documents.iter().filter(|document| document.part == Part::Conditioning);
        for page in pages.filter_map(|document| document.page.as_ref()) {
            placeholders(page.body, &book.sources).iter().for_each(&mut note);
        }
        known.extend(manifest.variables.iter().map(|variable| variable.id.clone()));
        known.extend(OF_SESSION.map(Box::from));
        Self { known }
    }

    /// The problems of a context.
    pub(crate) fn check(&self, context: &Value, book: &Book) -> Vec<Diagnostic> {
        self.check_at(context, book, |_| Span::NONE)
    }

    /// The problems of a context that a document contains, each with its place.
    pub(crate) fn check_written(&self, node: &Node, book: &Book) -> Vec<Diagnostic> {
        self.check_at(&Value::from_node(node), book, |wrong| match wrong {
            Wrong::Key(key) => key_place(node, key),
            Wrong::Value(path) => value_place(node, path),
        })
    }

    fn check_at(
        &self,
        context: &Value,
        book: &Book,
        place: impl Fn(Wrong<'_>) -> Span,
    ) -> Vec<Diagnostic> {
        let Value::Map(map) = context else { return Vec::new() };
        let mut unknown: Vec<&str> = map.iter().map(|(key, _)| key).collect();
        unknown.retain(|key| !self.known.contains(*key));
        let mut problems = Vec::new();
        if !unknown.is_empty() {
            // A saved condition that no rule uses may still name the key.
            let saved = book.registry.saved_set();
            let saved: BTreeSet<&str> = saved.paths().filter_map(first_key).collect();
            unknown.retain(|key| !saved.contains(key));
            let known = self.known.iter().map(|key| &**key).chain(saved).collect();
            problems.extend(unknown.into_iter().map(|key| Diagnostic {
                span: place(Wrong::Key(key)),
                ..unknown_context(key, &known)
            }));
        }
        problems.extend(book.manifest.axes.iter().filter_map(|axis| {
            let span = place(Wrong::Value(&axis.path));
            Some(Diagnostic { span, ..off_axis(axis, context)? })
        }));
        problems
    }
}

/// What is wrong in a context.
enum Wrong<'w> {
    /// A top-level key.
    Key(&'w str),
    /// The value at a path.
    Value(&'w Path),
}

/// Where a top-level key of a context is written.
pub(crate) fn key_place(node: &Node, key: &str) -> Span {
    let entry = node.as_map().unwrap_or_default().iter().find(|entry| *entry.key == *key);
    entry.map_or(node.span, |entry| entry.key_span)
}

/// Where the value at a path is written, or else what contains it.
fn value_place(node: &Node, path: &Path) -> Span {
    let mut found = node;
    for segment in path.segments() {
        let inner = match segment {
            Segment::Key(key) => found.get(key),
            Segment::Index(_) | Segment::Each => None,
        };
        let Some(inner) = inner else { break };
        found = inner;
    }
    found.span
}

fn unknown_context(key: &str, known: &BTreeSet<&str>) -> Diagnostic {
    let message = format!("unknown context key `{}`", escape::name(key));
    let names = known.iter().copied().filter(|name| !OF_SESSION.contains(name));
    let help = match names.clone().next() {
        Some(_) => did_you_mean("key", key, names),
        None => "remove it; the lawbook reads nothing from the context".to_owned(),
    };
    Diagnostic::new(&UNKNOWN_CONTEXT, Span::NONE, message).help(help)
}

/// The warning for a context key that the session replaces.
pub(crate) fn replaced_by_session(key: &str) -> Diagnostic {
    let message = format!("the context key `{key}` is ignored, because the session provides it");
    Diagnostic::new(&UNKNOWN_CONTEXT, Span::NONE, message)
        .help("remove it; to change a variable of the session, send the input `{\"set\": [{\"path\": …, \"value\": …}]}`")
}

fn first_key(path: &Path) -> Option<&str> {
    match path.segments().first()? {
        Segment::Key(key) => Some(key),
        Segment::Index(_) | Segment::Each => None,
    }
}

/// The warning for a value that its axis does not have. An absent value is always allowed.
fn off_axis(axis: &Axis, context: &Value) -> Option<Diagnostic> {
    let value = axis.path.get(context).filter(|value| !axis.values.contains(value))?;
    let shown = value.to_string();
    let message = format!("the axis `{}` has no value {}", axis.path, escape::name(&shown));
    let text = |value: &Value| value.as_text().map_or_else(|| value.to_string(), str::to_owned);
    let (written, names) = (text(value), axis.values.iter().map(text).collect::<Vec<_>>());
    let help = match axis.values.iter().find(|other| text(other) == written) {
        Some(other) => {
            format!("it has {other}; pass {}, not {}", other.kind_name(), value.kind_name())
        }
        None => did_you_mean("value", &written, names.iter().map(String::as_str)),
    };
    let problem = Diagnostic::new(&VALUE_OFF_AXIS, Span::NONE, message);
    Some(problem.label(axis.span, "declared here").help(help))
}
