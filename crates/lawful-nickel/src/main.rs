//! Evaluates conditioning in Nickel under limits: the child process of `lawful`.
//!
//! It is a separate program, so that only users of Nickel compile and link it. It serves one job on
//! standard input and output, by the protocol in `lawful_worker::protocol`, and exits. The module
//! documentation of `lawful_worker` describes the flow and the invariant.
//!
//! Exit codes: 0 the job was answered, 2 it was not.

mod child;
mod closure;
mod evaluate;
mod limits;
mod refusal;

use std::io::{self, Write as _};
use std::process::ExitCode;

use lawful_worker::protocol::ARGUMENT;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let done = match words.as_slice() {
        [word] if word == ARGUMENT => child::work(io::BufReader::new(io::stdin()), io::stdout()),
        [word] if word == "--version" => {
            writeln!(io::stdout(), "lawful-nickel {}", env!("CARGO_PKG_VERSION")).is_ok()
        }
        _ => {
            let _ = writeln!(io::stderr(), "`lawful` starts this program to evaluate Nickel");
            false
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::from(2) }
}
