//! What a harness makes of the files that it finds: that it reads another one in place of ours, the
//! same text twice, or less than there is.

use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::harness::{Limit, Used};
use crate::ledger::Ledger;
use crate::place::{Located, Places};
use crate::seen::Seen;
use crate::target::{Target, What};
use crate::{HARNESSES, Harness, Scope, block, code, owned};

/// Files as they are, or as they would be.
pub(crate) struct Watch<'w> {
    pub(crate) scope: Scope,
    pub(crate) places: &'w Places,
    pub(crate) ledger: &'w Ledger,
    pub(crate) seen: &'w Seen,
    /// The text at a path.
    pub(crate) now: &'w dyn Fn(&Path) -> Option<String>,
}

/// A file of which a harness reads less than there is.
pub(crate) struct Short {
    pub(crate) path: String,
    pub(crate) message: String,
}

impl Watch<'_> {
    /// What does not stand in the way and should be known.
    pub(crate) fn warnings(&self, book: &str, wanted: &[Target]) -> Vec<Finding> {
        let mut found = Vec::new();
        for target in wanted {
            for (at, shown) in &target.shadows {
                if (self.now)(&at.path).is_none_or(|text| holds(&text, book, target)) {
                    continue;
                }
                let message = format!("{} reads `{shown}` in place of this", target.harness.name);
                let help = format!("move `{shown}` away, or put its text into this file");
                found.push(Finding::new(&code::SHADOWED, Some(&target.shown), message, help));
            }
            for name in target.harness.also_reads {
                let path = self.places.project().join(name);
                let text = (self.now)(&path).unwrap_or_default();
                let is_it = self.seen.kept(&path) == Some(&target.at.path);
                if is_it || !holds(&text, book, target) {
                    continue;
                }
                let message = format!("{} reads the same text from `{name}`", target.harness.name);
                let help = "install for one of the two";
                let path = Some(&*target.shown);
                found.push(Finding::new(&code::DELIVERED_TWICE, path, message, help));
            }
        }
        found
    }

    /// The files that are too long for one of those who read them, whoever writes them.
    pub(crate) fn short(&self, wanted: &[Target]) -> Vec<Short> {
        let mut found: Vec<Short> = Vec::new();
        for target in wanted {
            if found.iter().any(|known| known.path == target.shown) {
                continue;
            }
            let entries = self.ledger.files.iter().filter(|entry| entry.path == target.shown);
            let readers: Vec<&String> = entries.flat_map(|entry| &entry.harnesses).collect();
            for (harness, limit) in limits(self.places, self.scope, self.seen, target) {
                let is_reader = readers.iter().any(|reader| *reader == harness.id);
                let Some(excess) = self.excess(target, limit).filter(|_| is_reader) else {
                    continue;
                };
                let (name, most) = (harness.name, limit.shown());
                let message = match limit {
                    Limit::Bytes(_) | Limit::Characters(_) => {
                        format!("{name} reads {most} of this, and would miss {excess} more")
                    }
                    Limit::BytesInAll(_) => format!(
                        "{name} reads {most} of this and the files of its name on the way down, \
                         and would miss {excess} more"
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

/// The files that count towards a limit besides the one of a target: those of the same name in the
/// folders from the root of the project down to where we are.
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

/// Everything besides the file of a target that has to be looked at.
pub(crate) fn beside(places: &Places, scope: Scope, seen: &Seen, target: &Target) -> Vec<Located> {
    let limits = limits(places, scope, seen, target);
    let mut found: Vec<Located> =
        limits.into_iter().flat_map(|(_, limit)| on_the_way(places, limit, target)).collect();
    found.extend(target.shadows.iter().map(|(at, _)| at.clone()));
    let root = places.project();
    let also = target.harness.also_reads.iter();
    found.extend(also.map(|name| Located { path: root.join(name), root: root.to_owned() }));
    found
}

/// Who reads only so much of the file of a target.
fn limits(
    places: &Places,
    scope: Scope,
    seen: &Seen,
    target: &Target,
) -> Vec<(&'static Harness, Limit)> {
    let mut found = Vec::new();
    for harness in &HARNESSES {
        for surface in harness.surfaces {
            let used = surface.scope == scope && surface.used != Used::ByHand;
            let Some(limit) = surface.limit.filter(|_| used) else { continue };
            let Some(at) = places.locate(surface.place, &target.role) else { continue };
            if seen.kept(&at.path).unwrap_or(&at.path) == target.at.path {
                found.push((harness, limit));
            }
        }
    }
    found
}

/// Whether a text has a block of a book with the text of a target.
fn holds(text: &str, book: &str, target: &Target) -> bool {
    let Ok(found) = block::blocks(text) else { return false };
    let Some(ours) = found.iter().find(|block| block.id == book) else { return false };
    match &target.what {
        What::Block { text } => ours.text == *text,
        What::Owned { file } => owned::parse(file).is_some_and(|owned| owned.text == ours.text),
        What::Key { value, .. } => ours.text == *value,
    }
}
