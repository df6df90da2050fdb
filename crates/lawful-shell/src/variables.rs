//! The values that a line gives to its own variables.
//!
//! `F=--force; git push $F` runs `git push --force`. Which assignment holds where is not followed:
//! a command gets one further spelling for each combination of values that the line assigns to its
//! variables anywhere, and a variable that the line does not set is empty.
//!
//! **Invariant:** these spellings are guesses, so they are only among the suspects of a command. If
//! there are more combinations than a limit, the reading is opaque.

use std::collections::{BTreeMap, BTreeSet};

use crate::expand::{Arg, ArgKind};
use crate::reading::{Command, Write};
use crate::run::base_name;

/// The most combinations of values for one command.
const MAX_COMBINATIONS: usize = 128;

/// The most variables in one command, with those in their values.
const MAX_NAMES: usize = 16;

/// The most spellings that variables add to a line.
const MAX_SPELLINGS: usize = 1_000;

/// The longest text after replacement.
const MAX_TEXT: usize = 4096;

/// How often a value is looked at again, because it names other variables.
const MAX_ROUNDS: usize = 3;

/// Variables of the environment. They are not empty if the line does not set them.
const ENVIRONMENT: [&str; 9] =
    ["HOME", "LOGNAME", "OLDPWD", "PATH", "PWD", "SHELL", "TMPDIR", "USER", "UID"];

/// The variables that a line sets, with the texts it gives them.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    values: BTreeMap<String, BTreeSet<String>>,
    /// Commands with variables: the index and the arguments.
    commands: Vec<(usize, Vec<Arg>)>,
}

