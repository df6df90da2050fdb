//! The arguments of `lawful react`.

use std::path::PathBuf;

use clap::Args;

use super::{Book, Output};

/// Run one step of a session: fire the rules that an input triggers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful react --input turn.json                          the first turn of a new session
  lawful react --state state.json --input turn.json --state-out state.json
  echo '{\"action\": \"open-shop\"}' | lawful react --input - --why-not

An input is a turn `{\"user\": text, \"ai\": text, \"writes\": [{\"variableId\", \"operation\", \"value\"}]}`,
an action `{\"action\": id, …fields}`, an event `{\"event\": {\"type\": …}}`, or writes of the host
`{\"set\": [{\"path\", \"operation\"?, \"value\"}]}`, which may change protected variables.

Exit codes: 0 the step ran, 2 it could not.")]
pub(crate) struct React {
    #[command(flatten)]
    pub(crate) book: Book,
    /// State before the step, as YAML or JSON; `-` for standard input; default: a new session
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Input of the step, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// File for the state after the step
    #[arg(long, value_name = "FILE")]
    pub(crate) state_out: Option<PathBuf>,
    /// Fail if a rule has errors; default: leave it out
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say why each rule that did not fire was held back
    #[arg(long)]
    pub(crate) why_not: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}
