//! Blocks of Lawful that are not in the ledger, such as in a fresh clone.

use crate::desk::Desk;
use crate::disk::Disk;
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::harness::{Form, Harness, Used};
use crate::ledger::Ledger;
use crate::place::{Located, Places};
use crate::{HARNESSES, block};

/// A block that is in someone else's ledger.
#[derive(Clone, Debug)]
pub(crate) struct UnledgeredBlock {
    pub(crate) harness: &'static Harness,
    pub(crate) at: Located,
    /// The file, as shown to the user.
    pub(crate) shown: String,
    pub(crate) block: block::Found,
}

/// Every such block in the files of these harnesses. If several read a file, the last of the table
/// stands for all.
pub(crate) fn unledgered_blocks(
    harnesses: &[&'static Harness],
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    snapshot: &mut DiskSnapshot,
    disk: &impl Disk,
) -> Vec<UnledgeredBlock> {
    let mut found: Vec<UnledgeredBlock> = Vec::new();
    let asked = |harness: &&Harness| harnesses.iter().any(|asked| asked.id == harness.id);
    for harness in HARNESSES.iter().rev().filter(asked) {
        for surface in harness.surfaces {
            let is_used = matches!(surface.used, Used::Always | Used::Activated);
            let used = surface.scope == desk.scope && is_used;
            if !used || surface.form != Form::Block {
                continue;
            }
            let Some(mut at) = places.locate(surface.place, "") else { continue };
            snapshot.add(disk, &at);
            let Some(Look::Text { kept, text, .. }) = snapshot.get(&at.path) else { continue };
            kept.clone_into(&mut at.path);
            let shown = places.shown(desk.scope, kept);
            for block in block::blocks(text).unwrap_or_default() {
                let is_known = ledger.find(&block.id, &shown, None).is_some();
                let is_new =
                    !found.iter().any(|known| known.shown == shown && known.block == block);
                if !is_known && is_new {
                    found.push(UnledgeredBlock {
                        harness,
                        at: at.clone(),
                        shown: shown.clone(),
                        block,
                    });
                }
            }
        }
    }
    found.reverse();
    found
}
