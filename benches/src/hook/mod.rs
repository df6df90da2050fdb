//! `lawful hook … tool-call` on a large book, from start to exit: beside a program that does nothing,
//! and beside a script that only parses the event.

mod book;
mod project;
pub mod report;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Result;
use crate::cli::{Folder, build, timed, timed_with};
use project::{Call, Project};

pub use book::{GUARDS, RULES};

/// Everything that was measured, in milliseconds, one figure for each turn.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// A call that no guard and no rule is about.
    pub quiet: Vec<f64>,
    /// A call that a guard denies.
    pub denied: Vec<f64>,
    /// A call on which a rule changes a variable.
    pub written: Vec<f64>,
    /// A script that parses the event.
    pub script: Vec<f64>,
    /// A program that does nothing.
    pub nothing: Vec<f64>,
    /// A sync of the disk that the state is on.
    pub sync: Vec<f64>,
    /// The version of the interpreter of the script.
    pub python: String,
}

/// Builds the program, checks its answers and times them in turns.
pub fn measure(turns: usize) -> Result<Figures> {
    let program = build()?;
    let folder = Folder::new()?;
    let project = Project::new(&program, &folder.0)?;
    project.check()?;
    let (python, version) = interpreter()?;
    let script = folder.0.join("script.py");
    std::fs::write(&script, "import json\nimport sys\n\nevent = json.load(sys.stdin)\n")?;
    let mut figures = Figures { python: version, ..Figures::default() };
    for turn in 0..turns {
        if turn % 50 == 0 {
            eprint!("\rturn {turn} of {turns}");
        }
        let hook = |call: Call| timed_with(project.command(), project.event(call)?);
        figures.quiet.push(hook(Call::Quiet)?);
        figures.denied.push(hook(Call::Denied)?);
        figures.written.push(hook(Call::Written)?);
        let mut command = Command::new(&python);
        command.arg(&script);
        figures.script.push(timed_with(command, project.event(Call::Quiet)?)?);
        figures.nothing.push(timed(Command::new("true"))?);
        figures.sync.push(sync(&folder.0)?);
    }
    eprintln!();
    // The calls that were timed must have had their effect.
    project.check_written(turns)?;
    project.check()?;
    Ok(figures)
}

/// Milliseconds to append a page to a file and to wait until it is on the disk.
fn sync(folder: &Path) -> Result<f64> {
    let mut file = File::options().append(true).create(true).open(folder.join("synced"))?;
    file.write_all(&[0; 4096])?;
    let start = Instant::now();
    file.sync_data()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

/// The interpreter itself, not a script that chooses one, and its version.
fn interpreter() -> Result<(String, String)> {
    let ask = "import platform, sys; print(sys.executable); print(platform.python_version())";
    let output = Command::new("python3").args(["-c", ask]).stdin(Stdio::null()).output()?;
    let text = String::from_utf8(output.stdout)?;
    match text.lines().collect::<Vec<_>>().as_slice() {
        [path, version] if output.status.success() => {
            Ok(((*path).to_owned(), (*version).to_owned()))
        }
        _ => Err("python3 does not say where it is".into()),
    }
}
