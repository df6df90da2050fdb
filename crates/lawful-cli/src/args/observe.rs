//! The arguments of `lawful observe`.

use std::path::PathBuf;

use clap::Args;

use super::{Book, Output};

/// Record what the host sees: git changes, files, test results, command exit codes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful observe --git HEAD
  lawful observe --git origin/main --run tests --junit out/junit.xml --out observed.json
  lawful observe --files 'src/**/*.rs' 'docs/*.md'

Standard output is one JSON object in every format; problems go to standard error:
  --git    changed, added, deleted   paths relative to the root of the repository; untracked files
                                     count as added, a renamed file as one deleted and one added
  --files  files                     existing files that match, relative to the same root
  --junit  tests, failing            the result of each test (passed, failed, error, skipped) by
                                     `classname.name`, and the names of those with failed or error
  --run    runs                      {\"exit\", \"seconds\"} of each command, by name

A key is present exactly if it was asked for. `--run` runs only commands that `observe` in
`lawful.yaml` lists; their output goes to standard error. In a pattern, `*` and `?` do not
match `/`, and `**` does.

Exit codes: 0 everything was observed, 2 something could not be observed.")]
pub(crate) struct Observe {
    /// Changes in the working tree since this commit
    #[arg(long, value_name = "BASE")]
    pub(crate) git: Option<String>,
    /// Existing files that match these patterns
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) files: Vec<String>,
    /// Results in these JUnit reports; patterns are allowed
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) junit: Vec<String>,
    /// Run these commands of the manifest
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) run: Vec<String>,
    /// Write the observation to a file; standard output gets it only with `--format json`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) book: Book,
    #[command(flatten)]
    pub(crate) output: Output,
}
