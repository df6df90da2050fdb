//! The arguments of delivering prompts to harnesses.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Scope, Scopes};

/// Give the prompts of a lawbook to harnesses
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful install                                  for the harnesses that are used here
  lawful install --harness claude-code codex      for these
  lawful install --all --dry-run                  show what would change
  lawful install --harness claude-code --scope user --activate

Everything is written or nothing is: a conflict, or a role that breaks the core contract, leaves
every file as it is. Without `--harness`, `--all` or `--detect`, the harnesses that have this
lawbook are brought up to date; where there are none, those that are detected are installed.

Exit codes: 0 done, 1 something stands in the way, 2 could not decide.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Install {
    /// For these harnesses; `lawful harnesses` lists them
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with_all = ["all", "detect"])]
    pub(crate) harness: Vec<String>,
    /// For every harness
    #[arg(long, conflicts_with = "detect")]
    pub(crate) all: bool,
    /// For every harness that is used here
    #[arg(long)]
    pub(crate) detect: bool,
    /// Whose files
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// Only these roles
    #[arg(long, value_name = "ROLE", num_args = 1..)]
    pub(crate) role: Vec<String>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// The root of the project; without it, the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Change settings so that the strongest surface is used
    #[arg(long)]
    pub(crate) activate: bool,
    /// Take the place of files of others, and write over edits
    #[arg(long)]
    pub(crate) adopt: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// What to look at.
#[derive(Debug, Args)]
pub(crate) struct Held {
    /// Of these harnesses; without it, of all that the ledgers hold
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) harness: Vec<String>,
    /// Whose files; without it, those of the project and those of the user
    #[arg(long, value_enum)]
    pub(crate) scope: Option<Scopes>,
    /// Of this lawbook; without it, of every lawbook that the ledgers hold
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// The root of the project; without it, the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Compare what is installed with what was written and with the lawbook
#[derive(Debug, Args)]
#[command(after_help = "\
States:
  clean    as it would be written now
  stale    the lawbook has changed since, or has another name
  drifted  it is not as it was written
  both     both
  missing  it is not there
  foreign  there is something else, or a block that the ledger does not know

The core contract is checked on what is on the disk.

Exit codes: 0 everything is clean, 1 something is not, 2 could not decide.")]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) held: Held,
}

/// Take back what was installed, and leave every other byte as it was
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful uninstall                      the nearest lawbook, out of this project
  lawful uninstall --scope all          out of this project and out of your home
  lawful uninstall --every-book --dry-run

Blocks are taken out, earlier settings are put back, and files that were made are removed. What was
edited since stays, and is said.

Exit codes: 0 done, 1 something was left, 2 could not decide.")]
pub(crate) struct Uninstall {
    /// From these harnesses; without it, from all that the ledger holds
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) harness: Vec<String>,
    /// Whose files
    #[arg(long, value_enum, default_value_t = Scopes::Project)]
    pub(crate) scope: Scopes,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR", conflicts_with = "every_book")]
    pub(crate) book: Option<PathBuf>,
    /// Of every lawbook that the ledger holds
    #[arg(long)]
    pub(crate) every_book: bool,
    /// The root of the project; without it, the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// List the harnesses: what each reads, how strongly, and how much of it
#[derive(Debug, Args)]
pub(crate) struct Harnesses {
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}
