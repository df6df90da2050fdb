//! The arguments of `lawful session` and `lawful replay`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Book, Db, Output};

/// Store sessions in a file: take turns, inspect them, rewind
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful session new story --book examples/harbour-tale --db stories.db
  lawful session turn story --input turn.json --key 7f3a --db stories.db
  lawful session rewind story --to 3 --db stories.db    to regenerate or edit turn 4
  lawful session effects story --ack 3.4.1 --db stories.db
  lawful session fork story other --at 7 --db stories.db

Exit codes: 0 done, 1 the session is not at the expected version, 2 error.")]
pub(crate) struct SessionCommand {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    New(New),
    Turn(Turn),
    Show(Show),
    Log(Log),
    WhyNot(WhyNot),
    List(List),
    Rewind(Rewind),
    Effects(Effects),
    Fork(Fork),
    Export(Export),
    Import(Import),
    Delete(Delete),
}

/// Where the sessions and the lawbook are, and the output format.
#[derive(Debug, Args)]
pub(crate) struct Place {
    #[command(flatten)]
    pub(crate) db: Db,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Which sessions are read.
#[derive(Debug, Args)]
pub(crate) struct Live {
    /// Sessions of harnesses, which hooks store in your state folder
    #[arg(long = "live", id = "live", conflicts_with = "db")]
    pub(crate) is_live: bool,
}

/// Start a session
#[derive(Debug, Args)]
pub(crate) struct New {
    /// Name; default: a generated one
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Run one step of a session and store it
#[derive(Debug, Args)]
#[command(after_help = "\
An input is a turn `{\"user\": text, \"ai\": text, \"writes\": [{\"variableId\", \"operation\", \"value\"}]}`,
an action `{\"action\": id, …fields}`, an event `{\"event\": {\"type\": …}}`, or writes of the host
`{\"set\": [{\"path\", \"operation\"?, \"value\"}]}`, which may change protected variables.

Exit codes: 0 committed, or a duplicate of a committed step; 1 the session is not at the expected
version; 2 error.")]
pub(crate) struct Turn {
    /// Session
    pub(crate) session: String,
    /// Input of the step, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Idempotency key: a repeated request returns the stored result
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Version that the session must be at
    #[arg(long, value_name = "VERSION")]
    pub(crate) expect: Option<u64>,
    /// Fail if a rule has errors; default: leave it out
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say why each rule that did not fire was held back
    #[arg(long)]
    pub(crate) why_not: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Show the state of a session
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) live: Live,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Show every step of a session, including those on abandoned branches
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// Session
    pub(crate) session: String,
    /// Only steps after this version
    #[arg(long, value_name = "VERSION")]
    pub(crate) after: Option<u64>,
    /// Only steps of this turn
    #[arg(long, value_name = "TURN")]
    pub(crate) turn: Option<u64>,
    #[command(flatten)]
    pub(crate) live: Live,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Say why each rule that did not fire in a step was held back
#[derive(Debug, Args)]
#[command(after_help = "\
The step runs again, with the rules that were stored with it.")]
pub(crate) struct WhyNot {
    /// Session
    pub(crate) session: String,
    /// Version of the step
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: u64,
    #[command(flatten)]
    pub(crate) live: Live,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// List the sessions of a file
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) live: Live,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Return to the end of a turn, or to a version, and abandon what followed
#[derive(Debug, Args)]
#[command(after_help = "\
To regenerate or edit turn 4, rewind to turn 3 and take the turn again. To undo a step that is not a
turn, such as an action, rewind to the version before it. The log keeps abandoned steps. Their effects
are withdrawn unless they were acknowledged.")]
pub(crate) struct Rewind {
    /// Session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) target: RewindTarget,
    /// Version that the session must be at
    #[arg(long, value_name = "VERSION")]
    pub(crate) expect: Option<u64>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Where a rewind leads.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RewindTarget {
    /// Turn; 0 is the start
    #[arg(long, value_name = "TURN")]
    pub(crate) to: Option<u64>,
    /// Version of a step on the current branch
    #[arg(long, value_name = "VERSION")]
    pub(crate) to_version: Option<u64>,
}

/// List the pending effects, and acknowledge those that are done
#[derive(Debug, Args)]
pub(crate) struct Effects {
    /// Session
    pub(crate) session: String,
    /// Effect that the host has performed
    #[arg(long, value_name = "ID")]
    pub(crate) ack: Vec<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Print everything about a session as one JSON document
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Copy a session under a new name
#[derive(Debug, Args)]
#[command(after_help = "\
The copy has the steps from the start to the version, with their versions and keys, and then a life of
its own. Effects that are pending stay with the original.")]
pub(crate) struct Fork {
    /// Session
    pub(crate) session: String,
    /// Name of the copy
    #[arg(value_name = "NEW")]
    pub(crate) name: String,
    /// Version of the last step to copy, on any branch; default: the current one
    #[arg(long, value_name = "VERSION")]
    pub(crate) at: Option<u64>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Create a session from a document that `export` printed
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Exported session; `-` for standard input
    pub(crate) file: PathBuf,
    /// Name; default: that of the exported session
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Delete a session and its log
#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// Session
    pub(crate) session: String,
    /// Confirm: a deleted session cannot be restored
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Replay the log of a session, and show the differences
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful replay story --db stories.db                   by the rules of each turn
  lawful replay story --db stories.db --with new-law    by another lawbook, to see what changes

The file stores the rules of every turn, so a log can be replayed after the lawbook changed.

Exit codes: 0 no differences, 1 differences, 2 error.")]
pub(crate) struct Replay {
    /// Session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) db: Db,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Folder of another lawbook
    #[arg(long, value_name = "DIR")]
    pub(crate) with: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}
