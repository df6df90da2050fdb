//! A problem in a document, as plain data.

use std::borrow::Cow;

use crate::{Sources, Span, codes};

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document cannot be used.
    Error,
    /// The document works, but probably not as intended.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A kind of problem: its stable name and its documentation.
///
/// A diagnostic can only be created from a `Code`, so every name is documented.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The stable name, in kebab-case.
    pub name: &'static str,
    /// The severity.
    pub severity: Severity,
    /// One line that states the problem.
    pub summary: &'static str,
    /// What it means, why it matters and what to write instead, in Markdown.
    pub details: &'static str,
}

/// A code equals its name.
impl PartialEq<str> for Code {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

/// Declares codes as statics, and `ALL`, a table of them in source order.
#[macro_export]
macro_rules! declare_codes {
    ($($id:ident = $name:literal, $severity:ident, $summary:literal, $details:literal;)*) => {
        $(
            #[doc = $summary]
            pub static $id: $crate::Code = $crate::Code {
                name: $name,
                severity: $crate::Severity::$severity,
                summary: $summary,
                details: $details,
            };
        )*
        /// Every code declared here.
        pub static ALL: &[&$crate::Code] = &[$(&$id),*];
    };
}

/// A secondary place of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The label.
    pub message: String,
}

/// One problem: what, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: &'static Code,
    /// The severity of the code.
    pub severity: Severity,
    /// The place, or [`Span::NONE`].
    pub span: Span,
    /// A short phrase: lowercase, no full stop, input in backticks.
    pub message: String,
    /// Secondary places.
    pub labels: Vec<Label>,
    /// Further notes.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem of a kind at a place.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let severity = code.severity;
        Self {
            code,
            severity,
            span,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Sets the help.
    #[must_use]
    pub fn help<'h>(mut self, help: impl Into<Cow<'h, str>>) -> Self {
        self.help = Some(help.into().into_owned());
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a secondary place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The maximal number of problems kept per file.
///
/// A document full of errors must not exhaust memory. Beyond this limit, one `more-errors` or
/// `more-warnings` replaces the rest.
pub const KEPT: usize = 10_000;

impl Diagnostic {
    /// Whether it replaces problems that were not kept.
    pub fn stands_for_more(&self) -> bool {
        [&codes::MORE_ERRORS, &codes::MORE_WARNINGS].contains(&self.code)
    }

    /// A diagnostic that replaces problems that were not kept.
    fn more(code: &'static Code, span: Span) -> Self {
        Self::new(code, span, format!("this file has more than {KEPT} problems"))
            .help("fix the first ones and check again")
    }
}

/// Sorts diagnostics by file name, place and code, and removes duplicates. Keeps at most [`KEPT`]
/// per file, errors before warnings.
pub fn sort(diagnostics: &mut Vec<Diagnostic>, sources: &Sources) {
    diagnostics.sort_by(|a, b| {
        let key = |diagnostic: &Diagnostic| {
            let span = diagnostic.span;
            (span.start, span.end, diagnostic.severity, diagnostic.code.name)
        };
        let name =
            |diagnostic: &Diagnostic| sources.file(diagnostic.span.file).map(crate::File::name);
        name(a).cmp(&name(b)).then_with(|| key(a).cmp(&key(b))).then(a.message.cmp(&b.message))
    });
    diagnostics.dedup();
    if diagnostics.len() > KEPT {
        bound(diagnostics);
    }
}

fn bound(sorted: &mut Vec<Diagnostic>) {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for file in sorted.chunk_by(|a, b| a.span.file == b.span.file) {
        let (first, rest) = errors_first(file, KEPT);
        kept.extend(first.into_iter().cloned());
        let Some(last) = file.last().filter(|_| !rest.is_empty()) else { continue };
        // At the end, where another sort leaves it.
        kept.push(Diagnostic::more(code_for_rest(&rest), last.span));
    }
    *sorted = kept;
}

/// Splits the problems of one file into at most `most` and the rest, both in order. Errors have
/// precedence over warnings, so that no number of warnings hides an error. What
/// [stands for more](Diagnostic::stands_for_more) is always among the rest, if there is one.
pub(crate) fn errors_first(
    file: &[Diagnostic],
    most: usize,
) -> (Vec<&Diagnostic>, Vec<&Diagnostic>) {
    if file.len() <= most {
        return (file.iter().collect(), Vec::new());
    }
    let counts = |problem: &&Diagnostic| problem.is_error() && !problem.stands_for_more();
    let all_errors = file.iter().filter(counts).count();
    let (mut errors, mut warnings) = (most, most.saturating_sub(all_errors));
    file.iter().partition(|problem| {
        if problem.stands_for_more() {
            return false;
        }
        let room = if problem.is_error() { &mut errors } else { &mut warnings };
        let fits = *room > 0;
        *room = room.saturating_sub(1);
        fits
    })
}

/// The code of a diagnostic that replaces these.
pub(crate) fn code_for_rest(rest: &[&Diagnostic]) -> &'static Code {
    let errors = rest.iter().any(|problem| problem.is_error());
    if errors { &codes::MORE_ERRORS } else { &codes::MORE_WARNINGS }
}
