//! `cargo xtask bench hook`: times the answer to a tool call, and writes `HOOK.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::hook::{measure, report};

const USAGE: &str = "\
usage: hook [--quick] [--write]

  --quick  fewer turns
  --write  write HOOK.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let Some(flags) = Flags::read(command::words(), &["--quick", "--write"], USAGE)? else {
        return Ok(());
    };
    let quick = flags.has("--quick");
    let figures = measure(if quick { 50 } else { 500 })?;
    let text = report::render(&figures);
    command::report(&text, "HOOK.md", !quick || flags.has("--write"))
}
