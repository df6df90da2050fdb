//! `cargo xtask bench verify`: times judging envelopes, and writes `VERIFY.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::cli::STARTS;
use lawful_benches::command::{self, Flags};
use lawful_benches::measure::Plan;
use lawful_benches::report::Part;
use lawful_benches::verify::report::Report;
use lawful_benches::verify::{large, process, small, stream};

const USAGE: &str = "\
usage: verify [--quick] [--skip-program] [--write]

  --quick         fewer and shorter batches, small programs, fewer envelopes and starts
  --skip-program  do not build and time the program `lawful`
  --write         write VERIFY.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // Not in the usage: what runs in a process of its own.
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--mangle", kind, size] => return large::mangle_alone(kind, size),
        ["--parse", file, lines] => return stream::parse_alone(file, lines),
        _ => {}
    }
    // The last is not in the usage: it spoils the expected verdicts, for a test of the check.
    let known = ["--quick", "--skip-program", "--write", "--inject-disagreement"];
    let Some(flags) = Flags::read(words, &known, USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let plan = if quick { Plan::QUICK } else { Plan::FULL };
    eprintln!("100 predicates");
    let small = small::measure(&plan, flags.has("--inject-disagreement"))?;
    let effort = if quick { large::Effort::QUICK } else { large::Effort::FULL };
    let large = large::measure(&effort)?;
    let times_started = if quick { 20 } else { STARTS };
    let left_out = || "this run left it out".to_owned();
    let (stream, starts) = if flags.has("--skip-program") {
        (Part::Missing(left_out()), Part::Missing(left_out()))
    } else {
        eprintln!("many envelopes");
        let (lines, turns) = if quick { (20_000, 1) } else { (1_000_000, 5) };
        (stream::measure(lines, turns)?, Part::Measured(process::measure(times_started)?))
    };
    let text = Report { plan, small, effort, large, stream, times_started, starts }.render();
    command::report(
        &text,
        "VERIFY.md",
        flags.has("--write") || !(quick || flags.has("--skip-program")),
    )
}
