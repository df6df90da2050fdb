//! What a replacement of a file will not keep of it.

use super::Change;
use crate::disk::Disk;
use crate::finding::Finding;
use crate::place::Places;
use crate::{Scope, code};

/// A warning for each file that loses something.
pub(super) fn findings(
    changes: &[Change],
    scope: Scope,
    places: &Places,
    disk: &impl Disk,
) -> Vec<Finding> {
    let replaced =
        changes.iter().filter(|change| change.before.is_some() && change.after.is_some());
    let finding = |change: &Change| {
        let lost = disk.unkept(&change.path);
        if lost.is_empty() {
            return None;
        }
        let shown = places.shown(scope, &change.path);
        let message = format!("replacing this file does not keep {}", lost.join(", "));
        let help = "Lawful replaces a file as a whole; set again what you need";
        Some(Finding::new(&code::NOT_KEPT, Some(&shown), message, help))
    };
    replaced.filter_map(finding).collect()
}
