//! `cargo xtask bench verify`: times judging envelopes, and writes `VERIFY.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::measure::Plan;
use lawful_benches::report::Part;
use lawful_benches::verify::report::Report;
use lawful_benches::verify::{large, process, small, stream};

const USAGE: &str = "\
usage: verify [--quick] [--skip-program] [--write]

  --quick         fewer and shorter batches, fewer envelopes
  --skip-program  do not build and time the program `lawful`
  --write         write VERIFY.md although the run is not a whole one";

/// Where the report is kept.
const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/VERIFY.md");

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
    // Not in the usage: what runs in a process of its own.
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--mangle", kind, size] => return large::mangle_alone(kind, size),
        ["--parse", file, lines] => return stream::parse_alone(file, lines),
        _ => {}
    }
    // The last is not in the usage: it spoils the expected verdicts, for a test of the check.
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
    eprintln!("100 predicates");
    let small = small::measure(&plan, asked("--inject-disagreement"))?;
    let large = large::measure(if quick { 1 } else { 5 })?;
    let left_out = || "this run left it out".to_owned();
    let (stream, starts) = if asked("--skip-program") {
        (Part::Missing(left_out()), Part::Missing(left_out()))
    } else {
        eprintln!("many envelopes");
        let (lines, turns) = if quick { (100_000, 1) } else { (1_000_000, 5) };
        (stream::measure(lines, turns)?, Part::Measured(process::measure()?))
    };
    let text = Report { plan, small, large, stream, starts }.render();
    print!("{text}");
    if asked("--write") || !(quick || asked("--skip-program")) {
        std::fs::write(RESULTS, text)?;
        eprintln!("written to benches/VERIFY.md");
    } else {
        eprintln!("benches/VERIFY.md is left as it was: this was not a whole run");
    }
    Ok(())
}
