//! `lawful test --coverage` and `--mutate`.

use serde::Serialize;

use crate::cond::partition::Answer;
use crate::coverage::{Coverage, Covered, Missing};
use crate::lawbook::Lawbook;
use crate::mutate::{Fate, Mutant};
use crate::value::Value;

/// What scenarios cover: `{"rules", "conditions", "fragments", "predicates", "guards"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CoverageView {
    /// Rules that fired: of `rules/` and of compositions.
    pub rules: CoveredView,
    /// Conditions, each counted twice: true and false.
    pub conditions: CoveredView,
    /// Fragments that were in a prompt.
    pub fragments: CoveredView,
    /// Predicates, each counted twice: passed and failed.
    pub predicates: CoveredView,
    /// Guards that decided as they say.
    pub guards: CoveredView,
}

impl CoverageView {
    /// The view of a coverage.
    pub fn new(book: &Lawbook, coverage: &Coverage) -> Self {
        let view = |covered: &Covered| CoveredView {
            covered: covered.covered,
            total: covered.total,
            missing: covered.missing.iter().map(|one| MissingView::new(book, one)).collect(),
        };
        let Coverage { rules, conditions, fragments, predicates, guards } = coverage;
        Self {
            rules: view(rules),
            conditions: view(conditions),
            fragments: view(fragments),
            predicates: view(predicates),
            guards: view(guards),
        }
    }

    /// Each kind with its name.
    pub fn kinds(&self) -> [(&'static str, &CoveredView); 5] {
        [
            ("rules", &self.rules),
            ("conditions", &self.conditions),
            ("fragments", &self.fragments),
            ("predicates", &self.predicates),
            ("guards", &self.guards),
        ]
    }

    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.kinds().iter().all(|(_, covered)| covered.missing.is_empty())
    }
}

/// How much of one kind is covered: `{"covered", "total", "missing"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CoveredView {
    /// How many are covered.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
    /// Those that are not covered.
    pub missing: Vec<MissingView>,
}

/// Something that is not covered: `{"name", "lacks", "what", "file", "line", "context"?, "unreachable"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MissingView {
    /// Its id; `NAME#INDEX` or `NAME#ID` for a rule of a composition.
    pub name: String,
    /// What was not seen: `fired`, `true`, `false`, `in-prompt`, `pass`, `fail` or `decision`.
    pub lacks: &'static str,
    /// The same in a sentence.
    pub what: String,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// A context that would reach it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Value>,
    /// Whether no context reaches it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unreachable: bool,
}

impl MissingView {
    fn new(book: &Lawbook, missing: &Missing) -> Self {
        let (file, line) = place(book, missing.place);
        let (context, unreachable) = match &missing.reach {
            Answer::Yes(context) => (Some(context.clone()), false),
            Answer::No => (None, true),
            Answer::Unknown => (None, false),
        };
        Self {
            name: missing.subject.name(book),
            lacks: missing.lacks.name(),
            what: missing.what(book),
            file,
            line,
            context,
            unreachable,
        }
    }
}

/// The mutants of a lawbook: `{"mutants", "killed", "survived"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MutationView {
    /// How many mutants there are.
    pub mutants: usize,
    /// How many a scenario noticed.
    pub killed: usize,
    /// The others.
    pub survived: Vec<SurvivorView>,
}

impl MutationView {
    /// The view of mutants and what became of them. Those that were discarded do not count.
    pub fn new(book: &Lawbook, mutants: &[(Mutant, Fate)]) -> Self {
        let count = |wanted: Fate| mutants.iter().filter(|(_, fate)| *fate == wanted).count();
        let killed = count(Fate::Killed);
        let survivors = mutants.iter().filter(|(_, fate)| *fate == Fate::Survived);
        let survivor = |(mutant, _): &(Mutant, Fate)| {
            let (file, line) = place(book, mutant.place);
            SurvivorView { file, line, change: mutant.change.clone() }
        };
        let survived: Vec<SurvivorView> = survivors.map(survivor).collect();
        Self { mutants: killed + survived.len(), killed, survived }
    }
}

/// A mutant that no scenario noticed: `{"file", "line", "change"}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SurvivorView {
    /// The file of the change.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// The change in words.
    pub change: String,
}

/// The file and line of a place.
fn place(book: &Lawbook, span: lawful_syntax::Span) -> (String, usize) {
    match book.sources().locate(span) {
        Some((file, at)) => (lawful_syntax::escape::line(file.name()).into_owned(), at.line),
        None => (String::new(), 0),
    }
}
