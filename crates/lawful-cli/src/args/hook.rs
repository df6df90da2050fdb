//! The arguments of `lawful hook`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Output, Scope, Scopes};

/// Answer the hooks of a harness, and install them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful hook install                                     for every harness in use here
  lawful hook install --harness claude-code               for this project
  lawful hook install --harness claude-code --scope user  for all your projects
  lawful hook status                                      which hooks are installed
  lawful hook uninstall --harness claude-code
  lawful hook --harness claude-code stop                  what the harness runs

The harnesses are claude-code, codex, gemini-cli, qwen, opencode, copilot and cursor. In
`lawful.yaml`, `hooks.stop` says what to observe before the envelope is judged, and how often in a
row the agent can be blocked.")]
pub(crate) struct Hook {
    /// Harness of the agent; `install`, `uninstall` and `status` take several
    #[arg(long, global = true, value_name = "NAME", value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    #[command(subcommand)]
    pub(crate) action: HookAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HookAction {
    /// Answer a harness at the start of a session
    SessionStart(HookEvent),
    /// Answer a harness about a submitted prompt
    Prompt(HookEvent),
    /// Tell a harness whether its agent may call a tool
    ToolCall(HookEvent),
    /// Answer a harness about the result of a tool
    ToolResult(HookEvent),
    /// Answer a harness at the start of a sub-agent
    AgentStart(HookEvent),
    /// Tell a harness whether a sub-agent may stop
    AgentStop(HookEvent),
    /// Tell a harness whether its agent may stop
    Stop(HookEvent),
    /// Answer a harness before it compacts a conversation
    Compact(HookEvent),
    Install(HookInstall),
    Uninstall(HookUninstall),
    Status(HookStatus),
    Doctor(HookDoctor),
}

#[derive(Debug, Args)]
#[command(after_help = "\
The harness writes its event to standard input as JSON, and reads the answer from standard output.
The output is empty if there is nothing to say. The exit code is 0 if the output says everything, 1
if the harness cannot act on the answer, and 2 for invalid arguments.")]
pub(crate) struct HookEvent {
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

/// Add the hooks to the settings of harnesses; default: of every harness in use here
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
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Remove the hooks from the settings of harnesses; default: of every harness that has them
#[derive(Debug, Args)]
pub(crate) struct HookUninstall {
    /// Whose settings to change
    #[arg(long, value_enum, default_value_t = Scope::Project)]
    pub(crate) scope: Scope,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// List the hooks in the settings of harnesses, with their states
#[derive(Debug, Args)]
#[command(after_help = "\
States:
  clean     as it was installed
  outdated  installed by another version of Lawful: install it again
  drifted   edited after the install, or there more than once
  missing   installed, and removed by someone else
  foreign   installed, and the settings cannot be read any more

Exit codes: 0 a hook is installed and every hook is clean, 1 not so, 2 error.")]
pub(crate) struct HookStatus {
    /// Whose settings; default: both the project's and the user's
    #[arg(long, value_enum)]
    pub(crate) scope: Option<Scopes>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Run the hooks in the settings of harnesses, and check that they work
#[derive(Debug, Args)]
#[command(after_help = "\
Runs the commands that stand in the settings, with a tool call and a stop that every lawbook denies.
Nothing is logged or stored. Without `--harness`, every harness that has hooks is checked.

Exit codes: 0 everything works, 1 something is open, 2 error.")]
pub(crate) struct HookDoctor {
    #[command(flatten)]
    pub(crate) output: Output,
}
