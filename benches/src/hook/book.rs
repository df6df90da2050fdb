//! A book of many guards and rules, of which one guard and one rule act.

use std::fmt::Write as _;

/// How many guards the book has.
pub const GUARDS: usize = 50;
/// How many rules it has.
pub const RULES: usize = 200;

/// How many guards or rules are in one file.
const IN_A_FILE: usize = 10;

const MANIFEST: &str = "\
name: bench
variables:
  deploys: {type: number, initial: 0}
  failures: {type: number, initial: 0}
  phase: {type: string, initial: work}
";

/// The guard that denies.
const DENIES: &str = "\
- id: no-force-push
  on: {action: shell}
  when: {path: event.line, op: matches, value: '^git push\\b.*(--force|-f)\\b'}
  deny: Push without --force.
";

/// The rule that writes.
const WRITES: &str = "\
rules:
- id: count-deploys
  trigger: {type: event, eventType: 'tool:call', action: shell}
  conditions: [{path: event.command, op: starts_with, value: ./deploy}]
  actions: [{type: modify-variable, variableId: deploys, operation: add, value: 1}]
";

/// The files of the book, with their paths.
pub(super) fn files() -> Vec<(String, String)> {
    let mut files = vec![("lawful.yaml".to_owned(), MANIFEST.to_owned())];
    for first in (0..GUARDS).step_by(IN_A_FILE) {
        let mut text = if first == 0 { DENIES.to_owned() } else { String::new() };
        for n in first.max(1)..first + IN_A_FILE {
            guard(n, &mut text);
        }
        files.push((format!("guards/g{first}.yaml"), text));
    }
    for first in (0..RULES).step_by(IN_A_FILE) {
        let mut text = if first == 0 { WRITES.to_owned() } else { "rules:\n".to_owned() };
        for n in first.max(1)..first + IN_A_FILE {
            rule(n, &mut text);
        }
        files.push((format!("rules/r{first}.yaml"), text));
    }
    files
}

/// A guard that does not act on any call of the benchmark.
fn guard(n: usize, text: &mut String) {
    let (on, when, decision) = match n % 5 {
        0 => (
            "shell",
            format!("{{path: event.line, op: matches, value: '^tool{n} (rm|delete|drop)\\b'}}"),
            "deny",
        ),
        1 => (
            "[write, edit]",
            format!("{{path: event.path, op: starts_with, value: vendor{n}/}}"),
            "deny",
        ),
        2 => (
            "shell",
            format!(
                "{{all: [{{event.program: tool{n}}}, {{path: event.args, op: contains, value: --all}}]}}"
            ),
            "ask",
        ),
        3 => (
            "fetch",
            format!("{{path: event.url, op: starts_with, value: 'https://host{n}.example/'}}"),
            "deny",
        ),
        _ => (
            "shell",
            format!(
                "{{all: [{{path: event.line, op: contains, value: publish{n}}}, {{path: state.phase, op: neq, value: release}}]}}"
            ),
            "ask",
        ),
    };
    let _ = writeln!(
        text,
        "- id: guard-{n}\n  on: {{action: {on}}}\n  when: {when}\n  {decision}: Rule {n} of the house."
    );
}

/// A rule that does not act on any call of the benchmark.
fn rule(n: usize, text: &mut String) {
    let trigger = match n % 5 {
        0 => format!("{{type: event, eventType: 'tool:call', tool: Tool{n}}}"),
        1 => "{type: event, eventType: 'tool:result', ok: false}".to_owned(),
        2 => format!("{{type: keyword, keywords: [topic{n}, subject{n}]}}"),
        3 => format!(
            "{{type: variable-crossed, variableId: failures, direction: rises-above, threshold: {n}}}"
        ),
        _ => "{type: event, eventType: 'guard:denied'}".to_owned(),
    };
    let action = match n % 3 {
        0 => "{type: modify-variable, variableId: failures, operation: add, value: 1}".to_owned(),
        1 => format!(
            "{{type: inject-directive, directiveId: d{n}, content: Mind rule {n}., duration: 2}}"
        ),
        _ => format!("{{type: notify-player, message: Rule {n} was touched.}}"),
    };
    let _ = writeln!(
        text,
        "- id: rule-{n}\n  trigger: {trigger}\n  conditions: [{{path: phase, op: equals, value: phase{n}}}]\n  actions: [{action}]"
    );
}
