//! The permissions of Claude Code, as guards.
//!
//! `deny`, `ask` and `allow` have the same precedence there and here.

use std::fmt::Write as _;

use lawful::live::Action;
use lawful::syntax::{Format, Node, escape};
use lawful_deliver::harnesses_with_tool;

use super::documents::parsed;
use super::pattern::{self, CommandPattern, Verdict};
use super::scan::Candidate;
use super::slug::{slug, unique};
use super::{Carried, Imported, ImportedFile, Text};
use super::{file_pattern, host_pattern};
use crate::failure::Failure;
use crate::init::yaml;

/// Where the guards are.
const PATH: &str = "guards/permissions.yaml";

/// Adds the permissions of a settings file.
pub(super) fn add(
    candidate: &Candidate,
    text: &Text,
    imported: &mut Imported,
) -> Result<(), Failure> {
    if let Some(node) = parsed(candidate, text, Format::Json, "the settings", imported)? {
        add_node(&candidate.shown, text, &node, imported);
    }
    Ok(())
}

/// Adds the permissions of a document.
pub(super) fn add_node(shown: &str, text: &Text, node: &Node, imported: &mut Imported) {
    let Some(entries) = node.as_map() else {
        imported.lose(shown, Some(1), "the settings", "they are not a mapping");
        return;
    };
    for entry in entries.iter().filter(|entry| !matches!(&*entry.key, "permissions" | "$schema")) {
        let what = format!("the key `{}`", entry.key);
        let why = "only permissions become guards";
        imported.lose(shown, text.line(entry.key_span), what, why);
    }
    let mut guards = Guards { shown, text, blocks: Vec::new(), ids: Vec::new(), steps: Vec::new() };
    for entry in node.get("permissions").and_then(Node::as_map).unwrap_or_default() {
        let verdict = [Verdict::Deny, Verdict::Ask, Verdict::Allow]
            .into_iter()
            .find(|verdict| verdict.name() == &*entry.key);
        match (verdict, entry.value.as_list()) {
            (Some(verdict), Some(rules)) => {
                for rule in rules {
                    guards.add(rule, verdict, imported);
                }
            }
            (Some(_), None) | (None, _) => {
                let what = format!("the key `permissions.{}`", entry.key);
                let why = "no guard decides by it";
                imported.lose(shown, text.line(entry.key_span), what, why);
            }
        }
    }
    guards.finish(imported);
}

/// The guards of one settings file.
struct Guards<'s> {
    shown: &'s str,
    text: &'s Text,
    /// The text of each, without blank lines.
    blocks: Vec<String>,
    ids: Vec<String>,
    /// The steps of a scenario: a call for each rule that says one.
    steps: Vec<String>,
}

/// What a permission is about.
struct Matched {
    /// The `on` of the guard, without its braces.
    on: String,
    /// Its tests, of which one must hold.
    when: Vec<String>,
    /// Tests that must hold as well.
    also: Vec<String>,
    /// What the original rule decides and the guard does not see.
    gap: Option<&'static str>,
}

impl Matched {
    fn all(on: impl Into<String>) -> Self {
        Self { on: on.into(), when: Vec::new(), also: Vec::new(), gap: None }
    }

    fn when(on: impl Into<String>, when: Vec<String>) -> Self {
        Self { when, ..Self::all(on) }
    }
}

/// Files that no guard sees.
const UNSEEN_READS: &str = "`deny` and `ask` of `Read`: a shell line that reads a file without naming it, such as `grep -r x .` or a script, and a search in a folder above the file";

