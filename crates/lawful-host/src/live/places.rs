//! Where the paths of an agent lead on this machine.
//!
//! Links are followed and `..` is resolved as the kernel does, as far as the path exists. The rest is
//! resolved by its text, because that is where a tool would create it.
//!
//! **Invariant:** a path that cannot be resolved never looks like one inside the project.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use lawful::live::Places;

/// Resolves paths by the file system, as it was when a folder was first looked at.
#[derive(Clone, Debug)]
pub(crate) struct HostPlaces {
    project: PathBuf,
    working: PathBuf,
    home: Option<String>,
    links: Links,
}

/// The maximal number of links that do not lead to anything, as the kernel has it.
const MOST_LINKS: usize = 40;

impl HostPlaces {
    /// Places of an agent that works in a folder of a project. All paths are absolute.
    pub(crate) fn new(project: &Path, working: &Path, home: Option<OsString>) -> Self {
        let links = Links::default();
        let real = |path: &Path| match path.canonicalize() {
            Ok(real) => {
                links.add_real(&real);
                real
            }
            Err(_) => path.to_owned(),
        };
        Self {
            project: real(project),
            working: real(working),
            home: home
                .and_then(|home| home.into_string().ok())
                .filter(|home| home.starts_with('/')),
            links,
        }
    }

    /// The root of the project.
    pub(crate) fn project(&self) -> &Path {
        &self.project
    }

    /// A path of this machine, as [`Places::resolve`] writes it.
    pub(crate) fn written(&self, path: &Path) -> String {
        let unknown = || format!("?{}", path.display());
        match self.links.real(path) {
            Some(real) => self.shown(&real).unwrap_or_else(unknown),
            None => unknown(),
        }
    }

    /// A resolved path: relative to the project if it is inside.
    fn shown(&self, real: &Path) -> Option<String> {
        let path = real.strip_prefix(&self.project).unwrap_or(real).to_str()?;
        Some(if path.is_empty() { ".".to_owned() } else { path.to_owned() })
    }
}

impl Places for HostPlaces {
    fn resolve(&self, path: &str, folder: Option<&str>) -> String {
        let mut whole = self.working.join(folder.unwrap_or_default());
        whole.push(path);
        // A NUL ends a path for the kernel.
        let real = if path.contains('\0') { None } else { self.links.real(&whole) };
        real.and_then(|real| self.shown(&real)).unwrap_or_else(|| format!("?{path}"))
    }

    fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }
}

/// What is at each path that was looked at. Many paths of one event are in the same folders.
#[derive(Clone, Debug, Default)]
struct Links(RefCell<BTreeMap<OsString, Link>>);

/// What is at a path whose folder is real.
#[derive(Clone, Debug)]
enum Link {
    /// A link to this path.
    To(PathBuf),
    /// Something else.
    No,
    /// Nothing.
    Missing,
    /// That cannot be known.
    Unknown,
}

impl Links {
    /// Where an absolute path leads; `None` if that cannot be known.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let mut real = PathBuf::new();
        // The parts that are still to be followed, last first.
        let mut rest: Vec<OsString> = parts(path);
        let (mut links, mut exists) = (0, true);
        while let Some(part) = rest.pop() {
            if part == ".." {
                real.pop();
                // What is above something that does not exist may exist.
                exists = true;
                continue;
            }
            if part == "/" {
                real = PathBuf::from("/");
                exists = true;
                continue;
            }
            real.push(&part);
            if !exists {
                continue;
            }
            match self.at(&real) {
                Link::To(target) => {
                    links += 1;
                    if links > MOST_LINKS {
                        return None;
                    }
                    real.pop();
                    rest.extend(parts(&target));
                }
                Link::No => {}
                Link::Missing => exists = false,
                Link::Unknown => return None,
            }
        }
        Some(real)
    }

    fn at(&self, path: &Path) -> Link {
        if let Some(known) = self.0.borrow().get(path.as_os_str()) {
            return known.clone();
        }
        let link = match path.read_link() {
            Ok(target) => Link::To(target),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Link::No,
            Err(error) if is_missing(&error) => Link::Missing,
            Err(_) => Link::Unknown,
        };
        self.0.borrow_mut().insert(path.as_os_str().to_owned(), link.clone());
        link
    }

    /// Adds a path that exists and has no links.
    fn add_real(&self, path: &Path) {
        let real = path.ancestors().map(|above| (above.as_os_str().to_owned(), Link::No));
        self.0.borrow_mut().extend(real);
    }
}

