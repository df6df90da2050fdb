//! Entries: pages of lore and context that rules can switch.

use lawful_syntax::{Diagnostic, FileId, Sources, Span};

use super::decode::position::position;
use crate::book::Document;
use crate::decode::{Fields, boolean, id};
use crate::insertion::Position;

/// A page of `entries/`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub id: Box<str>,
    /// Where the id is written.
    pub id_span: Span,
    /// Whether it is in the prompt by default.
    pub enabled: bool,
    /// Where it is inserted.
    pub position: Position,
    /// Its file.
    pub file: FileId,
    /// Its text, trimmed.
    pub text: Box<str>,
    /// Where the text is written.
    pub text_span: Span,
    /// The line on which the text starts.
    pub first_line: usize,
}

impl Entry {
    /// The keys of its front matter.
    pub(crate) const KEYS: [&str; 4] = ["id", "enabled", "position", "depth"];

    /// Decodes a page; `None` where something is wrong with it.
    pub(super) fn decode(
        document: &Document,
        sources: &Sources,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let what = "an entry";
        let (page, front) = document.with_front(what, problems)?;
        let before = problems.len();
        let fields = Fields::of(front, what, &Self::KEYS, problems)?;
        let name = fields.require("id", what, problems);
        let name = name.and_then(|node| Some((id(node, "`id`", problems)?, node.span)));
        let enabled = fields.get("enabled");
        let enabled = enabled.map_or(Some(true), |node| boolean(node, "`enabled`", problems));
        let position = position(&fields, problems);
        let whole = sources.slice(page.body);
        let lead = whole.len() - whole.trim_start().len();
        let start = page.body.start as usize + lead;
        let place = Span::new(document.file, start, start);
        let (name, id_span) = name?;
        let found = problems.get(before..).unwrap_or_default();
        if found.iter().any(Diagnostic::is_error) || !document.sound {
            return None;
        }
        Some(Self {
            id: name.into(),
            id_span,
            enabled: enabled?,
            position: position?,
            file: document.file,
            text: whole.trim().into(),
            text_span: Span::new(document.file, start, start + whole.trim().len()),
            first_line: sources.locate(place).map_or(1, |(_, position)| position.line),
        })
    }
}
