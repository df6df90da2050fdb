//! Diagnostics as text, in the style of rustc.
//!
//! Each place is shown as the line it starts on, escaped and cut to a window around the span, so
//! that a hostile or very long line cannot disturb the terminal.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{code_for_rest, errors_first};
use crate::{Diagnostic, Severity, Sources, Span, escape};

/// The style of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With colours, for a terminal.
    Colour,
}

/// The maximal number of problems shown per file. The rest are counted.
const SHOWN: usize = 200;

/// Renders diagnostics with an empty line between two. Shows 200 of a file, errors before warnings
/// where there are more, and then the number of the rest.
pub fn human(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(200);
    let mut out = String::new();
    let mut show = |diagnostic: &Diagnostic| {
        for line in renderer.render(&[group(diagnostic, sources)]).lines() {
            // A snippet without a path has an empty arrow.
            if without_colours(line).trim() != ":::" {
                out.push_str(line.trim_end());
                out.push('\n');
            }
        }
        out.push('\n');
    };
    for file in diagnostics.chunk_by(|a, b| a.span.file == b.span.file) {
        let (shown, rest) = errors_first(file, SHOWN);
        shown.into_iter().for_each(&mut show);
        if let Some(next) = rest.first() {
            show(&counted(&rest, next.span));
        }
    }
    out
}

/// The diagnostic that counts the problems not shown.
fn counted(rest: &[&Diagnostic], place: Span) -> Diagnostic {
    let count = rest.iter().filter(|problem| !problem.stands_for_more()).count();
    let message = match (count, count < rest.len()) {
        (1, false) => "this file has 1 more problem".to_owned(),
        (_, false) => format!("this file has {count} more problems"),
        (_, true) => format!("this file has more than {count} more problems"),
    };
    Diagnostic::new(code_for_rest(rest), place, message).help("fix the first ones and check again")
}

fn without_colours(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, code)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = code.split_once('m').map_or("", |(_, after)| after);
    }
    out + rest
}

fn group<'g>(diagnostic: &'g Diagnostic, sources: &Sources) -> Group<'g> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(escape::line(&diagnostic.message)).id(diagnostic.code.name);
    let mut group = Group::with_title(title);
    if let Some(place) = Place::of(diagnostic.span, sources) {
        group = place.show(group, AnnotationKind::Primary, "");
    }
    for label in &diagnostic.labels {
        if let Some(place) = Place::of(label.span, sources) {
            group = place.show(group, AnnotationKind::Context, &label.message);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(escape::line(note)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(escape::line(help)));
    }
    group
}

/// One line of source, ready to print.
struct Place {
    file: String,
    line: usize,
    column: usize,
    /// The window of the line, escaped; empty if the file has no text.
    window: String,
    /// The span within the window.
    marked: std::ops::Range<usize>,
}

impl Place {
    fn of(span: Span, sources: &Sources) -> Option<Self> {
        let (file, position) = sources.locate(span)?;
        let (start, line) = file.line_at(span.start);
        let from = (span.start - start) as usize;
        let to = (span.end.saturating_sub(start) as usize).clamp(from, line.len().max(from));
        let (window, marked) = window(line, from, to);
        let file = escape::line(file.name()).into_owned();
        Some(Self { file, line: position.line, column: position.column, window, marked })
    }

    fn show<'g>(self, group: Group<'g>, kind: AnnotationKind, label: &str) -> Group<'g> {
        let origin = Origin::path(self.file).line(self.line).char_column(self.column);
        let mut group = group.element(origin);
        if !self.window.is_empty() {
            let mut annotation = kind.span(self.marked);
            if !label.is_empty() {
                annotation = annotation.label(escape::line(label).into_owned());
            }
            let snippet = Snippet::source(self.window).line_start(self.line).path(None::<String>);
            group = group.element(snippet.annotation(annotation));
        }
        group
    }
}

/// The maximal number of characters before and after the start of a span.
const BEFORE: usize = 60;
const AFTER: usize = 100;

fn window(line: &str, from: usize, to: usize) -> (String, std::ops::Range<usize>) {
    let before = line.get(..from).unwrap_or(line);
    let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    let mut marked = None;
    let mut end = None;
    let mut shown = 0;
    for (at, c) in line.char_indices().skip_while(|(at, _)| *at < start) {
        if at >= from {
            marked.get_or_insert(out.len());
            shown += 1;
        }
        if at >= to {
            end.get_or_insert(out.len());
        }
        if shown > AFTER {
            out.push('…');
            break;
        }
        escape::push(&mut out, c);
    }
    let marked = marked.unwrap_or(out.len());
    let end = end.unwrap_or(out.len()).max(marked);
    (out, marked..end)
}
