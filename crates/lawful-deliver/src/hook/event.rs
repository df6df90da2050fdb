//! Our events, as `lawful hook` calls them.

/// An event of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A conversation begins or continues.
    SessionStart,
    /// A person submits a prompt.
    Prompt,
    /// An agent asks for a tool.
    ToolCall,
    /// A tool has run.
    ToolResult,
    /// A sub-agent begins.
    AgentStart,
    /// A sub-agent wants to stop.
    AgentStop,
    /// The agent wants to stop.
    Stop,
    /// The harness is about to compact the conversation.
    Compact,
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 8] = [
        Self::SessionStart,
        Self::Prompt,
        Self::ToolCall,
        Self::ToolResult,
        Self::AgentStart,
        Self::AgentStop,
        Self::Stop,
        Self::Compact,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt",
            Self::ToolCall => "tool-call",
            Self::ToolResult => "tool-result",
            Self::AgentStart => "agent-start",
            Self::AgentStop => "agent-stop",
            Self::Stop => "stop",
            Self::Compact => "compact",
        }
    }

    /// The event with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}