impl Guards<'_> {
    fn add(&mut self, rule: &Node, verdict: Verdict, imported: &mut Imported) {
        let line = self.text.line(rule.span);
        let Some(written) = rule.as_text() else {
            let what = format!("the rule {}", rule.describe());
            imported.lose(self.shown, line, what, "it is not a string");
            return;
        };
        match matched(written, verdict) {
            Ok(matched) => {
                if let Some(gap) = matched.gap {
                    imported.gap(self.shown, gap);
                }
                self.write(written, verdict, &matched);
            }
            Err(why) => {
                let what = format!("the rule `{written}` of `{}`", verdict.name());
                imported.lose(self.shown, line, what, why);
            }
        }
    }

    fn write(&mut self, written: &str, verdict: Verdict, matched: &Matched) {
        let mut body = String::new();
        if !matched.on.is_empty() {
            let _ = writeln!(body, "  on: {{{}}}", matched.on);
        }
        match &*matched.when {
            [] => {}
            [only] if !matched.also.is_empty() => {
                let tests: Vec<&str> =
                    matched.also.iter().chain([only]).map(String::as_str).collect();
                let _ = writeln!(body, "  when: {{all: [{}]}}", tests.join(", "));
            }
            [only] => {
                let _ = writeln!(body, "  when: {only}");
            }
            several => {
                body.push_str("  when:\n    any:\n");
                for test in several {
                    let _ = writeln!(body, "      - {test}");
                }
            }
        }
        // A reason can have placeholders. A pattern must not be read as one.
        let rule = if written.contains("${") { "this" } else { written };
        let reason = match verdict {
            Verdict::Deny => format!("The project does not permit `{rule}`."),
            Verdict::Ask => format!("The project asks before `{rule}`."),
            Verdict::Allow => format!("The project permits `{rule}`."),
        };
        let _ = write!(body, "  {}: {}", verdict.name(), yaml::quoted(&reason));
        // The same rule twice is one guard.
        if self.blocks.iter().any(|known| known.ends_with(&format!("\n{body}"))) {
            return;
        }
        let name = format!("{}-{}", verdict.name(), slug(written));
        let id = unique(name.trim_end_matches('-'), |id| self.ids.iter().any(|known| known == id));
        self.blocks.push(format!(
            "# {}\n- id: {}\n{body}",
            yaml::comment(written),
            yaml::scalar(&id)
        ));
        self.ids.push(id);
        let step = |call: String| {
            format!("  - tool: {{{call}}}\n    expect: {{decision: {}}}\n", verdict.name())
        };
        self.steps.extend(example(written).map(step));
    }

    fn finish(self, imported: &mut Imported) {
        if self.ids.is_empty() {
            return;
        }
        let is_second = imported.is_taken(PATH);
        let path = if is_second {
            unique("guards/permissions-local", |name| imported.is_taken(&format!("{name}.yaml")))
                + ".yaml"
        } else {
            PATH.to_owned()
        };
        let head = format!(
            "# The permissions of `{}`. Deny takes precedence over ask, and ask over allow, as there.",
            yaml::comment(self.shown)
        );
        let text = std::iter::once(head).chain(self.blocks).collect::<Vec<_>>().join("\n\n") + "\n";
        // The ids of a second file must differ from those of the first.
        let text = if is_second { text.replace("\n- id: ", "\n- id: local-") } else { text };
        imported.put(path.clone(), text, self.shown);
        if !self.steps.is_empty() {
            let name = path.trim_start_matches("guards/").trim_end_matches(".yaml");
            let head = format!(
                "name: the imported {} decide\nsteps:\n",
                if is_second { "local permissions" } else { "permissions" }
            );
            let text = head + &self.steps.concat();
            imported.put(format!("scenarios/{name}.yaml"), text, self.shown);
        }
        let count = self.ids.len();
        imported.carried.push(Carried {
            file: self.shown.to_owned(),
            what: escape::count(count, "guard"),
            files: vec![path],
        });
    }
}

