//! A lawbook with rules, compositions, guards and scenarios, the same every time.

use std::fmt::Write as _;

const COMPOSITIONS: usize = 10;
const RULE_FILES: usize = 20;
const GUARD_FILES: usize = 6;

/// The paths and texts of all files.
pub fn files() -> Vec<(String, String)> {
    let manifest = "name: generated\naxes: {tone: [warm, terse], tier: [free, pro]}\nvariables: {mood: {type: number, initial: 50, min: 0, max: 100}}\n";
    let mut files = vec![("lawful.yaml".to_owned(), manifest.to_owned())];
    for at in 0..40 {
        let text = format!("---\nid: part-{at}\n---\nSay what you saw in part {at}.\n");
        files.push((format!("fragments/part-{at}.md"), text));
    }
    for at in 0..COMPOSITIONS {
        files.push((format!("compositions/reply-{at}.yaml"), composition(at)));
        files.push((format!("scenarios/reply-{at}.yaml"), prompts(at)));
    }
    for at in 0..RULE_FILES {
        files.push((format!("rules/scene-{at}.yaml"), rules(at)));
        files.push((format!("scenarios/scene-{at}.yaml"), turns(at)));
    }
    for at in 0..GUARD_FILES {
        files.push((format!("guards/tools-{at}.yaml"), guards(at)));
        files.push((format!("scenarios/tools-{at}.yaml"), calls(at)));
    }
    files
}

fn composition(at: usize) -> String {
    let mut text = format!("name: reply-{at}\nbase: [part-{at}, part-{}]\nrules:\n", at + 10);
    for part in 0..6 {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "  - {{id: r{part}, when: {{all: [{{tone: terse}}, {{path: n, op: at_least, value: {part}}}]}}, add: [part-{}]}}",
            20 + part
        );
    }
    text
}

fn prompts(at: usize) -> String {
    format!(
        "steps:\n  - compose: {{name: reply-{at}, context: {{tone: terse, n: 2}}}}\n    expect: {{fired: {{exactly: [r0, r1, r2]}}}}\n  - compose: {{name: reply-{at}, context: {{tone: warm, n: 9}}}}\n    expect: {{fired: {{exactly: []}}}}\n"
    )
}

fn rules(at: usize) -> String {
    let mut text = "rules:\n".to_owned();
    for part in 0..8 {
        let _ = writeln!(
            text,
            "  - id: scene-{at}-{part}\n    trigger: {{type: action, actionId: act-{at}}}\n    conditions: [{{path: mood, op: gte, value: {}}}]\n    actions: [{{type: notify-player, message: 'Scene {at}, part {part}.'}}]",
            part * 10
        );
    }
    text
}

fn turns(at: usize) -> String {
    let fired: Vec<String> = (0..6).map(|part| format!("scene-{at}-{part}")).collect();
    format!(
        "steps:\n  - action: act-{at}\n    expect: {{fired: {{exactly: [{}]}}}}\n",
        fired.join(", ")
    )
}

fn guards(at: usize) -> String {
    let mut text = String::new();
    for part in 0..6 {
        let _ = writeln!(
            text,
            "- id: tool-{at}-{part}\n  on: {{action: shell}}\n  when: {{any: [{{event.program: tool-{at}-{part}}}, {{path: event.line, op: matches, value: '^run-{at}-{part} .*--force'}}]}}\n  deny: No."
        );
    }
    text
}

fn calls(at: usize) -> String {
    format!(
        "steps:\n  - tool: {{action: shell, command: tool-{at}-1 x}}\n    expect: {{decision: deny, by: [tool-{at}-1]}}\n  - tool: {{action: shell, command: run-{at}-2 x --force}}\n    expect: {{decision: deny, by: [tool-{at}-2]}}\n  - tool: {{action: shell, command: ls}}\n    expect: {{decision: none}}\n"
    )
}
