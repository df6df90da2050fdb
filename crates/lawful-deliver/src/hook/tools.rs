//! The tools of each harness: what kind each is, and where in its input the target is.
//!
//! A tool that is not in the table of its harness is looked up in those of the others, because some
//! harnesses run the hooks of another one. A tool that is in no table is `other`.

use lawful::live::Action;

use super::{HOOKS, Hook};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    /// The name that the harness reports.
    pub(crate) name: &'static str,
    /// What kind of tool it is.
    pub(crate) action: Action,
    /// Where its target is.
    pub(crate) kind: Kind,
}

/// Where the target of a tool is in its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A shell line, in this field.
    Shell(&'static str),
    /// At least one path, in the fields that name paths.
    Paths,
    /// Paths or patterns, in this field, besides the fields that name paths.
    PathsIn(&'static str),
    /// A path to search in; default: the working directory. These fields have patterns that can lead
    /// elsewhere. One that only selects among the files there, such as the `glob` of `Grep`, is no path.
    Search(&'static [&'static str]),
    /// A patch, in this field.
    Patch(&'static str),
    /// An address, in `url`.
    Url,
    /// An address in the text of this field.
    UrlIn(&'static str),
    /// Nothing that is known.
    Nothing,
}

/// The tool with this name, in the table of a harness or else of another one.
pub(crate) fn find_tool(hook: &Hook, name: &str) -> Option<&'static Tool> {
    let within = |tools: &'static [Tool]| tools.iter().find(|tool| tool.name == name);
    within(hook.tools).or_else(|| HOOKS.iter().find_map(|other| within(other.tools)))
}

/// The harnesses that have a tool of this name, with the kind of tool that it is there.
pub fn harnesses_with_tool(name: &str) -> Vec<(&'static Hook, Action)> {
    let of = |hook: &'static Hook| {
        let tool = hook.tools.iter().find(|tool| tool.name == name)?;
        Some((hook, tool.action))
    };
    HOOKS.iter().filter_map(of).collect()
}

/// The name of a tool of some harness that differs only in case.
pub fn tool_in_other_case(name: &str) -> Option<&'static str> {
    let mut all = HOOKS.iter().flat_map(|hook| hook.tools).map(|tool| tool.name);
    all.find(|known| known.eq_ignore_ascii_case(name))
}

const fn tool(name: &'static str, action: Action, kind: Kind) -> Tool {
    Tool { name, action, kind }
}

const fn shell(name: &'static str) -> Tool {
    tool(name, Action::Shell, Kind::Shell("command"))
}

const fn read(name: &'static str) -> Tool {
    tool(name, Action::Read, Kind::Paths)
}

const fn write(name: &'static str) -> Tool {
    tool(name, Action::Write, Kind::Paths)
}

const fn edit(name: &'static str) -> Tool {
    tool(name, Action::Edit, Kind::Paths)
}

