//! A loop that writes and syncs files, and does nothing else: the least that delivery can cost.
//!
//! For every file it makes the folders, writes a file beside the place, waits until it is on the disk
//! and renames it, and then waits for the folder. It is a process of its own, as the others are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;

/// The argument that turns the benchmark into the loop.
pub const FLAG: &str = "--bare-loop";

/// Keeps files for the loop to copy.
pub fn keep(source: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    for (path, bytes) in files {
        let path = source.join(path);
        fs::create_dir_all(path.parent().unwrap_or(source))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// The command that runs the loop.
pub fn command(source: &Path, target: &Path) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(FLAG).arg(source).arg(target);
    Ok(command)
}

/// The loop.
pub fn run(source: &Path, target: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(source, &mut files)?;
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for file in &files {
        let bytes = fs::read(file)?;
        let path = target.join(file.strip_prefix(source)?);
        let folder = path.parent().unwrap_or(target);
        fs::create_dir_all(folder)?;
        let beside = path.with_extension("tmp");
        let mut new = File::create(&beside)?;
        new.write_all(&bytes)?;
        new.sync_all()?;
        fs::rename(&beside, &path)?;
        folders.insert(folder.to_owned());
    }
    for folder in folders {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
