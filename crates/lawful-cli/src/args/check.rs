//! The arguments of `check`, `eval`, `explain` and `completions`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Book, Output, ReportOutput, Watch};

/// Check a lawbook, or some of its documents, and report every problem
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful check                                the lawbook of the working directory
  lawful check --book examples/support-desk   the lawbook in a folder
  lawful check conditions/tone.yaml           one document, checked within its lawbook
  lawful check --deny warnings --format json  for CI
  lawful check --format github                annotations in a workflow
  lawful check --graph dot | dot -Tsvg        which rule can trigger which
  lawful check --watch                        again after every change

Exit codes: 0 no errors, 1 errors (or warnings with `--deny warnings`), 2 the lawbook could not be read.")]
pub(crate) struct Check {
    /// Lawbooks, folders of a lawbook, or documents
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    pub(crate) deny: Vec<Deny>,
    /// Print the graph of which rule can trigger which; problems go to standard error
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) graph: Option<GraphLanguage>,
    #[command(flatten)]
    pub(crate) watch: Watch,
    #[command(flatten)]
    pub(crate) output: ReportOutput,
}

/// A graph language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphLanguage {
    /// Graphviz.
    Dot,
    /// Mermaid.
    Mermaid,
}

/// What `check` denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Exit with 1 if there are warnings.
    Warnings,
}

/// Evaluate a condition against a document, and explain the result
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful eval when.yaml --data context.json
  lawful eval when.yaml --data context.yaml --conditions saved.yaml
  echo '{user: {tier: vip}}' | lawful eval when.yaml --data -

A condition is written as {tone: terse}, as {path: score, op: gt, value: 10}, or as a tree of
`all`, `any`, `not` and `ref`.

Exit codes: 0 true, 1 false, 2 invalid condition or evaluation error.")]
pub(crate) struct Eval {
    /// Condition, as YAML or JSON; `-` for standard input
    #[arg(value_name = "CONDITION-FILE")]
    pub(crate) condition: PathBuf,
    /// Document to evaluate against, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
    /// Saved conditions: a mapping of id to condition
    #[arg(long, value_name = "FILE")]
    pub(crate) conditions: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Explain a diagnostic code, or list them all
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful explain unknown-ref
  lawful explain")]
pub(crate) struct Explain {
    /// Code, as printed in brackets after `error` or `warning`
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lawful completions bash > ~/.local/share/bash-completion/completions/lawful")]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
    #[command(flatten)]
    pub(crate) output: Output,
}
