//! `check`: all problems of a book.

use super::Lawbook;
use crate::diagnostics::Diagnostics;
use crate::view::CheckReport;

impl Lawbook {
    /// Reports every problem of the book: from loading, from each part, and from lints.
    ///
    /// Roles in Nickel are checked only if [`with_nickel`](Self::with_nickel) provided their
    /// values.
    ///
    /// ```
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "name: desk")
    ///     .with("conditions/a.yaml", "vip: {path: tier, op: equalls, value: vip}");
    /// let report = lawful::Lawbook::load(&source)?.check();
    /// assert_eq!(report.errors, 1);
    /// assert!(report.diagnostics[0].code == "unknown-operator");
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn check(&self) -> CheckReport {
        let mut problems = self.problems.clone();
        problems.extend(match self.evaluated() {
            Ok(nickel) => crate::check::check_evaluated(&self.book, &nickel),
            Err(_) => crate::check::check(&self.book),
        });
        CheckReport::new(Diagnostics::new(problems, self.sources.clone()))
    }
}
