//! The arguments of every command.

mod session;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use session::{
    Effects, Export, List, Log, New, Replay, Rewind, SessionCommand, Show, Turn, Verb,
};

/// One rule system for AI agents: it composes their prompts, reacts between their turns, verifies
/// their work, and explains every decision.
#[derive(Debug, Parser)]
#[command(name = "lawful", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 yes, 1 no, 2 could not decide.
With `--format json` standard output is one JSON document, whatever the exit code.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Eval(Eval),
    Compose(Compose),
    Blame(Blame),
    Diff(Diff),
    Matrix(Matrix),
    React(React),
    Session(SessionCommand),
    Replay(Replay),
    Explain(Explain),
    Completions(Completions),
}

/// How the answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    pub(crate) fn is_json(self) -> bool {
        self == Self::Json
    }
}

/// Check a lawbook, or single documents of one, and report every problem
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful check                                the lawbook around the working directory
  lawful check --book examples/support-desk   another one
  lawful check conditions/tone.yaml           one document, in the light of its lawbook
  lawful check --deny warnings --format json  for a pipeline
  lawful check --graph dot | dot -Tsvg        which rule can trigger which

Exit codes: 0 nothing wrong, 1 problems found, 2 the lawbook could not be read.")]
pub(crate) struct Check {
    /// Lawbooks, folders of one, or single documents
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    pub(crate) deny: Vec<Deny>,
    /// Print the graph of which rule can trigger which; problems go to standard error
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) graph: Option<GraphLanguage>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// A language that graphs are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphLanguage {
    /// The language of Graphviz.
    Dot,
    /// The language of Mermaid.
    Mermaid,
}

/// What `check` does not let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Warnings.
    Warnings,
}

/// Evaluate one condition against a document, and explain the answer
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful eval when.yaml --data context.json
  lawful eval when.yaml --data context.yaml --conditions saved.yaml
  echo '{user: {tier: vip}}' | lawful eval when.yaml --data -

A condition is written as {tone: terse}, as {path: score, op: gt, value: 10}, or as a tree of
`all`, `any`, `not` and `ref`.

Exit codes: 0 it holds, 1 it does not, 2 it does not compile or cannot be decided.")]
pub(crate) struct Eval {
    /// The condition, as YAML or JSON; `-` for standard input
    #[arg(value_name = "CONDITION-FILE")]
    pub(crate) condition: PathBuf,
    /// The document it is asked of, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Saved conditions: a mapping of id to condition
    #[arg(long, value_name = "FILE")]
    pub(crate) conditions: Vec<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Explain a diagnostic code, or list them all
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful explain unknown-ref
  lawful explain")]
pub(crate) struct Explain {
    /// The code, as it stands in brackets after `error` or `warning`
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lawful completions bash > ~/.local/share/bash-completion/completions/lawful")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

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

The prompt goes to standard output and warnings to standard error. With `--explain`, the table of
what each rule did is printed in place of the prompt. Messages that a session puts into the history
follow the prompt, each under a line that says where it goes and who says it.")]
pub(crate) struct Compose {
    /// The composition
    pub(crate) name: String,
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

/// Show where every line of a prompt comes from
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lawful blame reply --context tone=terse")]
pub(crate) struct Blame {
    /// The composition
    pub(crate) name: String,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// A value of the context, or a file of values
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// The state of a session, whose entries, directives and messages go into the prompt
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Compare a prompt in two contexts, or two compositions in one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful diff reply --context tier=free --against tier=vip
  lawful diff reply reply-v2 --context tier=vip

Exit codes: 0 the prompts are the same, 1 they differ, 2 they could not be made.")]
pub(crate) struct Diff {
    /// The composition
    pub(crate) name: String,
    /// Another composition to compare with
    pub(crate) other: Option<String>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// A value of the first context, or a file of values
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// A value of the second context, or a file of values; without any, the first context is used
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) against: Vec<String>,
    /// Count tokens with the o200k vocabulary instead of estimating them
    #[arg(long)]
    pub(crate) exact: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Show every distinct prompt of a composition over its context axes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful matrix reply
  lawful matrix reply --snapshot prompts.json    keep every prompt
  lawful matrix reply --check prompts.json       exit 1 if any has changed")]
pub(crate) struct Matrix {
    /// The composition
    pub(crate) name: String,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Write every prompt to a file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Compare every prompt with a file that `--snapshot` wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Count tokens with the o200k vocabulary instead of estimating them
    #[arg(long)]
    pub(crate) exact: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Take one step of a session: fire the rules that an input sets off
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful react --input turn.json                          the first turn of a new session
  lawful react --state state.json --input turn.json --state-out state.json
  echo '{\"action\": \"open-shop\"}' | lawful react --input - --why-not

An input is a turn `{\"user\": text, \"ai\": text, \"writes\": [{\"variableId\", \"operation\", \"value\"}]}`,
an action `{\"action\": id}`, or an event `{\"event\": {\"type\": …}}`.

Exit codes: 0 the step ran, 2 it could not.")]
pub(crate) struct React {
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// The state before the step, as YAML or JSON; `-` for standard input; without it, a new session
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// What happens, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Where to write the state after the step
    #[arg(long, value_name = "FILE")]
    pub(crate) state_out: Option<PathBuf>,
    /// Say of every rule that did not fire what held it
    #[arg(long)]
    pub(crate) why_not: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}
