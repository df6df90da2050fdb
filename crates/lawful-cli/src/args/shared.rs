//! Arguments that several commands share.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lawful::Lawbook;
use lawful::react::Session;
use lawful_host::{Failure, Workspace, state_file};

/// The lawbook of a command.
#[derive(Debug, Args)]
pub(crate) struct Book {
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long = "book", id = "book", value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Book {
    /// The folder that was named.
    pub(crate) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }
}

/// The file of sessions of a command.
#[derive(Debug, Args)]
pub(crate) struct Db {
    /// File of sessions; default: `LAWFUL_DB`, else `.lawful/sessions.db` in the lawbook
    #[arg(long = "db", id = "db", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Db {
    /// The file that was named. `Workspace::session_file` knows the default.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

/// The session that a prompt is for.
#[derive(Debug, Args)]
pub(crate) struct PromptSession {
    /// Session state, or what `session show --format json` prints
    #[arg(long, value_name = "FILE", conflicts_with = "session")]
    pub(crate) state: Option<PathBuf>,
    /// Stored session; its entries, directives, messages and variables go into the prompt
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    #[command(flatten)]
    db: Db,
}

impl PromptSession {
    /// Reads the session, if one is named.
    pub(crate) fn read(
        &self,
        workspace: &Workspace,
        book: &Lawbook,
    ) -> Result<Option<Session>, Failure> {
        match (&self.session, self.db.file()) {
            (None, None) => state_file::session(self.state.as_deref(), &book.manifest().limits),
            (None, Some(_)) => Err(Failure::usage(
                "`--db` names the file of a stored session",
                "name the session with `--session NAME`",
            )),
            (Some(name), file) => workspace.stored_session(name, file).map(Some),
        }
    }
}

/// The context of a prompt.
#[derive(Debug, Args)]
pub(crate) struct Context {
    /// Context value: a number, `true`, `false`, `null` or text; any value as JSON; or a file
    #[arg(short = 'c', long = "context", id = "context", value_name = "KEY=VALUE|KEY:=JSON|@FILE")]
    pub(crate) values: Vec<String>,
}

/// How a result is printed.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

impl Output {
    pub(crate) fn is_json(&self) -> bool {
        self.format.is_json()
    }
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable text.
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    pub(crate) fn is_json(self) -> bool {
        self == Self::Json
    }
}

/// Whether a command runs again when the lawbook changes.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// Run again when the lawbook changes, until interrupted
    #[arg(long, conflicts_with = "format")]
    pub(crate) watch: bool,
}

/// How a report is printed: also in the formats of CI systems.
#[derive(Debug, Args)]
pub(crate) struct ReportOutput {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    pub(crate) format: ReportFormat,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Human-readable text.
    Human,
    /// One JSON document.
    Json,
    /// JUnit XML, for CI systems.
    Junit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

/// How verdicts are printed.
#[derive(Debug, Args)]
pub(crate) struct VerdictOutput {
    /// Output format
    #[arg(long, value_enum, default_value_t = VerdictFormat::Human)]
    pub(crate) format: VerdictFormat,
}

/// The format of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictFormat {
    /// Human-readable text.
    Human,
    /// One JSON document.
    Json,
    /// One line of JSON for each envelope or record, while they are judged.
    Jsonl,
    /// JUnit XML, for CI systems.
    Junit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

/// Whose files, with a value for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scopes {
    /// Your own, for all your projects.
    User,
    /// The project's, for everyone who works on it.
    Project,
    /// Both.
    All,
}

impl From<Scopes> for lawful_host::deliver::Scopes {
    fn from(scopes: Scopes) -> Self {
        match scopes {
            Scopes::User => Self::User,
            Scopes::Project => Self::Project,
            Scopes::All => Self::All,
        }
    }
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// Your own, for all your projects.
    User,
    /// The project's, for everyone who works on it.
    Project,
}

impl From<Scope> for lawful_deliver::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::User => Self::User,
            Scope::Project => Self::Project,
        }
    }
}