/// There are more combinations than are tried.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Variables {
    pub(crate) fn assign(&mut self, name: &str, value: &str) {
        let list = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
        if let Some(list) = list {
            let plain: String = list.chars().filter(|letter| !"'\"\\".contains(*letter)).collect();
            for element in plain.split_whitespace() {
                self.insert(name, element.to_owned());
            }
            self.insert(name, plain);
        } else if let Some((_, value)) =
            value.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.split_once("]="))
        {
            self.insert(name, value.to_owned());
        } else {
            self.insert(name, value.to_owned());
        }
    }

    /// `name+=value`
    pub(crate) fn append(&mut self, name: &str, value: &str) {
        let before = self.values.get(name).cloned().unwrap_or_default();
        for start in before.iter().take(MAX_COMBINATIONS) {
            self.insert(name, format!("{start}{value}"));
        }
        self.assign(name, value);
    }

    /// The arguments of a function or of a script.
    pub(crate) fn positional(&mut self, args: &[Arg]) {
        for (index, arg) in args.iter().enumerate().take(9) {
            self.insert(&(index + 1).to_string(), arg.text.clone());
        }
        if !args.is_empty() {
            let all = crate::run::line_of(args);
            self.insert("@", all.clone());
            self.insert("*", all);
        }
    }

    fn insert(&mut self, name: &str, value: String) {
        let values = self.values.entry(name.to_owned()).or_default();
        // One more than can be combined, so that the limit is noticed.
        if values.len() <= MAX_COMBINATIONS && value.len() <= MAX_TEXT {
            values.insert(value);
        }
    }

    /// Remembers a command whose arguments have variables.
    pub(crate) fn note(&mut self, index: usize, args: &[Arg]) {
        let varies = |arg: &Arg| arg.kind == ArgKind::Expansion && arg.text.contains(['$', '`']);
        if args.iter().any(varies) {
            self.commands.push((index, args.to_vec()));
        }
    }

    /// Adds the further spellings to the commands.
    pub(crate) fn apply(&self, commands: &mut [Command]) -> Result<(), TooMany> {
        let mut left = MAX_SPELLINGS;
        let mut result = Ok(());
        for (index, args) in &self.commands {
            let Some(command) = commands.get_mut(*index) else { continue };
            let Some(choices) = self.choices(args.iter().map(|arg| arg.text.as_str())) else {
                result = Err(TooMany);
                continue;
            };
            for choice in &choices {
                for words in spellings(args, choice) {
                    if left == 0 {
                        return Err(TooMany);
                    }
                    if words != command.words && !command.suspects.contains(&words) {
                        left -= 1;
                        command.suspects.push(words);
                    }
                }
            }
        }
        for command in commands {
            let open = |write: &&Write| !write.known && write.path.contains('$');
            let found: Vec<Write> = command.writes.iter().filter(open).cloned().collect();
            for write in found {
                let Some(choices) = self.choices(std::iter::once(write.path.as_str())) else {
                    result = Err(TooMany);
                    continue;
                };
                for choice in &choices {
                    let (path, set) = replaced(&write.path, choice);
                    let path = Write { path, known: true, ..write.clone() };
                    if set && !path.path.contains(['$', '`', '*', '?', '[', '{']) {
                        if left == 0 {
                            return Err(TooMany);
                        }
                        left -= 1;
                        command.writes.push(path);
                    }
                }
            }
        }
        result
    }

    /// Each way to choose one value for every variable in the texts. `None` if there are too many.
    fn choices<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Option<Vec<Choice<'_>>> {
        let mut names = BTreeSet::new();
        let mut pending: Vec<&str> = Vec::new();
        for text in texts {
            pending.extend(self.names_in(text));
        }
        while let Some(name) = pending.pop() {
            if let Some((name, values)) = self.values.get_key_value(name)
                && names.insert(name.as_str())
            {
                if names.len() > MAX_NAMES {
                    return None;
                }
                pending.extend(values.iter().flat_map(|value| self.names_in(value)));
            }
        }
        let mut choices: Vec<Choice<'_>> = vec![BTreeMap::new()];
        for name in names {
            let values = self.values.get(name)?;
            if choices.len() * values.len() > MAX_COMBINATIONS {
                return None;
            }
            let mut longer = Vec::new();
            for choice in &choices {
                for value in values {
                    let mut choice = choice.clone();
                    choice.insert(name, value);
                    longer.push(choice);
                }
            }
            choices = longer;
        }
        Some(choices)
    }

    /// The variables of the line that a text may expand.
    fn names_in<'s>(&'s self, text: &str) -> Vec<&'s str> {
        if !text.contains('$') {
            return Vec::new();
        }
        let mut found = Vec::new();
        for piece in text.split('$').skip(1) {
            let (name, _) = name_at(piece.strip_prefix('{').unwrap_or(piece));
            found.extend(self.values.get_key_value(name).map(|(name, _)| name.as_str()));
        }
        found
    }
}

/// The words with their variables replaced: as they are, and split at blanks.
fn spellings(args: &[Arg], choice: &Choice<'_>) -> Vec<Vec<String>> {
    let (mut whole, mut split) = (Vec::new(), Vec::new());
    let mut changed = false;
    for arg in args.iter().filter(|arg| arg.kind != ArgKind::Rest) {
        if arg.kind != ArgKind::Expansion {
            whole.push(arg.text.clone());
            split.push(arg.text.clone());
            continue;
        }
        let (text, set) = replaced(&arg.text, choice);
        if text.is_empty() {
            // An empty expansion is no word.
            continue;
        }
        if !set && text.starts_with('/') && !arg.text.starts_with('/') {
            // `$DIR/x` without `DIR` is some path, rather than one from the root.
            whole.push(arg.text.clone());
            split.push(arg.text.clone());
            continue;
        }
        changed |= text != arg.text;
        if text.contains(['$', '`']) {
            split.push(text.clone());
        } else {
            split.extend(text.split_whitespace().map(str::to_owned));
        }
        whole.push(text);
    }
    if !changed {
        return Vec::new();
    }
    for words in [&mut whole, &mut split] {
        if let Some(program) = words.first_mut() {
            *program = base_name(program).to_owned();
        }
    }
    if whole == split { vec![whole] } else { vec![whole, split] }
}

