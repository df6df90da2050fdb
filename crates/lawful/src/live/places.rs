//! Where a path leads.
//!
//! A path that an agent writes is resolved before anything compares it: relative to the project if
//! it lies inside, absolute elsewhere, with `.` and `..` gone. The root of the project is `.`.
//!
//! **Invariant:** what cannot be resolved never looks like a path inside the project, nor like an
//! absolute one. It is kept as written behind a `?`.

/// Resolves paths. A host follows links and uses the names as the file system stores them;
/// [`LexicalPlaces`] works on the text alone.
pub trait Places {
    /// Resolves a path from a folder. The folder is relative to the working folder of the agent;
    /// `None` is that folder itself. Neither contains `~` or variables.
    fn resolve(&self, path: &str, folder: Option<&str>) -> String;

    /// The home folder of the user, as an absolute path.
    fn home(&self) -> Option<&str>;
}

/// Resolves paths by their text, without a file system.
#[derive(Clone, Debug)]
pub struct LexicalPlaces {
    project: Vec<Box<str>>,
    working: Vec<Box<str>>,
    home: Option<Box<str>>,
}

impl LexicalPlaces {
    /// Places of an agent that works in the root of a project. The project is an absolute path.
    pub fn new(project: &str) -> Self {
        let project = normal(Vec::new(), project);
        Self { working: project.clone(), project, home: None }
    }

    /// Sets the working folder of the agent: absolute, or relative to the project.
    #[must_use]
    pub fn working_in(mut self, folder: &str) -> Self {
        self.working = normal(self.project.clone(), folder);
        self
    }

    /// Sets the home folder.
    #[must_use]
    pub fn with_home(mut self, home: &str) -> Self {
        self.home = Some(home.into());
        self
    }
}

impl Places for LexicalPlaces {
    fn resolve(&self, path: &str, folder: Option<&str>) -> String {
        let start = normal(self.working.clone(), folder.unwrap_or_default());
        let parts = normal(start, path);
        match parts.strip_prefix(&*self.project) {
            Some([]) => ".".to_owned(),
            Some(inside) => inside.join("/"),
            None => format!("/{}", parts.join("/")),
        }
    }

    fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }
}

/// The parts of an absolute path after following another path from it.
fn normal(start: Vec<Box<str>>, path: &str) -> Vec<Box<str>> {
    let mut parts = if path.starts_with('/') { Vec::new() } else { start };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.into()),
        }
    }
    parts
}

/// The longest path that is resolved, in bytes, as the kernel has it.
const MAX_PATH: usize = 4096;

/// The most parts of a path that is resolved.
const MAX_PARTS: usize = 256;

/// The most paths of one call that are resolved.
pub(super) const MAX_PATHS: usize = 2_000;

/// The folder from which a path is resolved.
#[derive(Clone, Copy, Debug)]
pub(super) enum From<'f> {
    /// The working folder of the agent.
    Working,
    /// A folder, as it is written.
    Folder(&'f str),
    /// A folder that is known only when the line runs.
    Unknown,
}

/// A resolved path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    /// The path. One that cannot be resolved starts with `?`.
    pub path: Box<str>,
    /// The folder that the path cannot leave, as far as it is known: the path itself without
    /// wildcards, or the part before the first wildcard or variable.
    pub(crate) within: Option<Box<str>>,
}

impl Placed {
    /// Whether the whole path is known.
    pub fn is_known(&self) -> bool {
        self.within.as_ref() == Some(&self.path)
    }

    /// A path over a limit, or every path after the last that is resolved. It may be anywhere.
    pub(super) fn anywhere(written: &str) -> Self {
        const SHOWN: usize = 200;
        let start: String = written.chars().take(SHOWN).collect();
        Self { path: format!("?{start}…").into(), within: Some("/".into()) }
    }
}

/// Resolves a path that an agent gives to a tool, which does not expand wildcards.
pub(super) fn place_of_tool(written: &str, places: &dyn Places) -> Placed {
    resolved(written, true, From::Working, &['$', '`'], places)
}

/// Resolves a path of a shell line. `complete` is false if a part of it is known only when the line
/// runs.
pub(super) fn place(written: &str, complete: bool, from: From<'_>, places: &dyn Places) -> Placed {
    resolved(written, complete, from, &['$', '`', '*', '?', '[', '{'], places)
}

/// Resolves a path. A part with one of the `open` characters is not a name.
fn resolved(
    written: &str,
    complete: bool,
    from: From<'_>,
    open: &[char],
    places: &dyn Places,
) -> Placed {
    if written.len() > MAX_PATH {
        return Placed::anywhere(written);
    }
    let unknown = || format!("?{written}").into_boxed_str();
    let folder = match from {
        From::Working => Some(String::new()),
        From::Folder(folder) => expanded(folder, places),
        From::Unknown => None,
    };
    let full = match (expanded(written, places), folder) {
        (Some(path), _) if path.starts_with('/') => path,
        (Some(path), Some(folder)) if folder.is_empty() => path,
        (Some(path), Some(folder)) => format!("{folder}/{path}"),
        (None, _) | (Some(_), None) => return Placed { path: unknown(), within: None },
    };
    if full.len() > MAX_PATH || full.split('/').count() > MAX_PARTS {
        return Placed::anywhere(written);
    }
    let resolve = |path: &str| places.resolve(path, None).into_boxed_str();
    // The folders before the first part that is not plain text.
    let parts: Vec<&str> = full.split('/').collect();
    let plain = parts.iter().take_while(|part| !part.contains(open)).count();
    // These folders are known, although they are variables.
    let known = ["$HOME", "${HOME}", "$PWD", "${PWD}"].iter().any(|name| written.starts_with(name));
    if plain == parts.len() && (complete || known) {
        let path = resolve(&full);
        return Placed { within: Some(path.clone()), path };
    }
    let before = parts.get(..plain).unwrap_or_default().join("/");
    let rooted = full.starts_with('/') && before.is_empty();
    let rest = parts.get(plain..).unwrap_or_default();
    let start = if rooted { "/" } else { &before };
    // A wildcard matches names, so it stays below its folder unless `..` follows. A variable can
    // contain anything, and so can the `{}` of `find` and `xargs`.
    let leaves = rest.contains(&"..");
    let varies = full.contains(['$', '`']) || (!complete && full.contains('{'));
    if plain < parts.len() && !leaves && !varies {
        let folder = resolve(start);
        let path = match &*folder {
            "." => rest.join("/"),
            "/" => format!("/{}", rest.join("/")),
            folder => format!("{folder}/{}", rest.join("/")),
        };
        return Placed { path: path.into(), within: Some(folder) };
    }
    Placed { path: unknown(), within: (!before.is_empty() || rooted).then(|| resolve(start)) }
}

/// A path with `~`, `~+`, `$HOME` and `$PWD` at its start replaced; `None` if that needs something unknown.
fn expanded(written: &str, places: &dyn Places) -> Option<String> {
    for name in ["~", "$HOME", "${HOME}"] {
        if let Some(rest) = written.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return places.home().map(|home| format!("{}{rest}", home.trim_end_matches('/')));
        }
    }
    for name in ["~+", "$PWD", "${PWD}"] {
        if let Some(rest) = written.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Some(format!(".{rest}"));
        }
    }
    // `~ada` and `~-` are folders that only the shell knows.
    (!written.starts_with('~')).then(|| written.to_owned())
}

#[cfg(test)]
mod tests;