/// Takes out the guard on a line of a file that was made here; says whether there is one.
pub(super) fn take_out(file: &mut ImportedFile, line: usize) -> bool {
    if !file.path.starts_with("guards/permissions") {
        return false;
    }
    let mut at = 1;
    let mut kept: Vec<&str> = Vec::new();
    let mut is_found = false;
    for block in file.text.split("\n\n") {
        let end = at + block.matches('\n').count();
        let is_here = block.contains("\n- id: ") && (at..=end).contains(&line);
        if is_here {
            is_found = true;
        } else {
            kept.push(block);
        }
        at = end + 2;
    }
    file.text = kept.join("\n\n").trim_end().to_owned() + "\n";
    is_found
}

/// A call that a rule decides on, if the rule spells one.
fn example(written: &str) -> Option<String> {
    let (tool, pattern) = written.trim().strip_suffix(')')?.split_once('(')?;
    let pattern = pattern.trim();
    let is_plain = |text: &str| !text.is_empty() && !text.contains(['*', '?', '[', '{', '$', '|']);
    match tool {
        "Bash" => {
            let line = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
            let line = Some(line.unwrap_or(pattern)).filter(|line| is_plain(line))?;
            Some(format!("action: shell, command: {}", yaml::quoted(line)))
        }
        "Read" | "Edit" => {
            let path = pattern.strip_suffix("/**").map(|folder| format!("{folder}/x"));
            let path = path.unwrap_or_else(|| pattern.to_owned());
            let path = path.strip_prefix("//").map_or(path.clone(), |rest| format!("/{rest}"));
            // A leading slash is the project.
            let is_project = pattern.starts_with('/') && !pattern.starts_with("//");
            let path = if is_project { path.trim_start_matches('/') } else { &path };
            let action = if tool == "Read" { "read" } else { "edit" };
            let path = Some(path).filter(|path| is_plain(path))?;
            Some(format!("action: {action}, paths: [{}]", yaml::quoted(path)))
        }
        "WebFetch" => {
            let host = pattern.strip_prefix("domain:").map(|host| host.replace("*.", "www."))?;
            let host = Some(host.trim()).filter(|host| is_plain(host))?;
            Some(format!("action: fetch, url: {}", yaml::quoted(&format!("https://{host}/"))))
        }
        _ => None,
    }
}

/// What a rule is about: `Tool`, or `Tool(pattern)`.
fn matched(written: &str, verdict: Verdict) -> Result<Matched, String> {
    let written = written.trim();
    let (tool, pattern) = match written.split_once('(') {
        None => (written, None),
        Some((tool, rest)) => {
            let pattern = rest.strip_suffix(')').ok_or("the bracket is not closed")?;
            (tool.trim(), Some(pattern).filter(|pattern| !pattern.is_empty()))
        }
    };
    let on = |on: &str| Ok(Matched::all(on));
    let is_wide = verdict != Verdict::Allow;
    match (tool, pattern) {
        ("", _) => Err("it names no tool".to_owned()),
        ("*", None) => on(""),
        ("Bash", None) => on("action: shell"),
        ("Bash", Some(line)) => match pattern::command(line, verdict) {
            CommandPattern::Everything => on("action: shell"),
            CommandPattern::Line(line) => {
                Ok(Matched::when("action: shell", vec![test("event.line", &line)]))
            }
            CommandPattern::Text(line) => {
                Ok(Matched::when("action: shell", vec![test("event.command", &line)]))
            }
            CommandPattern::Unfit(why) => Err(why.to_owned()),
        },
        ("Read" | "Glob" | "Grep" | "LS" | "NotebookRead", pattern) => {
            // Who may search need not be allowed to read.
            let actions = match (is_wide, tool) {
                (true, _) | (false, "Read") => "read, search",
                (false, "NotebookRead") => "read",
                (false, _) => "search",
            };
            files(actions, pattern, verdict)
        }
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", pattern) => {
            let actions = match (tool, is_wide) {
                ("MultiEdit" | "NotebookEdit", _) if pattern.is_none() => {
                    return on(&format!("action: edit, tool: {tool}"));
                }
                (_, true) | ("Edit", false) => "write, edit",
                ("Write", false) => "write",
                (_, false) => "edit",
            };
            files(actions, pattern, verdict)
        }
        ("WebFetch", None) if is_wide => on("action: fetch"),
        ("WebFetch", None) => on("action: fetch, tool: WebFetch"),
        ("WebFetch", Some(pattern)) => {
            let host = pattern
                .strip_prefix("domain:")
                .ok_or("only `domain:` is a pattern of addresses")?;
            let tests = host_pattern::read(host, verdict)?;
            let tests = tests.iter().map(|expression| test("event.url", expression)).collect();
            Ok(Matched::when("action: fetch", tests))
        }
        ("Task" | "Agent", None) => on("action: agent"),
        ("Task" | "Agent", Some(agent)) => {
            let when = vec![test("event.input.subagent_type", &pattern::whole(agent))];
            Ok(Matched::when("action: agent", when))
        }
        (tool, None) => match tool.strip_prefix("mcp__") {
            Some(rest) => mcp(rest),
            None if tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                // With the action, the guard names a tool of some harnesses on purpose.
                let known = harnesses_with_tool(tool);
                let action = known.first().map(|(_, action)| *action);
                let is_one = known.iter().all(|(_, other)| Some(*other) == action);
                let action = action.filter(|action| is_one && *action != Action::Other);
                let action = action.map(|action| format!("action: {}, ", action.name()));
                let action = action.unwrap_or_default();
                on(&format!("{action}tool: {}", yaml::scalar(tool)))
            }
            None => Err("it is not the name of a tool".to_owned()),
        },
        (_, Some(_)) => Err("no guard reads the pattern of this tool".to_owned()),
    }
}

