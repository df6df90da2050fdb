//! Checks the scenarios of a lawbook against the lawbook.

use lawful_syntax::{Diagnostic, FileId};

use super::context::check_context;
use super::decode::Scenarios;
use super::document::{Act, Live, undecided_event};
use super::name::Names;
use super::play::{start, unreadable};
use super::surroundings::Harnesses;
use crate::book::Book;
use crate::compose::{Compositions, ContextKeys};
use crate::react::Rules;

/// The problems of scenarios with the rest of the lawbook: names that it does not have, contexts that
/// it does not read, and given variables that cannot have their values.
pub(crate) fn check(
    scenarios: &Scenarios,
    names: &Names<'_>,
    rules: &Rules,
    (book, compositions): (&Book, &Compositions),
) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> =
        scenarios.names.iter().filter_map(|named| names.unknown(named)).collect();
    // A variable that does not exist has no type.
    let errors = problems.iter().filter(|problem| problem.is_error());
    let unknown: Vec<FileId> = errors.map(|problem| problem.span.file).collect();
    for scenario in scenarios.all.iter().filter(|one| !unknown.contains(&one.file)) {
        problems.extend(start(rules, scenario).err().into_iter().flatten());
    }
    // What a composition with errors reads is not known.
    if !scenarios.contexts.is_empty() && compositions.broken().is_empty() {
        let keys = ContextKeys::of(book, compositions);
        for written in &scenarios.contexts {
            problems.extend(check_context(written, &keys, book, rules));
        }
    }
    problems
}

/// The events of harnesses in the scenarios of a lawbook that cannot be read, or that no guard decides
/// on although a decision is expected. Only a host knows the harnesses.
pub fn check_harness_events(book: &Book, harnesses: &dyn Harnesses) -> Vec<Diagnostic> {
    let (scenarios, _) = Scenarios::decode(book);
    let steps = scenarios.all.iter().flat_map(|scenario| &scenario.steps);
    steps
        .filter_map(|step| match &step.act {
            Act::Live(Live::Sent { harness: (harness, place), event, span }) => {
                match harnesses.read(harness, event) {
                    Ok(reported) => undecided_event(&reported.moment, step),
                    Err(why) => Some(unreadable(harness, *place, *span, &why)),
                }
            }
            Act::Live(Live::Moment(_))
            | Act::Input(_)
            | Act::Envelope(_)
            | Act::Stop { .. }
            | Act::Rewind(_)
            | Act::Compose(_) => None,
        })
        .collect()
}
