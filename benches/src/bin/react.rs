//! `cargo xtask bench react`: times steps of a session, and writes `REACT.md`.

use std::process::ExitCode;

use lawful_benches::Result;
use lawful_benches::command::{self, Flags};
use lawful_benches::measure::Plan;
use lawful_benches::react::report::Report;
use lawful_benches::react::{durable, keywords, large, peer, step};
use lawful_benches::report::Part;

const USAGE: &str = "\
usage: react [--quick] [--skip-peer] [--write]

  --quick      fewer and shorter batches
  --skip-peer  do not run json-rules-engine
  --write      write REACT.md although the run is not a whole one";

fn main() -> ExitCode {
    command::main(run)
}

fn run() -> Result<()> {
    let words = command::words();
    // The last is not in the usage: it spoils an answer, for a test of the check.
    let known = ["--quick", "--skip-peer", "--write", "--inject-disagreement"];
    let Some(flags) = Flags::read(words, &known, USAGE)? else { return Ok(()) };
    let quick = flags.has("--quick");
    let plan = if quick { Plan::QUICK } else { Plan::FULL };
    let spoil = flags.has("--inject-disagreement");
    let peer = if flags.has("--skip-peer") {
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
    let large = large::run(if quick { 300 } else { 1000 }, if quick { 8 } else { 32 })?;
    let sections = vec![kept.section(), large.section()];
    let text = Report { plan, steps, keywords, peer, sections }.render();
    command::report(&text, "REACT.md", flags.has("--write") || !(quick || flags.has("--skip-peer")))
}
