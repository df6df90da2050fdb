//! The table of hooks: one row for each harness.

use super::event::Event::{
    AgentStart, AgentStop, Compact, Prompt, SessionStart, Stop, ToolCall, ToolResult,
};
use super::tools;
use super::{Confirmed, Dialect, Event, EventRow, Evidence, Form, Honours, Hook, McpNames, Place};

const NOTHING: Honours =
    Honours { deny: false, ask: false, allow: false, block: false, context: false, message: false };
const MESSAGE: Honours = Honours { message: true, ..NOTHING };
const CONTEXT: Honours = Honours { context: true, ..NOTHING };
const SAID: Honours = Honours { context: true, message: true, ..NOTHING };
const BLOCK: Honours = Honours { block: true, ..NOTHING };
const BLOCK_SAID: Honours = Honours { block: true, message: true, ..NOTHING };
const PROMPTED: Honours = Honours { block: true, context: true, message: true, ..NOTHING };

const fn row(event: Event, name: &'static str, honours: Honours) -> EventRow {
    EventRow { event, name, honours }
}

const fn harness(version: &'static str) -> Confirmed {
    Confirmed { version, day: "2026-11-16", source: Evidence::Harness }
}

const fn documentation(version: &'static str) -> Confirmed {
    Confirmed { version, day: "2026-11-16", source: Evidence::Documentation }
}

