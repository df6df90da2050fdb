//! Splits text into paragraphs, sentences and words for lints, with offsets.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::markdown::{Line, lines};

/// The paragraphs of a text, each with its byte offset. Blank lines, headings and code blocks
/// separate them.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut open = false;
    for (line, kind) in text.split_inclusive('\n').zip(lines(text)) {
        let prose = match kind {
            // Prompts put tags around prose.
            Line::Text | Line::Html => !line.trim().is_empty(),
            Line::Heading { .. } | Line::HeadingRest | Line::Code => false,
        };
        let blank = !prose;
        match (blank, open, found.last_mut()) {
            (false, true, Some((_, end))) => *end = at + line.len(),
            (false, _, _) => found.push((at, at + line.len())),
            (true, _, _) => {}
        }
        open = !blank;
        at += line.len();
    }
    found
        .into_iter()
        .map(|(start, end)| (start, text.get(start..end).unwrap_or_default().trim_end()))
}

/// The sentences of a text. A list item also ends a sentence.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    paragraphs(text).flat_map(|(offset, paragraph)| {
        items(paragraph).flat_map(move |(inner, item)| {
            // A sentence may span several lines.
            let flat = item.replace('\n', " ");
            let bounds = flat.split_sentence_bound_indices();
            let places: Vec<(usize, usize)> = bounds.map(|(at, part)| (at, part.len())).collect();
            places.into_iter().map(move |(at, length)| {
                let sentence = item.get(at..at + length).unwrap_or_default();
                let lead = sentence.len() - sentence.trim_start().len();
                (offset + inner + at + lead, sentence.trim())
            })
        })
    })
}

/// A paragraph, split where a list item starts.
fn items(paragraph: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in paragraph.split_inclusive('\n') {
        let said = line.trim_start();
        let marked = said.starts_with(['-', '*', '+', '>'])
            || said.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(". ");
        if at > 0 && marked {
            starts.push(at);
        }
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([paragraph.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| (start, paragraph.get(start..end).unwrap_or_default()))
}

/// The words of a text, in lower case. Line breaks and markup are ignored.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.unicode_words().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_know_their_places() {
        let text = "One here. Two\nthere!\n\n# Three\n- four five\n- six\n";
        let found: Vec<(usize, &str)> = sentences(text).collect();
        assert_eq!(
            found,
            [(0, "One here."), (10, "Two\nthere!"), (30, "- four five"), (42, "- six")]
        );
        assert_eq!(words("Two\n*there*!"), ["two", "there"]);
    }

    #[test]
    fn paragraphs_stand_between_blank_lines() {
        let found: Vec<(usize, &str)> = paragraphs("\na\nb\n \n\nc").collect();
        assert_eq!(found, [(1, "a\nb"), (8, "c")]);
        let found: Vec<(usize, &str)> =
            paragraphs("a\n# b\nc\n```\nd\n\ne\n```\nf\n---\n").collect();
        assert_eq!(found, [(0, "a"), (6, "c")]);
    }
}
