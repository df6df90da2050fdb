//! Parses the text of a document.

use lawful_syntax::{
    Diagnostic, FileId, Format, Limits, Node, Sources, codes, parse as parse_data, parse_page,
};

use super::contents::Document;
use super::layout::{Part, Written};
use crate::code;

/// The path and the format of a document.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub path: &'p str,
    pub part: Part,
    /// `None` for text that Lawful does not parse: Nickel.
    pub written: Option<Written>,
}

impl Place<'_> {
    /// A file that parses to this tree, without any problem.
    pub(super) fn parsed(self, file: FileId, tree: Node) -> Document {
        let (path, part) = (self.path.to_owned(), self.part);
        let (node, page, problems) = (Some(tree), None, Vec::new());
        Document { path, part, file, node, page, sound: true, problems }
    }

    /// Parses a file; `unreadable` says why its text is incomplete.
    pub(super) fn parse(
        self,
        sources: &Sources,
        file: FileId,
        unreadable: Option<Diagnostic>,
        limits: &Limits,
    ) -> Document {
        let readable = unreadable.is_none();
        let (node, page, mut found) = match self.written {
            Some(Written::Data) if readable => {
                let (node, found) = parse_data(sources, file, Format::of(self.path), limits);
                (node, None, found)
            }
            Some(Written::Page) => {
                let (page, found) = parse_page(sources, file, limits);
                (None, Some(page), found)
            }
            Some(Written::Data) | None => (None, None, Vec::new()),
        };
        // All rules of a file may be commented out.
        for problem in found.iter_mut().filter(|_| self.part == Part::Rules) {
            if problem.code.name == codes::EMPTY_DOCUMENT.name {
                *problem = Diagnostic::new(&code::NO_RULES, problem.span, "this file has no rules")
                    .help("write `rules: […]` and `reactions: […]`, or delete the file");
            }
        }
        let problems: Vec<Diagnostic> = unreadable.into_iter().chain(found).collect();
        let sound = !problems.iter().any(Diagnostic::is_error);
        Document { path: self.path.to_owned(), part: self.part, file, node, page, sound, problems }
    }
}
