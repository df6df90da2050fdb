use super::*;

/// What the arguments are read as, and what they are without the short cut.
fn check(words: &[&str]) {
    let words: Vec<OsString> = ["lawful"].iter().chain(words).map(OsString::from).collect();
    let shown = |parsed: Result<Cli, clap::Error>| match parsed {
        Ok(cli) => format!("{cli:?}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(shown(Cli::read(words.iter().cloned())), shown(Cli::try_parse_from(&words)));
}

#[test]
fn a_hook_is_parsed_as_among_all_commands() {
    check(&["hook", "--harness", "claude-code", "tool-call"]);
    check(&["hook", "tool-call", "--harness", "codex", "--book", "law", "--undecided", "allow"]);
    check(&["hook", "--harness=gemini-cli", "stop"]);
    check(&["hook", "status", "--format", "json"]);
    check(&["hook", "install", "--harness", "claude-code", "--scope", "user"]);
}

#[test]
fn errors_and_help_are_those_of_all_commands() {
    check(&["hook"]);
    check(&["hook", "tool-cal"]);
    check(&["hook", "--help"]);
    check(&["hook", "tool-call", "--help"]);
    check(&["hook", "tool-call", "--undecided", "maybe"]);
    check(&["hook", "--version"]);
    check(&["hok"]);
    check(&[]);
}
