//! The settings that name a file of Lawful.
//!
//! A harness that is told to read a file that is gone may not start, so whoever removes a file also
//! removes the setting that names it, whether or not a ledger or a lock lists the setting.

use std::path::Path;

use crate::harness::{Form, Harness, Surface, Switch, SwitchValue, Used};
use crate::place::{Located, Places};
use crate::{HARNESSES, Scope};

/// A settings file with a key that can name a file.
pub(crate) struct NamedBy {
    pub(crate) harness: &'static Harness,
    pub(crate) at: Located,
    pub(crate) switch: Switch,
    surface: &'static Surface,
}

/// Every setting that can name the file of a role, by the path of the file in a ledger.
pub(crate) fn named_by(scope: Scope, places: &Places, path: &str, role: &str) -> Vec<NamedBy> {
    let mut found = Vec::new();
    for harness in &HARNESSES {
        let is_used = |surface: &&Surface| surface.scope == scope && surface.used != Used::ByHand;
        for surface in harness.surfaces.iter().filter(is_used) {
            let (Form::Owned(_) | Form::OwnedToml(_)) = surface.form else { continue };
            let Some(switch) = surface.switch else { continue };
            let is_it = |at: Located| places.shown(scope, &at.path) == path;
            if !places.locate(surface.place, role).is_some_and(is_it) {
                continue;
            }
            let Some(at) = places.locate(switch.place, role) else { continue };
            if switch.or_jsonc {
                let at = Located { path: at.path.with_extension("jsonc"), root: at.root.clone() };
                found.push(NamedBy { harness, at, switch, surface });
            }
            found.push(NamedBy { harness, at, switch, surface });
        }
    }
    found
}

impl NamedBy {
    /// Whether a value is the one that Lawful writes for the file of a role.
    pub(crate) fn is_named(&self, places: &Places, role: &str, value: &str) -> bool {
        is_named(self.surface, self.switch, places, role, value)
    }
}

/// Whether a value of a switch is the one that Lawful writes for the file of a role. In a project, the
/// path can be that of the clone in which it was written.
pub(crate) fn is_named(
    surface: &Surface,
    switch: Switch,
    places: &Places,
    role: &str,
    value: &str,
) -> bool {
    let target = surface.place.path.replace("{role}", role);
    let is_its = |at: Located| Path::new(value) == at.path;
    match switch.value {
        SwitchValue::Name => value == format!("lawful-{role}"),
        SwitchValue::Path if places.locate(surface.place, role).is_some_and(is_its) => true,
        SwitchValue::Path if surface.scope == Scope::Project => {
            // The file of the user has the same name in their home.
            let is_of_user =
                places.home().is_some_and(|home| Path::new(value) == home.join(&target));
            !is_of_user && (value == target || value.ends_with(&format!("/{target}")))
        }
        SwitchValue::Path => false,
    }
}
