//! Renders an order of fragments to a prompt, with the origin of every line.

use std::fmt::Write as _;
use std::ops::Range;

use lawful_syntax::{Diagnostic, FileId, Severity, Sources, Span};

use super::codes::{MISSING_PLACEHOLDER, UNKNOWN_FRAGMENT};
use super::fragment::{Fragment, FragmentId, Piece};
use crate::code::UNTRUSTED_IN_SYSTEM;
use crate::insertion::{Insertion, Insertions, Position};
use crate::path::Path;
use crate::value::Value;

/// A rendered prompt.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// Its sections, in order: one for each fragment or insertion that is not empty.
    pub sections: Vec<Section>,
}

/// The origin of a part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The core.
    Core,
    /// The persona of a role, if it is a text and not a composition.
    Persona,
    /// A fragment of the book.
    Fragment(FragmentId),
    /// An insertion of a session, by its index in the given list.
    Insertion(usize),
}

/// A part of the prompt: the core, a persona, a fragment or an insertion.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its origin.
    pub origin: Origin,
    /// Its file, if it has one.
    pub file: Option<FileId>,
    /// The range of its text in the prompt.
    pub range: Range<usize>,
    pub(super) first_line: usize,
    /// The source line of each line, if they are not consecutive.
    pub(super) lines: Option<Vec<usize>>,
}

/// A line of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'p> {
    /// Its text.
    pub text: &'p str,
    /// Its origin; `None` for the empty line between two sections.
    pub origin: Option<Origin>,
    /// Its file and line, if it has one.
    pub place: Option<(FileId, usize)>,
}

impl Prompt {
    /// Every line with its origin.
    pub fn lines(&self) -> Vec<Line<'_>> {
        if self.text.is_empty() {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut sections = self.sections.iter().peekable();
        let (mut start, mut offset) = (0, 0);
        for text in self.text.split('\n') {
            // A line belongs to the section in which it starts.
            while sections.next_if(|section| section.range.end <= start).is_some() {
                offset = 0;
            }
            let section = sections.peek().filter(|section| section.range.start <= start);
            out.push(match section {
                None => Line { text, origin: None, place: None },
                Some(section) => {
                    let number = match &section.lines {
                        None => section.first_line + offset,
                        Some(lines) => lines.get(offset).copied().unwrap_or(section.first_line),
                    };
                    offset += 1;
                    let place = section.file.map(|file| (file, number));
                    Line { text, origin: Some(section.origin), place }
                }
            });
            start += text.len() + 1;
        }
        out
    }

    /// The text of a section.
    pub fn text_of(&self, section: &Section) -> &str {
        self.text.get(section.range.clone()).unwrap_or_default()
    }
}

/// Renders fragments in order, with the insertions around the persona. Unknown fragments and
/// missing values add warnings.
pub(super) fn render<'f>(
    order: &[FragmentId],
    (persona, insertions): (Option<FragmentId>, &Insertions),
    fragment: impl Fn(FragmentId) -> Result<&'f Fragment, Diagnostic>,
    context: &Value,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Prompt {
    let mut prompt = Prompt::default();
    // If the persona was removed, the first fragment takes its place.
    let persona = persona.filter(|id| order.contains(id)).or(order.first().copied());
    insert(&mut prompt, insertions, Position::Top);
    if persona.is_none() {
        insert(&mut prompt, insertions, Position::BeforeChar);
        insert(&mut prompt, insertions, Position::AfterChar);
    }
    for id in order {
        let is_persona = Some(*id) == persona;
        if is_persona {
            insert(&mut prompt, insertions, Position::BeforeChar);
        }
        match fragment(*id) {
            Ok(fragment) => {
                let origin = Origin::Fragment(*id);
                let values = (context, insertions);
                section(&mut prompt, origin, fragment, values, sources, warnings)
            }
            Err(unknown) => {
                debug_assert_eq!(unknown.code, &UNKNOWN_FRAGMENT);
                warnings.push(unknown);
            }
        }
        if is_persona {
            insert(&mut prompt, insertions, Position::AfterChar);
        }
    }
    insert(&mut prompt, insertions, Position::Bottom);
    prompt
}

