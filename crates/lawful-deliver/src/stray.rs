//! Blocks of ours that no ledger knows of, as a fresh clone has them.

use crate::disk::Disk;
use crate::harness::{Form, Harness, Used};
use crate::ledger::{Desk, Ledger};
use crate::place::{Located, Places};
use crate::seen::{Look, Seen};
use crate::{HARNESSES, block};

/// A block that somebody else's ledger must know of.
#[derive(Clone, Debug)]
pub(crate) struct Stray {
    pub(crate) harness: &'static Harness,
    pub(crate) at: Located,
    /// The file, as people are shown it.
    pub(crate) shown: String,
    pub(crate) block: block::Found,
}

/// Every such block where these harnesses would have theirs. Of several who read a file, the last of
/// the table stands for all.
pub(crate) fn strays(
    harnesses: &[&'static Harness],
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    seen: &mut Seen,
    disk: &impl Disk,
) -> Vec<Stray> {
    let mut found: Vec<Stray> = Vec::new();
    let asked = |harness: &&Harness| harnesses.iter().any(|asked| asked.id == harness.id);
    for harness in HARNESSES.iter().rev().filter(asked) {
        for surface in harness.surfaces {
            let used = surface.scope == desk.scope && surface.used != Used::ByHand;
            if !used || surface.form != Form::Block {
                continue;
            }
            let Some(mut at) = places.locate(surface.place, "") else { continue };
            seen.add(disk, &at);
            let Some(Look::Text { kept, text, .. }) = seen.get(&at.path) else { continue };
            kept.clone_into(&mut at.path);
            let shown = places.shown(desk.scope, kept);
            for block in block::blocks(text).unwrap_or_default() {
                let is_known = ledger.find(&block.id, &shown, None).is_some();
                let is_new =
                    !found.iter().any(|known| known.shown == shown && known.block == block);
                if !is_known && is_new {
                    found.push(Stray { harness, at: at.clone(), shown: shown.clone(), block });
                }
            }
        }
    }
    found.reverse();
    found
}
