//! Comparing what the prompts of a lawbook teach with what its rulespec checks.

use lawful::syntax::Diagnostic;
use lawful::verify::NO_RULESPEC;
use lawful::view::AlignReport;

use crate::failure::Failure;
use crate::workspace::Workspace;

impl Workspace {
    /// Compares what the prompts teach with what the rulespec checks.
    pub fn align(&self) -> Result<AlignReport, Failure> {
        let (folder, book) = self.lawbook_with_nickel()?;
        if !book.has_rulespec() {
            let path = folder.join(book.manifest().hooks.stop.rulespec());
            return Err(Failure::instead_of(&path, |span| {
                Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                    .help("write one to compare the prompts with")
            }));
        }
        Ok(book.align()?)
    }
}
