//! The harnesses with hooks: what each calls our events, and what it honours of an answer.
//!
//! The rows are in [`HOOKS`], the tools of each harness in `tools`. A row is data that was
//! confirmed against the harness on the day it names; reading, answering and installing look
//! everything up here.
//!
//! **Invariant:** what a row does not say is honoured is never sent.

mod command;
mod event;
mod table;
mod tools;

pub(crate) use command::Entry;
pub use command::{BookFolder, HookCommand, quote};
pub use event::Event;
pub use table::HOOKS;
pub(crate) use tools::{Kind, Tool, find_tool};
pub use tools::{harnesses_with_tool, tool_in_other_case};

use crate::protocol::Decision;

/// The hooks of a harness.
#[derive(Debug, PartialEq, Eq)]
pub struct Hook {
    /// Its id on the command line.
    pub id: &'static str,
    /// Another id that is accepted.
    pub alias: Option<&'static str>,
    /// Its display name.
    pub name: &'static str,
    /// The version that the row was confirmed against, and the day.
    pub confirmed: Confirmed,
    /// Its events; an event that is missing has no hook in the harness.
    pub events: &'static [EventRow],
    /// Its tools.
    pub(crate) tools: &'static [Tool],
    /// How the name of an MCP tool tells its server.
    pub(crate) mcp: McpNames,
    /// The form of its answers.
    pub(crate) dialect: Dialect,
    /// The exit code that blocks. The harness ignores it without a text on standard error.
    pub blocking_exit: u8,
    /// The largest context for the model in bytes; the rest is cut.
    pub(crate) longest_context: Option<usize>,
    /// Where its settings are.
    pub(crate) place: Place,
    /// How a hook is written in its settings.
    pub(crate) form: Form,
    /// The variable that gives its hooks the path of the project.
    pub(crate) project: Option<&'static str>,
    /// The same for a shell, quoted.
    pub(crate) project_word: Option<&'static str>,
    /// The units of its timeout per second.
    pub(crate) clock: u64,
    /// What the user must do before a hook in its settings runs.
    pub notice: Option<&'static str>,
    /// What the harness cannot do, besides what its events do not honour.
    pub limits: &'static [&'static str],
    /// Other harnesses whose settings it also reads.
    pub also_reads: &'static [&'static str],
}

/// When, and against what, a row was confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The version.
    pub version: &'static str,
    /// The day.
    pub day: &'static str,
    /// What was read.
    pub source: Evidence,
}

/// What a row was confirmed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Tests with the harness itself (`cargo xtask e2e`), and what they do not cover in the shipped
    /// package.
    Harness,
    /// The documentation of the vendor.
    Documentation,
}

/// An event of a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// Our event.
    pub event: Event,
    /// The name that the harness has for it.
    pub name: &'static str,
    /// What it honours of an answer.
    pub honours: Honours,
}

/// What a harness honours of an answer to an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a table with one column for each")]
pub struct Honours {
    /// The call can be denied.
    pub deny: bool,
    /// The user can be asked about the call.
    pub ask: bool,
    /// The call can be allowed without asking the user.
    pub allow: bool,
    /// The prompt can be refused, or the agent made to continue.
    pub block: bool,
    /// A text can be given to the model.
    pub context: bool,
    /// A text can be shown to the user.
    pub message: bool,
}

impl Honours {
    /// Whether an answer can stop what the event announces.
    pub fn can_stop(self) -> bool {
        self.deny || self.block
    }
}

/// How the name of an MCP tool tells its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum McpNames {
    /// `mcp__SERVER__TOOL` or `MCP:TOOL`, as in every harness.
    Marked,
    /// `mcp_SERVER_TOOL`.
    Prefix,
    /// `SERVER-TOOL`; no other tool has a dash in its name.
    Dash,
    /// `SERVER_TOOL`, where the event lists the servers.
    Listed,
}

/// The form of the answers of a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `hookSpecificOutput` with `permissionDecision`; `decision` elsewhere.
    Claude,
    /// `decision` everywhere, and `deny` as its word.
    Gemini,
    /// Keys at the top level.
    Copilot,
    /// `permission`, `followup_message`, `additional_context`.
    Cursor,
    /// What the plugin of Lawful understands.
    Plugin,
}

