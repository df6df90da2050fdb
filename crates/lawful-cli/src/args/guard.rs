//! The arguments of `lawful guard`.

use std::path::PathBuf;

use clap::Args;

use super::{Book, Output};

/// Show what the guards of a lawbook would decide on an event, and why
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  echo '{\"action\": \"shell\", \"command\": \"git push --force\"}' |
    lawful guard --harness claude-code --event -
  lawful guard --harness codex --event call.json --explain --format json

The event is what the harness sends to its hook, or a tool call as guards see it: `action` with
`command`, `paths`, `url`, or `server` and `name`. The lawbook need not be trusted. The session is a
new one, so variables have their initial values.

Exit codes: 0 allow or none, 1 deny or ask, 2 error; an event that cannot be read is denied.")]
pub(crate) struct Guard {
    /// Harness whose event it is
    #[arg(long, value_name = "NAME")]
    pub(crate) harness: Option<String>,
    /// Event, as JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) event: PathBuf,
    /// Say for every guard why it acted or did not
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
}