/// Every harness with hooks.
pub static HOOKS: [Hook; 7] = [
    Hook {
        id: "claude-code",
        alias: None,
        name: "Claude Code",
        confirmed: harness("2.1.325"),
        events: &[
            row(SessionStart, "SessionStart", SAID),
            row(Prompt, "UserPromptSubmit", PROMPTED),
            row(
                ToolCall,
                "PreToolUse",
                Honours {
                    deny: true,
                    ask: true,
                    allow: true,
                    block: false,
                    context: true,
                    message: true,
                },
            ),
            row(ToolResult, "PostToolUse", SAID),
            row(AgentStart, "SubagentStart", SAID),
            row(AgentStop, "SubagentStop", BLOCK_SAID),
            row(Stop, "Stop", BLOCK_SAID),
            row(Compact, "PreCompact", MESSAGE),
        ],
        tools: tools::CLAUDE_CODE,
        mcp: McpNames::Marked,
        dialect: Dialect::Claude,
        blocking_exit: 2,
        longest_context: None,
        place: Place {
            moved_by: Some(("CLAUDE_CONFIG_DIR", "")),
            user: ".claude",
            project: ".claude",
            file: "settings.json",
        },
        form: Form::Groups { exec: true },
        project: Some("CLAUDE_PROJECT_DIR"),
        project_word: Some("\"$CLAUDE_PROJECT_DIR\""),
        clock: 1,
        notice: None,
        limits: &["after 8 blocked stops in a row, the harness lets the agent stop"],
        also_reads: &[],
    },
    Hook {
        id: "codex",
        alias: None,
        name: "Codex CLI",
        confirmed: harness("0.166.0"),
        events: &[
            row(SessionStart, "SessionStart", SAID),
            row(Prompt, "UserPromptSubmit", PROMPTED),
            row(
                ToolCall,
                "PreToolUse",
                Honours { deny: true, context: true, message: true, ..NOTHING },
            ),
            row(ToolResult, "PostToolUse", SAID),
            row(AgentStart, "SubagentStart", SAID),
            row(AgentStop, "SubagentStop", BLOCK_SAID),
            row(Stop, "Stop", BLOCK_SAID),
            row(Compact, "PreCompact", MESSAGE),
        ],
        tools: tools::CODEX,
        mcp: McpNames::Marked,
        dialect: Dialect::Claude,
        blocking_exit: 2,
        // It counts a token for 4 bytes, and moves more than 2,500 tokens to a file.
        longest_context: Some(9_600),
        place: Place {
            moved_by: Some(("CODEX_HOME", "")),
            user: ".codex",
            project: ".codex",
            file: "hooks.json",
        },
        form: Form::Groups { exec: false },
        project: None,
        project_word: None,
        clock: 1,
        notice: Some("Codex runs a hook only after you have trusted it: see `/hooks` in Codex"),
        limits: &[
            "a context of more than 2,500 tokens is cut",
            "a hook that reaches its timeout lets the call through",
        ],
        also_reads: &[],
    },
    Hook {
        id: "gemini-cli",
        alias: None,
        name: "Gemini CLI",
        confirmed: harness("0.61.0"),
        events: &[
            row(SessionStart, "SessionStart", SAID),
            row(Prompt, "BeforeAgent", PROMPTED),
            row(ToolCall, "BeforeTool", Honours { deny: true, message: true, ..NOTHING }),
            row(ToolResult, "AfterTool", SAID),
            row(Stop, "AfterAgent", BLOCK_SAID),
            row(Compact, "PreCompress", MESSAGE),
        ],
        tools: tools::GEMINI_CLI,
        mcp: McpNames::Prefix,
        dialect: Dialect::Gemini,
        blocking_exit: 2,
        longest_context: None,
        place: Place { moved_by: None, user: ".gemini", project: ".gemini", file: "settings.json" },
        form: Form::Groups { exec: false },
        project: Some("GEMINI_PROJECT_DIR"),
        // Without braces, the harness replaces the variable by a path that is already quoted.
        project_word: Some("\"${GEMINI_PROJECT_DIR}\""),
        clock: 1000,
        notice: None,
        limits: &[
            "tool calls of sub-agents look like those of the main agent",
            "`<` and `>` in a context reach the model as `&lt;` and `&gt;`",
            "a hook that reaches its timeout lets the call through",
        ],
        also_reads: &[],
    },
    Hook {
        id: "qwen",
        alias: Some("qwen-code"),
        name: "Qwen Code",
        confirmed: harness("0.24.4"),
        events: &[
            row(SessionStart, "SessionStart", SAID),
            row(Prompt, "UserPromptSubmit", PROMPTED),
            row(
                ToolCall,
                "PreToolUse",
                Honours { deny: true, ask: true, message: true, ..NOTHING },
            ),
            row(ToolResult, "PostToolUse", SAID),
            // Only an agent whose prompt has `${hook_context}` would get a context.
            row(AgentStart, "SubagentStart", MESSAGE),
            row(AgentStop, "SubagentStop", BLOCK_SAID),
            row(Stop, "Stop", BLOCK_SAID),
            row(Compact, "PreCompact", MESSAGE),
        ],
        tools: tools::QWEN,
        mcp: McpNames::Marked,
        dialect: Dialect::Claude,
        blocking_exit: 2,
        longest_context: None,
        place: Place { moved_by: None, user: ".qwen", project: ".qwen", file: "settings.json" },
        form: Form::Groups { exec: false },
        project: Some("QWEN_PROJECT_DIR"),
        project_word: Some("\"$QWEN_PROJECT_DIR\""),
        clock: 1,
        notice: None,
        limits: &[
            "tool calls of sub-agents do not say the type of the sub-agent",
            "without a terminal, a call that a person must be asked about is denied",
            "after 8 blocked stops in a row, the harness lets the agent stop",
            "a hook that reaches its timeout lets the call through",
        ],
        also_reads: &[],
    },
    Hook {
        id: "opencode",
        alias: None,
        name: "opencode",
        confirmed: harness("1.18.33"),
        events: &[
            row(SessionStart, "chat.message", CONTEXT),
            row(Prompt, "chat.message", Honours { block: true, context: true, ..NOTHING }),
            row(ToolCall, "tool.execute.before", Honours { deny: true, ..NOTHING }),
            row(ToolResult, "tool.execute.after", CONTEXT),
            row(AgentStart, "chat.message", CONTEXT),
            row(Stop, "session.idle", BLOCK),
            row(Compact, "experimental.session.compacting", CONTEXT),
        ],
        tools: tools::OPENCODE,
        mcp: McpNames::Listed,
        dialect: Dialect::Plugin,
        blocking_exit: 2,
        longest_context: None,
        place: Place {
            moved_by: Some(("XDG_CONFIG_HOME", "opencode/plugins")),
            user: ".config/opencode/plugins",
            project: ".opencode/plugins",
            file: "lawful.js",
        },
        form: Form::Plugin,
        project: None,
        project_word: None,
        clock: 1,
        notice: Some("opencode loads the plugin when it starts"),
        limits: &[
            "a blocked stop is a new prompt after the agent has stopped, so `opencode run` ends before it",
        ],
        also_reads: &[],
    },
    Hook {
        id: "copilot",
        alias: Some("copilot-cli"),
        name: "Copilot CLI",
        confirmed: documentation("1.0.102"),
        events: &[
            row(SessionStart, "sessionStart", CONTEXT),
            row(Prompt, "userPromptSubmitted", NOTHING),
            row(ToolCall, "preToolUse", Honours { deny: true, ask: true, allow: true, ..NOTHING }),
            row(ToolResult, "postToolUse", NOTHING),
            row(AgentStart, "subagentStart", CONTEXT),
            row(AgentStop, "subagentStop", BLOCK),
            row(Stop, "agentStop", BLOCK),
            row(Compact, "preCompact", NOTHING),
        ],
        tools: tools::COPILOT,
        mcp: McpNames::Dash,
        dialect: Dialect::Copilot,
        blocking_exit: 2,
        longest_context: None,
        place: Place {
            moved_by: Some(("COPILOT_HOME", "hooks")),
            user: ".copilot/hooks",
            project: ".github/hooks",
            file: "lawful.json",
        },
        form: Form::Copilot,
        project: None,
        project_word: None,
        clock: 1,
        notice: None,
        limits: &[
            "a hook that reaches its timeout lets the call through",
            "the name of an MCP tool does not say where the name of its server ends",
            "the hooks are for `bash`, so they do not run on Windows",
        ],
        also_reads: &["claude-code"],
    },
    Hook {
        id: "cursor",
        alias: None,
        name: "Cursor",
        confirmed: documentation("2.0"),
        events: &[
            row(SessionStart, "sessionStart", CONTEXT),
            row(Prompt, "beforeSubmitPrompt", BLOCK),
            row(
                ToolCall,
                "preToolUse",
                Honours { deny: true, allow: true, message: true, ..NOTHING },
            ),
            row(ToolResult, "postToolUse", CONTEXT),
            row(AgentStart, "subagentStart", NOTHING),
            row(AgentStop, "subagentStop", BLOCK),
            row(Stop, "stop", BLOCK),
            row(Compact, "preCompact", MESSAGE),
        ],
        tools: tools::CURSOR,
        mcp: McpNames::Marked,
        dialect: Dialect::Cursor,
        blocking_exit: 2,
        longest_context: None,
        place: Place { moved_by: None, user: ".cursor", project: ".cursor", file: "hooks.json" },
        form: Form::Cursor,
        project: Some("CURSOR_PROJECT_DIR"),
        project_word: Some("\"$CURSOR_PROJECT_DIR\""),
        clock: 1,
        notice: None,
        limits: &[
            "an MCP tool does not say its server",
            "tool calls of sub-agents look like those of the main agent",
            "after 5 blocked stops in a row, the harness lets the agent stop",
        ],
        also_reads: &["claude-code"],
    },
];
