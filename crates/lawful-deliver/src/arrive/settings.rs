//! The settings files of a harness: which of them decides, and the names of context files.

use std::path::PathBuf;

use super::Reader;
use crate::harness::{Place, Syntax};
use crate::keys::{self, json};
use crate::reading::NameSetting;

impl Reader<'_> {
    /// The value of a top-level key, from the first of these files that has it.
    pub(super) fn winner(
        &self,
        order: &[Place],
        syntax: Syntax,
        key: &str,
    ) -> Option<(PathBuf, String)> {
        order.iter().find_map(|place| {
            let at = self.places.locate(*place, "")?;
            let file = (self.now)(&at.path)?;
            let held = keys::get(syntax, &file, key).ok()??;
            Some((at.path, held.text.unwrap_or(held.raw)))
        })
    }

    /// The raw value at the path of a key, from the first of these files that has it.
    pub(super) fn nested(&self, order: &[Place], key: &[&str]) -> Option<(PathBuf, String)> {
        order.iter().find_map(|place| {
            let at = self.places.locate(*place, "")?;
            let mut value = (self.now)(&at.path)?;
            for part in key {
                value = json::get(&value, part).ok()??.raw;
            }
            Some((at.path, value))
        })
    }

    /// The names of context files, and the settings file that says so.
    pub(super) fn names(&self, names: &NameSetting) -> (Vec<String>, Option<PathBuf>) {
        let default = || names.default.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let Some((file, raw)) = self.nested(names.settings, names.key) else {
            return (default(), None);
        };
        let mut found = match serde_json::from_str::<serde_json::Value>(&raw) {
            Ok(serde_json::Value::String(name)) => vec![name],
            Ok(serde_json::Value::Array(all)) => {
                all.iter().filter_map(|name| name.as_str().map(ToOwned::to_owned)).collect()
            }
            Ok(_) | Err(_) => Vec::new(),
        };
        found.retain(|name| !name.trim().is_empty());
        if found.is_empty() {
            return (default(), None);
        }
        if names.keeps_default {
            found.extend(default());
        }
        (found, Some(file))
    }
}
