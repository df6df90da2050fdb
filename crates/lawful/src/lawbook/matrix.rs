//! `matrix`: every prompt that a composition can produce.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, FileId, Sources, Span, escape, text};

use super::Lawbook;
use crate::compose::{Composition, Compositions, Matrix, NOT_A_SNAPSHOT, SnapshotProblem};
use crate::diagnostics::Diagnostics;
use crate::diff::UnifiedDiff;
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

    /// Compares a stored snapshot with the prompts of now; the difference is empty if every context
    /// has the same prompt. `file` names it in errors.
    ///
    /// ```
    /// # let source = lawful::book::MemorySource::new()
    /// #     .with("lawful.yaml", "name: desk")
    /// #     .with("fragments/hello.md", "---\nid: hello\n---\nGreet the user.")
    /// #     .with("compositions/reply.yaml", "{name: reply, base: [hello]}");
    /// # let book = lawful::Lawbook::load(&source)?;
    /// let matrix = book.matrix("reply")?;
    /// let stored = matrix.snapshot()?;
    /// assert!(matrix.compare("prompts.txt", stored.as_bytes())?.is_empty());
    /// assert!(matrix.compare("prompts.txt", b"Greet the user.").is_err());
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn compare(&self, file: &str, stored: &[u8]) -> Result<UnifiedDiff, Error> {
        let mut sources = Sources::default();
        let (id, invalid) = text::add(&mut sources, file, stored);
        let kept = sources.file(id).map_or("", |file| file.text());
        let problem = invalid.or_else(|| {
            let problem = Compositions::recognise(self.composition, kept).err()?;
            Some(self.not_a_snapshot(&problem, id, &sources))
        });
        if let Some(problem) = problem {
            let problems = Diagnostics::in_order(vec![problem], Arc::new(sources));
            return Err(Error::new(ErrorKind::Input, problems));
        }
        Ok(UnifiedDiff::new(("kept", kept), ("now", &self.snapshot()?), 2))
    }

    fn not_a_snapshot(
        &self,
        problem: &SnapshotProblem,
        file: FileId,
        sources: &Sources,
    ) -> Diagnostic {
        let name = &self.composition.name;
        let (line, message) = match problem {
            SnapshotProblem::Other => (1, "this file is not a snapshot".to_owned()),
            SnapshotProblem::OtherComposition(other) => {
                let other = escape::name(other);
                (1, format!("this is a snapshot of `{other}`, not of `{name}`"))
            }
            SnapshotProblem::OlderFormat => (1, "this snapshot has an older format".to_owned()),
            SnapshotProblem::Line(line) => (*line, "a snapshot has no such line here".to_owned()),
        };
        let place = sources.line(file, line).unwrap_or(Span::start_of(file));
        Diagnostic::new(&NOT_A_SNAPSHOT, place, message)
            .help("review the prompts, then write the file with `--snapshot`")
    }
}
