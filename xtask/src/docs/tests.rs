use super::*;

const TOP: &str = "\
Rules for agents

Usage: tool <COMMAND>

Commands:
  check    Check a lawbook
  observe  Record what the host sees: changes, files,
           tests
  hook     Answer a harness
  help     Print this message

Options:
  -h, --help  Print help
";

const HOOK: &str = "Hooks\n\nCommands:\n  stop  Answer a stop   \n  help  Print this message\n";

fn fake(command: &[String]) -> String {
    match command.iter().map(|word| &**word).collect::<Vec<_>>().as_slice() {
        [] => TOP.to_owned(),
        ["hook"] => HOOK.to_owned(),
        words => format!("{}\n\n", words.join("+")),
    }
}

#[test]
fn commands_are_read_from_the_help() {
    assert_eq!(subcommands(TOP), ["check", "observe", "hook"]);
    assert_eq!(subcommands(HOOK), ["stop"]);
    assert_eq!(subcommands("Usage: tool\n\nOptions:\n  -h  Print help\n"), Vec::<&str>::new());
}

#[test]
fn every_command_and_subcommand_has_a_section() {
    let mut page = String::new();
    section(&mut Vec::new(), &|command: &[String]| Ok(fake(command)), &mut page).unwrap();
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "## `lawful`",
            "## `lawful check`",
            "## `lawful observe`",
            "## `lawful hook`",
            "## `lawful hook stop`"
        ]
    );
    assert!(page.ends_with("\n## `lawful hook stop`\n\n```text\nhook+stop\n```\n"), "{page}");
    assert!(page.lines().all(|line| line == line.trim_end()), "{page}");
}

#[test]
fn a_stale_page_is_found() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
    assert_eq!(first_difference("a\nb\n", "a\n"), Some(2));
    assert_eq!(first_difference("a\n", ""), Some(1));
}
