//! The setting that turns every hook of a harness off.
//!
//! A hook that is there and turned off does not run, so it must not be reported as one that does.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::keys::json;
use crate::{Hook, Scope, Settings};

/// The key that turns all hooks of Claude Code off, in any of its settings.
const KEY: &str = "disableAllHooks";

/// The harness that has it, and the file of a user's own settings for one project.
const HARNESS: &str = "claude-code";
const LOCAL: &str = "settings.local.json";

/// The settings file that turns the hooks of a harness off, if one does. The settings of a user for
/// one project take precedence over those of the project, and these over those of the user.
pub fn disabled_by(
    harness: &Hook,
    project: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    if harness.id != HARNESS {
        return None;
    }
    let local = project.join(harness.place.project).join(LOCAL);
    let scopes = [Scope::Project, Scope::User].into_iter();
    let settings =
        scopes.filter_map(|scope| Settings::locate(harness, scope, project, &variable).ok());
    let files = std::iter::once(local).chain(settings.map(|settings| settings.path));
    let set = files.filter_map(|file| Some((value(&file)?, file)));
    let (is_off, file) = set.into_iter().next()?;
    is_off.then_some(file)
}

/// Whether a file turns hooks off or on; `None` if it does neither.
fn value(file: &Path) -> Option<bool> {
    let text = fs::read_to_string(file).ok()?;
    match json::get(&text, KEY).ok()??.raw.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
