//! The arguments of delivery: `install`, `status`, `uninstall` and `harnesses`.

use std::path::PathBuf;

use clap::Args;

use super::{Book, Output, Scope, Scopes};

/// Write the prompts of a lawbook to the files that harnesses read
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful install                                  the harnesses in use here
  lawful install --harness claude-code codex      these harnesses
  lawful install --all --dry-run                  show what would change
  lawful install --harness claude-code --scope user --activate

Lawful writes everything or nothing: a conflict, or a role that breaks the core contract, leaves
every file unchanged. Without `--harness`, `--all` or `--detect`, it updates the harnesses that have
this lawbook; if there are none, it installs for those in use.

In a project it also writes `lawful.lock`, by which clones and other branches know what is installed:
commit it with the files.

Exit codes: 0 done, 1 conflict, 2 error.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Install {
    /// Install for these harnesses; `lawful harnesses` lists them
    #[arg(
        long,
        value_name = "ID",
        num_args = 1..,
        value_delimiter = ',',
        conflicts_with_all = ["all", "detect"]
    )]
    pub(crate) harness: Vec<String>,
    /// Install for every harness
    #[arg(long, conflicts_with = "detect")]
    pub(crate) all: bool,
    /// Install for every harness in use here
    #[arg(long)]
    pub(crate) detect: bool,
    /// Whose files to write
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// Install only these roles
    #[arg(long, value_name = "ROLE", num_args = 1..)]
    pub(crate) role: Vec<String>,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Project root; default: the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Show what would change, without changing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Change settings to use the strongest surface
    #[arg(long)]
    pub(crate) activate: bool,
    /// Replace files that Lawful did not write, and overwrite edits
    #[arg(long, alias = "adopt")]
    pub(crate) overwrite: bool,
    /// Confirm without a question that the project was moved here
    #[arg(long)]
    pub(crate) yes: bool,
    /// Write a file even if a harness then stops reading one of yours
    #[arg(long)]
    pub(crate) may_hide: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What to report on.
#[derive(Debug, Args)]
pub(crate) struct Held {
    /// Only these harnesses; default: all in the ledgers
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    /// Whose files; default: both the project's and the user's
    #[arg(long, value_enum)]
    pub(crate) scope: Option<Scopes>,
    /// Only this lawbook; default: every lawbook in the ledgers
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Project root; default: the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Compare installed files with what was written and with the lawbook
#[derive(Debug, Args)]
#[command(after_help = "\
States:
  clean     equal to what would be written now
  inactive  written, but the harness does not read it; the line says what to do
  stale     the lawbook changed after the install, or was renamed
  drifted   edited after the install
  both      stale and drifted
  missing   deleted
  foreign   something else is there, or a block that is not in the ledger

A text must reach the model once: `arrives` in the JSON is `once`, `twice`, `no` or `changed`. The
core contract is checked on the files on disk. Hooks in the settings of harnesses are listed
too; `lawful hook status` shows their commands.

Exit codes: 0 everything is clean, 1 something is not, 2 error.")]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) held: Held,
}

/// Remove what was installed, and leave every other byte unchanged
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful uninstall                      the nearest lawbook, from this project
  lawful uninstall --scope all          from this project and from your home
  lawful uninstall --every-book --dry-run

Uninstalling removes blocks, restores earlier settings, and deletes files that Lawful created. What
was edited after the install is kept and reported.

Exit codes: 0 done, 1 something was kept, 2 error.")]
pub(crate) struct Uninstall {
    /// Only these harnesses; default: all in the ledger
    #[arg(long, value_name = "ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    /// Whose files to remove
    #[arg(long, value_enum, default_value_t = Scopes::Project)]
    pub(crate) scope: Scopes,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Remove every lawbook in the ledger
    #[arg(long, conflicts_with = "book")]
    pub(crate) every_book: bool,
    /// Project root; default: the root of the repository
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Show what would change, without changing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Confirm without a question that the project was moved here
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Bring back a text that an installation overwrote
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful restore AGENTS.md             show the difference, and ask
  lawful restore AGENTS.md --list      the versions of this file
  lawful restore AGENTS.md --number 2  the version before the newest
  lawful restore --list                every file that has a version

`lawful install --overwrite` and `lawful hook install` keep every edit that they replace, in your
state folder. What a restoration replaces is kept too, so it can be undone in the same way. Of a
settings file, only the value that was replaced is kept.

Exit codes: 0 restored, 1 declined, or nothing is kept, 2 error, or a question that could not be
asked.")]
pub(crate) struct Restore {
    /// File to restore
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub(crate) file: Option<PathBuf>,
    /// List the versions, without restoring any
    #[arg(long, conflicts_with_all = ["number", "dry_run", "yes"])]
    pub(crate) list: bool,
    /// Number of the version; the newest is 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,
    /// Show the difference, without changing anything
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// List the harnesses: what each reads, how strongly, and up to what size
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful harnesses                    every harness
  lawful harnesses claude-code codex  these harnesses

Each surface has the scope, who reads it, how strongly, and the day on which the text was last seen
to arrive in the real client.")]
pub(crate) struct Harnesses {
    /// Only these harnesses; default: all
    #[arg(value_name = "ID", value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