/// The files of a tool. A `deny` and an `ask` are also on what a shell line does with them.
fn files(actions: &str, pattern: Option<&str>, verdict: Verdict) -> Result<Matched, String> {
    let Some(pattern) = pattern else { return Ok(Matched::all(format!("action: [{actions}]"))) };
    let pattern = file_pattern::read(pattern, verdict)?;
    let mut tests = vec![test("event.path", &pattern.path)];
    if verdict == Verdict::Allow {
        // Paths outside the project are absolute, and unknown ones start with `?`.
        let is_inside = test("event.path", "^[^/?]");
        let also = if pattern.is_relative { vec![is_inside] } else { Vec::new() };
        return Ok(Matched { also, ..Matched::when(format!("action: [{actions}]"), tests) });
    }
    let is_read = actions.starts_with("read");
    let field = if is_read { "event.reads[*]" } else { "event.writes[*]" };
    tests.push(test(field, &pattern.path));
    tests.push(test(field, &pattern.unsure));
    if is_read {
        tests.push(test("event.args[*]", &pattern.word));
    }
    let gap = is_read.then_some(UNSEEN_READS);
    Ok(Matched { gap, ..Matched::when(format!("action: [{actions}, shell]"), tests) })
}

fn test(path: &str, expression: &str) -> String {
    format!("{{path: '{path}', op: matches, value: {}}}", yaml::single_quoted(expression))
}

/// `server`, `server__tool` or `server__*`
fn mcp(rest: &str) -> Result<Matched, String> {
    let (server, name) = match rest.split_once("__") {
        Some((server, name)) => (server, Some(name).filter(|name| *name != "*")),
        None => (rest, None),
    };
    if server.is_empty() {
        return Err("it names no server".to_owned());
    }
    if server.contains('*') {
        return Err("the name of a server has no patterns".to_owned());
    }
    let mut on = format!("action: mcp, server: {}", yaml::scalar(server));
    let mut when = Vec::new();
    match name {
        Some(name) if name.contains('*') => {
            let name = yaml::single_quoted(&pattern::whole(name));
            when.push(format!("{{path: event.name, op: matches, value: {name}}}"));
        }
        Some(name) => {
            let _ = write!(on, ", name: {}", yaml::scalar(name));
        }
        None => {}
    }
    Ok(Matched::when(on, when))
}

#[cfg(test)]
mod tests;
