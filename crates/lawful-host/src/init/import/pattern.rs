//! Patterns of permissions as regular expressions.
//!
//! Where two readings of a pattern are possible, a `deny` and an `ask` take the wider one, and an
//! `allow` the narrower one.

/// How a permission decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The call is denied.
    Deny,
    /// A person is asked.
    Ask,
    /// The call needs no permission.
    Allow,
}

impl Verdict {
    /// Its key in settings and in a guard.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// What a command pattern matches: one command of a line, or the line as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CommandPattern {
    /// Every command.
    Everything,
    /// A command whose words match.
    Line(String),
    /// A line whose text matches.
    Text(String),
    /// No guard can decide so.
    Unfit(&'static str),
}

/// `npm run test:*`, `git push *`, `ls`
pub(super) fn command(pattern: &str, verdict: Verdict) -> CommandPattern {
    let pattern = pattern.trim();
    if pattern.is_empty() || pattern == "*" || pattern == ":*" {
        return CommandPattern::Everything;
    }
    let (words, is_prefix) = match pattern.strip_suffix(":*") {
        Some(words) => (words, true),
        None => (pattern, false),
    };
    // A word can have line breaks in it.
    let (start, end) = match (is_prefix, verdict) {
        (true, Verdict::Deny | Verdict::Ask) => ("(?s)^", ""),
        (true, Verdict::Allow) => ("^", "( .*)?$"),
        (false, Verdict::Deny | Verdict::Ask) => ("(?s)^", "$"),
        (false, Verdict::Allow) => ("^", "$"),
    };
    let is_compound = words.contains(['|', ';', '&', '<', '>', '`', '$', '(', '\n']);
    match (is_compound, verdict) {
        (true, Verdict::Allow) => {
            return CommandPattern::Unfit(
                "an `allow` decides on each command of a line; allow the commands one by one",
            );
        }
        (true, Verdict::Deny | Verdict::Ask) => {
            return CommandPattern::Text(format!("{start}\\s*{}{end}", wildcards(words)));
        }
        (false, _) => {}
    }
    // A guard sees words without quotes, and a program without its folder.
    let words = words.replace(['"', '\''], "");
    let mut words: Vec<&str> = words.split_whitespace().collect();
    let set = words.iter().take_while(|word| is_assignment(word)).count();
    if set > 0 && verdict == Verdict::Allow {
        return CommandPattern::Unfit("an `allow` does not act on a line that sets a variable");
    }
    // What is denied with a variable is denied without it.
    words.drain(..set);
    if words.is_empty() {
        return CommandPattern::Unfit("it names no program");
    }
    let words = words.join(" ");
    let (program, rest) = words.split_once(' ').unwrap_or((&*words, ""));
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_of_system = ["/bin/", "/usr/bin/"].iter().any(|folder| program.starts_with(folder));
    if program.contains('/') && !is_of_system && verdict == Verdict::Allow {
        return CommandPattern::Unfit("an `allow` does not act on a program of the project");
    }
    let words = if rest.is_empty() { name.to_owned() } else { format!("{name} {rest}") };
    // `git *` also means `git` alone.
    match words.strip_suffix(" *") {
        Some(words) if !is_prefix => {
            CommandPattern::Line(format!("{start}{}( .*)?$", wildcards(words)))
        }
        Some(_) | None => CommandPattern::Line(format!("{start}{}{end}", wildcards(&words))),
    }
}

/// `NAME=value`
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// A text in which `*` stands for anything.
fn wildcards(text: &str) -> String {
    text.chars().map(|c| if c == '*' { ".*".to_owned() } else { escaped(c) }).collect()
}

/// A text in which `*` stands for anything, from start to end.
pub(super) fn whole(text: &str) -> String {
    format!("^{}$", wildcards(text))
}

/// A character as itself.
pub(super) fn escaped(c: char) -> String {
    if "\\.+*?()|[]{}^$#&-~".contains(c) { format!("\\{c}") } else { c.to_string() }
}
