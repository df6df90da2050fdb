//! The arguments of every command.

mod compose;
mod deliver;
mod schema;
mod session;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use compose::{Align, AlignDeny, Compose, Detail, PromptFormat};
pub(crate) use deliver::{Harnesses, Install, Status, Uninstall};
pub(crate) use schema::Schema;
pub(crate) use session::{
    Effects, Export, List, Log, New, Replay, Rewind, SessionCommand, Show, Turn, Verb,
};

/// One rule system for AI agents: compose their prompts, react between their turns, verify their
/// work, and explain every decision.
#[derive(Debug, Parser)]
#[command(name = "lawful", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 yes, 1 no, 2 could not decide.
With `--format json` standard output is one JSON document for every exit code.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Eval(Eval),
    Compose(Compose),
    Blame(Blame),
    Diff(Diff),
    Matrix(Matrix),
    Align(Align),
    Verify(Verify),
    Envelope(EnvelopeArgs),
    Install(Install),
    Status(Status),
    Uninstall(Uninstall),
    Harnesses(Harnesses),
    Observe(Observe),
    Hook(Hook),
    React(React),
    Session(SessionCommand),
    Replay(Replay),
    Explain(Explain),
    Schema(Schema),
    Completions(Completions),
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable text.
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    pub(crate) fn is_json(self) -> bool {
        self == Self::Json
    }
}

/// Check a lawbook, or some of its documents, and report every problem
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful check                                the lawbook of the working directory
  lawful check --book examples/support-desk   the lawbook in a folder
  lawful check conditions/tone.yaml           one document, checked within its lawbook
  lawful check --deny warnings --format json  for CI
  lawful check --graph dot | dot -Tsvg        which rule can trigger which

Exit codes: 0 no errors, 1 errors (or warnings with `--deny warnings`), 2 the lawbook could not be read.")]
pub(crate) struct Check {
    /// Lawbooks, folders of a lawbook, or documents
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    pub(crate) deny: Vec<Deny>,
    /// Print the graph of which rule can trigger which; problems go to standard error
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    pub(crate) graph: Option<GraphLanguage>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
    /// Warnings.
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
    /// Output format
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
    /// Code, as printed in brackets after `error` or `warning`
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "book", "context", "state"])]
    pub(crate) installed: Option<PathBuf>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Context value, or a file of values
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// Session state; its entries, directives and messages go into the prompt
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Compare a prompt in two contexts, or two compositions in one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful diff reply --context tier=free --against tier=vip
  lawful diff reply reply-v2 --context tier=vip

Exit codes: 0 the prompts are identical, 1 they differ, 2 they could not be composed.")]
pub(crate) struct Diff {
    /// Composition
    pub(crate) name: String,
    /// Composition to compare with
    pub(crate) other: Option<String>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Value of the first context, or a file of values
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) context: Vec<String>,
    /// Value of the second context, or a file of values; default: the first context
    #[arg(long, value_name = "KEY=VALUE|@FILE")]
    pub(crate) against: Vec<String>,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Show every distinct prompt of a composition across its context axes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful matrix reply
  lawful matrix reply --snapshot prompts.json    store every prompt
  lawful matrix reply --check prompts.json       exit 1 if any prompt changed")]
