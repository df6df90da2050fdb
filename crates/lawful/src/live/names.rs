//! The names that a shell line makes for other paths: `ln -s .claude q`.
//!
//! Such a name is not on the disk while the line is read, so whoever resolves a path follows it here.
//! The names count in the whole line, because loops and functions do not run from left to right.
//!
//! **Invariant:** a path that leads through a name of the line is never taken for a path that only has
//! that name. If following it takes too many lookups, it may be anywhere.

use lawful_shell::{Command, Folder, Link};

use super::places::{From, Placed, Places, place};

/// The most names of one line that are followed.
const MAX_NAMES: usize = 256;

/// The most names that one path is followed through.
const MAX_FOLLOWED: usize = 8;

/// The most folders of paths that are compared with the names.
const MAX_LOOKUPS: usize = 20_000;

/// The programs that change a name itself, and not what it leads to.
const ON_NAMES: [&str; 6] = ["git", "ln", "mv", "rm", "rmdir", "unlink"];

/// The names that a line makes.
pub(super) struct Names<'p> {
    /// The folder in which the line starts.
    start: Option<&'p str>,
    places: &'p dyn Places,
    all: Vec<Name>,
    /// How many more folders of paths are compared with the names.
    lookups: usize,
    /// Whether a path led through one of the names.
    pub(super) followed: bool,
    /// Whether a limit was reached.
    pub(super) too_many: bool,
}

/// A name, and where it leads.
struct Name {
    /// The name, resolved.
    at: Box<str>,
    /// The path that it leads to, from the working folder of the agent.
    to: String,
    link: Link,
}

/// Where a path leads.
enum Through {
    /// Through a name, to this path.
    Name { path: String, complete: bool },
    /// Through no name of the line.
    Nothing,
    /// There are too many places to look at.
    TooMany,
}

impl<'p> Names<'p> {
    /// No names, for a line that starts in a folder.
    pub(super) fn new(start: Option<&'p str>, places: &'p dyn Places) -> Self {
        let all = Vec::new();
        Self { start, places, all, lookups: MAX_LOOKUPS, followed: false, too_many: false }
    }

    /// Remembers the names that a command makes.
    pub(super) fn learn(&mut self, command: &Command) {
        for link in &command.links {
            for folder in &command.folders {
                if self.all.len() >= MAX_NAMES {
                    self.too_many = true;
                    return;
                }
                let Some(name) = self.in_working_folder(folder, &link.name) else { continue };
                let target = if link.from_name {
                    Some(joined(&parent(&name), &link.target))
                } else {
                    self.in_working_folder(folder, &link.target)
                };
                let Some(to) = target else { continue };
                let at = place(&name, link.known, From::Working, self.places).path;
                self.all.push(Name { at, to, link: link.clone() });
            }
        }
    }

    /// Where a path of a command leads through the names that other commands make; `None` if it leads
    /// through none.
    pub(super) fn follow(
        &mut self,
        path: &str,
        complete: bool,
        folder: &Folder,
        by: &Command,
    ) -> Option<Placed> {
        if self.all.is_empty() {
            return None;
        }
        if self.too_many {
            return Some(Placed::anywhere(path));
        }
        let (mut path, mut complete) = (self.in_working_folder(folder, path)?, complete);
        let mut through = false;
        for _ in 0..MAX_FOLLOWED {
            match self.through(&path, by) {
                Through::Name { path: next, complete: known } => {
                    (path, complete, through) = (next, complete && known, true);
                }
                Through::Nothing => {
                    self.followed |= through;
                    return through.then(|| place(&path, complete, From::Working, self.places));
                }
                Through::TooMany => {
                    self.too_many = true;
                    break;
                }
            }
        }
        self.followed = true;
        Some(Placed::anywhere(&path))
    }

    /// A path with the first name in it replaced by what it leads to.
    fn through(&mut self, path: &str, by: &Command) -> Through {
        let program = by.words.first().map(String::as_str).unwrap_or_default();
        let keeps_last = ON_NAMES.contains(&program);
        for (end, _) in path.match_indices('/').chain([(path.len(), "")]) {
            let before = path.get(..end).filter(|before| !before.is_empty());
            let Some(before) = before.filter(|_| !(keeps_last && end == path.len())) else {
                continue;
            };
            let Some(left) = self.lookups.checked_sub(1) else { return Through::TooMany };
            self.lookups = left;
            let at = place(before, true, From::Working, self.places).path;
            let is_it = |name: &&Name| name.at == at && !by.links.contains(&name.link);
            let Some(name) = self.all.iter().find(is_it) else { continue };
            let rest = path.get(end..).unwrap_or_default();
            let path = format!("{}{rest}", name.to.trim_end_matches('/'));
            return Through::Name { path, complete: name.link.known };
        }
        Through::Nothing
    }

    /// A path of a command, from the working folder of the agent; `None` if the folder is unknown.
    fn in_working_folder(&self, folder: &Folder, path: &str) -> Option<String> {
        let start = self.start.unwrap_or_default();
        match folder {
            Folder::Start => Some(joined(start, path)),
            Folder::Relative(folder) => Some(joined(&joined(start, folder), path)),
            Folder::Absolute(folder) => Some(joined(folder, path)),
            Folder::Unknown => is_absolute(path).then(|| path.to_owned()),
        }
    }
}

/// A path from a folder; both are as written.
fn joined(folder: &str, path: &str) -> String {
    if folder.is_empty() || is_absolute(path) {
        return path.to_owned();
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// Whether a path does not depend on the folder.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || ["$HOME", "${HOME}"].iter().any(|home| path.starts_with(home))
}

/// The folder that a path is in, as written.
fn parent(path: &str) -> String {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((folder, _)) => folder.to_owned(),
        None => String::new(),
    }
}
