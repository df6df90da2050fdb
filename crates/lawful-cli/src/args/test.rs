//! The arguments of `lawful test`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Book, Db, Live, Watch};

/// Play the scenarios of a lawbook, and report what is not as expected
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful test                             every scenario of the lawbook
  lawful test scenarios/push.yaml         one scenario
  lawful test --filter push               those whose name or path contains a text
  lawful test --bless                     fill every empty `expect: {}` with what happened
  lawful test --coverage                  what no scenario covers, and contexts that would
  lawful test --mutate                    changes of the lawbook that no scenario notices
  lawful test --suggest                   write scenarios for what is not covered
  lawful test --record story --db s.db    make a scenario of a stored session
  lawful test --deny uncovered --format junit > test.xml   for CI
  lawful test --watch                     again after every change

Exit codes: 0 all pass, 1 some fail or what `--deny` names is there, 2 a scenario could not be read or
played, or none was found.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
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
    /// Report what the scenarios cover: rules, conditions, fragments, predicates and guards
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Change one thing of the lawbook at a time, and report the changes that no scenario notices
    #[arg(long)]
    pub(crate) mutate: bool,
    /// Exit with 1 if something is not covered, or if a change goes unnoticed
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) deny: Vec<Gap>,
    /// Write scenarios for what is not covered to `scenarios/suggested-….yaml`
    #[arg(long)]
    pub(crate) suggest: bool,
    /// Write a scenario of a stored session to `scenarios/recorded-SESSION.yaml`, and play only that
    #[arg(
        long,
        value_name = "SESSION",
        conflicts_with_all = ["paths", "filter", "bless", "coverage", "mutate", "deny", "suggest", "watch"]
    )]
    pub(crate) record: Option<String>,
    #[command(flatten)]
    pub(crate) db: Db,
    #[command(flatten)]
    pub(crate) live: Live,
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
    /// Annotations of GitHub Actions.
    Github,
}

/// What makes a test fail although its scenarios pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gap {
    /// Something that no scenario covers.
    Uncovered,
    /// A change of the lawbook that no scenario notices.
    Survivors,
}