pub(crate) struct Matrix {
    /// Composition
    pub(crate) name: String,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Write every prompt to a file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Compare every prompt with a file written by `--snapshot`
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,
    /// Count tokens with the o200k vocabulary instead of estimating
    #[arg(long)]
    pub(crate) exact: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

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
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Output format of problems
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Judge an agent's envelope by a rulespec
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful verify envelope.yaml                            by the rulespec of the lawbook
  lawful verify --rulespec rules.yaml envelope.yaml --explain
  lawful verify envelope.yaml --observed seen.json       with an observation
  lawful verify runs/ more.jsonl --fail-fast             many envelopes

Exit codes: 0 pass, 1 fail, 2 undecided or error.")]
pub(crate) struct Verify {
    /// Envelopes: files, folders, or `.jsonl` files with one envelope per line; `-` for standard
    /// input
    #[arg(value_name = "ENVELOPE", required = true)]
    pub(crate) envelopes: Vec<PathBuf>,
    /// Rulespec; default: `hooks.stop.rulespec` of the lawbook, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
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
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Run one step of a session: fire the rules that an input triggers
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
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// State before the step, as YAML or JSON; `-` for standard input; default: a new session
    #[arg(long, value_name = "FILE")]
    pub(crate) state: Option<PathBuf>,
    /// Input of the step, as YAML or JSON; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// File for the state after the step
    #[arg(long, value_name = "FILE")]
    pub(crate) state_out: Option<PathBuf>,
    /// Say why each rule that did not fire was held back
    #[arg(long)]
    pub(crate) why_not: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
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
    /// Rulespec; default: `hooks.stop.rulespec` of the lawbook, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Observation of the host, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Observe what `hooks.stop.observe` lists first, as the hook does; this runs its commands
    #[arg(long, conflicts_with = "observed")]
    pub(crate) observe: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Check that an envelope was written and passes
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 pass, 1 fail or no envelope, 2 undecided or error.")]
pub(crate) struct EnvelopeCheck {
    /// Folder of the envelope; default: `.lawful` in the lawbook folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Rulespec; default: `hooks.stop.rulespec` of the lawbook, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// Lawbook folder; default: the nearest folder upward that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// Observation of the host, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Observe what `hooks.stop.observe` lists first, as the hook does; this runs its commands
    #[arg(long, conflicts_with = "observed")]
    pub(crate) observe: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Check an agent's work when it wants to stop
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful hook install --harness claude-code               for this project
  lawful hook install --harness claude-code --scope user  for all your projects
  lawful hook uninstall --harness claude-code
  lawful hook --harness claude-code stop                  what the harness runs

The harnesses are claude-code, codex and gemini-cli. `hooks.stop` in `lawful.yaml` says what to
observe before the envelope is judged, and how often in a row the agent can be blocked.")]
pub(crate) struct Hook {
    /// Harness of the agent
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) harness: Option<String>,
    #[command(subcommand)]
    pub(crate) action: HookAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookAction {
    Stop(HookStop),
    Install(HookInstall),
    Uninstall(HookUninstall),
}

/// Tell a harness whether its agent may stop
#[derive(Debug, Args)]
#[command(after_help = "\
The harness writes its event to standard input as JSON, and reads the answer from standard output.
The output is empty if the agent may stop; otherwise it is the reason why not. The exit code is 0 in
both cases, and 2 only for invalid arguments.")]
pub(crate) struct HookStop {
    /// Lawbook folder; default: the nearest folder upward from the project that has a `lawful.yaml`
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What to do if there is no lawbook
    #[arg(long, value_enum, default_value_t = WhenUndecided::Block)]
    pub(crate) undecided: WhenUndecided,
}

/// What to do if the hook cannot decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhenUndecided {
    /// Keep the agent from stopping.
    Block,
    /// Let the agent stop.
    Allow,
}

impl From<WhenUndecided> for lawful::book::Undecided {
    fn from(undecided: WhenUndecided) -> Self {
        match undecided {
            WhenUndecided::Block => Self::Block,
            WhenUndecided::Allow => Self::Allow,
        }
    }
}

/// Add the hook to the settings of a harness
#[derive(Debug, Args)]
pub(crate) struct HookInstall {
    /// Whose settings to change
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// Lawbook folder for the hook; default: look for one on every run
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What the hook does if there is no lawbook
    #[arg(long, value_enum, default_value_t = WhenUndecided::Block)]
    pub(crate) undecided: WhenUndecided,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Remove the hook from the settings of a harness
#[derive(Debug, Args)]
pub(crate) struct HookUninstall {
    /// Whose settings to change
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Whose files, with a value for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scopes {
    /// Of the user, for all their projects.
    User,
    /// Of the project, for everyone who works on it.
    Project,
    /// Both.
    All,
}

impl From<Scopes> for lawful_host::deliver::Scopes {
    fn from(scopes: Scopes) -> Self {
        match scopes {
            Scopes::User => Self::User,
            Scopes::Project => Self::Project,
            Scopes::All => Self::All,
        }
    }
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// Of the user, for all their projects.
    User,
    /// Of the project, for everyone who works on it.
    Project,
}

impl From<Scope> for lawful_deliver::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::User => Self::User,
            Scope::Project => Self::Project,
        }
    }
}
