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
    let end = match (is_prefix, verdict) {
        (true, Verdict::Deny | Verdict::Ask) => "",
        (true, Verdict::Allow) => "( .*)?$",
        (false, _) => "$",
    };
    let is_compound = words.contains(['|', ';', '&', '<', '>', '`', '$', '(', '\n']);
    match (is_compound, verdict) {
        (true, Verdict::Allow) => {
            return CommandPattern::Unfit(
                "an `allow` decides on each command of a line; allow the commands one by one",
            );
        }
        (true, Verdict::Deny | Verdict::Ask) => {
            return CommandPattern::Text(format!("^\\s*{}{end}", wildcards(words)));
        }
        (false, _) => {}
    }
    // A guard sees words without quotes, and a program without its folder.
    let words = words.replace(['"', '\''], "");
    let (program, rest) = words.split_once(' ').unwrap_or((&*words, ""));
    let name = program.rsplit('/').next().unwrap_or(program);
    let is_of_system = ["/bin/", "/usr/bin/"].iter().any(|folder| program.starts_with(folder));
    if program.contains('/') && !is_of_system && verdict == Verdict::Allow {
        return CommandPattern::Unfit("an `allow` does not act on a program of the project");
    }
    let words = if rest.is_empty() { name.to_owned() } else { format!("{name} {rest}") };
    // `git *` also means `git` alone.
    match words.strip_suffix(" *") {
        Some(words) if !is_prefix => CommandPattern::Line(format!("^{}( .*)?$", wildcards(words))),
        Some(_) | None => CommandPattern::Line(format!("^{}{end}", wildcards(&words))),
    }
}

/// A text in which `*` stands for anything.
fn wildcards(text: &str) -> String {
    text.chars().map(|c| if c == '*' { ".*".to_owned() } else { escaped(c) }).collect()
}

/// What a path pattern matches, as a regular expression on the path that a guard sees; or why none can.
pub(super) fn path(pattern: &str, verdict: Verdict) -> Result<String, &'static str> {
    let pattern = pattern.trim();
    let (start, rest) = if let Some(rest) = pattern.strip_prefix("//") {
        ("^/", rest)
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        if verdict == Verdict::Allow {
            return Err("a guard does not know your home folder, and an `allow` must not guess it");
        }
        ("^/(.*/)?", rest)
    } else if let Some(rest) = pattern.strip_prefix('/').or_else(|| pattern.strip_prefix("./")) {
        ("^(\\./)?", rest)
    } else if pattern.trim_end_matches('/').contains('/') {
        ("^(\\./)?", pattern)
    } else {
        // Without a folder, the name matches at any depth.
        ("(^|/)", pattern)
    };
    if rest.starts_with("../") || rest.contains("/../") {
        return Err("the path leads out of the project; a guard sees absolute paths there");
    }
    // Everything below a folder, and the folder.
    let rest = rest.strip_suffix("/**").unwrap_or(rest).trim_end_matches('/');
    let body = glob(rest).ok_or("the pattern is not closed")?;
    Ok(format!("{start}{body}(/.*)?$"))
}

/// A pattern of paths: `*`, `**`, `?`, `[…]` and `{a,b}`.
fn glob(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = pattern;
    let mut braces = 0_usize;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**/") {
            out.push_str("(.*/)?");
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '*' if rest.starts_with('*') => {
                rest = rest.trim_start_matches('*');
                out.push_str(".*");
            }
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '{' => {
                braces += 1;
                out.push('(');
            }
            '}' if braces > 0 => {
                braces -= 1;
                out.push(')');
            }
            ',' if braces > 0 => out.push('|'),
            '[' => {
                let (set, after) = rest.split_once(']')?;
                let set = set.replace('\\', "\\\\").replace('[', "\\[").replace("&&", "&\\&");
                let set = set.strip_prefix('!').map_or(set.clone(), |set| format!("^{set}"));
                out.push('[');
                out.push_str(&set);
                out.push(']');
                rest = after;
            }
            c => out.push_str(&escaped(c)),
        }
    }
    (braces == 0).then_some(out)
}

/// A regular expression for the addresses of a host.
pub(super) fn domain(host: &str) -> String {
    let host: String = host
        .trim()
        .chars()
        .map(|c| if c == '*' { "[^/]*".to_owned() } else { escaped(c) })
        .collect();
    format!("(?i)^[a-z]+://([^/@]*@)?{host}(:[0-9]+)?([/?#]|$)")
}

/// A text in which `*` stands for anything, from start to end.
pub(super) fn whole(text: &str) -> String {
    format!("^{}$", wildcards(text))
}

fn escaped(c: char) -> String {
    if "\\.+*?()|[]{}^$#&-~".contains(c) { format!("\\{c}") } else { c.to_string() }
}
