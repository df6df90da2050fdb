//! Comparing what the prompts of a lawbook teach with what its rulespec checks.

use lawful::align::Alignment;
use lawful::book::Part;
use lawful::compose::{Compositions, Roles};
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::verify::NO_RULESPEC;
use lawful::{Verb, blocks};

use crate::problems::Failure;
use crate::roles::OpenedForRoles;
use crate::workspace::Workspace;

/// An alignment, and the texts that its diagnostics point into.
#[derive(Debug)]
pub struct Aligned {
    /// The alignment.
    pub alignment: Alignment,
    /// The texts.
    pub sources: Sources,
}

impl Workspace {
    /// Compares what the prompts teach with what the rulespec checks.
    pub fn align(&self) -> Result<Aligned, Failure> {
        let opened = self.open_for_roles()?;
        let OpenedForRoles { folder, book, compositions, nickel, elsewhere } = opened;
        let Some((rulespec, mut problems)) = lawful::rulespec(&book) else {
            let path = folder.join(book.manifest.hooks.stop.rulespec());
            return Err(Failure::instead_of(&path, |span| {
                Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                    .help("write it; there is nothing to align with")
            }));
        };
        // A text that does not parse has no predicates to be wrong.
        problems.extend(elsewhere.into_iter().filter(|one| blocks(Verb::Verify, &book, one)));
        problems.retain(Diagnostic::is_error);
        let Some(rulespec) = rulespec.filter(|_| problems.is_empty()) else {
            if problems.is_empty() {
                let mut documents = book.documents.iter();
                let document = documents.find(|document| document.part == Part::Rulespec);
                let place = document.map_or(Span::NONE, |document| Span::start_of(document.file));
                let message = "the rulespec cannot be used";
                let problem = Diagnostic::new(&NO_RULESPEC, place, message);
                problems.push(problem.help("run `lawful check`"));
            }
            return Err(Failure::sorted(problems, book.sources));
        };
        // What a prompt teaches does not depend on what fills its placeholders.
        let context = Compositions::first_context(&book.manifest);
        let roles = match book.manifest.conditioning {
            None => None,
            Some(_) => match Roles::compose(&book, &compositions, &context, &[], &nickel) {
                Ok(roles) => Some(roles),
                Err(refusal) => return Err(Failure::refusal(refusal, book.sources)),
            },
        };
        match Alignment::of(&book, &compositions, roles.as_ref(), &rulespec) {
            Ok(alignment) => Ok(Aligned { alignment, sources: book.sources }),
            Err(problems) => Err(Failure::new(book.sources, problems)),
        }
    }
}
