//! The sections of a Markdown text.
//!
//! **Invariant:** every line of the text is in exactly one section, or in a block that Lawful wrote.

use lawful::markdown::{Line, lines};

/// A part of a text: a heading with what is below it, or what is before the first heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The heading; empty for what is before the first one.
    pub(super) title: String,
    /// The text with its heading, without blank lines around it.
    pub(super) text: String,
    /// The first line, counted from 1.
    pub(super) line: usize,
}

/// A block that `lawful install` wrote: its first line.
pub(super) type Managed = usize;

/// More sections than this are not split so finely.
const MOST: usize = 100;

/// Splits a text at its headings of the first and second level; at those of the first level, or not at
/// all, if there would be too many.
pub(super) fn sections(text: &str) -> (Vec<Section>, Vec<Managed>) {
    let (own, managed) = without_managed(text);
    let found = [2, 1, 0].into_iter().map(|depth| split(&own, depth));
    let fits = |sections: &Vec<Section>| sections.len() <= MOST;
    let sections = found.into_iter().find(fits).unwrap_or_default();
    (sections, managed)
}

/// The lines that are not in a block of Lawful, with their numbers; and the first line of each block.
/// A block that is not closed is kept.
fn without_managed(text: &str) -> (Vec<(usize, &str)>, Vec<Managed>) {
    let is_end = |(_, line): &(usize, &str)| line.starts_with("<!-- lawful:end");
    let all: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    // Looking for an end that is not there, again and again, would take forever.
    let last_end = all.iter().rposition(is_end);
    let (mut own, mut managed) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(&(number, line)) = all.get(at) {
        let begins = line.starts_with("<!-- lawful:begin") && Some(at) < last_end;
        let rest = all.get(at..).unwrap_or_default().iter();
        match begins.then(|| rest.clone().position(&is_end)).flatten() {
            Some(end) => {
                managed.push(number);
                at += end + 1;
            }
            None => {
                own.push((number, line));
                at += 1;
            }
        }
    }
    (own, managed)
}

fn split(own: &[(usize, &str)], deepest: usize) -> Vec<Section> {
    let text: Vec<&str> = own.iter().map(|(_, line)| *line).collect();
    let kinds = lines(&text.join("\n"));
    let mut out: Vec<Section> = Vec::new();
    let mut open: Option<Open<'_>> = None;
    for (at, (number, line)) in own.iter().enumerate() {
        let heading = match kinds.get(at) {
            Some(Line::Heading { depth, title }) if *depth <= deepest => Some(title),
            Some(
                Line::Heading { .. } | Line::HeadingRest | Line::Code | Line::Html | Line::Text,
            )
            | None => None,
        };
        // A heading with nothing but headings below it introduces them.
        let starts = heading.is_some() && open.as_ref().is_none_or(|open| open.has_text);
        if starts && let Some(done) = open.take() {
            out.extend(done.section());
        }
        let section = open.get_or_insert_with(Open::default);
        if let Some(title) = heading
            && section.title.is_empty()
        {
            section.title.clone_from(title);
        }
        let is_heading = matches!(kinds.get(at), Some(Line::Heading { .. } | Line::HeadingRest));
        section.has_text |= !is_heading && !line.trim().is_empty();
        section.lines.push((*number, line));
    }
    out.extend(open.and_then(Open::section));
    out
}

/// A section that is being read.
#[derive(Default)]
struct Open<'t> {
    title: String,
    lines: Vec<(usize, &'t str)>,
    /// Whether it has more than headings.
    has_text: bool,
}

impl<'t> Open<'t> {
    /// The section, unless it is blank.
    fn section(self) -> Option<Section> {
        let is_written = |(_, line): &&(usize, &'t str)| !line.trim().is_empty();
        let line = self.lines.iter().find(is_written).map(|(number, _)| *number)?;
        let text: Vec<&str> = self.lines.iter().map(|(_, line)| *line).collect();
        let text = text.join("\n");
        Some(Section { title: self.title, text: text.trim_matches('\n').to_owned(), line })
    }
}
