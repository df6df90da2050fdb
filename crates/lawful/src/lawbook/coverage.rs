//! `coverage` and `suggest`: what scenarios reach, and scenarios that reach more.

use super::Lawbook;
use crate::coverage::Coverage;
use crate::scenario::{Surroundings, Touched};
use crate::suggest::{self, Suggestions};

impl Lawbook {
    /// What scenarios cover that touched these things together.
    ///
    /// ```
    /// use lawful::scenario::{Collect, Surroundings, Touched};
    ///
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "name: desk")
    ///     .with("guards/git.yaml", "- {id: no-git, on: {action: shell}, deny: No., when: {event.program: git}}")
    ///     .with("scenarios/ls.yaml", "steps: [{tool: {action: shell, command: ls}, expect: {decision: none}}]");
    /// let book = lawful::Lawbook::load(&source)?;
    /// let mut touched = Touched::default();
    /// for scenario in book.scenarios() {
    ///     touched.merge(&book.play(scenario, &Surroundings::default(), Collect::Touched).touched);
    /// }
    /// let coverage = book.coverage(&touched);
    /// assert_eq!((coverage.guards.covered, coverage.guards.total), (0, 1));
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn coverage(&self, touched: &Touched) -> Coverage {
        Coverage::of(self, touched)
    }

    /// Scenarios for what scenarios that touched these things do not cover. Their expectations are
    /// empty.
    pub fn suggest(&self, touched: &Touched, surroundings: &Surroundings<'_>) -> Suggestions {
        suggest::suggest(self, touched, surroundings)
    }
}
