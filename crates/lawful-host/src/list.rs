//! Listing what a lawbook contains.

use lawful::book::Conditioning;
use lawful::compose::{Evaluated, Refusal};
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
        let OpenedBook { source, mut book, problems, .. } = self.open()?;
        let record = book.manifest.conditioning.as_ref().and_then(Conditioning::nickel_record);
        let needs_nickel = record.is_some() && kinds.contains(&ListKind::Roles);
        let nickel = needs_nickel.then(|| evaluated(&mut book, &source)).transpose();
        // Without it the list has no roles, and says why.
        let (nickel, missing) = match nickel {
            Ok(nickel) => (nickel, Vec::new()),
            Err(Refusal::Undecided(found) | Refusal::Broken(found)) => {
                (Some(Evaluated::default()), found)
            }
        };
        let mut book = Lawbook::new(book, problems);
        if let Some(nickel) = nickel {
            book = book.with_nickel(nickel);
        }
        let mut list = book.list(kinds)?;
        list.add_problems(missing, book.sources());
        Ok(list)
    }
}
