//! Listing what a lawbook contains.

use lawful::book::Conditioning;
use lawful::compose::Refusal;
use lawful::view::ListView;
use lawful::{Lawbook, ListKind};

use crate::failure::Failure;
use crate::lawbook::OpenedBook;
use crate::roles::evaluated;
use crate::workspace::Workspace;

impl Workspace {
    /// Lists what the lawbook contains. Nickel is evaluated only if it defines the roles and they
    /// are requested.
    pub fn list(&self, kinds: &[ListKind]) -> Result<ListView, Failure> {
        let OpenedBook { source, mut book, mut problems, .. } = self.open()?;
        let record = book.manifest.conditioning.as_ref().and_then(Conditioning::nickel_record);
        let needs_nickel = record.is_some() && kinds.contains(&ListKind::Roles);
        let nickel = needs_nickel.then(|| evaluated(&mut book, &source)).transpose();
        let nickel = nickel.unwrap_or_else(|refusal| {
            let (Refusal::Undecided(found) | Refusal::Broken(found)) = refusal;
            problems.extend(found);
            // Its errors are reported; the list has no roles.
            Some(lawful::compose::Evaluated::default())
        });
        let mut book = Lawbook::new(book, problems);
        if let Some(nickel) = nickel {
            book = book.with_nickel(nickel);
        }
        Ok(book.list(kinds)?)
    }
}
