use lawful::syntax::{Limits, parse_json};

use super::*;
use crate::find_hook;

fn shown(found: Read<(Action, Target)>) -> String {
    match found {
        Err(why) => format!("refused: {why}"),
        Ok((action, target)) => {
            let target = match target {
                Target::Shell { command, folder: None } => format!("`{command}`"),
                Target::Shell { command, folder: Some(folder) } => {
                    format!("`{command}` in {folder}")
                }
                Target::Paths(paths) => paths.join(" "),
                Target::Url(url) => url.into(),
                Target::Mcp { server, name } => format!("{server}/{name}"),
                Target::Nothing => "-".to_owned(),
            };
            format!("{} {target}", action.name())
        }
    }
}

#[track_caller]
fn check(harness: &str, tool: &str, input: &str, expected: &str) {
    let input: Value = parse_json(input, &Limits::default()).unwrap();
    let call = Call { tool, input: &input, mcp: None, servers: &["git hub", "a", "a_b"] };
    let found = shown(target(find_hook(harness).unwrap(), &call));
    assert_eq!(found, expected, "{harness} {tool}");
}

#[test]
fn tools_of_claude_code() {
    let check =
        |tool: &str, input: &str, expected: &str| check("claude-code", tool, input, expected);
    check("Bash", r#"{"command": "ls -l", "description": "x"}"#, "shell `ls -l`");
    check("Read", r#"{"file_path": "/a b"}"#, "read /a b");
    check("Write", r#"{"file_path": "x", "content": "c"}"#, "write x");
    check("Edit", r#"{"file_path": "x", "old_string": "", "new_string": ""}"#, "edit x");
    check("MultiEdit", r#"{"file_path": "x", "edits": [{"old_string": "a"}]}"#, "edit x");
    check("NotebookEdit", r#"{"notebook_path": "n.ipynb", "new_source": ""}"#, "edit n.ipynb");
    check("Glob", r#"{"pattern": "**/*.rs"}"#, "search .");
    check("Glob", r#"{"pattern": "/etc/**/x"}"#, "search . /etc");
    check("Glob", r#"{"pattern": "../*.rs", "path": "src"}"#, "search src ..");
    check("Grep", r#"{"pattern": "/etc/passwd", "path": "src"}"#, "search src");
    check("Grep", r#"{"pattern": "x", "glob": "/etc/pass*"}"#, "search .");
    check("WebFetch", r#"{"url": "https://a.b/c", "prompt": "p"}"#, "fetch https://a.b/c");
    check("WebSearch", r#"{"query": "q"}"#, "fetch -");
    check("Task", r#"{"subagent_type": "x", "prompt": "p"}"#, "agent -");
    check("mcp__git__push_it", r#"{"a": 1}"#, "mcp git/push_it");
    check("TodoWrite", r#"{"todos": []}"#, "other -");
}

#[test]
fn tools_of_codex() {
    let check = |tool: &str, input: &str, expected: &str| check("codex", tool, input, expected);
    check("Bash", r#"{"command": "ls"}"#, "shell `ls`");
    check(
        "shell",
        r#"{"command": ["bash", "-lc", "a && b"], "workdir": "w"}"#,
        "shell `a && b` in w",
    );
    check("shell", r#"{"command": ["git", "it's"]}"#, r"shell `'git' 'it'\''s'`");
    let patch = r"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n*** End Patch";
    check("apply_patch", &format!("{{\"command\": \"{patch}\"}}"), "edit a b");
    check("apply_patch", &format!("\"{patch}\""), "edit a b");
    check(
        "Bash",
        &format!(
            "{{\"command\": \"cd sub && apply_patch <<'E'\\n{patch}\\nE\", \"workdir\": \"/w\"}}"
        ),
        "edit /w/sub/a /w/sub/b",
    );
    check(
        "apply_patch",
        r#"{"command": "no patch"}"#,
        "refused: the patch is not between `*** Begin Patch` and `*** End Patch`",
    );
}

#[test]
fn tools_of_gemini_and_qwen() {
    let gemini =
        |tool: &str, input: &str, expected: &str| check("gemini-cli", tool, input, expected);
    gemini("run_shell_command", r#"{"command": "ls", "dir_path": "src"}"#, "shell `ls` in src");
    gemini("run_shell_command", r#"{"command": "ls", "directory": "src"}"#, "shell `ls` in src");
    gemini("read_many_files", r#"{"include": ["a/*", "b"], "exclude": ["c"]}"#, "read a/* b");
    gemini("write_file", r#"{"file_path": "x", "content": ""}"#, "write x");
    gemini("replace", r#"{"file_path": "x", "instruction": "i"}"#, "edit x");
    gemini("list_directory", r#"{"dir_path": "d"}"#, "search d");
    gemini("grep_search", r#"{"pattern": "p", "dir_path": "d"}"#, "search d");
    gemini("web_fetch", r#"{"prompt": "summarize https://a.b/c."}"#, "fetch https://a.b/c");
    gemini(
        "web_fetch",
        r#"{"prompt": "https://a.b https://c.d"}"#,
        "refused: its input names several addresses; fetch one at a time",
    );
    gemini("web_fetch", r#"{"prompt": "no"}"#, "refused: its input names no address");
    gemini("mcp_git_push_it", "{}", "mcp git/push_it");
    let qwen = |tool: &str, input: &str, expected: &str| check("qwen", tool, input, expected);
    qwen("run_shell_command", r#"{"command": "ls", "directory": "d"}"#, "shell `ls` in d");
    qwen("notebook_edit", r#"{"notebook_path": "n"}"#, "edit n");
    qwen("web_fetch", r#"{"url": "https://a", "prompt": "p"}"#, "fetch https://a");
    qwen("agent", r#"{"subagent_type": "x"}"#, "agent -");
}

#[test]
fn tools_of_opencode_copilot_and_cursor() {
    let opencode =
        |tool: &str, input: &str, expected: &str| check("opencode", tool, input, expected);
    opencode("bash", r#"{"command": "ls", "workdir": "/w"}"#, "shell `ls` in /w");
    opencode("edit", r#"{"filePath": "x", "oldString": ""}"#, "edit x");
    opencode("write", r#"{"filePath": "x"}"#, "write x");
    opencode("read", r#"{"filePath": "x"}"#, "read x");
    opencode("grep", r#"{"pattern": "x", "include": "*.rs"}"#, "search .");
    opencode("list", r#"{"path": "d"}"#, "search d");
    let patch = r#"{"patchText": "*** Begin Patch\n*** Delete File: gone\n*** End Patch"}"#;
    opencode("patch", patch, "edit gone");
    opencode("apply_patch", patch, "edit gone");
    opencode("webfetch", r#"{"url": "https://a"}"#, "fetch https://a");
    opencode("task", r#"{"subagent_type": "x"}"#, "agent -");
    opencode("git_hub_push", "{}", "mcp git hub/push");
    opencode("a_b_c", "{}", "mcp a_b/c");
    let copilot = |tool: &str, input: &str, expected: &str| check("copilot", tool, input, expected);
    copilot("bash", r#"{"command": "ls"}"#, "shell `ls`");
    copilot("view", r#"{"path": "x"}"#, "read x");
    copilot("create", r#"{"path": "x", "file_text": ""}"#, "write x");
    copilot("str_replace_editor", r#"{"command": "view", "path": "x"}"#, "edit x");
    copilot("rg", r#"{"pattern": "p", "paths": ["a", "b"]}"#, "search a b");
    copilot("github-mcp-server-list_issues", "{}", "mcp github-mcp-server/list_issues");
    let cursor = |tool: &str, input: &str, expected: &str| check("cursor", tool, input, expected);
    cursor("Shell", r#"{"command": "ls", "working_directory": "/w"}"#, "shell `ls` in /w");
    cursor("Delete", r#"{"path": "x"}"#, "write x");
    cursor("Glob", r#"{"glob_pattern": "*", "target_directory": "d"}"#, "search d");
    cursor("MCP:push", "{}", "mcp /push");
}

#[test]
fn a_tool_of_another_harness_is_known() {
    // Copilot runs the hooks in the settings of Claude Code.
    check("claude-code", "bash", r#"{"command": "ls"}"#, "shell `ls`");
    check("codex", "Write", r#"{"file_path": "x"}"#, "write x");
}

#[test]
fn an_unknown_tool_touches_the_paths_that_it_names() {
    check("claude-code", "Mystery", r#"{"path": "a", "files": ["b", 3], "n": 1}"#, "other a b");
    check("claude-code", "Mystery", r#"{"url": "https://a"}"#, "other https://a");
    check("claude-code", "Mystery", r#"{"command": "ls"}"#, "other -");
    check(
        "claude-code",
        "Mystery",
        r#"{"path": "a\u0000b"}"#,
        "refused: a path has a NUL character",
    );
}

#[test]
fn a_call_whose_target_cannot_be_read_is_refused() {
    let check = |tool: &str, input: &str, expected: &str| {
        check("claude-code", tool, input, &format!("refused: {expected}"));
    };
    check("Bash", "{}", "it has no `command`");
    check("Bash", r#"{"command": 3}"#, "`command` is a number, not a string");
    check("Bash", r#"{"command": ""}"#, "the command is empty");
    check("Bash", r#"{"command": "a\u0000b"}"#, "the command has a NUL character");
    check(
        "Bash",
        r#"{"command": "a", "cwd": "x", "workdir": "y"}"#,
        "it names two folders for the command",
    );
    check("Bash", r#""ls""#, "`tool_input` is a string, not an object");
    check("Write", "{}", "its input names no path");
    check("Write", r#"{"file_path": ""}"#, "its input names no path");
    check("Write", r#"{"file_path": ["a", 3]}"#, "`file_path` is a number, not a path");
    check("Read", r#"{"file_path": "a\u0000"}"#, "a path has a NUL character");
    check("WebFetch", "{}", "it has no `url`");
    check("mcp__git", "{}", "the MCP tool names no server");
    check("mcp____x", "{}", "the MCP server is empty");
}
