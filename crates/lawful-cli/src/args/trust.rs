//! The arguments of `lawful trust`.

use std::path::PathBuf;

use clap::Args;

use super::Output;

/// Accept a lawbook, so that hooks judge by it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful trust                 show what changed, ask, and trust the lawbook of this project
  lawful trust law             another lawbook
  lawful trust --show          show what changed, and trust nothing
  lawful trust --diff --show   the same, with the lines that changed
  lawful trust --yes           in a script
  lawful trust --yes --hash sha256:…   only if the lawbook has this content

Hooks judge by a copy of the lawbook that is made here, so later edits have no effect until they are
trusted too.

Exit codes: 0 trusted, 1 not trusted, 2 error, or a question that could not be asked.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Trust {
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Trust it without asking
    #[arg(long, conflicts_with_all = ["show", "revoke"])]
    pub(crate) yes: bool,
    /// Show what changed, and trust nothing; exit code 0 if nothing did
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) show: bool,
    /// Show the lines that changed
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) diff: bool,
    /// Trust it only if its content has this fingerprint
    #[arg(long, value_name = "SHA256", conflicts_with_all = ["show", "revoke"])]
    pub(crate) hash: Option<String>,
    /// Stop trusting it; hooks can no longer decide
    #[arg(long)]
    pub(crate) revoke: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}
