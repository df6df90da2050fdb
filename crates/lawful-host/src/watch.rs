//! Waiting for changes of a lawbook.
//!
//! A [`Watch`] is started before the files are read, so that no change is missed between reading
//! and waiting.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use crate::failure::Failure;

/// A change is reported when nothing else happened for this long: an editor writes in several steps.
const SETTLED: Duration = Duration::from_millis(40);

/// A change is reported at the latest after this.
const LONGEST: Duration = Duration::from_millis(400);

/// How often folders are compared where the system cannot report changes.
const POLLED: Duration = Duration::from_millis(400);

/// Notices changes below some folders.
pub struct Watch {
    folders: Vec<PathBuf>,
    events: Receiver<notify::Result<Event>>,
    /// Events end when it is dropped.
    _watcher: Box<dyn Watcher>,
}

impl Watch {
    /// Starts to watch folders.
    pub fn of(folders: &[PathBuf]) -> Result<Self, Failure> {
        let folders: Vec<PathBuf> = folders
            .iter()
            .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()))
            .collect();
        let by_system = watching::<RecommendedWatcher>(&folders, Config::default());
        let (watcher, events) = match by_system {
            Ok((watcher, events)) => (Box::new(watcher) as Box<dyn Watcher>, events),
            // The system has no more watches to give, or the file system reports nothing.
            Err(_) => {
                let config = Config::default().with_poll_interval(POLLED);
                let (watcher, events) =
                    watching::<PollWatcher>(&folders, config).map_err(|error| {
                        Failure::usage(format!("cannot watch: {error}"), "run without `--watch`")
                    })?;
                (Box::new(watcher) as Box<dyn Watcher>, events)
            }
        };
        Ok(Self { folders, events, _watcher: watcher })
    }

    /// Waits for a change, and returns the changed files, relative to their folder. Empty if the
    /// system can report no more.
    pub fn wait(&self) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        let mut since: Option<Instant> = None;
        loop {
            let event = match since {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(first) if first.elapsed() > LONGEST => break,
                Some(_) => self.events.recv_timeout(SETTLED),
            };
            match event {
                Ok(event) => self.note(event, &mut changed),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
            if !changed.is_empty() {
                since.get_or_insert_with(Instant::now);
            }
        }
        changed.sort();
        changed.dedup();
        changed
    }

    fn note(&self, event: notify::Result<Event>, changed: &mut Vec<PathBuf>) {
        let Ok(event) = event else { return };
        // Reading is no change; closing a file that was written ends one.
        let is_change = match event.kind {
            EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) => true,
            EventKind::Remove(_) | EventKind::Other => true,
        };
        if is_change {
            changed.extend(event.paths.iter().filter_map(|path| self.of_book(path)));
        }
    }

    /// The path relative to its folder; `None` for what no lawbook reads: hidden files, such as those of
    /// git, of sessions and of editors.
    fn of_book(&self, path: &Path) -> Option<PathBuf> {
        let inside = self.folders.iter().find_map(|folder| path.strip_prefix(folder).ok())?;
        let is_hidden = |name: &str| name.starts_with('.') || name.ends_with('~');
        let hidden =
            inside.components().any(|part| part.as_os_str().to_str().is_some_and(is_hidden));
        (!hidden).then(|| inside.to_owned())
    }
}

/// A watcher of the folders, and what it reports.
fn watching<W: Watcher>(
    folders: &[PathBuf],
    config: Config,
) -> notify::Result<(W, Receiver<notify::Result<Event>>)> {
    let (report, events) = channel();
    let mut watcher = W::new(report, config)?;
    for folder in folders {
        watcher.watch(folder, RecursiveMode::Recursive)?;
    }
    Ok((watcher, events))
}

#[cfg(test)]
mod tests;
