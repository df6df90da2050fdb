//! `log`: what the log of decisions does not show.

use lawful_syntax::{Diagnostic, Node, Span};

use crate::decode::{Fields, list, parse_path, text};
use crate::path::Path;

/// The settings of the log of decisions.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Paths into a line of the log, such as `event.input.content`. Values there are masked.
    pub mask: Vec<(Path, Span)>,
}

/// The keys of `log`.
pub(crate) const KEYS: [&str; 1] = ["mask"];

pub(super) fn log(node: &Node, problems: &mut Vec<Diagnostic>) -> Log {
    let mut log = Log::default();
    let Some(fields) = Fields::of(node, "`log`", &KEYS, problems) else { return log };
    let Some(node) = fields.get("mask") else { return log };
    for item in list(node, "`mask`", "paths", problems) {
        let Some(written) = text(item, "a path in `mask`", problems) else { continue };
        match parse_path(item, written) {
            Ok(path) => log.mask.push((path, item.span)),
            Err(problem) => problems.push(*problem),
        }
    }
    log
}
