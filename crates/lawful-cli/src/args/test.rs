//! The arguments of `lawful test`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Book, Watch};

/// Play the scenarios of a lawbook, and report what is not as expected
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful test                             every scenario of the lawbook
  lawful test scenarios/push.yaml         one scenario
  lawful test --filter push               those whose name or path contains a text
  lawful test --bless                     fill every empty `expect: {}` with what happened
  lawful test --format junit > test.xml   for CI
  lawful test --watch                     again after every change

Exit codes: 0 all pass, 1 some fail, 2 a scenario could not be read or played, or there is none.")]
pub(crate) struct Test {
    /// Scenarios, or folders that contain them
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    /// Play only scenarios whose name or path contains this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Scenarios to play at once; default: the number of processors
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Fill every empty `expect: {}` with what happened, and change nothing else
    #[arg(long)]
    pub(crate) bless: bool,
    #[command(flatten)]
    pub(crate) watch: Watch,
    /// Output format
    #[arg(long, value_enum, default_value_t = TestFormat::Human)]
    pub(crate) format: TestFormat,
}

/// The format of test results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestFormat {
    /// Human-readable text.
    Human,
    /// One JSON document.
    Json,
    /// JUnit XML, for CI systems.
    Junit,
}
