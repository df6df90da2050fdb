//! The arguments of `prove`.

use std::path::PathBuf;

use clap::Args;

use super::{Book, Output};

/// Start installed clients, and show what their models would receive
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful prove                                     every client that has something installed
  lawful prove --harness claude-code
  lawful prove --harness opencode --role reviewer  an agent

Each client runs once, on a copy of the files that the harness table names, in a temporary home,
against a stub of its model on this machine. It gets no credentials. Its settings are copied without
`env`, `apiKeyHelper`, `mcpServers`, `hooks`, `plugins` and others that could run a program. Requests
to any other host are refused and listed.

The clients are `claude-code`, `codex`, `gemini-cli`, `opencode`, `qwen`, `copilot`, `cline` and `pi`.

Exit codes: 0 everything arrives as the harness table promises, 1 something does not, 2 a client is
not installed or did not start.")]
pub(crate) struct Prove {
    /// Start the clients of these harnesses; default: those that have something installed
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    /// Show this role; default: the main role, and each installed agent
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,
    /// Stop a client after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub(crate) timeout: u32,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Run the client of a proof; `lawful prove` starts this in a namespace
#[derive(Debug, Args)]
pub(crate) struct ProveInside {
    /// Folder of the proof
    pub(crate) folder: PathBuf,
}
