//! The moments of a harness, as its hook reports them.
//!
//! Nothing here is interpreted yet: a shell line is text, and a path is written as the agent wrote
//! it.

use super::kind::EventKind;
use crate::value::Value;

/// Something that happens in a harness.
#[derive(Clone, Debug)]
pub enum Moment {
    /// A conversation begins or continues: `session:start`.
    SessionStart {
        /// Why: `startup`, `resume`, `clear`, `compact`, …
        source: Box<str>,
        /// `main`, or the type of the sub-agent.
        agent: Box<str>,
    },
    /// A person submits a prompt: `message:user`.
    Prompt {
        /// The prompt.
        content: Box<str>,
    },
    /// An agent asks for a tool: `tool:call`.
    ToolCall(ToolUse),
    /// A tool has run: `tool:result`.
    ToolResult {
        /// The call.
        call: ToolUse,
        /// Whether the tool succeeded.
        ok: bool,
        /// What it returned.
        output: Value,
    },
    /// A sub-agent begins: `agent:start`.
    AgentStart {
        /// Its type.
        agent: Box<str>,
    },
    /// A sub-agent wants to stop: `agent:stop`.
    AgentStop {
        /// Its type.
        agent: Box<str>,
        /// Its last message, if the harness reports it.
        message: Option<Box<str>>,
    },
    /// The agent wants to stop: `turn:stop`.
    Stop {
        /// Its last message, if the harness reports it.
        message: Option<Box<str>>,
    },
    /// The harness is about to compact the conversation: `context:compact`.
    Compact {
        /// Why: `manual`, `auto`, …
        trigger: Box<str>,
    },
}

impl Moment {
    /// The kind of its event.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::SessionStart { .. } => EventKind::SessionStart,
            Self::Prompt { .. } => EventKind::MessageUser,
            Self::ToolCall(_) => EventKind::ToolCall,
            Self::ToolResult { .. } => EventKind::ToolResult,
            Self::AgentStart { .. } => EventKind::AgentStart,
            Self::AgentStop { .. } => EventKind::AgentStop,
            Self::Stop { .. } => EventKind::TurnStop,
            Self::Compact { .. } => EventKind::ContextCompact,
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub struct ToolUse {
    /// What kind of tool it is.
    pub action: Action,
    /// The harness's name of the tool.
    pub tool: Box<str>,
    /// `main`, or the type of the sub-agent.
    pub agent: Box<str>,
    /// The input of the tool, as the harness reports it.
    pub input: Value,
    /// What the call touches.
    pub target: Target,
}

/// A kind of tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// Runs a shell line.
    Shell,
    /// Reads files.
    Read,
    /// Writes whole files.
    Write,
    /// Changes parts of files.
    Edit,
    /// Searches files by name or content.
    Search,
    /// Fetches from the network.
    Fetch,
    /// Calls a tool of an MCP server.
    Mcp,
    /// Starts a sub-agent.
    Agent,
    /// Any other tool.
    Other,
}

impl Action {
    /// Every kind with its name.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("shell", Self::Shell),
        ("read", Self::Read),
        ("write", Self::Write),
        ("edit", Self::Edit),
        ("search", Self::Search),
        ("fetch", Self::Fetch),
        ("mcp", Self::Mcp),
        ("agent", Self::Agent),
        ("other", Self::Other),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Search => "search",
            Self::Fetch => "fetch",
            Self::Mcp => "mcp",
            Self::Agent => "agent",
            Self::Other => "other",
        }
    }
}

/// What a call touches, as the harness reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A shell line.
    Shell {
        /// The line.
        command: Box<str>,
        /// The folder that it runs in, if the call names one.
        folder: Option<Box<str>>,
    },
    /// Files and folders.
    Paths(Vec<Box<str>>),
    /// An address.
    Url(Box<str>),
    /// A tool of an MCP server.
    Mcp {
        /// The server.
        server: Box<str>,
        /// The tool.
        name: Box<str>,
    },
    /// Nothing that the table of tools knows.
    Nothing,
}
