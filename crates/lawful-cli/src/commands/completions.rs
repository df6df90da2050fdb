//! `lawful completions SHELL`

use clap::CommandFactory as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Cli, Completions, Format};
use crate::output::{Answer, print, print_json};

/// The completions of a shell.
#[derive(Serialize, JsonSchema)]
pub(super) struct CompletionsView {
    /// The shell.
    shell: String,
    /// The script that it reads.
    script: String,
}

pub(crate) fn run(args: &Completions) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lawful", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match args.output.format {
        Format::Human => print(&script),
        Format::Json => print_json(&CompletionsView { shell: args.shell.to_string(), script }),
    }
    Answer::Yes
}
