//! The arguments of every command.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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

/// Check a lawbook, or single documents of one, and report every problem
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful check                                the lawbook around the working directory
  lawful check --book examples/support-desk   another one
  lawful check conditions/tone.yaml           one document, in the light of its lawbook
  lawful check --deny warnings --format json  for a pipeline

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
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