/// The parts of a path, last first: `/`, `..` and names.
fn parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let mut parts: Vec<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
    parts.reverse();
    parts
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "this is a test")]

    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn check(name: &str, prepare: impl FnOnce(&Path), cases: &[(&str, &str)]) {
        let folder =
            std::env::temp_dir().join(format!("lawful-places-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("project/src")).unwrap();
        let folder = folder.canonicalize().unwrap();
        let project = folder.join("project");
        prepare(&folder);
        let places = HostPlaces::new(&project, &project.join("src"), None);
        for (path, expected) in cases {
            let expected = expected.replace('@', folder.to_str().unwrap());
            let path = path.replace('@', folder.to_str().unwrap());
            assert_eq!(places.resolve(&path, None), expected, "{path}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn paths_are_relative_to_the_project() {
        let cases = [
            ("a.rs", "src/a.rs"),
            ("./a/./b//c", "src/a/b/c"),
            ("..", "."),
            ("../docs/new/x.md", "docs/new/x.md"),
            ("../..", "@"),
            ("../../other/x", "@/other/x"),
            ("@/project/src/../lawful.yaml", "lawful.yaml"),
            ("/", "/"),
            ("/../..", "/"),
            ("gone/../../lawful.yaml", "lawful.yaml"),
            ("a\0b", "?a\0b"),
        ];
        check("plain", |_| {}, &cases);
    }

    #[test]
    fn links_are_followed() {
        let prepare = |folder: &Path| {
            fs::create_dir(folder.join("outside")).unwrap();
            fs::write(folder.join("project/real"), "").unwrap();
            symlink(folder.join("outside"), folder.join("project/out")).unwrap();
            symlink("../real", folder.join("project/src/link")).unwrap();
            symlink("nowhere/x", folder.join("project/src/dangling")).unwrap();
            symlink("loop", folder.join("project/src/loop")).unwrap();
            symlink("gone/../../real", folder.join("project/src/through")).unwrap();
        };
        let cases = [
            ("link", "real"),
            ("../out/new", "@/outside/new"),
            ("../out/../project/real", "real"),
            ("dangling", "src/nowhere/x"),
            ("dangling/y/..", "src/nowhere/x"),
            ("loop", "?loop"),
            ("loop/x", "?loop/x"),
            ("through", "real"),
        ];
        check("links", prepare, &cases);
    }

    /// What exists is where the kernel says, in whatever order paths are asked for.
    #[test]
    fn what_exists_is_where_the_kernel_finds_it() {
        let name = format!("lawful-places-kernel-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a/b/c")).unwrap();
        fs::create_dir_all(folder.join("d")).unwrap();
        fs::write(folder.join("a/b/file"), "").unwrap();
        for (target, link) in [
            ("../a/b", "d/up"),
            ("d/up/c", "deep"),
            ("deep/..", "back"),
            ("./back/./file", "file"),
            ("/", "d/root"),
        ] {
            symlink(target, folder.join(link)).unwrap();
        }
        let links = Links::default();
        for path in [
            "file",
            "back",
            "d/up/c",
            "deep/../../b",
            "d/../d/up/file",
            "d/root",
            "back/../b/./file",
        ] {
            let path = folder.join(path);
            assert_eq!(links.real(&path), path.canonicalize().ok(), "{}", path.display());
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_of_the_call_comes_first() {
        let project = std::env::temp_dir().canonicalize().unwrap();
        let places = HostPlaces::new(&project, &project, Some("/users/u".into()));
        assert_eq!(places.resolve("x", Some("deep/er")), "deep/er/x");
        assert_eq!(places.resolve("/x-none", Some("deep")), "/x-none");
        assert_eq!(places.home(), Some("/users/u"));
        assert_eq!(places.written(&project.join("y-none")), "y-none");
    }
}
