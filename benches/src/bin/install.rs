//! `cargo xtask bench install`: times delivering to twelve harnesses, and writes `INSTALL.md`.

use std::path::Path;
use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::install::{bare, measure, report};

const USAGE: &str = "\
usage: install [--quick] [--write]

  --quick  fewer turns
  --write  write INSTALL.md although the run is not a whole one";

/// Where the report is kept.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/INSTALL.md");

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let [bare::FLAG, source, target] = words.as_slice() {
        return bare::run(Path::new(source), Path::new(target));
    }
    if let Some(word) = words.iter().find(|word| !["--help", "--quick", "--write"].contains(word)) {
        return Err(format!("unknown argument `{word}`\n{USAGE}").into());
    }
    if words.contains(&"--help") {
        println!("{USAGE}");
        return Ok(());
    }
    let quick = words.contains(&"--quick");
    let figures = measure(if quick { 5 } else { 21 })?;
    let text = report::render(&figures);
    print!("{text}");
    if !quick || words.contains(&"--write") {
        std::fs::write(RESULTS, text)?;
        eprintln!("written to benches/INSTALL.md");
    } else {
        eprintln!("benches/INSTALL.md is left as it was: this was not a whole run");
    }
    Ok(())
}
