//! `cargo xtask bench test`: times the mutants of a lawbook, and writes `TEST.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::test::{measure, report};

const USAGE: &str = "\
usage: test [--quick] [--write]

  --quick  fewer turns and fewer mutants
  --write  write TEST.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // The last is not in the usage: it spoils the fates of one way, for a test of the check.
    let known = ["--quick", "--write", "--inject-disagreement"];
    let Some(flags) = Flags::read(words, &known, USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let (turns, sample) = if quick { (3, 60) } else { (11, 400) };
    let measured = measure(turns, sample, flags.has("--inject-disagreement"))?;
    let text = report::render(&measured);
    command::report(&text, "TEST.md", !quick || flags.has("--write"))
}
