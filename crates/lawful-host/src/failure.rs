//! Why a verb has no result.

use std::path::Path;
use std::sync::Arc;

use lawful::code;
use lawful::compose::Refusal;
use lawful::syntax::render::{DiagnosticView, Style, human, view};
use lawful::syntax::{Diagnostic, Sources, Span, sort};
use lawful::{Diagnostics, ErrorKind};

use crate::answer::Answer;

/// Why a verb has no result.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The texts that the problems point into.
    pub sources: Sources,
    /// The problems.
    pub problems: Vec<Diagnostic>,
    /// `Undecided`, or `No` if the documents were judged and failed.
    pub answer: Answer,
}

impl Failure {
    /// Problems that leave the answer undecided.
    pub fn new(sources: Sources, problems: Vec<Diagnostic>) -> Self {
        Self { sources, problems, answer: Answer::Undecided }
    }

    /// A problem without a place.
    pub fn of(problem: Diagnostic) -> Self {
        Self::new(Sources::default(), vec![problem])
    }

    /// Why no prompts could be composed for the roles.
    pub fn refusal(refusal: Refusal, sources: Sources) -> Self {
        let (problems, answer) = match refusal {
            Refusal::Undecided(problems) => (problems, Answer::Undecided),
            Refusal::Broken(problems) => (problems, Answer::No),
        };
        Self { sources, problems, answer }
    }

    /// A problem with a path that could not be read.
    pub fn instead_of(path: &Path, problem: impl FnOnce(Span) -> Diagnostic) -> Self {
        let mut sources = Sources::default();
        let file = sources.add_unread(path.display().to_string());
        let problems = vec![problem(Span::start_of(file))];
        Self::new(sources, problems)
    }

    /// A request that is invalid as given.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::of(Diagnostic::new(&code::USAGE, Span::NONE, message).help(help.into()))
    }

    /// Problems, sorted by place.
    pub fn sorted(mut problems: Vec<Diagnostic>, sources: Sources) -> Self {
        sort(&mut problems, &sources);
        Self::new(sources, problems)
    }

    /// The problems with the texts that they point into.
    pub fn diagnostics(&self) -> Diagnostics {
        Diagnostics::in_order(self.problems.clone(), Arc::new(self.sources.clone()))
    }

    /// The JSON form of each problem.
    pub fn views(&self) -> Vec<DiagnosticView> {
        self.problems.iter().map(|problem| view(problem, &self.sources)).collect()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(human(&self.problems, &self.sources, Style::Plain).trim_end())
    }
}

impl std::error::Error for Failure {}

impl From<lawful::Error> for Failure {
    fn from(error: lawful::Error) -> Self {
        let broken = error.kind() == ErrorKind::Contract;
        let answer = if broken { Answer::No } else { Answer::Undecided };
        let (problems, sources) = error.into_diagnostics().into_parts();
        Self { sources: (*sources).clone(), problems, answer }
    }
}
