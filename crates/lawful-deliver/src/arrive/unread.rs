//! Why a harness does not read a surface, and the way out.

use std::path::{Path, PathBuf};

use lawful::syntax::{Code, escape};

use super::{Reader, is_at_start};
use crate::finding::Finding;
use crate::harness::{Form, Surface, Switch, SwitchValue};
use crate::text::with_plain_lines;
use crate::{Scope, code, keys};

/// Why something is not read.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    pub(crate) code: &'static Code,
    pub(crate) message: String,
    pub(crate) help: String,
    /// The file that is read instead.
    pub(crate) instead: Option<PathBuf>,
    /// Whether only the setting that enables it is missing.
    pub(crate) is_off: bool,
}

impl Unread {
    fn new(code: &'static Code, message: String, help: impl Into<String>) -> Self {
        Self { code, message, help: help.into(), instead: None, is_off: false }
    }

    /// The same as a finding about a file.
    pub(crate) fn finding(&self, path: &str) -> Finding {
        Finding::new(self.code, Some(path), self.message.clone(), self.help.clone())
    }
}

impl Reader<'_> {
    /// Why the harness does not read a surface now; `None` if it does.
    pub(crate) fn unread(&self, surface: &'static Surface, role: &str) -> Option<Unread> {
        self.unreadable(surface).or_else(|| self.switched_off(surface, role))
    }

    /// Why the harness would not read a surface, even if its setting were there.
    pub(crate) fn unreadable(&self, surface: &'static Surface) -> Option<Unread> {
        let name = self.harness.name;
        let is_project = surface.scope == Scope::Project;
        if surface.at_start && is_project && self.is_below() {
            let message = format!("{name} reads this only in the folder that it is started in");
            let help = "start it in the root of the project";
            return Some(Unread::new(&code::NOT_READ, message, help));
        }
        if surface.trusted && is_project && !self.is_trusted() {
            let message = format!("{name} reads this only in projects that you trust");
            let help = format!("start {name} in this project once and trust it");
            return Some(Unread::new(&code::UNTRUSTED_PROJECT, message, help));
        }
        self.unnamed(surface)
            .or_else(|| self.shadowed(surface))
            .or_else(|| self.overridden(surface))
    }

    /// Whether the harness would be started below the root of the project.
    fn is_below(&self) -> bool {
        self.places.start() != self.places.project()
    }

    /// A setting names other context files.
    fn unnamed(&self, surface: &Surface) -> Option<Unread> {
        let names = self.harness.reading.names?;
        let file = Path::new(surface.place.path).file_name()?.to_str()?;
        if !names.default.contains(&file) {
            return None;
        }
        let (named, settings) = self.names(&names);
        let settings = settings.filter(|_| !named.iter().any(|name| name == file))?;
        let (key, settings) = (names.key.join("."), self.shown(&settings));
        let message = format!("{} reads other files: `{key}` in `{settings}`", self.harness.name);
        let help = format!("add `{file}` to that setting");
        Some(Unread::new(&code::NOT_READ, message, help))
    }

    /// Another file is read instead.
    fn shadowed(&self, surface: &Surface) -> Option<Unread> {
        let paths = surface.shadowed_by.iter();
        let mut paths = paths.filter_map(|place| Some(self.places.locate(*place, "")?.path));
        let path = paths.find(|path| (self.now)(path).is_some())?;
        let shown = self.shown(&path);
        let message = format!("{} reads `{shown}` instead of this", self.harness.name);
        let help = format!("move `{shown}`, or copy its text into this file");
        let unread = Unread::new(&code::SHADOWED, message, help);
        Some(Unread { instead: Some(path), ..unread })
    }

    /// The same key in the settings of the project has another text.
    fn overridden(&self, surface: &Surface) -> Option<Unread> {
        let Form::Setting(syntax, key) = surface.form else { return None };
        let is_stronger = |other: &&Surface| {
            other.scope == Scope::Project && other.form == Form::Setting(syntax, key)
        };
        if surface.scope == Scope::Project || !self.is_trusted() {
            return None;
        }
        let other = self.harness.surfaces.iter().find(is_stronger)?;
        let path = self.places.locate(other.place, "")?.path;
        keys::get(syntax, &(self.now)(&path)?, key).ok()??;
        let shown = self.shown(&path);
        let message = format!("`{key}` in `{shown}` takes precedence over this");
        let unread = Unread::new(&code::OVERRULED_SETTING, message, "remove it there");
        Some(Unread { instead: Some(path), ..unread })
    }

    /// The setting that must name the surface does not.
    fn switched_off(&self, surface: &Surface, role: &str) -> Option<Unread> {
        let switch = surface.switch?;
        let wanted = self.wanted(surface, &switch, role)?;
        let (key, name) = (switch.key, self.harness.name);
        match self.value(&switch) {
            Some((_, value)) if self.is_same(&switch, &value, &wanted) => None,
            Some((file, value)) => {
                let (file, value) = (self.shown(&file), escape::name(&value).into_owned());
                let message = format!("`{key}` in `{file}` is `{value}`, and {name} follows that");
                let help = format!("remove `{key}` there, or set it to `{wanted}`");
                Some(Unread {
                    is_off: true,
                    ..Unread::new(&code::OVERRULED_SETTING, message, help)
                })
            }
            None if self.is_below() && switch.order.iter().any(|place| is_at_start(place.base)) => {
                let message =
                    format!("{name} reads its settings only in the folder that it is started in");
                let help = "start it in the root of the project";
                Some(Unread::new(&code::NOT_READ, message, help))
            }
            None => {
                let message = format!("{name} reads this only if `{key}` names it");
                let help = "`lawful install --activate` sets it";
                Some(Unread { is_off: true, ..Unread::new(&code::NOT_READ, message, help) })
            }
        }
    }

    /// The value of a switch that counts, and the file that has it.
    fn value(&self, switch: &Switch) -> Option<(PathBuf, String)> {
        match self.harness.reading.env {
            Some(files) if switch.order.is_empty() => self.env_value(files, switch),
            Some(_) | None => self.winner(switch.order, switch.syntax, switch.key),
        }
    }

    /// The value that a switch must have.
    pub(crate) fn wanted(&self, surface: &Surface, switch: &Switch, role: &str) -> Option<String> {
        match switch.value {
            SwitchValue::Name => Some(format!("lawful-{role}")),
            SwitchValue::Path => {
                let at = self.places.locate(surface.place, role)?;
                Some(at.path.to_string_lossy().into_owned())
            }
        }
    }

    fn is_same(&self, switch: &Switch, value: &str, wanted: &str) -> bool {
        match switch.value {
            SwitchValue::Name => with_plain_lines(value) == wanted,
            // A relative path starts where the harness is started.
            SwitchValue::Path => self.places.start().join(value) == Path::new(wanted),
        }
    }

    /// Why the setting of a surface would not count if `lawful install --activate` wrote it.
    pub(crate) fn outvoted(&self, surface: &Surface, role: &str) -> Option<Unread> {
        let switch = surface.switch?;
        let wanted = self.wanted(surface, &switch, role)?;
        let own = self.places.locate(switch.place, role)?.path;
        let other = match self.harness.reading.env {
            Some(files) if switch.order.is_empty() => {
                let other = self.env_instead(files, &switch, &own)?;
                let held =
                    keys::get(switch.syntax, &(self.now)(&other)?, switch.key).ok().flatten();
                let is_set = held.and_then(|held| held.text);
                if is_set.is_some_and(|value| self.is_same(&switch, &value, &wanted)) {
                    return None;
                }
                other
            }
            Some(_) | None => {
                let stem = own.with_extension("");
                let before = switch.order.iter().take_while(|place| {
                    let at = self.places.locate(**place, "").map(|at| at.path.with_extension(""));
                    at.as_ref() != Some(&stem)
                });
                let before: Vec<_> = before.copied().collect();
                let (file, value) = self.winner(&before, switch.syntax, switch.key)?;
                if self.is_same(&switch, &value, &wanted) {
                    return None;
                }
                file
            }
        };
        let (key, other) = (switch.key, self.shown(&other));
        let message = format!("{} takes `{key}` from `{other}`", self.harness.name);
        let help = format!("set `{key}` there to `{wanted}`, or remove it");
        Some(Unread::new(&code::OVERRULED_SETTING, message, help))
    }

    /// A file with text of the user that the harness would stop reading if a surface were written.
    pub(crate) fn hides(&self, surface: &Surface, role: &str) -> Option<PathBuf> {
        let at = self.places.locate(surface.place, role)?.path;
        let by_file = self.hidden_by(|path| path == at && (self.now)(path).is_none());
        by_file.map(|(_, file)| file).or_else(|| {
            let switch = surface.switch?;
            let new = self.places.locate(switch.place, role)?.path;
            self.hidden_env(self.harness.reading.env?, &switch, &new)
        })
    }

    /// A file that hides another with text of the user, and that other file.
    pub(crate) fn hidden_by(&self, is_new: impl Fn(&Path) -> bool) -> Option<(PathBuf, PathBuf)> {
        self.harness.reading.hidden.iter().find_map(|hidden| {
            let by = self.places.locate(hidden.by, "")?.path;
            let files = hidden.files.iter().filter_map(|place| self.places.locate(*place, ""));
            let mut files = files.map(|at| at.path);
            let has_rules = |path: &PathBuf| {
                (self.now)(path).is_some_and(|text| !crate::block::outside(&text).trim().is_empty())
            };
            is_new(&by).then(|| files.find(has_rules)).flatten().map(|file| (by, file))
        })
    }

    /// A path as output shows it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        self.places.shown(Scope::Project, path)
    }
}
