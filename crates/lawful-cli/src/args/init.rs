//! The arguments of `lawful init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Output;

/// Create a lawbook for a project, and install its hooks
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lawful init                                   guards for this project: show the plan, and ask
  lawful init --yes --harness claude-code       without questions, with the hooks of Claude Code
  lawful init --from CLAUDE.md --from .claude   carry over instructions and permissions
  lawful init my-story --template story         a lawbook in a new folder

The lawbook is the folder `lawful` of the project, where every command finds it. No file that exists
is ever written to, except the settings that the hooks are added to.

Exit codes: 0 done, 1 declined, or a hook does not work, 2 error, or a question that could not be
asked.")]
pub(crate) struct Init {
    /// Folder of the project; default: the working directory
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// What to start from
    #[arg(long, value_enum, default_value_t = Template::Guard)]
    pub(crate) template: Template,
    /// Harness to install hooks for, may be repeated; default: every harness in use here
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) harness: Vec<String>,
    /// File or folder to carry over, may be repeated: CLAUDE.md, AGENTS.md, Cursor and Copilot rules,
    /// permissions of Claude Code, prompt books, rulespecs, rules
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) from: Vec<PathBuf>,
    /// Write the lawbook and install the hooks without asking
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// What a lawbook starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// Guards on tool calls, and a stop hook that runs the tests.
    Guard,
    /// A core and personas: system prompts for several agents.
    Crew,
    /// A composition over axes: one prompt for many cases.
    Desk,
    /// Variables, rules and entries: a story with mechanics.
    Story,
}

impl From<Template> for lawful_host::init::Template {
    fn from(template: Template) -> Self {
        match template {
            Template::Guard => Self::Guard,
            Template::Crew => Self::Crew,
            Template::Desk => Self::Desk,
            Template::Story => Self::Story,
        }
    }
}