/// A text with its variables replaced, and whether the line sets one of them.
fn replaced(text: &str, choice: &Choice<'_>) -> (String, bool) {
    let mut text = text.to_owned();
    let mut set = false;
    for _ in 0..MAX_ROUNDS {
        let (next, found) = once(&text, choice);
        set |= found;
        if next == text || next.len() > MAX_TEXT {
            break;
        }
        text = next;
    }
    (text, set)
}

/// One value for each variable.
type Choice<'v> = BTreeMap<&'v str, &'v str>;

/// The name at the start of a text, and what follows it.
fn name_at(text: &str) -> (&str, &str) {
    let end = match text.chars().next() {
        Some('@' | '*' | '0'..='9') => 1,
        _ => text
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
            .unwrap_or(text.len()),
    };
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Replaces each variable once.
fn once(text: &str, choice: &Choice<'_>) -> (String, bool) {
    let mut out = String::new();
    let mut set = false;
    let mut rest = text;
    while let Some(at) = rest.find(['$', '`']) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let (value, length) = expansion(from, choice, &mut set);
        let (written, after) = from.split_at_checked(length).unwrap_or((from, ""));
        out.push_str(value.as_deref().unwrap_or(written));
        rest = after;
    }
    out.push_str(rest);
    (out, set)
}

/// The value of the expansion at the start of a text, if it has one, and the length of it.
fn expansion(text: &str, choice: &Choice<'_>, set: &mut bool) -> (Option<String>, usize) {
    if let Some(rest) = text.strip_prefix('`') {
        return match rest.find('`') {
            Some(end) => (output(rest.get(..end).unwrap_or_default(), set), end + 2),
            None => (None, text.len()),
        };
    }
    let after = text.get(1..).unwrap_or_default();
    if after.starts_with('(') || after.starts_with('{') {
        let (open, close) = if after.starts_with('(') { ('(', ')') } else { ('{', '}') };
        let mut depth = 0_usize;
        for (at, letter) in after.char_indices() {
            if letter == open {
                depth += 1;
            } else if letter == close {
                depth -= 1;
            }
            if depth == 0 {
                let inner = after.get(1..at).unwrap_or_default();
                let value =
                    if open == '(' { output(inner, set) } else { parameter(inner, choice, set) };
                return (value, at + 2);
            }
        }
        return (None, text.len());
    }
    let (name, _) = name_at(after);
    if name.is_empty() {
        return (None, 1);
    }
    (value_of(name, choice, set), name.len() + 1)
}

fn value_of(name: &str, choice: &Choice<'_>, set: &mut bool) -> Option<String> {
    match choice.get(name) {
        Some(value) => {
            *set = true;
            Some((*value).to_owned())
        }
        None if ENVIRONMENT.contains(&name) => None,
        None => Some(String::new()),
    }
}

/// What is between the braces of `${…}`.
fn parameter(inner: &str, choice: &Choice<'_>, set: &mut bool) -> Option<String> {
    let (name, after) = name_at(inner);
    if name.is_empty() {
        return None;
    }
    let operator = after.strip_prefix(':').unwrap_or(after);
    if let Some(other) = operator.strip_prefix('+') {
        *set = true;
        return Some(other.to_owned());
    }
    if let Some(default) = operator.strip_prefix('-').or_else(|| operator.strip_prefix('=')) {
        if choice.contains_key(name) {
            return value_of(name, choice, set);
        }
        *set = true;
        return Some(default.to_owned());
    }
    if after.is_empty() || (after.starts_with('[') && after.ends_with(']')) {
        return value_of(name, choice, set);
    }
    None
}

/// What a substitution prints, if that is plain: nothing, or the words of `echo`.
fn output(script: &str, set: &mut bool) -> Option<String> {
    let script = script.trim();
    if script.is_empty() || matches!(script, ":" | "true") {
        return Some(String::new());
    }
    let words = script.strip_prefix("echo ").or_else(|| script.strip_prefix("printf "))?;
    let words: String = words.chars().filter(|letter| !"'\"".contains(*letter)).collect();
    if words.contains(['$', '`', ';', '&', '|', '<', '>', '(', '\\', '%', '\n']) {
        return None;
    }
    *set = true;
    Some(words)
}
