//! Problems that YAML and JSON share, with one wording for both.

use crate::scalar::NumberError;
use crate::{Code, Diagnostic, FileId, KEPT, Limits, Span, codes, escape};

/// Adds a problem of a document, unless the [limit](KEPT) is reached.
pub(crate) fn report(problems: &mut Vec<Diagnostic>, make: impl FnOnce() -> Diagnostic) {
    // One more than the limit, to know that there are more.
    if problems.len() <= KEPT {
        problems.push(make());
    }
}

/// An empty text.
pub(crate) fn empty(file: FileId, at: usize) -> Diagnostic {
    Diagnostic::new(&codes::EMPTY_DOCUMENT, Span::new(file, at, at), "the document is empty")
        .help("write the document, or `{}` for an empty mapping")
}

/// How a code fence starts in Markdown.
pub(crate) const BACKTICKS: &str = "```";
/// The same with tildes.
pub(crate) const TILDES: &str = "~~~";

/// A document inside a code fence, as agents write it.
pub(crate) fn fence(code: &'static Code, span: Span) -> Diagnostic {
    let help = "remove the fence, the lines that start with three backticks or tildes, and any text \
                around it";
    Diagnostic::new(code, span, "a code fence is not part of a document").help(help)
}

/// Lists and mappings nested beyond the limit.
pub(crate) fn too_deep(span: Span, limits: &Limits) -> Diagnostic {
    let message =
        format!("nesting is deeper than the limit of {}", escape::count(limits.depth, "level"));
    Diagnostic::new(&codes::TOO_DEEP, span, message)
        .help(limits.help_on_depth("flatten the structure"))
}

/// A number that cannot be represented.
pub(crate) fn number(error: NumberError, written: &str, span: Span) -> Diagnostic {
    Diagnostic::new(error.code(), span, error.message(written)).help(error.help())
}

/// Every key that occurs twice in a mapping, at its second place.
pub(crate) fn duplicate_keys<E>(
    entries: &[E],
    key: impl Fn(&E) -> (&str, Span),
    problems: &mut Vec<Diagnostic>,
) {
    /// Up to this many keys are compared pairwise.
    const FEW: usize = 12;
    let repeated = |(at, entry): (usize, &E)| {
        let (own, _) = key(entry);
        entries.iter().take(at).any(|other| {
            let (other, _) = key(other);
            // Most keys differ in their length or their first byte.
            other.len() == own.len()
                && other.as_bytes().first() == own.as_bytes().first()
                && other == own
        })
    };
    if entries.len() <= FEW && !entries.iter().enumerate().any(repeated) {
        return;
    }
    let mut order: Vec<(&str, Span)> = entries.iter().map(key).collect();
    order.sort_by_key(|(key, _)| *key);
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let Some(((key, first), again)) = run.split_first() else { continue };
        for (_, place) in again {
            report(problems, || {
                let message = format!("duplicate key `{}`", escape::name(key));
                Diagnostic::new(&codes::DUPLICATE_KEY, *place, message)
                    .label(*first, "first used here")
                    .help("remove one of them, or rename it")
            });
        }
    }
}
