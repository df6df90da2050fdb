//! Reload: a lawbook on the disk that is loaded again after one file changed.
//!
//! A [book](book) of 1,000 files is written to the disk and loaded. Then one file is changed, and
//! loading the book afresh takes turns with reloading it.
//!
//! **Invariant:** a run is void unless both give the same book ([same]).

pub mod book;
pub mod report;
pub mod same;

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use lawful::book::{Book, FolderSource, Options, Source as _, load, reload};
use lawful::syntax::Diagnostic;

use crate::Result;
use crate::cli::Folder;
use crate::measure::thread_seconds;

/// Loading and reloading after one kind of change, in milliseconds, one figure for each turn.
#[derive(Clone, Debug)]
pub struct Figures {
    /// What was changed.
    pub changed: &'static str,
    /// A load afresh.
    pub load: Vec<f64>,
    /// A reload.
    pub reload: Vec<f64>,
}

/// Everything that was measured.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How many bytes the files have together.
    pub bytes: usize,
    /// Each kind of change.
    pub changes: Vec<Figures>,
}

/// How many reloads are timed in one turn, after one that is not.
pub const RELOADS: u32 = 10;

type Loaded = (Book, Vec<Diagnostic>);

/// Measures every kind of change. With `spoil`, the book before the change stands in for the
/// reloaded one, to see that the check works.
pub fn measure(turns: usize, spoil: bool) -> Result<Measured> {
    let folder = Folder::new()?;
    let root = folder.0.as_path();
    let bytes = book::write(root)?;
    let mut changes = Vec::new();
    for (changed, path) in book::CHANGES {
        eprintln!("measuring {changed}");
        settle(root)?;
        let before = afresh(root)?;
        let file = root.join(path);
        let text = fs::read_to_string(&file)?;
        fs::write(&file, book::change(&text))?;
        if spoil {
            same::check(&afresh(root)?, &before)?;
        }
        same::check(&afresh(root)?, &again(root, &before.0)?)?;
        let mut figures = Figures { changed, load: Vec::new(), reload: Vec::new() };
        for _ in 0..turns {
            figures.load.push(timed(1, || afresh(root))?);
            again(root, &before.0)?;
            figures.reload.push(timed(RELOADS, || again(root, &before.0))?);
        }
        changes.push(figures);
        fs::write(&file, text)?;
    }
    Ok(Measured { bytes, changes })
}

/// Waits until the disk can tell a file that did not change from one that changed a moment ago.
fn settle(root: &Path) -> Result<()> {
    let source = FolderSource::open(root)?;
    for _ in 0..100 {
        if book::paths().iter().all(|path| source.stamp(path).is_some()) {
            return Ok(());
        }
        sleep(Duration::from_millis(100));
    }
    Err("this disk does not say when a file changed".into())
}

fn afresh(root: &Path) -> Result<Loaded> {
    Ok(load(&FolderSource::open(root)?, Options::default())?)
}

fn again(root: &Path, before: &Book) -> Result<Loaded> {
    Ok(reload(before, &FolderSource::open(root)?)?)
}

/// Milliseconds on the processor, on average; taking a book down again is not counted.
fn timed(rounds: u32, work: impl Fn() -> Result<Loaded>) -> Result<f64> {
    let mut took = 0.0;
    for _ in 0..rounds {
        let start = thread_seconds();
        let loaded = black_box(work()?);
        took += thread_seconds() - start;
        drop(loaded);
    }
    Ok(took * 1e3 / f64::from(rounds))
}
