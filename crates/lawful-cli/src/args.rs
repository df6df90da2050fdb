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

/// Show where every line of a prompt comes from
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful blame reply --context tone=terse
  lawful blame --installed AGENTS.md           an installed file, line by line")]
pub(crate) struct Blame {
    /// The composition
    #[arg(required_unless_present = "installed")]
    pub(crate) name: Option<String>,
    /// A file that `lawful install` wrote to, in place of a composition
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "book", "context", "state"])]
    pub(crate) installed: Option<PathBuf>,
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

/// See for yourself: what changed, which files exist, which tests passed, what commands come to
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful observe --git HEAD
  lawful observe --git origin/main --run tests --junit out/junit.xml --out observed.json
  lawful observe --files 'src/**/*.rs' 'docs/*.md'

Standard output is one JSON object, whatever the format; problems go to standard error:
  --git    changed, added, deleted   paths from the root of the repository; untracked files are
                                     added, a renamed file is one deleted and one added
  --files  files                     existing files that match, from the root of the repository
  --junit  tests, failing            the result of each test (passed, failed, error, skipped) by
                                     `classname.name`, and the names of those that failed
  --run    runs                      {\"exit\", \"seconds\"} of each command, by its name

A key is there exactly when it was asked for. Commands are those that `observe` in `lawful.yaml`
lists, and no others; what they print goes to standard error. In a pattern `*` and `?` stay within
a name, and `**` does not.

Exit codes: 0 everything was seen, 2 something could not be.")]
pub(crate) struct Observe {
    /// What changed in the working tree since this commit
    #[arg(long, value_name = "BASE")]
    pub(crate) git: Option<String>,
    /// Which files exist
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) files: Vec<String>,
    /// What JUnit reports say; a pattern is taken too
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) junit: Vec<String>,
    /// Run these commands of the manifest
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) run: Vec<String>,
    /// Write the facts to a file, and not to standard output unless with `--format json`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// How problems are written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Judge what an agent says it did by a rulespec
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful verify envelope.yaml                            by analysis/rulespec.yaml of the lawbook
  lawful verify --rulespec rules.yaml envelope.yaml --explain
  lawful verify envelope.yaml --observed seen.json       with what the host saw
  lawful verify runs/ more.jsonl --fail-fast             many envelopes

Exit codes: 0 everything demanded is there, 1 something is not, 2 could not decide.")]
pub(crate) struct Verify {
    /// Envelopes: files, folders of them, or `.jsonl` with one a line; `-` for standard input
    #[arg(value_name = "ENVELOPE", required = true)]
    pub(crate) envelopes: Vec<PathBuf>,
    /// The rulespec; without it, that of the lawbook: `hooks.stop.rulespec`, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What the host saw, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Write the program as it was run, and what it derived
    #[arg(long, value_name = "DIR")]
    pub(crate) artifacts: Option<PathBuf>,
    /// Do not let pass what holds only because nothing is there
    #[arg(long)]
    pub(crate) deny_vacuous: bool,
    /// Show how every verdict was derived, down to the facts
    #[arg(long)]
    pub(crate) explain: bool,
    /// Stop at the first envelope that does not pass
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// How many failed envelopes are shown
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_failures: usize,
    /// How many envelopes are judged at a time; without it, one on each core
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
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

/// Write an envelope, judge it at once, and say what is to be fixed
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful envelope write --facts facts.yaml
  echo '{feature: {file: src/feature.rs}}' | lawful envelope write --facts -

Beside `envelope.yaml` it leaves `rulespec.compiled.dl` and `datalog_evaluation.txt`.

Exit codes: 0 it passes, 1 it does not, 2 could not decide.")]
pub(crate) struct EnvelopeWrite {
    /// The facts, with or without their `facts` key; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: PathBuf,
    /// Where to write; without it, `.lawful` in the folder of the lawbook
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The rulespec; without it, that of the lawbook: `hooks.stop.rulespec`, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What the host saw, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Observe what `hooks.stop.observe` names first, as the hook does; this runs its commands
    #[arg(long, conflicts_with = "observed")]
    pub(crate) observe: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Check that an envelope was written, and that it passes
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 it passes, 1 it does not or was never written, 2 could not decide.")]
pub(crate) struct EnvelopeCheck {
    /// Where it was written; without it, `.lawful` in the folder of the lawbook
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The rulespec; without it, that of the lawbook: `hooks.stop.rulespec`, or `analysis/rulespec.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) rulespec: Option<PathBuf>,
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward decides
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What the host saw, selected under `observed`
    #[arg(long, value_name = "FILE")]
    pub(crate) observed: Option<PathBuf>,
    /// Observe what `hooks.stop.observe` names first, as the hook does; this runs its commands
    #[arg(long, conflicts_with = "observed")]
    pub(crate) observe: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Hold an agent to its law when it wants to stop
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful hook install --harness claude-code               for this project
  lawful hook install --harness claude-code --scope user  for every project of yours
  lawful hook uninstall --harness claude-code
  lawful hook --harness claude-code stop                  what the harness runs

The harnesses are claude-code, codex and gemini-cli. `hooks.stop` in `lawful.yaml` says what is
observed before the envelope is judged, and after how many blocks in a row the agent is let go.")]
pub(crate) struct Hook {
    /// The harness that the agent runs in
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

/// Answer a harness that asks whether the agent may stop
#[derive(Debug, Args)]
#[command(after_help = "\
The harness writes its event to standard input as JSON, and reads the answer from standard output:
nothing if the agent may stop, otherwise the reason why not. The exit code is 0 either way, and 2
only for a command line that is not understood.")]
pub(crate) struct HookStop {
    /// The folder of the lawbook; without it, the nearest `lawful.yaml` upward from the project
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What to do where there is no lawbook to say what to do
    #[arg(long, value_enum, default_value_t = WhenUndecided::Block)]
    pub(crate) undecided: WhenUndecided,
}

/// What to do when nothing can be decided.
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

/// Put the hook into the settings of a harness
#[derive(Debug, Args)]
pub(crate) struct HookInstall {
    /// Whose settings
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// The folder of the lawbook that the hook goes by; without it, one is looked for each time
    #[arg(long, value_name = "DIR")]
    pub(crate) book: Option<PathBuf>,
    /// What the hook does where there is no lawbook
    #[arg(long, value_enum, default_value_t = WhenUndecided::Block)]
    pub(crate) undecided: WhenUndecided,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Take the hook out of the settings of a harness
#[derive(Debug, Args)]
pub(crate) struct HookUninstall {
    /// Whose settings
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(crate) format: Format,
}

/// Whose files, of both too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scopes {
    /// Those of the user, for every project.
    User,
    /// Those of the project, for everybody who works on it.
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
    /// Those of the user, for every project.
    User,
    /// Those of the project, for everybody who works on it.
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
