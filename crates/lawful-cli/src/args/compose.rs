//! The arguments of composing, and of what prompts teach.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

/// How a prompt is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PromptFormat {
    /// The prompt alone.
    Text,
    /// One JSON document, with the sections and the trace.
    Json,
}

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Detail {
    /// Only the rules that fired.
    Fired,
    /// Every rule, and what did not fit.
    Notes,
    /// Every rule with its whole explanation and the list after it.
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

The prompt goes to standard output and warnings to standard error. With `--explain`, the table of
what each rule did is printed in place of the prompt. Messages that a session puts into the history
follow the prompt, each under a line that says where it goes and who says it.

With `--role` the prompt is the core, a blank line, and the persona of the role. If any role of the
lawbook breaks the core contract, no prompt is printed: exit code 1.")]
pub(crate) struct Compose {
    /// The composition
    #[arg(required_unless_present = "role")]
    pub(crate) name: Option<String>,
    /// The role whose system prompt is composed, in place of a composition
    #[arg(long, value_name = "ROLE", conflicts_with_all = ["name", "explain"])]
    pub(crate) role: Option<String>,
    /// Show the system, project and task layers apart
    #[arg(long, requires = "role")]
    pub(crate) layers: bool,
    /// The assignment that is the task layer; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "layers")]
    pub(crate) task: Option<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// A value of the context, or a file of values; values are YAML scalars
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// The state of a session, whose entries, directives and messages go into the prompt
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Show what each rule did, and why
    #[arg(long, value_enum, value_name = "DETAIL", num_args = 0..=1, default_missing_value = "notes")]
    pub(crate) explain: Option<Detail>,
    /// Count tokens with the o200k vocabulary instead of estimating them
    #[arg(long)]
    pub(crate) exact: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = PromptFormat::Text)]
    pub(crate) format: PromptFormat,
}

/// Hold what prompts teach against what predicates check
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful align
  lawful align --book examples/engineering-crew --deny gaps
  lawful align --format json

Fragments and personas say what they teach in their front matter: `teaches: [predicate]`. Reported are
predicates that nothing in the prompt of a role teaches, names that no predicate has, and predicates
whose teaching fragment a rule forbids.

Exit codes: 0 read, 1 a gap with `--deny gaps` or a broken contract, 2 could not decide.")]
pub(crate) struct Align {
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
    /// What makes the answer a no
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Vec<AlignDeny>,
}

/// What may make the answer of `lawful align` a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlignDeny {
    /// Anything that is reported.
    Gaps,
}
