//! What the programs of the benchmarks have in common: flags, an exit code, and a report that only a
//! whole run replaces.

use std::path::Path;
use std::process::ExitCode;

use crate::Result;

/// Runs a benchmark, and says what went wrong.
pub fn main(run: impl FnOnce() -> Result<()>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The words after the name of the program.
pub fn words() -> Vec<String> {
    std::env::args().skip(1).collect()
}

/// The flags that were given.
#[derive(Debug)]
pub struct Flags(Vec<String>);

impl Flags {
    /// Flags that are all known; `None` if the usage was asked for, which is printed.
    pub fn read(words: Vec<String>, known: &[&str], usage: &str) -> Result<Option<Self>> {
        let is_known = |word: &str| word == "--help" || known.contains(&word);
        if let Some(word) = words.iter().find(|word| !is_known(word)) {
            return Err(format!("unknown argument `{word}`\n{usage}").into());
        }
        let flags = Self(words);
        if flags.has("--help") {
            println!("{usage}");
            return Ok(None);
        }
        Ok(Some(flags))
    }

    /// Whether a flag was given.
    pub fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|word| word == flag)
    }
}

/// Prints a report, and keeps it as a file of this folder if it is to be kept.
pub fn report(text: &str, name: &str, keep: bool) -> Result<()> {
    print!("{text}");
    if keep {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(name), text)?;
        eprintln!("written to benches/{name}");
    } else {
        eprintln!("benches/{name} is left as it was: this was not a whole run");
    }
    Ok(())
}
