//! The tasks of this repository, run as `cargo xtask COMMAND`.
//!
//! They need cargo, git, a shell and python3, and work from any folder of the repository.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod bench;
mod ci;
mod clingo;
mod diff;
mod docs;
mod e2e;
mod fuzz;
mod node;
mod readme;
mod release;
mod tidy;
mod workspace;

use std::process::ExitCode;

use workspace::{Failure, Result};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci                               run every check: format, lints, tidy, tests, README
  tidy                             check the rules of this repository that no other tool checks
  docs                             write docs/cli.md from the help of the program
  clingo                           check verdicts of compiled programs with clingo
  readme [PAGE...]                 run the commands in the README, the examples and the docs
  fuzz [--seconds N] [TARGET...]   run the fuzz targets, each for N seconds (default: 60)
  e2e [HARNESS...]                 test hooks and prompts in real harnesses, installed with npm
  bench [NAME [ARG...]]            run a benchmark, or list them
  release                          build the programs as they are distributed";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            if !message.is_empty() {
                eprintln!("error: {message}\n");
            }
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Err(Failure::Failed(message)) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[String]) -> Result {
    let Some((command, rest)) = words.split_first() else {
        return Err(Failure::Usage(String::new()));
    };
    match (command.as_str(), rest) {
        ("ci", []) => ci::run(),
        ("tidy", []) => tidy::run(),
        ("readme", pages) => readme::run(pages),
        ("docs", []) => docs::write(),
        ("clingo", []) => clingo::run(),
        ("fuzz", _) => fuzz::run(rest),
        ("e2e", _) => e2e::run(rest),
        ("bench", _) => bench::run(rest),
        ("release", []) => release::run(),
        ("help" | "--help" | "-h", []) => {
            println!("{USAGE}");
            Ok(())
        }
        ("ci" | "tidy" | "docs" | "clingo" | "release", [extra, ..]) => {
            Err(Failure::Usage(format!("`{command}` takes no arguments, but got `{extra}`")))
        }
        _ => Err(Failure::Usage(format!("unknown command `{command}`"))),
    }
}
