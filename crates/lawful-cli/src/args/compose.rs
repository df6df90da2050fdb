//! The arguments of `compose`, `blame`, `diff`, `matrix` and `align`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Book, Context, Output, PromptSession, Watch};

/// The output format of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PromptFormat {
    /// The prompt alone.
    Text,
    /// One JSON document with the sections and the trace.
    Json,
}

/// How much of a trace to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Detail {
    /// Only the rules that fired.
    Fired,
    /// Every rule, with notes.
    Notes,
    /// Every rule, with its full explanation and the list after it.
    Full,
}

/// Compose a prompt from fragments by rules
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful compose reply --context tone=terse --context tier=vip
  lawful compose reply --context @context.yaml --explain
  lawful compose reply --context 'tags:=[1, 2]'
  lawful compose reply --book examples/support-desk --format json
  lawful compose scene --state state.json
  lawful compose scene --session story --db stories.db
  lawful compose --role reviewer --context team=core
  lawful compose --role reviewer --layers --task assignment.md

The prompt goes to standard output, warnings to standard error. `--explain` prints a table of what
each rule did instead of the prompt. Messages that a session puts into the history follow the
prompt, each under a line with its position and its role.

With `--role`, the prompt is the core, a blank line, and the persona of the role. If any role of the
lawbook breaks the core contract, no prompt is printed, and the exit code is 1.")]
pub(crate) struct Compose {
    /// Composition
    #[arg(required_unless_present = "role")]
    pub(crate) name: Option<String>,
    /// Compose the system prompt of this role, instead of a composition
    #[arg(long, value_name = "ROLE", conflicts_with_all = ["name", "explain"])]
    pub(crate) role: Option<String>,
    /// Show the system, project and task layers separately
    #[arg(long, requires = "role")]
    pub(crate) layers: bool,
    /// Assignment for the task layer; `-` for standard input
    #[arg(long, value_name = "FILE", requires = "layers")]
    pub(crate) task: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) context: Context,
    #[command(flatten)]
    pub(crate) session: PromptSession,
    /// Show what each rule did, and why
    #[arg(long, value_enum, value_name = "DETAIL", num_args = 0..=1, default_missing_value = "notes")]
    pub(crate) explain: Option<Detail>,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) watch: Watch,
    /// Output format
    #[arg(long, value_enum, default_value_t = PromptFormat::Text)]
    pub(crate) format: PromptFormat,
}

/// Show where each line of a prompt comes from
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful blame reply --context tone=terse
  lawful blame --installed AGENTS.md           an installed file")]
pub(crate) struct Blame {
    /// Composition
    #[arg(required_unless_present = "installed")]
    pub(crate) name: Option<String>,
    /// File that `lawful install` wrote, instead of a composition
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "book", "context", "state", "session", "db"])]
    pub(crate) installed: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) context: Context,
    #[command(flatten)]
    pub(crate) session: PromptSession,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Compare a prompt in two contexts, or two compositions in one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful diff reply --context @context.json --against tier=vip
  lawful diff reply --context @monday.json --against-only @tuesday.json
  lawful diff reply reply-v2 --context tier=vip

Characters that look alike, such as a no-break space and a space, are shown as escapes. If the
prompts have too little in common to match every line, the diff shows whole blocks as replaced and
says so.

Exit codes: 0 the prompts are identical, 1 they differ, 2 they could not be composed.")]
pub(crate) struct Diff {
    /// Composition
    pub(crate) name: String,
    /// Composition to compare with
    pub(crate) other: Option<String>,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) context: Context,
    /// Value that the second context has instead, or a file of values; other keys stay the same
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) against: Vec<String>,
    /// Value of the second context, or a file of values; no other key is set
    #[arg(long, value_name = "KEY=VALUE|@FILE", conflicts_with = "against")]
    pub(crate) against_only: Vec<String>,
    #[command(flatten)]
    pub(crate) session: PromptSession,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Show every distinct prompt of a composition across its context axes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful matrix reply
  lawful matrix reply --snapshot prompts.txt    store every prompt
  lawful matrix reply --check prompts.txt       show what changed since

Exit codes: 0 done, 1 a prompt changed since the snapshot, 2 error.")]
pub(crate) struct Matrix {
    /// Composition
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Write every prompt to a file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Show only what changed since a file was written by `--snapshot`
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Compare what the prompts teach with what the rulespec checks
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful align
  lawful align --book examples/engineering-crew --deny gaps
  lawful align --format json

Fragments and personas declare what they teach in front matter: `teaches: [predicate]`. The report
lists predicates that no text in the prompt of a role teaches, names that no predicate has, and
predicates whose teaching fragment a rule forbids.

Exit codes: 0 done, 1 a gap with `--deny gaps` or a broken contract, 2 error.")]
pub(crate) struct Align {
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Findings that make the exit code 1
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Vec<AlignDeny>,
}

/// Findings that can make `lawful align` fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlignDeny {
    /// Everything that is reported.
    Gaps,
}
