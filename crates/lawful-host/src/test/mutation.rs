//! Mutants of a lawbook, several at a time.
//!
//! Threads take the next mutant from one counter, and results are kept by index, so the report does
//! not depend on their number.

use lawful::mutate::{Fate, Mutant};
use lawful::scenario::{Scenario, Surroundings, TestOutcome, Touched};
use lawful::view::{MutationView, TestedScenario};
use lawful::{Lawbook, TestCase, live};

use super::{TestRequest, in_parallel};

/// Plays every mutant with the scenarios that passed.
pub(super) fn run(
    book: &Lawbook,
    cases: &[TestCase<'_>],
    results: &[(TestedScenario, Touched)],
    surroundings: &Surroundings<'_>,
    request: TestRequest<'_>,
) -> MutationView {
    let played = cases.iter().zip(results).filter_map(|(case, (result, touched))| {
        Some((case.scenario.filter(|_| result.result == TestOutcome::Pass)?, touched))
    });
    let mut scenarios: Vec<(&Scenario, &Touched)> = played.collect();
    // Short ones first: the first that fails decides.
    scenarios.sort_by_key(|(scenario, _)| scenario.steps.len());
    // Nothing that a scenario expects depends on the fingerprint, which takes time.
    let host = live::Host { law: Some(String::new().into()), ..surroundings.host.clone() };
    let surroundings = Surroundings { host, ..surroundings.clone() };
    let mutants: Vec<Mutant> = book.mutants();
    let fates =
        in_parallel(&mutants, request.jobs, |mutant| book.fate(mutant, &scenarios, &surroundings));
    let mutants: Vec<(Mutant, Fate)> = mutants.into_iter().zip(fates).collect();
    MutationView::new(book, &mutants)
}
