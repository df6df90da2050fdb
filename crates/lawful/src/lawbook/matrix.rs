//! `matrix`: every prompt that a composition can produce.

use super::Lawbook;
use crate::compose::{Composition, Compositions, Matrix};
use crate::error::{Error, ErrorKind};
use crate::policy::Verb;
use crate::tokens::Tokenizer;
use crate::view::MatrixReport;

impl Lawbook {
    /// Lists every distinct prompt of a composition over the context axes.
    ///
    /// ```
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "{name: desk, axes: {tone: [warm, terse]}}")
    ///     .with("fragments/hello.md", "---\nid: hello\n---\nGreet the user.")
    ///     .with("fragments/terse.md", "---\nid: terse\n---\nOne sentence.")
    ///     .with(
    ///         "compositions/reply.yaml",
    ///         "{name: reply, base: [hello], rules: [{when: {tone: terse}, add: [terse]}]}",
    ///     );
    /// let book = lawful::Lawbook::load(&source)?;
    /// assert_eq!(book.matrix("reply")?.report().classes.len(), 2);
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn matrix(&self, name: &str) -> Result<PromptMatrix<'_>, Error> {
        self.ready_for(Verb::Compose)?;
        let composition = self.compositions().get(name);
        let composition =
            composition.map_err(|unknown| Error::without_place(ErrorKind::Input, *unknown))?;
        let matrix = self.compositions().matrix(composition, self.manifest());
        let matrix = matrix.map_err(|problem| self.refuse(ErrorKind::Undecided, *problem))?;
        Ok(PromptMatrix { book: self, composition, matrix })
    }
}

/// Every prompt of a composition.
#[derive(Debug)]
pub struct PromptMatrix<'b> {
    book: &'b Lawbook,
    composition: &'b Composition,
    matrix: Matrix,
}

impl PromptMatrix<'_> {
    /// The classes of contexts that lead to one prompt each, with estimated tokens.
    pub fn report(&self) -> MatrixReport {
        self.report_with(Tokenizer::default())
    }

    /// The same, with tokens counted by a tokenizer of the host.
    pub fn report_with(&self, tokenizer: Tokenizer<'_>) -> MatrixReport {
        MatrixReport::new(
            &self.book.book,
            self.book.compositions(),
            self.composition,
            &self.matrix,
            tokenizer,
        )
    }

    /// A text that determines which contexts lead to which prompt. Two snapshots are equal if and
    /// only if every context has the same prompt.
    pub fn snapshot(&self) -> Result<String, Error> {
        let (book, compositions) = (self.book, self.book.compositions());
        compositions
            .snapshot(self.composition, book.manifest(), &self.matrix, &book.book.sources)
            .map_err(|problem| book.refuse(ErrorKind::Undecided, *problem))
    }

    /// The first line of a snapshot of this composition.
    pub fn snapshot_title(&self) -> String {
        Compositions::snapshot_title(self.composition)
    }
}
