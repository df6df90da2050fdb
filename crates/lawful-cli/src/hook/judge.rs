//! The verdict on an envelope: the one place where a hook meets verifying.

use std::fmt::Write as _;

use lawful::book::Book;
use lawful::syntax::{Diagnostic, Format, Severity, Sources, parse, text};
use lawful::verify::{Envelope, Findings, Judge, Judgement, Key, Rulespec, UNFIT_COLUMN, Verdict};
use lawful::view::PlaceView;
use lawful::{Limits, Value, Verb, blocks};

use super::{problem, reason};

/// What came of judging an envelope.
#[derive(Debug)]
pub(super) enum Judged {
    /// Nothing failed.
    Pass,
    /// Something failed: for each predicate what was expected, what was there, and a way out.
    Fail(Vec<String>),
    /// The envelope is none, or says what cannot be judged: everything that is wrong with it.
    Unsound(Vec<String>),
    /// Nothing failed, and for each predicate that is undecided what was not observed.
    Unobserved(Vec<String>),
    /// It could not be judged.
    Undecided(String),
}

/// Judges an envelope by the rulespec of the book. `place` is where the envelope was written.
pub(super) fn judge(
    mut book: Book,
    problems: &[Diagnostic],
    (place, bytes): (&str, &[u8]),
    observed: Option<&Value>,
) -> Judged {
    let Some((rulespec, mut found)) = lawful::rulespec(&book) else {
        let path = book.manifest.hooks.stop.rulespec();
        return Judged::Undecided(format!("the lawbook has no `{path}`"));
    };
    found.retain(Diagnostic::is_error);
    found.extend(problems.iter().filter(|one| blocks(Verb::Verify, &book, one)).cloned());
    let Some(rulespec) = rulespec.filter(|_| found.is_empty()) else {
        return Judged::Undecided(problem::first(&found, &book.sources));
    };
    let limits = book.manifest.limits;
    let envelope = match envelope_of(place, bytes, &limits, &mut book.sources) {
        Ok(envelope) => envelope,
        Err(problems) => return Judged::Unsound(problem::all(&problems, &book.sources)),
    };
    let mut judge = Judge::new(&rulespec, &limits);
    let findings = Findings::new(&envelope, observed.map(|value| (value, None)));
    if let Err(problem) = judge.judge(findings.facts()) {
        let line = problem::first(std::slice::from_ref(&problem), &book.sources);
        // What points into the envelope is for the one who wrote it to mend.
        let place = findings.problem_place(&judge).filter(|_| *problem.code == UNFIT_COLUMN);
        return match place.and_then(|place| PlaceView::of(place, &book.sources)) {
            Some(place) => {
                Judged::Unsound(vec![format!("line {} of the envelope: {line}", place.line)])
            }
            None => Judged::Undecided(line),
        };
    }
    match Judge::verdict(&rulespec, judge.judgements()) {
        Verdict::Pass => Judged::Pass,
        Verdict::Fail => Judged::Fail(report(&judge, &rulespec, &findings, &limits, &book.sources)),
        Verdict::Undecided => Judged::Unobserved(unobserved(&judge, &rulespec, &findings, &limits)),
    }
}

/// For each predicate that is undecided and counts what was not observed, and what observes it.
fn unobserved(
    judge: &Judge<'_>,
    rulespec: &Rulespec,
    findings: &Findings<'_>,
    limits: &Limits,
) -> Vec<String> {
    let undecided = judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let undecided = undecided.filter(|(_, (judgement, predicate))| {
        **judgement == Judgement::Undecided && predicate.severity == Severity::Error
    });
    undecided
        .filter_map(|(index, (_, predicate))| {
            let finding = findings.finding(judge, index, limits, false)?;
            let name = match &predicate.name {
                Some(name) => format!("predicate {index} `{name}`"),
                None => format!("predicate {index} on `{}`", rulespec.subject_name(predicate)),
            };
            let help = finding.unobserved.first().map(Key::help);
            let help = help.map_or(String::new(), |help| format!(" ({help})"));
            Some(format!("- {name}: {}{help}", finding.reason))
        })
        .collect()
}

/// So many lines a predicate takes at most, and the line after the last one.
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
    let (node, problems) = parse(sources, file, Format::of(place), &limits.document);
    match node.filter(|_| !problems.iter().any(Diagnostic::is_error)) {
        Some(node) => Envelope::decode(&node),
        None => Err(problems),
    }
}

/// For each predicate that failed a line that says why, and one for each way out and remark, until
/// there are as many as are shown.
fn report(
    judge: &Judge<'_>,
    rulespec: &Rulespec,
    findings: &Findings<'_>,
    limits: &Limits,
    sources: &Sources,
) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let mut failed = failed.filter(|(_, (judgement, _))| **judgement == Judgement::Fail);
    while let Some((index, (_, predicate))) = failed.next() {
        // One line is for what is left out.
        if lines.len() + ROOM > reason::LINES {
            let more = failed.count() + 1;
            let predicates = if more == 1 { "predicate" } else { "predicates" };
            lines.push(format!("and {more} more {predicates}"));
            break;
        }
        let Some(finding) = findings.finding(judge, index, limits, false) else { continue };
        let mut line = match predicate.severity {
            Severity::Error => "- ".to_owned(),
            Severity::Warning => "- (a warning) ".to_owned(),
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
