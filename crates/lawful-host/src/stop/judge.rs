//! The verdict on an envelope, as lines for an agent.

use std::fmt::Write as _;

use lawful::Limits;
use lawful::syntax::{Diagnostic, Format, Severity, Sources, parse_sent, text};
use lawful::verify::{Envelope, Judge, Judged, Judgement, Rulespec, Verdict};
use lawful::view::PlaceView;

use super::{problem, reason};
use crate::verify::{LoadedRulespec, ObservedFacts, Strictness, decode};

/// The result of judging an envelope.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Nothing failed.
    Pass,
    /// Something failed: for each predicate, what was expected, what was found, and a hint.
    Fail(Vec<String>),
    /// The envelope is invalid or cannot be judged: all its problems.
    Unsound(Vec<String>),
    /// Nothing failed; for each undecided predicate, what was not observed.
    Unobserved(Vec<String>),
    /// It could not be judged.
    Undecided(String),
}

/// Judges an envelope by the rulespec of the lawbook. `place` is the path of the envelope.
pub(super) fn judge(
    mut loaded: LoadedRulespec,
    (place, bytes): (&str, &[u8]),
    observed: Option<&ObservedFacts>,
) -> Outcome {
    let envelope = match envelope_of(place, bytes, &loaded.limits, &mut loaded.sources) {
        Ok(envelope) => envelope,
        Err(problems) => return Outcome::Unsound(problem::all(&problems, &loaded.sources)),
    };
    let (rulespec, sources) = (&loaded.rulespec, &loaded.sources);
    let mut judge = Judge::new(rulespec, &loaded.limits);
    let observed = observed.map(ObservedFacts::placed);
    match Judged::new(&mut judge, &envelope, observed, Strictness::default()) {
        Ok(judged) => match judged.verdict() {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail(failed(&judged, rulespec, sources)),
            Verdict::Undecided => Outcome::Unobserved(unobserved(&judged, &loaded)),
        },
        Err(unjudged) => {
            let line = problem::first(std::slice::from_ref(&*unjudged.problem), sources);
            // An error that points into the envelope is for its author to fix.
            let place = unjudged.fault_of_the_envelope();
            match place.and_then(|place| PlaceView::of(place, sources)) {
                Some(place) => {
                    Outcome::Unsound(vec![format!("line {} of the envelope: {line}", place.line)])
                }
                None => Outcome::Undecided(line),
            }
        }
    }
}

/// For each undecided predicate that affects the verdict: what was not observed, and how to observe
/// it.
fn unobserved(judged: &Judged<'_, '_>, loaded: &LoadedRulespec) -> Vec<String> {
    let rulespec = &loaded.rulespec;
    let undecided = judged.judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let undecided = undecided.filter(|(_, (judgement, predicate))| {
        **judgement == Judgement::Undecided && predicate.severity == Severity::Error
    });
    undecided
        .filter_map(|(index, (_, predicate))| {
            let finding = judged.finding(index)?;
            let name = match &predicate.name {
                Some(name) => format!("predicate {index} `{name}`"),
                None => format!("predicate {index} on `{}`", rulespec.subject_name(predicate)),
            };
            let help = finding.unobserved.first().map(|key| key.help(loaded.declared()));
            let help = help.map_or(String::new(), |help| format!(" ({help})"));
            Some(format!("- {name}: {}{help}", finding.reason))
        })
        .collect()
}

/// The maximal number of lines for a predicate, plus the last line.
const ROOM: usize = 4;

fn envelope_of(
    place: &str,
    bytes: &[u8],
    limits: &Limits,
    sources: &mut Sources,
) -> Result<Envelope, Vec<Diagnostic>> {
    let (file, unreadable) = text::add(sources, place, bytes);
    if let Some(problem) = unreadable {
        return Err(vec![problem]);
    }
    let (node, problems) = parse_sent(sources, file, Format::of(place), &limits.document);
    decode(node, problems)
}

/// For each failed predicate, a line with the reason, and one for each hint and note, up to the
/// number of lines shown.
fn failed(judged: &Judged<'_, '_>, rulespec: &Rulespec, sources: &Sources) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = judged.judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let mut failed = failed.filter(|(_, (judgement, _))| **judgement == Judgement::Fail);
    while let Some((index, (_, predicate))) = failed.next() {
        // Reserve one line for the count of the rest.
        if lines.len() + ROOM > reason::LINES {
            let more = failed.count() + 1;
            let predicates = if more == 1 { "predicate" } else { "predicates" };
            lines.push(format!("and {more} more {predicates}"));
            break;
        }
        let Some(finding) = judged.finding(index) else { continue };
        let mut line = match predicate.severity {
            Severity::Error => "- ".to_owned(),
            Severity::Warning => "- (warning) ".to_owned(),
        };
        if let Some(name) = &predicate.name {
            let _ = write!(line, "{name}: ");
        }
        line.push_str(&finding.reason);
        if let Some(place) = finding.place.and_then(|place| PlaceView::of(place, sources)) {
            let _ = write!(line, " (line {} of the envelope)", place.line);
        }
        lines.push(line);
        if let Some(notes) = &predicate.notes {
            lines.push(format!("  note: {notes}"));
        }
        if let Some(hint) = finding.hint.filter(|hint| !hint.is_empty()) {
            let changes: Vec<String> = hint.iter().map(ToString::to_string).collect();
            lines.push(format!("  it would pass with: {}", changes.join(", ")));
        }
    }
    lines
}