const fn search(name: &'static str, patterns: &'static [&'static str]) -> Tool {
    tool(name, Action::Search, Kind::Search(patterns))
}

const fn patch(name: &'static str, field: &'static str) -> Tool {
    tool(name, Action::Edit, Kind::Patch(field))
}

const fn fetch(name: &'static str) -> Tool {
    tool(name, Action::Fetch, Kind::Url)
}

/// A search on the web: it fetches, and names no address.
const fn web_search(name: &'static str) -> Tool {
    tool(name, Action::Fetch, Kind::Nothing)
}

const fn agent(name: &'static str) -> Tool {
    tool(name, Action::Agent, Kind::Nothing)
}

const fn other(name: &'static str) -> Tool {
    tool(name, Action::Other, Kind::Nothing)
}

/// Claude Code 2.1.325.
pub(crate) static CLAUDE_CODE: &[Tool] = &[
    shell("Bash"),
    shell("PowerShell"),
    shell("Monitor"),
    read("Read"),
    read("NotebookRead"),
    read("LSP"),
    write("Write"),
    edit("Edit"),
    edit("MultiEdit"),
    edit("NotebookEdit"),
    search("Glob", &["pattern"]),
    search("Grep", &[]),
    search("LS", &[]),
    fetch("WebFetch"),
    web_search("WebSearch"),
    agent("Task"),
    agent("Agent"),
    other("BashOutput"),
    other("KillShell"),
    other("TodoWrite"),
    other("Skill"),
    other("ExitPlanMode"),
    other("AskUserQuestion"),
];

/// Codex CLI 0.166.0.
pub(crate) static CODEX: &[Tool] = &[
    shell("Bash"),
    shell("shell"),
    shell("local_shell"),
    tool("exec_command", Action::Shell, Kind::Shell("cmd")),
    tool("write_stdin", Action::Shell, Kind::Shell("chars")),
    patch("apply_patch", "command"),
    read("view_image"),
    web_search("web_search"),
    agent("spawn_agent"),
    other("update_plan"),
];

/// Gemini CLI 0.61.0.
pub(crate) static GEMINI_CLI: &[Tool] = &[
    shell("run_shell_command"),
    read("read_file"),
    tool("read_many_files", Action::Read, Kind::PathsIn("include")),
    write("write_file"),
    edit("replace"),
    search("list_directory", &[]),
    search("glob", &["pattern"]),
    search("grep_search", &[]),
    search("search_file_content", &[]),
    tool("web_fetch", Action::Fetch, Kind::UrlIn("prompt")),
    web_search("google_web_search"),
    agent("invoke_agent"),
    other("write_todos"),
    other("save_memory"),
    other("activate_skill"),
    other("ask_user"),
    other("enter_plan_mode"),
    other("exit_plan_mode"),
    other("update_topic"),
    other("complete_task"),
];

/// Qwen Code 0.24.4.
pub(crate) static QWEN: &[Tool] = &[
    shell("run_shell_command"),
    shell("monitor"),
    read("read_file"),
    read("zoom_image"),
    read("display_image"),
    read("lsp"),
    write("write_file"),
    edit("edit"),
    edit("notebook_edit"),
    search("list_directory", &[]),
    search("glob", &["pattern"]),
    search("grep_search", &[]),
    fetch("web_fetch"),
    web_search("web_search"),
    agent("agent"),
    agent("create_sub_session"),
    other("todo_write"),
    other("save_memory"),
    other("skill"),
    other("exit_plan_mode"),
    other("ask_user_question"),
];

/// opencode 1.18.33.
pub(crate) static OPENCODE: &[Tool] = &[
    shell("bash"),
    shell("shell"),
    read("read"),
    read("lsp"),
    write("write"),
    edit("edit"),
    edit("multiedit"),
    patch("patch", "patchText"),
    patch("apply_patch", "patchText"),
    search("grep", &[]),
    search("glob", &["pattern"]),
    search("list", &[]),
    fetch("webfetch"),
    web_search("websearch"),
    web_search("codesearch"),
    agent("task"),
    other("todowrite"),
    other("todoread"),
    other("skill"),
    other("question"),
];

/// Copilot CLI 1.0.102.
pub(crate) static COPILOT: &[Tool] = &[
    shell("bash"),
    shell("powershell"),
    tool("write_bash", Action::Shell, Kind::Shell("input")),
    tool("write_powershell", Action::Shell, Kind::Shell("input")),
    read("view"),
    read("show_file"),
    write("create"),
    edit("edit"),
    edit("str_replace"),
    edit("str_replace_editor"),
    edit("insert"),
    patch("apply_patch", "patch"),
    search("glob", &["pattern"]),
    search("grep", &[]),
    search("rg", &[]),
    fetch("web_fetch"),
    web_search("web_search"),
    agent("task"),
    other("read_bash"),
    other("stop_bash"),
    other("list_bash"),
    other("report_intent"),
    other("update_todo"),
    other("ask_user"),
    other("skill"),
];

/// Cursor 2.0.
pub(crate) static CURSOR: &[Tool] = &[
    shell("Shell"),
    read("Read"),
    read("ReadFile"),
    read("TabRead"),
    write("Write"),
    write("Delete"),
    write("TabWrite"),
    edit("Edit"),
    edit("MultiEdit"),
    edit("StrReplace"),
    edit("EditNotebook"),
    patch("ApplyPatch", "patch"),
    search("Glob", &["glob_pattern", "pattern"]),
    search("Grep", &[]),
    search("LS", &[]),
    search("SemanticSearch", &[]),
    fetch("WebFetch"),
    web_search("WebSearch"),
    agent("Task"),
];
