//! The tools of a persona, by the names of each harness.
//!
//! A persona names actions, which are the same everywhere, or tools of a harness. An action becomes
//! the tools that a harness has for it; any other name is written as it is.
//!
//! **Invariant:** no translation allows more than the persona does. What a harness has no tool for is
//! left out and reported, and a list of which nothing would be left is not written, because an empty
//! list allows every tool.

use lawful::live::Action;

use crate::hook::{find_hook, harnesses_with_tool};

/// The tools of a harness, as its agent files name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolNames {
    /// The tools for each action.
    pub(crate) by_action: &'static [(Action, &'static [&'static str])],
    /// Other names that it accepts.
    pub(crate) aliases: &'static [&'static str],
}

impl ToolNames {
    const fn new(by_action: &'static [(Action, &'static [&'static str])]) -> Self {
        Self { by_action, aliases: &[] }
    }

    fn of(&self, action: Action) -> Option<&'static [&'static str]> {
        self.by_action.iter().find(|(known, _)| *known == action).map(|(_, names)| *names)
    }

    fn has(&self, name: &str) -> bool {
        self.by_action.iter().any(|(_, names)| names.contains(&name))
            || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }
}

/// The tools of a persona for one harness.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Translated {
    /// The names of the harness, each once.
    pub(crate) names: Vec<String>,
    /// The actions that it has no tool for.
    pub(crate) lost: Vec<Action>,
    /// Names of tools that only other harnesses have, with the action that each is for.
    pub(crate) foreign: Vec<(String, Action)>,
}

/// Translates the tools of a persona.
pub(crate) fn translate(harness: &str, table: &ToolNames, tools: &[String]) -> Translated {
    let mut out = Translated::default();
    let mut add = |name: &str| {
        if !out.names.iter().any(|known| known == name) {
            out.names.push(name.to_owned());
        }
    };
    for tool in tools {
        let action = Action::NAMES.iter().find(|(name, _)| name == tool);
        match action {
            None => {
                add(tool);
                out.foreign.extend(action_elsewhere(harness, table, tool));
            }
            Some((_, action)) => match table.of(*action) {
                Some(names) => names.iter().for_each(|name| add(name)),
                None => out.lost.push(*action),
            },
        }
    }
    out
}

/// What a tool that a harness does not have is for in the harnesses that have it.
fn action_elsewhere(harness: &str, table: &ToolNames, tool: &str) -> Option<(String, Action)> {
    // `Bash(git log *)` restricts the tool `Bash`.
    let name = tool.split('(').next().unwrap_or(tool);
    let is_own = table.has(name)
        || find_hook(harness).is_some_and(|hook| hook.tools.iter().any(|tool| tool.name == name));
    if is_own {
        return None;
    }
    let (_, action) = *harnesses_with_tool(name).first()?;
    Some((tool.to_owned(), action))
}

pub(crate) const CLAUDE_CODE: ToolNames = ToolNames::new(&[
    (Action::Shell, &["Bash"]),
    (Action::Read, &["Read"]),
    (Action::Write, &["Write"]),
    (Action::Edit, &["Edit", "NotebookEdit"]),
    (Action::Search, &["Glob", "Grep"]),
    (Action::Fetch, &["WebFetch", "WebSearch"]),
    (Action::Agent, &["Agent"]),
]);

pub(crate) const GEMINI_CLI: ToolNames = ToolNames::new(&[
    (Action::Shell, &["run_shell_command"]),
    (Action::Read, &["read_file", "read_many_files"]),
    (Action::Write, &["write_file"]),
    (Action::Edit, &["replace"]),
    (Action::Search, &["list_directory", "glob", "grep_search"]),
    (Action::Fetch, &["web_fetch", "google_web_search"]),
]);

pub(crate) const QWEN: ToolNames = ToolNames::new(&[
    (Action::Shell, &["run_shell_command"]),
    (Action::Read, &["read_file"]),
    (Action::Write, &["write_file"]),
    (Action::Edit, &["edit", "notebook_edit"]),
    (Action::Search, &["list_directory", "glob", "grep_search"]),
    (Action::Fetch, &["web_fetch", "web_search"]),
    (Action::Agent, &["agent"]),
]);

/// The keys of `permission`; `edit` stands for every tool that changes a file.
pub(crate) const OPENCODE: ToolNames = ToolNames::new(&[
    (Action::Shell, &["bash"]),
    (Action::Read, &["read"]),
    (Action::Write, &["edit"]),
    (Action::Edit, &["edit"]),
    (Action::Search, &["grep", "glob", "list"]),
    (Action::Fetch, &["webfetch", "websearch"]),
    (Action::Agent, &["task"]),
]);

