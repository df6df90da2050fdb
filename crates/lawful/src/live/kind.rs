//! The kinds of live events.

/// A kind of live event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventKind {
    /// A conversation begins or continues.
    SessionStart,
    /// A person submits a prompt.
    MessageUser,
    /// An agent asks for a tool.
    ToolCall,
    /// A tool has run.
    ToolResult,
    /// A sub-agent begins.
    AgentStart,
    /// A sub-agent wants to stop.
    AgentStop,
    /// The agent wants to stop.
    TurnStop,
    /// The harness is about to compact the conversation.
    ContextCompact,
}

impl EventKind {
    /// Every kind with its name.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("session:start", Self::SessionStart),
        ("message:user", Self::MessageUser),
        ("tool:call", Self::ToolCall),
        ("tool:result", Self::ToolResult),
        ("agent:start", Self::AgentStart),
        ("agent:stop", Self::AgentStop),
        ("turn:stop", Self::TurnStop),
        ("context:compact", Self::ContextCompact),
    ];

    /// Its name, which is the `type` of the event.
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "session:start",
            Self::MessageUser => "message:user",
            Self::ToolCall => "tool:call",
            Self::ToolResult => "tool:result",
            Self::AgentStart => "agent:start",
            Self::AgentStop => "agent:stop",
            Self::TurnStop => "turn:stop",
            Self::ContextCompact => "context:compact",
        }
    }
}
