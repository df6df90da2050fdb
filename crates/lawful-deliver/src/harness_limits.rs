//! Whether a harness reads only part of a file.

use std::path::{Path, PathBuf};

use crate::disk_snapshot::DiskSnapshot;
use crate::harness::{Limit, Used};
use crate::ledger::Ledger;
use crate::place::{Located, Places};
use crate::target::Target;
use crate::{HARNESSES, Harness, Scope};

/// The files as they are, or as they would be.
pub(crate) struct HarnessLimits<'w> {
    pub(crate) scope: Scope,
    pub(crate) places: &'w Places,
    pub(crate) ledger: &'w Ledger,
    pub(crate) snapshot: &'w DiskSnapshot,
    /// The text at a path.
    pub(crate) now: &'w dyn Fn(&Path) -> Option<String>,
}

/// A file of which a harness reads only part.
pub(crate) struct Short {
    pub(crate) path: String,
    pub(crate) message: String,
}

impl HarnessLimits<'_> {
    /// The files that exceed the limit of a harness that reads them, whoever writes them.
    pub(crate) fn short(&self, wanted: &[Target]) -> Vec<Short> {
        let mut found: Vec<Short> = Vec::new();
        for target in wanted {
            if found.iter().any(|known| known.path == target.shown) {
                continue;
            }
            let entries = self.ledger.files.iter().filter(|entry| entry.path == target.shown);
            let readers: Vec<&String> = entries.flat_map(|entry| &entry.harnesses).collect();
            for (harness, limit) in limits(self.places, self.scope, self.snapshot, target) {
                let is_reader = readers.iter().any(|reader| *reader == harness.id);
                let Some(excess) = self.excess(target, limit).filter(|_| is_reader) else {
                    continue;
                };
                let (name, most) = (harness.name, limit.shown());
                let message = match limit {
                    Limit::Bytes(_) | Limit::Characters(_) => {
                        format!("{name} reads only {most} of this; it exceeds that by {excess}")
                    }
                    Limit::BytesInAll(_) => format!(
                        "{name} reads only {most} of this and the files of the same name in folders below; \
                         they exceed that by {excess}"
                    ),
                };
                found.push(Short { path: target.shown.clone(), message });
            }
        }
        found
    }

    fn excess(&self, target: &Target, limit: Limit) -> Option<usize> {
        let mut text = (self.now)(&target.at.path).unwrap_or_default();
        for at in on_the_way(self.places, limit, target) {
            text.push_str(&(self.now)(&at.path).unwrap_or_default());
        }
        limit.excess(&text)
    }
}

/// The other files that count towards the limit of a target: those of the same name in the folders
/// from the root of the project down to the working directory.
fn on_the_way(places: &Places, limit: Limit, target: &Target) -> Vec<Located> {
    let name = target.at.path.file_name();
    match (limit, name) {
        (Limit::BytesInAll(_), Some(name)) => {
            let root = places.project().to_owned();
            let at = |folder: PathBuf| Located { path: folder.join(name), root: root.clone() };
            places.on_the_way().into_iter().map(at).collect()
        }
        (Limit::Bytes(_) | Limit::Characters(_) | Limit::BytesInAll(_), _) => Vec::new(),
    }
}

/// Every other file to read for a target.
pub(crate) fn beside(
    places: &Places,
    scope: Scope,
    snapshot: &DiskSnapshot,
    target: &Target,
) -> Vec<Located> {
    let limits = limits(places, scope, snapshot, target);
    limits.into_iter().flat_map(|(_, limit)| on_the_way(places, limit, target)).collect()
}

/// The limits of the harnesses that read the file of a target.
fn limits(
    places: &Places,
    scope: Scope,
    snapshot: &DiskSnapshot,
    target: &Target,
) -> Vec<(&'static Harness, Limit)> {
    let mut found = Vec::new();
    for harness in &HARNESSES {
        for surface in harness.surfaces {
            let used = surface.scope == scope && surface.used != Used::ByHand;
            let Some(limit) = surface.limit.filter(|_| used) else { continue };
            let Some(at) = places.locate(surface.place, &target.role) else { continue };
            if snapshot.kept(&at.path).unwrap_or(&at.path) == target.at.path {
                found.push((harness, limit));
            }
        }
    }
    found
}
