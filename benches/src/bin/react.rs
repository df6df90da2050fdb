//! `cargo xtask bench react`: times steps of a session, and writes `REACT.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::measure::Plan;
use lawful_benches::react::report::Report;
use lawful_benches::react::{durable, keywords, peer, step};
use lawful_benches::report::Part;

const USAGE: &str = "\
usage: react [--quick] [--skip-peer] [--write]

  --quick      fewer and shorter batches
  --skip-peer  do not run json-rules-engine
  --write      write REACT.md although the run is not a whole one";

/// Where the report is kept.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/REACT.md");

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
    // The last is not in the usage: it spoils an answer, for a test of the check.
    let known = ["--help", "--quick", "--skip-peer", "--write", "--inject-disagreement"];
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
    let spoil = asked("--inject-disagreement");
    let peer = if asked("--skip-peer") {
        Part::Missing("this run left it out".to_owned())
    } else {
        match peer::measure(&plan, spoil)? {
            Ok(figures) => Part::Measured(figures),
            Err(why) => Part::Missing(why),
        }
    };
    let steps = step::measure(&plan, spoil)?;
    let keywords = keywords::measure(&plan, spoil)?;
    let kept = durable::run(if quick { 4 } else { 16 }, 128, 32)?;
    let text = Report { plan, steps, keywords, peer, sections: vec![kept.section()] }.render();
    print!("{text}");
    if asked("--write") || !(quick || asked("--skip-peer")) {
        std::fs::write(RESULTS, text)?;
        eprintln!("written to benches/REACT.md");
    } else {
        eprintln!("benches/REACT.md is left as it was: this was not a whole run");
    }
    Ok(())
}