/// The aliases of its documentation; `edit` stands for every tool that changes a file.
pub(crate) const COPILOT: ToolNames = ToolNames {
    by_action: &[
        (Action::Shell, &["execute"]),
        (Action::Read, &["read"]),
        (Action::Write, &["edit"]),
        (Action::Edit, &["edit"]),
        (Action::Search, &["search"]),
        (Action::Fetch, &["web"]),
        (Action::Agent, &["agent"]),
    ],
    aliases: &[
        "Bash",
        "powershell",
        "Read",
        "NotebookRead",
        "Edit",
        "MultiEdit",
        "Write",
        "NotebookEdit",
        "Grep",
        "Glob",
        "Task",
        "custom-agent",
        "WebSearch",
        "WebFetch",
        "todo",
        "TodoWrite",
    ],
};

pub(crate) const CLINE: ToolNames = ToolNames::new(&[
    (Action::Shell, &["run_commands"]),
    (Action::Read, &["read_files"]),
    (Action::Write, &["editor"]),
    (Action::Edit, &["editor"]),
    (Action::Search, &["search_codebase"]),
    (Action::Fetch, &["fetch_web_content"]),
]);

pub(crate) const DEVIN: ToolNames = ToolNames::new(&[
    (Action::Shell, &["exec"]),
    (Action::Read, &["read"]),
    (Action::Write, &["write"]),
    (Action::Edit, &["edit"]),
    (Action::Search, &["grep", "glob"]),
]);

#[cfg(test)]
mod tests {
    use super::*;

    fn check(harness: &str, table: &ToolNames, tools: &[&str], expected: &str) {
        let tools: Vec<String> = tools.iter().map(|tool| (*tool).to_owned()).collect();
        let found = translate(harness, table, &tools);
        let mut out = vec![found.names.join(" ")];
        out.extend(found.lost.iter().map(|action| format!("no {}", action.name())));
        let foreign = |(tool, action): &(String, Action)| format!("{tool} is {}", action.name());
        out.extend(found.foreign.iter().map(foreign));
        assert_eq!(out.join(" | "), expected, "{harness}");
    }

    #[test]
    fn an_action_becomes_the_tools_of_the_harness_and_another_name_stays() {
        let tools = ["read", "shell", "search", "mcp__git__log"];
        check("claude-code", &CLAUDE_CODE, &tools, "Read Bash Glob Grep mcp__git__log");
        check(
            "gemini-cli",
            &GEMINI_CLI,
            &tools,
            "read_file read_many_files run_shell_command list_directory glob grep_search mcp__git__log",
        );
        check("opencode", &OPENCODE, &["write", "edit", "read"], "edit read");
        check(
            "copilot",
            &COPILOT,
            &["shell", "Read", "replace"],
            "execute Read replace | replace is edit",
        );
    }

    #[test]
    fn what_a_harness_has_no_tool_for_is_left_out() {
        check(
            "cline",
            &CLINE,
            &["agent", "read", "mcp", "other"],
            "read_files | no agent | no mcp | no other",
        );
        check("devin", &DEVIN, &["fetch"], " | no fetch");
    }

    #[test]
    fn a_tool_that_only_others_have_is_noticed() {
        check("gemini-cli", &GEMINI_CLI, &["Read"], "Read | Read is read");
        check("qwen", &QWEN, &["Bash(git log *)"], "Bash(git log *) | Bash(git log *) is shell");
        check(
            "claude-code",
            &CLAUDE_CODE,
            &["Bash(git log *)", "TodoWrite"],
            "Bash(git log *) TodoWrite",
        );
    }

    /// Agent files of Copilot and opencode have names of their own.
    #[test]
    fn the_names_agree_with_the_tools_that_hooks_report() {
        for (harness, table) in
            [("claude-code", &CLAUDE_CODE), ("gemini-cli", &GEMINI_CLI), ("qwen", &QWEN)]
        {
            let hook = find_hook(harness).unwrap();
            for (action, names) in table.by_action {
                for name in *names {
                    let tool = hook.tools.iter().find(|tool| tool.name == *name);
                    assert_eq!(tool.map(|tool| tool.action), Some(*action), "{harness} {name}");
                }
            }
        }
    }
}
