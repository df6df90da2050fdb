//! The verdict on an envelope: the one place where a hook meets verifying.

use std::fmt::Write as _;

use lawful::book::{Book, FolderSource, Source};
use lawful::syntax::{Diagnostic, Format, Node, Severity, Sources, Span, parse, text};
use lawful::verify::{Envelope, Findings, Judge, Judgement, Rulespec};
use lawful::view::PlaceView;
use lawful::{Limits, Value, code};

use super::problem;

/// What the agent says, as it was written.
pub(super) struct Said {
    /// Where it was written.
    pub(super) place: String,
    pub(super) bytes: Vec<u8>,
}

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
    envelope: &Said,
    observed: Option<&Value>,
) -> Judged {
    let limits = &book.manifest.limits;
    let mut sources = Sources::default();
    let judged = rulespec_of(source, book, rulespec, &mut sources).and_then(|rulespec| {
        let node = node(&envelope.place, &envelope.bytes, limits, &mut sources)?;
        let envelope = Envelope::decode(&node)?;
        let mut judge = Judge::new(&rulespec, limits);
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
        vec![Diagnostic::new(&code::UNREADABLE, place, message)]
    })?;
    let node = node(&shown, &bytes, limits, sources)?;
    let (rulespec, problems) = Rulespec::decode(&node, sources, &book.registry, limits);
    rulespec.ok_or(problems)
}

/// The tree of a document without errors.
fn node(
    name: &str,
    bytes: &[u8],
    limits: &Limits,
    sources: &mut Sources,
) -> Result<Node, Vec<Diagnostic>> {
    let (file, unreadable) = text::add(sources, name, bytes);
    if let Some(problem) = unreadable {
        return Err(vec![problem]);
    }
    let (node, problems) = parse(sources, file, Format::of(name), &limits.document);
    node.filter(|_| !problems.iter().any(Diagnostic::is_error)).ok_or(problems)
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
    let limits = &book.manifest.limits;
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
