//! Running a command again when its lawbook changes.

use std::path::PathBuf;

use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::watch::Watch;

use crate::output::{Answer, Report as _, print_error};

/// Runs a command now and after every change below the folders, until the program is interrupted.
/// The command is given the changed files, relative to their folder; none at first.
pub(crate) fn repeat(
    folders: Result<Vec<PathBuf>, Failure>,
    mut run: impl FnMut(&[PathBuf]) -> Answer,
) -> Answer {
    let folders = match folders {
        Ok(folders) => folders,
        Err(failure) => return failure.report(false),
    };
    let mut changed = Vec::new();
    loop {
        // Started first: a change during the run is not missed.
        let watch = match Watch::of(&folders) {
            Ok(watch) => watch,
            Err(failure) => return failure.report(false),
        };
        let answer = run(&changed);
        print_error("watching for changes; Ctrl-C ends\n");
        changed = watch.wait();
        if changed.is_empty() {
            return answer;
        }
        print_error(&format!("\nchanged: {}\n", list(&changed)));
    }
}

/// The first few of the changed files.
fn list(changed: &[PathBuf]) -> String {
    const SHOWN: usize = 3;
    let names = changed.iter().take(SHOWN);
    let names: Vec<String> =
        names.map(|file| escape::line(&file.display().to_string()).into_owned()).collect();
    match changed.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
