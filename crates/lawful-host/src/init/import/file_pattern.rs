//! Patterns of files in permissions, as regular expressions.
//!
//! A guard knows the files of a file tool, and those that a shell line redirects or writes: they are
//! resolved. Which files a program reads is not known, so a `deny` compares the words of the line. A
//! word is relative to a folder that the guard does not know, and the shell can still expand it.
//!
//! **Invariant:** an `allow` matches no path that the original rule does not match.

use super::pattern::{Verdict, escaped};

/// What a pattern of files becomes.
#[derive(Debug)]
pub(super) struct FilePattern {
    /// On a resolved path.
    pub(super) path: String,
    /// Whether it is relative to the project. Then an `allow` is only for paths in the project.
    pub(super) is_relative: bool,
    /// On a resolved path that is known only in part, or that has wildcards.
    pub(super) unsure: String,
    /// On a word of a shell line, which may be the name of the file.
    pub(super) word: String,
}

/// Reads a pattern, or says why no guard can decide by it.
pub(super) fn read(pattern: &str, verdict: Verdict) -> Result<FilePattern, &'static str> {
    let pattern = pattern.trim();
    let is_allow = verdict == Verdict::Allow;
    let (base, rest) = if let Some(rest) = pattern.strip_prefix("//") {
        (Base::Root, rest)
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        if is_allow {
            return Err("a guard does not know your home folder, and an `allow` must not guess it");
        }
        (Base::Home, rest)
    } else if let Some(rest) = pattern.strip_prefix('/').or_else(|| pattern.strip_prefix("./")) {
        (Base::Project, rest)
    } else if pattern.trim_end_matches('/').contains('/') {
        (Base::Project, pattern)
    } else {
        (Base::Anywhere, pattern)
    };
    if rest.split('/').any(|part| part == "..") {
        return Err("the path leads out of the project; a guard sees absolute paths there");
    }
    // Everything below a folder, and the folder.
    let rest = rest.strip_suffix("/**").unwrap_or(rest).trim_end_matches('/');
    let body = glob(rest).ok_or("the pattern is not closed")?;
    let whole = match base {
        Base::Root => format!("^/{body}"),
        Base::Home | Base::Anywhere => format!("(^|/){body}"),
        Base::Project => format!("^(\\./)?{body}"),
    };
    // The project can be on the way to the files. Then their paths are relative.
    let inside = match base {
        Base::Root | Base::Home if !is_allow => suffixes(rest),
        Base::Root | Base::Home | Base::Project | Base::Anywhere => Vec::new(),
    };
    let whole: Vec<String> =
        std::iter::once(whole).chain(inside.iter().map(|part| format!("^{part}"))).collect();
    let name = Name::of(rest, base);
    Ok(FilePattern {
        path: format!("(?s)({})(/.*)?$", whole.join("|")),
        is_relative: base != Base::Root,
        unsure: format!("(?is)^\\?(.*{MARK})?{}{AFTER}|{}", name.plain, name.expanded),
        word: format!("(?is){BEFORE}{}{AFTER}|{}", name.plain, name.expanded),
    })
}

/// What a pattern is relative to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Root,
    Home,
    Project,
    /// Without a folder, the name matches at any depth.
    Anywhere,
}

/// What can be before a name in a word: `--file=NAME`, `@NAME`, `-fNAME`, `open("NAME")`.
const MARK: &str = "[/=@:,\"'`(){}<>|]";
const BEFORE: &str = "(^|^-\\w|[/=@:,\"'`(){}<>|])";
/// What can be after it.
const AFTER: &str = "($|[^\\w.-])";
/// Wildcards of the shell inside a name.
const WILD: &str = "[*?\\[{]([^/]*[*?\\]}])?";

/// The patterns without their first folders.
fn suffixes(pattern: &str) -> Vec<String> {
    pattern.match_indices('/').filter_map(|(at, _)| glob(pattern.get(at + 1..)?)).collect()
}

