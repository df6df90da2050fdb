//! `align`: what the prompts teach, compared with what the rulespec checks.

use super::Lawbook;
use crate::align::Alignment;
use crate::compose::Compositions;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::policy::Verb;
use crate::view::AlignReport;

impl Lawbook {
    /// Compares what the prompts teach with what the rulespec checks.
    pub fn align(&self) -> Result<AlignReport, Error> {
        self.ready_for(Verb::Roles)?;
        let rulespec = self.ready_rulespec()?;
        // What a prompt teaches does not depend on the values of its placeholders.
        let context = Compositions::first_context(self.manifest());
        let roles = match self.manifest().conditioning {
            None => None,
            Some(_) => Some(self.roles(&context, &crate::insertion::Insertions::default())?),
        };
        let alignment = Alignment::of(&self.book, self.compositions(), roles.as_ref(), rulespec);
        let alignment = alignment.map_err(|problems| {
            let problems = Diagnostics::in_order(problems, self.sources.clone());
            Error::new(ErrorKind::Undecided, problems)
        })?;
        Ok(AlignReport::new(&alignment, &self.sources))
    }
}
