//! The arguments of `lawful verify` and `lawful envelope`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Book, Output, VerdictOutput};

/// Judge an agent's envelope by a rulespec
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful verify envelope.yaml                            by the rulespec of the lawbook
  lawful verify --rulespec rules.yaml envelope.yaml --explain
  lawful verify envelope.yaml --observed seen.json       with an observation
  lawful verify runs/ more.jsonl --fail-fast             many envelopes
  lawful verify --records runs.jsonl.zst --format jsonl  records of a host, one result per line
  zcat runs.gz | lawful verify --records --from 5000 -   from standard input, continued at a line
  lawful verify envelope.yaml --format github            annotations in a workflow

Exit codes: 0 pass, 1 fail, 2 undecided, interrupted or error.")]
pub(crate) struct Verify {
    /// Envelopes: files, folders, or `.jsonl` or `.ndjson` files with one per line, also with `.gz`
    /// or `.zst`; `-` for standard input
    #[arg(value_name = "ENVELOPE", required = true)]
    pub(crate) envelopes: Vec<PathBuf>,
    /// Read records of a host, `{id, facts, observed, meta}`, with their own observations; standard
    /// input has one per line
    #[arg(long, conflicts_with_all = ["observed", "artifacts"])]
    pub(crate) records: bool,
    /// Start at this line of the first file, which must have one envelope or record per line
    #[arg(long, value_name = "LINE")]
    pub(crate) from: Option<NonZeroUsize>,
    /// Rulespec; default: `hooks.stop.rulespec` of the lawbook, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Observation of the host, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Write the compiled program and what it derived to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) artifacts: Option<PathBuf>,
    /// Fail predicates that pass only because a value is absent
    #[arg(long)]
    pub(crate) deny_vacuous: bool,
    /// Show how each verdict was derived, down to the facts
    #[arg(long)]
    pub(crate) explain: bool,
    /// Stop at the first envelope that does not pass
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Number of failed envelopes to show
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_failures: usize,
    /// Number of envelopes to judge in parallel; default: one per core
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) output: VerdictOutput,
}

/// Write the envelope of finished work, or check that it was written
#[derive(Debug, Args)]
pub(crate) struct EnvelopeArgs {
    #[command(subcommand)]
    pub(crate) command: EnvelopeCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EnvelopeCommand {
    Write(EnvelopeWrite),
    Check(EnvelopeCheck),
}

/// Write an envelope, judge it, and say what to fix
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful envelope write --facts facts.yaml
  echo '{feature: {file: src/feature.rs}}' | lawful envelope write --facts -

It also writes `rulespec.compiled.dl` and `datalog_evaluation.txt`, next to `envelope.yaml`.

Exit codes: 0 pass, 1 fail, 2 undecided or error.")]
pub(crate) struct EnvelopeWrite {
    /// Facts, with or without the `facts` key; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: PathBuf,
    /// Output folder; default: `.lawful` in the lawbook folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) law: EnvelopeLaw,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Check that an envelope was written and passes
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 pass, 1 fail or no envelope, 2 undecided or error.")]
pub(crate) struct EnvelopeCheck {
    /// Folder of the envelope; default: `.lawful` in the lawbook folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) law: EnvelopeLaw,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What judges an envelope that is written or checked.
#[derive(Debug, Args)]
pub(crate) struct EnvelopeLaw {
    /// Rulespec; default: `hooks.stop.rulespec` of the lawbook, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Observation of the host, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Observe what `hooks.stop.observe` lists first, as the hook does; this runs its commands
    #[arg(long, conflicts_with = "observed")]
    pub(crate) observe: bool,
}