/// The last part of a pattern that is not only wildcards.
struct Name {
    /// The name as it is.
    plain: String,
    /// The name as the shell may expand it: `sec*`, `s?crets`, `*`.
    expanded: String,
}

impl Name {
    fn of(pattern: &str, base: Base) -> Self {
        let parts: Vec<&str> = pattern.split('/').collect();
        let at = parts.iter().rposition(|part| part.chars().any(|c| !"*?".contains(c)));
        let last = at.and_then(|at| Some((at, *parts.get(at)?, glob(parts.get(at)?)?)));
        let Some((at, last, plain)) = last else {
            // Nothing but wildcards, or a list of paths: any word may be such a file.
            return Self { plain: "[^/]*".to_owned(), expanded: "[*?]".to_owned() };
        };
        let end = "(/|$)";
        let is_hidden = last.starts_with('.');
        let wild = last.find(|c: char| "*?[{".contains(c));
        if let Some(wild) = wild {
            let head = last.get(..wild).unwrap_or_default();
            let tail = last.rfind(|c: char| "*?]}".contains(c)).and_then(|at| last.get(at + 1..));
            let (start, stop) = (literal(head), literal(tail.unwrap_or_default()));
            let before = match starts(head) {
                Some(some) if is_hidden => format!("({some}|{start}[^/]*)"),
                Some(some) => format!("(({some})?|{start}[^/]*)"),
                None => "[^/]*".to_owned(),
            };
            let after = ends(tail.unwrap_or_default())
                .map_or("[^/]*".to_owned(), |some| format!("(({some})?|[^/]*{stop})"));
            return Self { plain, expanded: format!("{BEFORE}{before}{WILD}{after}{end}") };
        }
        let (some_start, some_end) =
            (starts(last).unwrap_or_default(), ends(last).unwrap_or_default());
        if is_hidden {
            // A wildcard does not match the dot.
            let expanded = format!("{BEFORE}{some_start}{WILD}({some_end})?{end}");
            return Self { plain, expanded };
        }
        // A wildcard alone, where the folder may be the right one.
        let alone = match (base, at.checked_sub(1).and_then(|at| glob(parts.get(at)?))) {
            (Base::Anywhere, _) => "(^|/)".to_owned(),
            (_, None) => "^([^/]*=)?([/.~$].*/)?".to_owned(),
            (_, Some(folder)) => format!("(^([^/]*=)?([/.~$].*/)?|(^|[/=]){folder}/)"),
        };
        let expanded = format!(
            "{BEFORE}({some_start}{WILD}({some_end})?|({some_start})?{WILD}{some_end}){end}|{alone}[*?]+{end}"
        );
        Self { plain, expanded }
    }
}

/// How much of a name is compared with a word that has wildcards. Groups nest so deep.
const LONGEST: usize = 24;

/// Every start of a name but the empty one.
fn starts(name: &str) -> Option<String> {
    let first: Vec<char> = name.chars().take(LONGEST).collect();
    let mut out: Option<String> = None;
    for c in first.into_iter().rev() {
        let rest = out.map(|rest| format!("({rest})?")).unwrap_or_default();
        out = Some(format!("{}{rest}", escaped(c)));
    }
    // What is longer is compared no further.
    out.map(|out| if name.chars().count() > LONGEST { format!("{out}[^/]*") } else { out })
}

/// Every end of a name but the empty one.
fn ends(name: &str) -> Option<String> {
    let skipped = name.chars().count().saturating_sub(LONGEST);
    let mut out: Option<String> = None;
    for c in name.chars().skip(skipped) {
        let rest = out.map(|rest| format!("({rest})?")).unwrap_or_default();
        out = Some(format!("{rest}{}", escaped(c)));
    }
    out.map(|out| if skipped > 0 { format!("[^/]*{out}") } else { out })
}

fn literal(text: &str) -> String {
    text.chars().map(escaped).collect()
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
