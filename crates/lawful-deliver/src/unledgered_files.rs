//! Files of Lawful that are not in the ledger, such as in a clone without a lock, and the settings
//! that name them.

use std::path::Path;

use crate::desk::Desk;
use crate::disk::Disk;
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::harness::{Form, Harness, Place, Surface, Used};
use crate::ledger::{Entry, Ledger, Mode};
use crate::named_by::{NamedBy, named_by};
use crate::place::Places;
use crate::prompts::is_plain_role;
use crate::{HARNESSES, keys, owned};

/// A file with the marker of Lawful that no ledger lists.
#[derive(Clone, Debug)]
pub(crate) struct UnledgeredFile {
    pub(crate) harness: &'static Harness,
    /// What a ledger would say of it.
    pub(crate) entry: Entry,
    /// Whether it is unedited.
    pub(crate) is_whole: bool,
    /// The settings that name it: the harness, and the file as shown to the user.
    pub(crate) settings: Vec<(&'static Harness, String)>,
}

/// Every such file of these harnesses. Links are not followed.
pub(crate) fn unledgered_files(
    harnesses: &[&'static Harness],
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    snapshot: &mut DiskSnapshot,
    disk: &impl Disk,
) -> Vec<UnledgeredFile> {
    let mut found: Vec<UnledgeredFile> = Vec::new();
    let asked = |harness: &&Harness| harnesses.iter().any(|asked| asked.id == harness.id);
    for harness in HARNESSES.iter().filter(asked) {
        let is_used =
            |surface: &&Surface| surface.scope == desk.scope && surface.used != Used::ByHand;
        for surface in harness.surfaces.iter().filter(is_used) {
            let (Form::Owned(_) | Form::OwnedToml(_)) = surface.form else { continue };
            for role in roles(surface.place, places, disk) {
                let Some(at) = places.locate(surface.place, &role) else { continue };
                let shown = places.shown(desk.scope, &at.path);
                snapshot.add(disk, &at);
                let Some(Look::Text { kept, text, .. }) = snapshot.get(&at.path) else { continue };
                let Some(file) = owned::parse(text).filter(|_| *kept == at.path) else { continue };
                let is_known = ledger.find(&file.id, &shown, None).is_some()
                    || found.iter().any(|known| known.entry.path == shown);
                if is_known {
                    continue;
                }
                let mode = Mode::Owned { before: None };
                let entry = Entry::new(&shown, harness.id, &file.id, &role, text, mode);
                let mut settings = Vec::new();
                for named in named_by(desk.scope, places, &shown, &role) {
                    snapshot.add(disk, &named.at);
                    let shown = places.shown(desk.scope, &named.at.path);
                    if names(&named, snapshot, places, &role)
                        && ledger.find(&file.id, &shown, Some(named.switch.key)).is_none()
                    {
                        settings.push((named.harness, shown));
                    }
                }
                found.push(UnledgeredFile { harness, entry, is_whole: file.is_whole, settings });
            }
        }
    }
    found
}

/// Whether a settings file names the file of a role.
fn names(named: &NamedBy, snapshot: &DiskSnapshot, places: &Places, role: &str) -> bool {
    let Some(Look::Text { text, .. }) = snapshot.get(&named.at.path) else { return false };
    let held = keys::get(named.switch.syntax, text, named.switch.key).ok().flatten();
    held.and_then(|held| held.text).is_some_and(|value| named.is_named(places, role, &value))
}

/// The roles that have a file at a place; one without a name if the place has one file for all.
fn roles(place: Place, places: &Places, disk: &impl Disk) -> Vec<String> {
    let name = Path::new(place.path).file_name().map(|name| name.to_string_lossy().into_owned());
    let Some((start, end)) = name.as_deref().and_then(|name| name.split_once("{role}")) else {
        return vec![String::new()];
    };
    let at = places.locate(place, "role");
    let names = at.and_then(|at| disk.names(at.path.parent()?).ok()).unwrap_or_default();
    let role = |name: &std::ffi::OsString| {
        let role = name.to_str()?.strip_prefix(start)?.strip_suffix(end)?;
        is_plain_role(role).then(|| role.to_owned())
    };
    names.iter().filter_map(role).collect()
}