/// Where the settings of a harness are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The variable that moves the folder of the user, and the folder below it.
    pub(crate) moved_by: Option<(&'static str, &'static str)>,
    /// The folder in the home of the user.
    pub(crate) user: &'static str,
    /// The folder in a project.
    pub(crate) project: &'static str,
    /// The file in it.
    pub(crate) file: &'static str,
}

/// How a hook is written in settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `EVENT: [{"hooks": [{"type": "command", "command": …, "timeout": …}]}]`
    Groups {
        /// Whether a hook can name its arguments apart, and say what a failure means.
        exec: bool,
    },
    /// `EVENT: [{"type": "command", "bash": …, "timeoutSec": …}]` in a file with a `version`
    Copilot,
    /// `EVENT: [{"command": …, "timeout": …, "failClosed": true}]` in a file with a `version`
    Cursor,
    /// A file of Lawful, which the harness loads.
    Plugin,
}

/// The hooks of a harness, by its id.
pub fn find_hook(id: &str) -> Option<&'static Hook> {
    HOOKS.iter().find(|hook| hook.id == id || hook.alias == Some(id))
}

impl Hook {
    /// The timeout of a hook in seconds. A harness lets the agent go on after it, so it is longer
    /// than the time limit of the hook itself.
    pub const PATIENCE: u64 = 900;

    /// The row of an event, if the harness has it.
    pub fn row(&self, event: Event) -> Option<&'static EventRow> {
        self.events.iter().find(|row| row.event == event)
    }

    /// Whether the model gets a text that is sent with a decision: in its own place, or at the end of
    /// the reason for which a call is denied.
    pub fn gives_context(&self, event: Event, decision: Decision) -> bool {
        let can = self.honours(event);
        let is_denied = match decision {
            Decision::Deny | Decision::Block => can.deny,
            Decision::Ask => can.deny && !can.ask,
            Decision::Allow | Decision::None => false,
        };
        can.context || is_denied
    }

    /// What it honours of an answer to an event.
    pub fn honours(&self, event: Event) -> Honours {
        self.row(event).map(|row| row.honours).unwrap_or_default()
    }

    /// What it cannot do, one sentence each.
    pub fn cannot(&self) -> Vec<String> {
        let mut said = Vec::new();
        let without: Vec<&str> = Event::ALL
            .into_iter()
            .filter(|event| self.row(*event).is_none())
            .map(Event::name)
            .collect();
        if !without.is_empty() {
            said.push(format!("it has no event for {}", without.join(", ")));
        }
        if !self.honours(Event::ToolCall).ask {
            said.push("a tool call that a person must be asked about is denied".to_owned());
        }
        if !self.honours(Event::Prompt).block {
            said.push("a prompt cannot be refused".to_owned());
        }
        let is_given = |event: Event| self.row(event).is_none() || self.honours(event).context;
        let silent: Vec<&str> =
            [Event::SessionStart, Event::Prompt, Event::ToolResult, Event::AgentStart]
                .into_iter()
                .filter(|event| !is_given(*event))
                .map(Event::name)
                .collect();
        if !silent.is_empty() {
            said.push(format!("the model gets no context from {}", silent.join(", ")));
        }
        if !is_given(Event::ToolCall) {
            said.push("the model gets a context from tool-call only if it is denied".to_owned());
        }
        if !self.honours(Event::Stop).message {
            said.push("the user is not told when a stop is allowed".to_owned());
        }
        said.extend(self.limits.iter().map(|limit| (*limit).to_owned()));
        said
    }

    /// Its name of the event for an agent that wants to stop.
    pub fn event(&self) -> &'static str {
        self.row(Event::Stop).map_or("", |row| row.name)
    }

    /// The variable that gives its hooks the path of the project.
    pub fn project_variable(&self) -> Option<&'static str> {
        self.project
    }
}

#[cfg(test)]
mod tests;
