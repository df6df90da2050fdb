//! Checks the scenarios of a lawbook against the lawbook.

use lawful_syntax::{Diagnostic, FileId};

use super::decode::Scenarios;
use super::document::{Act, Live};
use super::name::Names;
use super::play::{start, unreadable};
use super::surroundings::Harnesses;
use crate::book::Book;
use crate::react::Rules;

/// The problems of scenarios with the rest of the lawbook: names that it does not have, and given
/// variables that cannot have their values.
pub(crate) fn check(scenarios: &Scenarios, names: &Names<'_>, rules: &Rules) -> Vec<Diagnostic> {
    let mut problems: Vec<Diagnostic> =
        scenarios.names.iter().filter_map(|named| names.unknown(named)).collect();
    // A variable that does not exist has no type.
    let unknown: Vec<FileId> = problems.iter().map(|problem| problem.span.file).collect();
    for scenario in scenarios.all.iter().filter(|one| !unknown.contains(&one.file)) {
        problems.extend(start(rules, scenario).err().into_iter().flatten());
    }
    problems
}

/// The events of harnesses in the scenarios of a lawbook that cannot be read. Only a host knows the
/// harnesses.
pub fn check_harness_events(book: &Book, harnesses: &dyn Harnesses) -> Vec<Diagnostic> {
    let (scenarios, _) = Scenarios::decode(book);
    let steps = scenarios.all.iter().flat_map(|scenario| &scenario.steps);
    steps
        .filter_map(|step| match &step.act {
            Act::Live(Live::Sent { harness: (harness, place), event, span }) => {
                let why = harnesses.read(harness, event).err()?;
                Some(unreadable(harness, *place, *span, &why))
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
