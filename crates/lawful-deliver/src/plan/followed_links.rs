//! Links in a project that lead from a file of the table to a file that the table does not name.
//!
//! A project may come from someone else, who decides in this way which file is written to. People keep
//! their instructions in other files too, so it is reported and not refused.

use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::place::Places;
use crate::reach::Reach;
use crate::target::Target;
use crate::{Scope, code};

/// A warning for each such file. `named` has the path of each target as the table names it.
pub(super) fn findings(
    named: &[PathBuf],
    wanted: &[Target],
    scope: Scope,
    places: &Places,
) -> Vec<Finding> {
    // The links of a user are the user's own.
    if scope == Scope::User {
        return Vec::new();
    }
    let reach = Reach::new(scope, places, []);
    let mut found: Vec<Finding> = Vec::new();
    for (named, target) in named.iter().zip(wanted) {
        if target.at.path == *named || reach.names(Path::new(&target.shown)) {
            continue;
        }
        let name = places.shown(scope, named);
        let name = lawful::syntax::escape::name(&name);
        let message = format!("`{name}` is a link, or below one, so this file is written instead");
        let help = "if you did not make the link, replace it with a file";
        let finding = Finding::new(&code::FOLLOWED_LINK, Some(&target.shown), message, help);
        if !found.contains(&finding) {
            found.push(finding);
        }
    }
    found
}
