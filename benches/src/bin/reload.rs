//! `cargo xtask bench reload`: times loading a changed book again, and writes `RELOAD.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::reload::{measure, report};

const USAGE: &str = "\
usage: reload [--quick] [--write]

  --quick  fewer turns
  --write  write RELOAD.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // The last is not in the usage: it compares with a book that is not the same.
    let known = ["--quick", "--write", "--inject-disagreement"];
    let Some(flags) = Flags::read(words, &known, USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let measured = measure(if quick { 5 } else { 51 }, flags.has("--inject-disagreement"))?;
    let text = report::render(&measured);
    command::report(&text, "RELOAD.md", !quick || flags.has("--write"))
}
