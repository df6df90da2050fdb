//! `cargo xtask bench compose`: times resolving a prompt, and writes `COMPOSE.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::compose::report::Report;
use lawful_benches::compose::{process, resolve};
use lawful_benches::measure::Plan;
use lawful_benches::report::Part;

const USAGE: &str = "\
usage: compose [--quick] [--skip-program] [--write]

  --quick         fewer and shorter batches, fewer turns
  --skip-program  do not build and time the program `lawful` beside its peers
  --write         write COMPOSE.md although the run is not a whole one";

/// Where the report is kept.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/COMPOSE.md");

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
    // The last is not in the usage: it spoils the naive answers, for a test of the check.
    let known = ["--help", "--quick", "--skip-program", "--write", "--inject-disagreement"];
    if let Some(word) = words.iter().find(|word| !known.contains(&word.as_str())) {
        return Err(format!("unknown argument `{word}`\n{USAGE}").into());
    }
    let asked = |flag: &str| words.iter().any(|word| word == flag);
    if asked("--help") {
        println!("{USAGE}");
        return Ok(());
    }
    let quick = asked("--quick");
    let plan = if quick { Plan::QUICK } else { Plan::FULL };
    let library = resolve::measure(&plan, asked("--inject-disagreement"))?;
    let program = if asked("--skip-program") {
        Part::Missing("this run left it out".to_owned())
    } else {
        eprintln!("measuring the program");
        Part::Measured(process::measure(if quick { 5 } else { 21 })?)
    };
    let text = Report { plan, library, program }.render();
    print!("{text}");
    if asked("--write") || !(quick || asked("--skip-program")) {
        std::fs::write(RESULTS, text)?;
        eprintln!("written to benches/COMPOSE.md");
    } else {
        eprintln!("benches/COMPOSE.md is left as it was: this was not a whole run");
    }
    Ok(())
}
