//! The command line: it parses arguments, calls the library and renders the result. It decides no
//! rule of Lawful.
//!
//! Exit codes of every command: 0 yes, 1 no, 2 could not decide.

mod args;
mod ci;
mod commands;
mod context;
mod explain_table;
mod input;
mod output;
mod progress;
mod token_count;
mod verify_text;
mod watch;
mod workspace;

use std::process::ExitCode;

use args::{Cli, Command};

fn main() -> ExitCode {
    lawful_host::limits::survive_file_size_limit();
    let answer = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(&cli),
        Err(error) => output::usage(&error),
    };
    output::exit_code(answer)
}

fn run(cli: &Cli) -> output::Answer {
    match &cli.command {
        Command::Init(args) => commands::init::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Test(args) => commands::test::run(args),
        Command::Eval(args) => commands::eval::run(args),
        Command::List(args) => commands::list::run(args),
        Command::Compose(args) => commands::compose::run(args),
        Command::Blame(args) => commands::blame::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Matrix(args) => commands::matrix::run(args),
        Command::Align(args) => commands::align::run(args),
        Command::Install(args) => commands::deliver::install(args),
        Command::Status(args) => commands::deliver::status(args),
        Command::Uninstall(args) => commands::deliver::uninstall(args),
        Command::Prove(args) => commands::prove::run(args),
        Command::ProveInside(args) => commands::prove::run_inside(args),
        Command::Restore(args) => commands::restore::run(args),
        Command::Harnesses(args) => commands::harnesses::run(args),
        Command::Observe(args) => commands::observe::run(args),
        Command::Hook(args) => commands::hook::run(args),
        Command::Allow(args) => commands::allow::run(args),
        Command::Guard(args) => commands::guard::run(args),
        Command::Log(args) => commands::log::run(args),
        Command::Trust(args) => commands::trust::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Envelope(args) => commands::envelope::run(&args.command),
        Command::React(args) => commands::react::run(args),
        Command::Session(args) => commands::session::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Schema(args) => commands::schema::run(args),
        Command::Completions(args) => commands::completions::run(args),
    }
}
