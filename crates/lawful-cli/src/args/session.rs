//! The arguments of `lawful session` and `lawful replay`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

/// Keep sessions in a file: take turns, look back, go back
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful session new story --book examples/harbour-tale --db stories.db
  lawful session turn story --input turn.json --key 7f3a --book examples/harbour-tale --db stories.db
  lawful session rewind story --to 3 --db stories.db    to regenerate or edit turn 4
  lawful session effects story --ack 3.4.1 --db stories.db

Exit codes: 0 done, 1 the session is not at the expected version, 2 it could not be done.")]
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
    List(List),
    Rewind(Rewind),
    Effects(Effects),
    Export(Export),
}

/// Where the sessions and the law are, and how the answer is written.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// The file of sessions
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides. Only `new` and
    /// `turn` read it
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Start a session
#[derive(Debug, Args)]
pub(crate) struct New {
    /// Its name; without one, one is made up
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Take one step of a session and keep it
#[derive(Debug, Args)]
#[command(after_help = "\
An input is a turn `{\"user\": text, \"ai\": text, \"writes\": [{\"variableId\", \"operation\", \"value\"}]}`,
an action `{\"action\": id}`, or an event `{\"event\": {\"type\": …}}`.

Exit codes: 0 committed, or a duplicate of what was; 1 the session is not at the expected version;
2 it could not be done.")]
pub(crate) struct Turn {
    /// The session
    pub(crate) session: String,
    /// What happens, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// The name of this request: sent again, it is answered and not applied again
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// The version that the session must be at
    #[arg(long, value_name = "VERSION")]
    pub(crate) expect: Option<u64>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Show the state of a session
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Show every step of a session, those on abandoned branches too
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// List the sessions of a file
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Go back to the end of a turn, and abandon what followed
#[derive(Debug, Args)]
#[command(after_help = "\
To regenerate or edit turn 4, go back to turn 3 and take the turn again. The log keeps what was
abandoned. Effects of abandoned turns that were not acknowledged are withdrawn.")]
pub(crate) struct Rewind {
    /// The session
    pub(crate) session: String,
    /// The turn; 0 is the start
    #[arg(long, value_name = "TURN")]
    pub(crate) to: u64,
    /// The version that the session must be at
    #[arg(long, value_name = "VERSION")]
    pub(crate) expect: Option<u64>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Show the effects that wait for the host, and acknowledge those it has done
#[derive(Debug, Args)]
pub(crate) struct Effects {
    /// The session
    pub(crate) session: String,
    /// An effect that the host has done
    #[arg(long, value_name = "ID")]
    pub(crate) ack: Vec<String>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Print everything of a session as one JSON document
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The session
    pub(crate) session: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Play the log of a session again, and show what differs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful replay story --db stories.db                   by the law that each turn was taken by
  lawful replay story --db stories.db --with new-law    by another, to see what it would have changed

The law of every turn is kept in the file, so a log can be played again after the lawbook changed.

Exit codes: 0 everything is the same, 1 something differs, 2 it could not be played.")]
pub(crate) struct Replay {
    /// The session
    pub(crate) session: String,
    /// The file of sessions
    #[arg(long, value_name = "FILE")]
    pub(crate) db: PathBuf,
    /// The folder of another lawbook
    #[arg(long, value_name = "DIR")]
    pub(crate) with: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}
