//! What scenarios are played in: the protocols of the harnesses, and a host that is the same on every
//! machine.

use std::ffi::OsString;
use std::path::Path;

use lawful::Value;
use lawful::live::Host;
use lawful::scenario::{HOME, Harnesses, PROJECT, Reported, Surroundings, Unreadable};
use lawful_deliver::{Event, HOOKS, find_hook, read};

use crate::live::named_event;
use crate::observe::root;
use crate::workspace::Workspace;

/// Reads events by the protocols of all harnesses that Lawful knows.
#[derive(Clone, Copy, Debug)]
pub struct HarnessProtocols;

impl Harnesses for HarnessProtocols {
    fn read(&self, harness: &str, event: &Value) -> Result<Reported, Unreadable> {
        let Some(hook) = find_hook(harness) else {
            return Err(Unreadable::Harness(HOOKS.iter().map(|one| one.id.to_owned()).collect()));
        };
        let bytes = serde_json::to_vec(event);
        let bytes = bytes.map_err(|error| Unreadable::Event(error.to_string()))?;
        let kind = named_event(hook, event).unwrap_or(Event::ToolCall);
        let incoming = read(hook, kind, &bytes).map_err(Unreadable::Event)?;
        let text = |path: Option<std::path::PathBuf>| {
            path.and_then(|path| path.to_str().map(str::to_owned))
        };
        Ok(Reported {
            moment: incoming.moment,
            project: text(incoming.project),
            folder: text(incoming.folder),
        })
    }
}

impl Workspace {
    /// What the scenarios of the lawbook in a folder are played in.
    pub fn surroundings(&self, book: &Path) -> Surroundings<'static> {
        let user = |name: &str| (name == "HOME").then(|| OsString::from(HOME));
        let imagined = Self::at(PROJECT).with_variables(user);
        let written = |path: &Path| {
            let inside = path.strip_prefix(PROJECT).unwrap_or(path);
            inside.to_string_lossy().into_owned().into_boxed_str()
        };
        let settings = imagined.hook_settings(Path::new(PROJECT));
        let state = imagined.state().ok();
        Surroundings {
            host: Host {
                settings: settings.iter().map(|path| written(path)).collect(),
                state: state.iter().map(|state| written(state.folder())).collect(),
                book: place_in_project(book),
                ..Surroundings::plain_host()
            },
            harnesses: &HarnessProtocols,
        }
    }
}

/// The folder of a lawbook, relative to the root of its repository.
fn place_in_project(book: &Path) -> Option<Box<str>> {
    let real = book.canonicalize().ok()?;
    let inside = real.strip_prefix(root(&real)).ok()?.to_str()?.to_owned();
    Some(if inside.is_empty() { ".".into() } else { inside.into_boxed_str() })
}
