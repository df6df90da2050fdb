//! The permissions of Claude Code, as guards.
//!
//! `deny`, `ask` and `allow` have the same precedence there and here.

use std::fmt::Write as _;

use lawful::Limits;
use lawful::syntax::{Diagnostic, Format, Node, Severity, escape, parse};

use super::pattern::{self, CommandPattern, Verdict};
use super::scan::Candidate;
use super::slug::{slug, unique};
use super::{Carried, Imported, ImportedFile, Text};
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
    let shown = &candidate.shown;
    let limits = Limits::default().document;
    let (node, problems) = parse(&text.sources, text.file, Format::Json, &limits);
    let errors: Vec<Diagnostic> =
        problems.into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    let node = match (node, errors.first()) {
        (Some(node), None) => node,
        (_, Some(error)) if !candidate.is_named => {
            imported.lose(shown, text.line(error.span), "the settings", error.message.clone());
            return Ok(());
        }
        (_, _) => return Err(Failure::sorted(errors, text.sources.clone())),
    };
    add_node(shown, text, &node, imported);
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
    let mut guards = Guards { shown, text, blocks: Vec::new(), ids: Vec::new() };
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
}

/// What a permission is about.
struct Matched {
    /// The `on` of the guard, without its braces.
    on: String,
    /// Its tests, of which one must hold.
    when: Vec<String>,
}

impl Guards<'_> {
    fn add(&mut self, rule: &Node, verdict: Verdict, imported: &mut Imported) {
        let line = self.text.line(rule.span);
        let Some(written) = rule.as_text() else {
            let what = format!("the rule {}", rule.describe());
            imported.lose(self.shown, line, what, "it is not a string");
            return;
        };
        match matched(written, verdict) {
            Ok(matched) => self.write(written, verdict, &matched),
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
        // A reason can have placeholders, and a pattern is none.
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
    let on = |on: &str| Ok(Matched { on: on.to_owned(), when: Vec::new() });
    let test = |path: &str, expression: &str| {
        format!("{{path: '{path}', op: matches, value: {}}}", yaml::single_quoted(expression))
    };
    let is_wide = verdict != Verdict::Allow;
    match (tool, pattern) {
        ("", _) => Err("it names no tool".to_owned()),
        ("*", None) => on(""),
        ("Bash", None) => on("action: shell"),
        ("Bash", Some(line)) => match pattern::command(line, verdict) {
            CommandPattern::Everything => on("action: shell"),
            CommandPattern::Line(line) => Ok(Matched {
                on: "action: shell".to_owned(),
                when: vec![test("event.line", &line)],
            }),
            CommandPattern::Text(line) => Ok(Matched {
                on: "action: shell".to_owned(),
                when: vec![test("event.command", &line)],
            }),
            CommandPattern::Unfit(why) => Err(why.to_owned()),
        },
        ("Read" | "Glob" | "Grep" | "LS" | "NotebookRead", None) => on("action: [read, search]"),
        ("Read" | "Glob" | "Grep" | "LS" | "NotebookRead", Some(path)) => {
            let path = pattern::path(path, verdict)?;
            let mut when = vec![test("event.path", &path)];
            if is_wide {
                when.push(test("event.reads[*]", &path));
                when.push(test("event.args[*]", &path));
            }
            let on =
                if is_wide { "action: [read, search, shell]" } else { "action: [read, search]" };
            Ok(Matched { on: on.to_owned(), when })
        }
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", None) => on("action: [write, edit]"),
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", Some(path)) => {
            let path = pattern::path(path, verdict)?;
            let mut when = vec![test("event.path", &path)];
            if is_wide {
                when.push(test("event.writes[*]", &path));
            }
            let on = if is_wide { "action: [write, edit, shell]" } else { "action: [write, edit]" };
            Ok(Matched { on: on.to_owned(), when })
        }
        ("WebFetch", None) => on("action: fetch"),
        ("WebFetch", Some(pattern)) => {
            let host = pattern
                .strip_prefix("domain:")
                .ok_or("only `domain:` is a pattern of addresses")?;
            let when = vec![test("event.url", &pattern::domain(host))];
            Ok(Matched { on: "action: fetch".to_owned(), when })
        }
        ("Task" | "Agent", None) => on("action: agent"),
        ("Task" | "Agent", Some(agent)) => {
            let when = vec![test("event.input.subagent_type", &pattern::whole(agent))];
            Ok(Matched { on: "action: agent".to_owned(), when })
        }
        (tool, None) => match tool.strip_prefix("mcp__") {
            Some(rest) => mcp(rest),
            None if tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                on(&format!("tool: {}", yaml::scalar(tool)))
            }
            None => Err("it is not the name of a tool".to_owned()),
        },
        (_, Some(_)) => Err("no guard reads the pattern of this tool".to_owned()),
    }
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
    Ok(Matched { on, when })
}

#[cfg(test)]
mod tests;
