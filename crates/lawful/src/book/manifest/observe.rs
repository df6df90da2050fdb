//! `observe`: the commands that a host may run, by name.
//!
//! No other command is ever run. An envelope cannot name a command, and nothing that an agent
//! writes becomes part of one.

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use super::{Within, count, inside};
use crate::code;
use crate::decode::{Fields, text, wrong_type};

/// A command that may be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// What is run.
    pub run: Run,
    /// How many seconds it may take.
    pub timeout: u64,
    /// The folder it runs in, relative to the root of the project; empty for the root.
    pub folder: String,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Run {
    /// A program and its arguments, verbatim.
    Words(Vec<Box<str>>),
    /// A line for `sh -c`.
    Shell(Box<str>),
}

/// A way to observe something: a key of `hooks.stop.observe`, and an option of `lawful observe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observable {
    /// What changed since a commit.
    Git,
    /// Which files exist.
    Files,
    /// Test results.
    Junit,
    /// Command exit codes.
    Run,
}

impl Observable {
    /// The built-in keys of an observation, and the kind that provides each.
    pub const KEYS: [(&'static str, Self); 7] = [
        ("changed", Self::Git),
        ("added", Self::Git),
        ("deleted", Self::Git),
        ("files", Self::Files),
        ("tests", Self::Junit),
        ("failing", Self::Junit),
        ("runs", Self::Run),
    ];

    /// The kind that provides a built-in key.
    pub fn of(key: &str) -> Option<Self> {
        Self::KEYS.iter().find(|(known, _)| *known == key).map(|(_, kind)| *kind)
    }

    /// Its key under `hooks.stop.observe`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Files => "files",
            Self::Junit => "junit",
            Self::Run => "run",
        }
    }
}

impl Observation {
    /// The default timeout of a command, in seconds.
    pub const TIMEOUT: u64 = 600;
}

/// The keys of a command.
pub(crate) const KEYS: [&str; 3] = ["run", "timeout", "cwd"];

pub(super) fn observation(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Observation> {
    let what = format!("the command `{}`", escape::name(&entry.key));
    if entry.key.trim().is_empty() {
        let message = "the name of a command is blank";
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, entry.key_span, message)
                .help("name what the command checks, such as `tests`"),
        );
        return None;
    }
    let mut found = Observation {
        name: entry.key.clone(),
        span: entry.key_span,
        run: Run::Words(Vec::new()),
        timeout: Observation::TIMEOUT,
        folder: String::new(),
    };
    if entry.value.as_map().is_none() {
        found.run = run(&entry.value, &what, problems)?;
        return Some(found);
    }
    let fields = Fields::of(&entry.value, &what, &KEYS, problems)?;
    if let Some(node) = fields.get("timeout") {
        found.timeout = count("timeout", node, problems).unwrap_or(Observation::TIMEOUT);
    }
    if let Some(node) = fields.get("cwd") {
        let written = text(node, "`cwd`", problems);
        let folder = written.and_then(|path| inside(path, node.span, Within::Project, problems));
        found.folder = folder.unwrap_or_default();
    }
    let written = fields.require("run", &what, problems)?;
    found.run = run(written, &what, problems)?;
    Some(found)
}

fn run(node: &Node, what: &str, problems: &mut Vec<Diagnostic>) -> Option<Run> {
    let help = "write a list of words such as `[cargo, test]`, or a line for the shell";
    let blank = |problems: &mut Vec<Diagnostic>| {
        let message = format!("{what} is blank");
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help(help));
        None
    };
    if let Some(line) = node.as_text() {
        return if line.trim().is_empty() {
            blank(problems)
        } else {
            Some(Run::Shell(line.into())).filter(|_| passes(line, node.span, problems))
        };
    }
    let Some(items) = node.as_list() else {
        problems.push(wrong_type(node, what, "a list of words or a string").help(help));
        return None;
    };
    let mut words: Vec<Box<str>> = Vec::new();
    for item in items {
        let word = text(item, "a word of a command", problems)?;
        if !passes(word, item.span, problems) {
            return None;
        }
        words.push(word.into());
    }
    match words.first() {
        Some(program) if !program.trim().is_empty() => Some(Run::Words(words)),
        Some(_) | None => blank(problems),
    }
}

/// Rejects a zero byte, which no system accepts in a command.
fn passes(word: &str, span: Span, problems: &mut Vec<Diagnostic>) -> bool {
    let zero = word.contains('\0');
    if zero {
        let message = "a command cannot contain a zero byte";
        problems.push(Diagnostic::new(&code::BAD_VALUE, span, message).help("remove it"));
    }
    !zero
}

/// `observed`: the keys that a host adds to the built-in ones.
pub(super) fn observed(node: &Node, problems: &mut Vec<Diagnostic>) -> Vec<Box<str>> {
    let Some(items) = node.as_list() else {
        let problem = wrong_type(node, "`observed`", "a list of names");
        problems.push(problem.help("write it as `[…]`"));
        return Vec::new();
    };
    let mut names: Vec<Box<str>> = Vec::new();
    for item in items {
        let Some(name) = text(item, "a name in `observed`", problems) else { continue };
        let shown = escape::name(name);
        if name.trim().is_empty() {
            let message = "a name in `observed` is blank";
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, item.span, message)
                    .help("name a key that the host observes"),
            );
        } else if Observable::of(name).is_some() {
            let message = format!("the built-in key `{shown}` cannot be declared");
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, item.span, message)
                    .help("remove it; `lawful observe` already provides it"),
            );
        } else if names.iter().any(|known| **known == *name) {
            let message = format!("`observed` contains `{shown}` twice");
            problems.push(
                Diagnostic::new(&code::DUPLICATE_VALUE, item.span, message).help("remove one"),
            );
        } else {
            names.push(name.into());
        }
    }
    names
}

/// The diagnostic for an unknown command.
pub(crate) fn unknown_command(name: &str, span: Span, commands: &[&str]) -> Diagnostic {
    let message = format!("the manifest has no command `{}`", escape::name(name));
    Diagnostic::new(&code::UNKNOWN_COMMAND, span, message).help(did_you_mean(
        "command",
        name,
        commands.iter().copied(),
    ))
}
