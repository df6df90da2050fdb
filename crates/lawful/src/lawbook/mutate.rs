//! `mutants` and `mutated`: the lawbook with one thing changed.

use lawful_syntax::Diagnostic;

use super::Lawbook;
use crate::mutate::{self, Mutant, Site};

impl Lawbook {
    /// Every change that [`mutated`](Self::mutated) can make, in the order of the documents.
    ///
    /// ```
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "name: desk")
    ///     .with("fragments/hello.md", "---\nid: hello\n---\nGreet the user.")
    ///     .with("fragments/terse.md", "---\nid: terse\n---\nOne sentence.")
    ///     .with(
    ///         "compositions/reply.yaml",
    ///         "{name: reply, base: [hello], rules: [{when: {tone: terse}, add: [terse]}]}",
    ///     );
    /// let book = lawful::Lawbook::load(&source)?;
    /// let mutants = book.mutants();
    /// assert_eq!(mutants[0].change, "rule 0 of `reply` (`add`) removed");
    /// let changed = book.mutated(&mutants[0]).unwrap();
    /// let prompt = changed.compose("reply").context([("tone", "terse")].into_iter().collect::<std::collections::BTreeMap<_, _>>()).run()?;
    /// assert_eq!(prompt.order, ["hello"]);
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn mutants(&self) -> Vec<Mutant> {
        mutate::mutants(&self.book)
    }

    /// The lawbook with this change. It shares everything that does not depend on the changed
    /// document, as after a [`reload`](Self::reload).
    ///
    /// Returns `None` if the changed lawbook does not compile, or if the changed condition is proved
    /// to be true on the same contexts as before.
    pub fn mutated(&self, mutant: &Mutant) -> Option<Self> {
        self.compile();
        let (at, tree) = mutant.tree(&self.book)?;
        let book = self.book.with_tree(at, tree)?;
        let mut changed = self.sharing(book, self.problems.clone());
        changed.nickel.clone_from(&self.nickel);
        let compiles = match &mutant.site {
            Site::CompositionRule(..) => {
                errors(&changed.decoded_compositions().1) <= errors(&self.decoded_compositions().1)
            }
            Site::Rule(..) => errors(&changed.decoded_rules().1) <= errors(&self.decoded_rules().1),
            Site::Guard(..) => {
                errors(&changed.decoded_guards().1) <= errors(&self.decoded_guards().1)
            }
            Site::Predicate(..) => changed.rulespec().is_some(),
            // The book has checked it.
            Site::Condition(_) => true,
        };
        (compiles && !mutate::is_equivalent(self, &changed, mutant)).then_some(changed)
    }

    /// Compiles everything, so that books that follow from this one share it.
    fn compile(&self) {
        self.decoded_compositions();
        self.decoded_rules();
        self.decoded_guards();
        self.decoded_rulespec();
    }
}

fn errors(problems: &[Diagnostic]) -> usize {
    problems.iter().filter(|problem| problem.is_error()).count()
}
