//! The arguments of `lawful compose` and `lawful align`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

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
  lawful compose reply --book examples/support-desk --format json
  lawful compose scene --state state.json
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
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Context value, or a file of values; values are YAML scalars
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// Session state; its entries, directives and messages go into the prompt
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Show what each rule did, and why
    #[arg(long, value_enum, value_name = "DETAIL", num_args = 0..=1, default_missing_value = "notes")]
    pub(crate) explain: Option<Detail>,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = PromptFormat::Text)]
    pub(crate) format: PromptFormat,
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
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
