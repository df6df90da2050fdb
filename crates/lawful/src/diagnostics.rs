//! Diagnostics with the texts they point into, so that they can be rendered anywhere.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use lawful_syntax::render::{DiagnosticView, Style, human, view};
use lawful_syntax::{Diagnostic, Severity, Sources, sort};
use serde::{Serialize, Serializer};

/// Diagnostics and their sources: a list of [`Diagnostic`]s that can render itself.
///
/// It serialises to a list of `{code, severity, file, line, column, message, help, …}`, and prints
/// as the command line does.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    sources: Arc<Sources>,
}

impl Diagnostics {
    /// Diagnostics that point into these sources, sorted by place.
    pub fn new(mut list: Vec<Diagnostic>, sources: Arc<Sources>) -> Self {
        sort(&mut list, &sources);
        Self { list, sources }
    }

    /// Diagnostics in the order they are given.
    pub fn in_order(list: Vec<Diagnostic>, sources: Arc<Sources>) -> Self {
        Self { list, sources }
    }

    /// The same diagnostics with sources that contain additional files.
    #[must_use]
    pub fn within(self, sources: Arc<Sources>) -> Self {
        Self::new(self.list, sources)
    }

    /// The number of errors. Diagnostics that were dropped from a file with too many are not
    /// counted.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// The number of warnings, counted in the same way.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        let counts = |one: &&Diagnostic| one.severity == severity && !one.stands_for_more();
        self.list.iter().filter(counts).count()
    }

    /// The texts they point into.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// The public form of each diagnostic: file, line and column instead of a span.
    pub fn views(&self) -> Vec<DiagnosticView> {
        self.list.iter().map(|one| view(one, &self.sources)).collect()
    }

    /// The diagnostics as text, each with an excerpt of its source.
    pub fn render(&self, style: Style) -> String {
        human(&self.list, &self.sources, style)
    }

    /// The list and the sources.
    pub fn into_parts(self) -> (Vec<Diagnostic>, Arc<Sources>) {
        (self.list, self.sources)
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl Serialize for Diagnostics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list.iter().map(|one| view(one, &self.sources)))
    }
}
