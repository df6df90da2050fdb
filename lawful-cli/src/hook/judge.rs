//! The verdict on an envelope: the one place where a hook meets verifying.

use std::fmt::Write as _;
use std::path::Path;

use lawful::Value;
use lawful::book::{Book, FolderSource, Source};
use lawful::syntax::{Diagnostic, Format, Severity, Sources, Span, parse, text};
use lawful::verify::{Envelope, Findings, Judge, Judgement, Rulespec};
use lawful::view::PlaceView;

use super::problem;
use crate::input::document;

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

/// Judges an envelope by a rulespec of the book.
pub(super) fn judge(
    (source, book): (&FolderSource, &Book),
    rulespec: &str,
    envelope: &Path,
    observed: Option<&Value>,
) -> Judged {
    let mut sources = Sources::default();
    let judged = rulespec_of(source, book, rulespec, &mut sources).and_then(|rulespec| {
        let envelope = envelope_of(envelope, &mut sources)?;
        let mut judge = Judge::new(&rulespec, &book.manifest.limits);
        let findings = Findings::new(&envelope, observed.map(|value| (value, None)));
        judge.judge(findings.facts()).map_err(|problem| vec![*problem])?;
        if !Judge::fails(&rulespec, judge.judgements()) {
            return Ok(Judged::Pass);
        }
        Ok(Judged::Fail(report(&judge, &rulespec, &findings, book, &sources)))
    });
    judged.unwrap_or_else(|problems| Judged::Undecided(problem::first(&problems, &sources)))
}

fn rulespec_of(
    source: &FolderSource,
    book: &Book,
    path: &str,
    sources: &mut Sources,
) -> Result<Rulespec, Vec<Diagnostic>> {
    let limits = &book.manifest.limits;
    let shown = source.shown(path);
    let bytes = source.read(path, limits.document.bytes).map_err(|error| {
        let place = Span::start_of(sources.add_unread(&*shown));
        let message = format!("the rulespec cannot be read: {error}");
        vec![Diagnostic::new(&lawful::code::UNREADABLE, place, message)]
    })?;
    let (file, unreadable) = text::add(sources, &shown, &bytes);
    if let Some(problem) = unreadable {
        return Err(vec![problem]);
    }
    let (node, mut problems) = parse(sources, file, Format::of(path), &limits.document);
    let node = node.filter(|_| !problems.iter().any(Diagnostic::is_error));
    let rulespec = node.and_then(|node| {
        let (rulespec, found) = Rulespec::decode(&node, sources, &book.registry, limits);
        problems.extend(found);
        rulespec
    });
    rulespec.ok_or(problems)
}

fn envelope_of(path: &Path, sources: &mut Sources) -> Result<Envelope, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let node = document(path, sources, &mut problems);
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
    book: &Book,
    sources: &Sources,
) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = judge.judgements().iter().zip(&rulespec.predicates).enumerate();
    let failed = failed.filter(|(_, (judgement, _))| **judgement == Judgement::Fail);
    for (index, (_, predicate)) in failed {
        let limits = &book.manifest.limits;
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
