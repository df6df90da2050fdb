//! What the stop hook of a new lawbook verifies: that the tests of the project pass.

use std::fmt::Write as _;

use super::detect::TestCommand;
use super::manifest::ManifestText;
use super::plan::PlannedFile;
use super::yaml;

/// Where the rulespec of a lawbook is.
pub(super) const RULESPEC: &str = "analysis/rulespec.yaml";

/// What a manifest says if no test command was found.
const WITHOUT_TESTS: &str = "\
# No test command was found. To keep an agent from stopping before a command succeeds, list it here and
# judge its exit code in `analysis/rulespec.yaml`:
#
# observe:
#   tests: [make, test]
# hooks:
#   stop:
#     observe: {run: [tests]}
";

/// Adds the test commands to the manifest, and what they run to the protected files.
pub(super) fn add_to(manifest: &mut ManifestText, commands: &[TestCommand]) {
    if commands.is_empty() {
        manifest.append(WITHOUT_TESTS);
        return;
    }
    let mut reads: Vec<&str> = commands.iter().filter_map(|command| command.reads).collect();
    reads.dedup();
    for file in reads {
        let line = format!("    - {}  # decides what the tests run", yaml::scalar(file));
        manifest.insert_below("  paths:", &[line]);
    }
    let mut text = "# The commands that Lawful may run, and nothing else.\nobserve:\n".to_owned();
    for command in commands {
        let words = yaml::list(command.run.iter().map(String::as_str));
        let _ = writeln!(text, "  {}: {{run: {words}, timeout: 600}}", yaml::scalar(&command.name));
    }
    let names = yaml::list(commands.iter().map(|command| &*command.name));
    let _ = write!(
        text,
        "\n\
         hooks:\n  \
           stop:\n    \
             # When the agent wants to stop, these commands run, and `analysis/rulespec.yaml` judges the result.\n    \
             observe: {{run: {names}}}\n    \
             # An agent that cannot fix its work must not loop forever: after so many blocks it may stop.\n    \
             blocks: 3\n"
    );
    manifest.append(&text);
}

/// The rulespec and its scenario.
pub(super) fn files(commands: &[TestCommand]) -> Vec<PlannedFile> {
    if commands.is_empty() {
        return Vec::new();
    }
    let (claims, predicates): (Vec<String>, Vec<String>) = commands.iter().map(law).unzip();
    let text = format!(
        "# What must be true before the agent may stop. Everything under `observed.` is what Lawful saw, so the agent\n\
         # need not report it, and cannot.\n\
         claims:\n{}\npredicates:\n{}",
        claims.concat(),
        predicates.concat()
    );
    let rulespec = PlannedFile { path: RULESPEC.to_owned(), text };
    let scenario = PlannedFile { path: "scenarios/stop.yaml".to_owned(), text: scenario(commands) };
    vec![rulespec, scenario]
}

/// The claim and the predicate of a command.
fn law(command: &TestCommand) -> (String, String) {
    let name = &command.name;
    let claim = format!(
        "  - {{name: {name}-exit, selector: {}}}\n",
        yaml::quoted(&format!("observed.runs.{name}.exit"))
    );
    let notes = format!("run `{}`, and fix what fails", command.run.join(" "));
    let predicate = format!(
        "  - name: {name}-pass\n    claim: {name}-exit\n    rule: equals\n    value: 0\n    notes: {}\n",
        yaml::quoted(&notes)
    );
    (claim, predicate)
}

/// A stop with failing tests, and one where all of them pass.
fn scenario(commands: &[TestCommand]) -> String {
    let observed = |failing: Option<usize>| {
        let runs = commands.iter().enumerate().map(|(at, command)| {
            let exit = i32::from(Some(at) == failing);
            format!("{}: {{exit: {exit}}}", command.name)
        });
        format!("{{runs: {{{}}}}}", runs.collect::<Vec<_>>().join(", "))
    };
    let mut text = "\
        # A scenario runs no command: `observed` says what the commands returned.\n\
        name: the agent may stop when the tests pass\n\
        steps:\n"
        .to_owned();
    for (at, command) in commands.iter().enumerate() {
        let _ = write!(
            text,
            "  - stop: {{observed: {}}}\n    expect: {{verdict: fail, failed: [{}-pass]}}\n",
            observed(Some(at)),
            command.name
        );
    }
    let _ =
        write!(text, "  - stop: {{observed: {}}}\n    expect: {{verdict: pass}}\n", observed(None));
    text
}

/// Adds the claims and predicates of the test commands to a rulespec that was written by hand in the
/// block style; `None` if it is written otherwise.
pub(super) fn merged(rulespec: &str, commands: &[TestCommand]) -> Option<String> {
    let (claims, predicates): (Vec<String>, Vec<String>) = commands.iter().map(law).unzip();
    let text = insert_items(rulespec, "claims:", &claims)?;
    insert_items(&text, "predicates:", &predicates)
}

/// Inserts items at the start of a block list, with its indentation.
fn insert_items(text: &str, key: &str, items: &[String]) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.trim_end() == key)?;
    let is_written = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = lines.get(at + 1..)?.iter().find(is_written)?;
    let item = first.trim_start();
    if !item.starts_with("- ") {
        return None;
    }
    let indent = first.get(..first.len() - item.len())?;
    let mut out: Vec<String> = lines.get(..=at)?.iter().map(|line| (*line).to_owned()).collect();
    for line in items.iter().flat_map(|item| item.lines()) {
        out.push(format!("{indent}{}", line.strip_prefix("  ").unwrap_or(line)));
    }
    out.extend(lines.get(at + 1..)?.iter().map(|line| (*line).to_owned()));
    Some(out.join("\n") + "\n")
}
