//! Rendering: an order of fragments to a prompt, every line of which knows where it came from.

use lawful_syntax::{Diagnostic, FileId, Sources};

use super::codes::{MISSING_PLACEHOLDER, UNKNOWN_FRAGMENT};
use super::fragment::{Fragment, FragmentId, Piece};
use crate::value::Value;

/// A rendered prompt.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// The text.
    pub text: String,
    /// Its sections, in order; one for each fragment that has something to say.
    pub sections: Vec<Section>,
}

/// What one fragment says.
#[derive(Clone, Debug)]
pub struct Section {
    /// The fragment.
    pub id: FragmentId,
    /// Its file.
    pub file: FileId,
    /// Its text.
    pub text: String,
    /// The line of the file that each line of the text came from, from 1.
    pub lines: Vec<usize>,
}

/// A line of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'p> {
    /// What it says.
    pub text: &'p str,
    /// The fragment and the line of its file; `None` for the empty line between two sections.
    pub source: Option<(FragmentId, FileId, usize)>,
}

impl Prompt {
    /// Every line with where it came from.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut out = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            if at > 0 {
                out.push(Line { text: "", source: None });
            }
            let numbers = section.lines.iter().copied().chain(std::iter::repeat(0));
            for (text, number) in section.text.split('\n').zip(numbers) {
                out.push(Line { text, source: Some((section.id, section.file, number)) });
            }
        }
        out
    }
}

/// Renders fragments in order. What is unknown or missing leaves a warning.
pub(super) fn render<'f>(
    order: &[FragmentId],
    fragment: impl Fn(FragmentId) -> Result<&'f Fragment, Diagnostic>,
    context: &Value,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Prompt {
    let mut prompt = Prompt::default();
    for id in order {
        let fragment = match fragment(*id) {
            Ok(fragment) => fragment,
            Err(unknown) => {
                debug_assert_eq!(unknown.code, &UNKNOWN_FRAGMENT);
                warnings.push(unknown);
                continue;
            }
        };
        let section = section(*id, fragment, context, sources, warnings);
        // A fragment without text would only leave a hole between its neighbours.
        if section.text.is_empty() {
            continue;
        }
        if !prompt.sections.is_empty() {
            prompt.text.push_str("\n\n");
        }
        prompt.text.push_str(&section.text);
        prompt.sections.push(section);
    }
    prompt
}

fn section(
    id: FragmentId,
    fragment: &Fragment,
    context: &Value,
    sources: &Sources,
    warnings: &mut Vec<Diagnostic>,
) -> Section {
    let mut text = String::new();
    let first = sources.locate(fragment.body).map_or(1, |(_, position)| position.line);
    let mut line = first;
    let mut lines = vec![first];
    for piece in &fragment.parts {
        match piece {
            Piece::Text(span) => {
                let piece = sources.slice(*span);
                for _ in piece.matches('\n') {
                    line += 1;
                    lines.push(line);
                }
                text.push_str(piece);
            }
            Piece::Placeholder(path, span) => {
                let Some(value) = path.get(context) else {
                    let message = format!("there is no `{path}` in the context");
                    warnings.push(
                        Diagnostic::new(&MISSING_PLACEHOLDER, *span, message)
                            .help("the place stays empty"),
                    );
                    continue;
                };
                let shown = value.as_text().map_or_else(|| value.to_string(), str::to_owned);
                // Every line of a value comes from the line of its placeholder.
                lines.extend(shown.matches('\n').map(|_| line));
                text.push_str(&shown);
            }
        }
    }
    // A value may be empty, or have empty lines around it.
    let lead = text.len() - text.trim_start().len();
    let skipped = text.get(..lead).unwrap_or_default().matches('\n').count();
    let text = text.trim().to_owned();
    let lines = lines.into_iter().skip(skipped).take(text.matches('\n').count() + 1).collect();
    Section { id, file: fragment.file, text, lines }
}