/// Renders the page of a persona, with the insertions around it.
pub(super) fn render_page(
    page: &Fragment,
    insertions: &Insertions,
    context: &Value,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Prompt {
    let values = (context, insertions);
    around(insertions, |prompt| section(prompt, Origin::Persona, page, values, sources, warnings))
}

/// Renders the text of a persona verbatim, with the insertions around it. `trace` returns the
/// sections of the text that starts at an offset.
pub(super) fn render_text(
    text: &str,
    insertions: &[Insertion],
    trace: impl FnOnce(usize) -> Vec<Section>,
) -> Prompt {
    around(insertions, |prompt| {
        if text.is_empty() {
            return;
        }
        if !prompt.sections.is_empty() {
            prompt.text.push_str("\n\n");
        }
        prompt.sections.extend(trace(prompt.text.len()));
        prompt.text.push_str(text);
    })
}

/// A persona of one part, with the insertions around it.
fn around(insertions: &[Insertion], persona: impl FnOnce(&mut Prompt)) -> Prompt {
    let mut prompt = Prompt::default();
    insert(&mut prompt, insertions, Position::Top);
    insert(&mut prompt, insertions, Position::BeforeChar);
    persona(&mut prompt);
    insert(&mut prompt, insertions, Position::AfterChar);
    insert(&mut prompt, insertions, Position::Bottom);
    prompt
}

/// Appends the insertions at a position, in the given order.
fn insert(prompt: &mut Prompt, insertions: &[Insertion], position: Position) {
    for (at, insertion) in insertions.iter().enumerate() {
        if insertion.position != position || insertion.text.is_empty() {
            continue;
        }
        if !prompt.sections.is_empty() {
            prompt.text.push_str("\n\n");
        }
        let start = prompt.text.len();
        prompt.text.push_str(&insertion.text);
        prompt.sections.push(Section {
            origin: Origin::Insertion(at),
            file: insertion.place.map(|(file, _)| file),
            range: start..prompt.text.len(),
            first_line: insertion.place.map_or(1, |(_, line)| line),
            lines: None,
        });
    }
}

/// Appends a fragment to a prompt.
fn section(
    prompt: &mut Prompt,
    origin: Origin,
    fragment: &Fragment,
    values: (&Value, &Insertions),
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) {
    let before = prompt.text.len();
    if !prompt.sections.is_empty() {
        prompt.text.push_str("\n\n");
    }
    let start = prompt.text.len();
    let lines = match fragment.parts.as_slice() {
        // Most fragments have no placeholder, and their bodies are already trimmed.
        [Piece::Text(span)] => {
            prompt.text.push_str(sources.slice(*span));
            None
        }
        parts => {
            Some(filled(&mut prompt.text, parts, fragment.first_line, values, sources, warnings))
        }
    };
    if prompt.text.len() == start {
        // An empty fragment would only add blank lines.
        prompt.text.truncate(before);
        return;
    }
    let range = start..prompt.text.len();
    let first_line = fragment.first_line;
    let file = Some(fragment.file);
    prompt.sections.push(Section { origin, file, range, first_line, lines });
}

/// Warns of a missing value, once for each path.
fn missing(path: &Path, span: Span, warnings: &mut Vec<Diagnostic>) {
    let message = format!("the context has no value at `{path}`");
    let is_same =
        |known: &Diagnostic| known.code == &MISSING_PLACEHOLDER && known.message == message;
    if !warnings.iter().any(is_same) {
        let problem = Diagnostic::new(&MISSING_PLACEHOLDER, span, message);
        let help = "the placeholder renders as nothing; add the value to the context";
        warnings.push(problem.help(help));
    }
}

/// Appends a body with its placeholders filled, and returns the source line of each line. The body is
/// already trimmed; values are not.
fn filled(
    text: &mut String,
    parts: &[Piece],
    first_line: usize,
    (context, insertions): (&Value, &Insertions),
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let mut line = first_line;
    let mut lines = vec![first_line];
    for piece in parts {
        match piece {
            Piece::Text(span) => {
                let piece = sources.slice(*span);
                for _ in piece.matches('\n') {
                    line += 1;
                    lines.push(line);
                }
                text.push_str(piece);
            }
            Piece::Placeholder(path, span) if insertions.withholds(path) => {
                warnings.push(untrusted(path, *span));
            }
            Piece::Placeholder(path, span) => {
                let Some(value) = path.get(context) else {
                    missing(path, *span, warnings);
                    continue;
                };
                let from = text.len();
                match value.as_text() {
                    Some(value) => text.push_str(value),
                    None => {
                        let _ = write!(text, "{value}");
                    }
                }
                // The origin of every line of a value is the line of its placeholder.
                let shown = text.get(from..).unwrap_or_default();
                lines.extend(shown.matches('\n').map(|_| line));
            }
        }
    }
    lines
}

/// The warning for a variable that anyone can write. The rest of the prompt is rendered.
fn untrusted(path: &Path, span: Span) -> Diagnostic {
    let message = format!("`{path}` may hold text that no author wrote, so it renders as nothing");
    let problem = Diagnostic::new(&UNTRUSTED_IN_SYSTEM, span, message)
        .help("declare its `values`, or protect it and write only literals to it");
    Diagnostic { severity: Severity::Warning, ..problem }
}
