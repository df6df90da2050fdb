//! `cargo xtask bench compose`: times resolving a prompt, and writes `COMPOSE.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::compose::report::Report;
use lawful_benches::compose::{process, resolve};
use lawful_benches::measure::Plan;
use lawful_benches::report::Part;

const USAGE: &str = "\
usage: compose [--quick] [--skip-program] [--write]

  --quick         fewer and shorter batches, fewer turns
  --skip-program  do not build and time the program `lawful` beside its peers
  --write         write COMPOSE.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // The last is not in the usage: it spoils the naive answers, for a test of the check.
    let known = ["--quick", "--skip-program", "--write", "--inject-disagreement"];
    let Some(flags) = Flags::read(words, &known, USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let plan = if quick { Plan::QUICK } else { Plan::FULL };
    let library = resolve::measure(&plan, flags.has("--inject-disagreement"))?;
    let program = if flags.has("--skip-program") {
        Part::Missing("this run left it out".to_owned())
    } else {
        eprintln!("measuring the program");
        Part::Measured(process::measure(if quick { 5 } else { 21 })?)
    };
    let text = Report { plan, library, program }.render();
    command::report(
        &text,
        "COMPOSE.md",
        flags.has("--write") || !(quick || flags.has("--skip-program")),
    )
}
