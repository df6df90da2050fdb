//! The verdict on an envelope: the one place where a hook meets verifying.

use std::fmt::Write as _;

use lawful::book::{Book, Document, Part};
use lawful::syntax::{Diagnostic, Format, Severity, Sources, parse, text};
use lawful::verify::{Envelope, Findings, Judge, Judgement, Rulespec};
use lawful::view::PlaceView;
use lawful::{Limits, Value};

use super::problem;

/// What came of judging an envelope.
#[derive(Debug)]
pub(super) enum Judged {
    /// Nothing failed.
    Pass,
    /// Something failed: for each predicate what was expected, what was there, and a way out.
    Fail(Vec<String>),
    /// It could not be judged.
    Undecided(String),
}

/// Judges an envelope by a rulespec of the book. `place` is where the envelope was written.
pub(super) fn judge(
    mut book: Book,
    problems: &[Diagnostic],
    rulespec: &str,
    (place, bytes): (&str, &[u8]),
    observed: Option<&Value>,
) -> Judged {
    let Some((rulespec, mut found)) = lawful::rulespec_at(&book, rulespec) else {
        return Judged::Undecided(format!("the lawbook has no `{rulespec}`"));
    };
    // What is wrong elsewhere in the book is not in the way.
    let of = |part: Part| move |document: &&Document| document.part == part;
    for document in [Part::Conditions, Part::Rulespec]
        .iter()
        .flat_map(|part| book.documents.iter().filter(of(*part)))
    {
        let here = problems.iter().filter(|problem| problem.span.file == document.file);
        found.extend(here.cloned());
    }
    let Some(rulespec) = rulespec.filter(|_| !found.iter().any(Diagnostic::is_error)) else {
        return Judged::Undecided(problem::first(&found, &book.sources));
    };
    let limits = book.manifest.limits;
    let judged = envelope_of(place, bytes, &limits, &mut book.sources).and_then(|envelope| {
        let mut judge = Judge::new(&rulespec, &limits);
        let findings = Findings::new(&envelope, observed.map(|value| (value, None)));
        judge.judge(findings.facts()).map_err(|problem| vec![*problem])?;
        if !Judge::fails(&rulespec, judge.judgements()) {
            return Ok(Judged::Pass);
        }
        Ok(Judged::Fail(report(&judge, &rulespec, &findings, &limits, &book.sources)))
    });
    judged.unwrap_or_else(|problems| Judged::Undecided(problem::first(&problems, &book.sources)))
}

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

/// For each predicate that failed a line that says why, and one for each way out and remark.
fn report(
    judge: &Judge<'_>,
    rulespec: &Rulespec,
    findings: &Findings<'_>,
    limits: &Limits,
    sources: &Sources,
) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let failed = failed.filter(|(_, (judgement, _))| **judgement == Judgement::Fail);
    for (index, (_, predicate)) in failed {
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
