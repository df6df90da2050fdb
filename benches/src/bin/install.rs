//! `cargo xtask bench install`: times delivering to twelve harnesses, and writes `INSTALL.md`.

use std::path::Path;
use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::install::{bare, measure, report};

const USAGE: &str = "\
usage: install [--quick] [--write]

  --quick  fewer turns
  --write  write INSTALL.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    if let [flag, source, target] = words.as_slice()
        && flag == bare::FLAG
    {
        return bare::run(Path::new(source), Path::new(target));
    }
    let Some(flags) = Flags::read(words, &["--quick", "--write"], USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let figures = measure(if quick { 5 } else { 21 })?;
    let text = report::render(&figures);
    command::report(&text, "INSTALL.md", !quick || flags.has("--write"))
}
