//! The places of the table on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::harness::{Base, Place};
use crate::{HARNESSES, Scope};

/// The base folders of places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The root of the project.
    project: PathBuf,
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    /// Folders that variables move, by variable.
    moved: Vec<(&'static str, PathBuf)>,
    /// The working directory in the project.
    here: PathBuf,
    /// Variables that trust or distrust every folder.
    trust: Vec<(&'static str, bool)>,
}

/// A path, and the folder that must contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) path: PathBuf,
    pub(crate) root: PathBuf,
}

/// The variables that move a folder.
const VARIABLES: [&str; 4] =
    ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "PI_CODING_AGENT_DIR"];

impl Places {
    /// The places of a project and of the user that these variables describe.
    pub fn new(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let home = set("HOME");
        let config = set("XDG_CONFIG_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| home.as_ref().map(|home| home.join(".config")));
        // A harness resolves such a folder from its working directory, but a ledger must not.
        let moved = |name: &'static str| {
            let folder = set(name)?;
            Some((name, std::path::absolute(&folder).unwrap_or(folder)))
        };
        let moved = VARIABLES.iter().filter_map(|name| moved(name)).collect();
        let trust = HARNESSES.iter().filter_map(|harness| harness.reading.trust?.variable);
        let trust = trust.filter_map(|name| match set(name)?.to_str()? {
            "true" => Some((name, true)),
            "false" => Some((name, false)),
            _ => None,
        });
        let trust = trust.collect();
        let project = project.to_owned();
        Self { here: project.clone(), project, home, config, moved, trust }
    }

    /// Sets the working directory.
    #[must_use]
    pub fn standing_in(self, here: &Path) -> Self {
        Self { here: here.to_owned(), ..self }
    }

    /// The folders from below the root of the project down to the working directory.
    pub(crate) fn on_the_way(&self) -> Vec<PathBuf> {
        let Ok(below) = self.here.strip_prefix(&self.project) else { return Vec::new() };
        let folders = below.ancestors().filter(|folder| *folder != Path::new(""));
        let mut folders: Vec<PathBuf> = folders.map(|folder| self.project.join(folder)).collect();
        folders.reverse();
        folders
    }

    /// The folder of the project that a harness would be started in: the working directory, or the
    /// root if that is outside the project.
    pub(crate) fn start(&self) -> &Path {
        if self.here.starts_with(&self.project) { &self.here } else { &self.project }
    }

    /// Whether the user trusts or distrusts every folder, by a variable of a harness.
    pub(crate) fn trust_variable(&self, name: &str) -> Option<bool> {
        self.trust.iter().find(|(known, _)| *known == name).map(|(_, is_trusted)| *is_trusted)
    }

    /// The root of the project.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The home of the user.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The path of a place; `None` for a user without a home.
    pub(crate) fn locate(&self, place: Place, role: &str) -> Option<Located> {
        self.locate_path(place.base, place.path, role)
    }

    /// Like [`locate`](Self::locate), for a path that is not in the table.
    pub(crate) fn locate_path(&self, base: Base, path: &str, role: &str) -> Option<Located> {
        let path = path.replace("{role}", role);
        let (root, path) = match base {
            Base::Project => (self.project.clone(), path),
            Base::Home => (self.home.clone()?, path),
            Base::Config => (self.config.clone()?, path),
            Base::Start => {
                let root = self.project.clone();
                return Some(Located { path: self.start().join(path), root });
            }
            Base::System => (PathBuf::from("/"), path),
            Base::Moved(name, folder) => {
                match self.moved.iter().find(|(known, _)| *known == name) {
                    Some((_, root)) => (root.clone(), path),
                    None => (self.home.clone()?, format!("{folder}/{path}")),
                }
            }
        };
        let path = if path.is_empty() { root.clone() } else { root.join(path) };
        Some(Located { path, root })
    }

    /// The path of a ledger entry.
    pub(crate) fn kept(&self, scope: Scope, shown: &str) -> Located {
        match scope {
            Scope::Project => {
                Located { path: self.project.join(shown), root: self.project.clone() }
            }
            Scope::User => {
                let path = PathBuf::from(shown);
                // The folder that it was written in; a ledger has nothing outside of these.
                let folders = self.moved.iter().map(|(_, folder)| folder);
                let mut folders = folders.chain(&self.config).chain(&self.home);
                let root = folders.find(|folder| path.starts_with(folder));
                let root =
                    root.cloned().unwrap_or_else(|| crate::atomic::folder_of(&path).to_owned());
                Located { path, root }
            }
        }
    }

    /// A path as a ledger stores it and output shows it: relative to the root of a project, and
    /// absolute for a user.
    pub fn shown(&self, scope: Scope, path: &Path) -> String {
        let shown = match scope {
            Scope::Project => path.strip_prefix(&self.project).unwrap_or(path),
            Scope::User => path,
        };
        let shown = shown.to_string_lossy();
        // Elsewhere a backslash is an ordinary character.
        if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
    }
}
