//! `hooks`: whether decisions are enforced, which copy of the lawbook decides, and what happens
//! when an agent wants to stop.
//!
//! Every default is the safe one: decisions are enforced, by the copy that a person trusted, with
//! up to three blocks in a row, and a block if the verdict is undecided.

use std::path::Path;

use globset::Glob;
use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::observe::{Observable, unknown_command};
use super::{Within, count, inside, setting};
use crate::book::is_in_git;
use crate::code;
use crate::decode::{Fields, text, wrong_type};

/// The settings of all hooks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// What becomes of a decision.
    pub mode: HookMode,
    /// Which copy of the lawbook decides.
    pub law: HookLaw,
    /// When the agent wants to stop.
    pub stop: StopHook,
    /// Where `stop` is written, if it is.
    pub stop_at: Option<Span>,
    /// Where `stop.observe` is written, if it is.
    pub observe_at: Option<Span>,
}

impl Hooks {
    /// Takes over the settings that only trusted content decides: `mode`, `law` and `undecided`.
    pub fn decided_by(&mut self, trusted: &Self) {
        self.mode = trusted.mode;
        self.law = trusted.law;
        self.stop.undecided = trusted.stop.undecided;
    }
}

/// What becomes of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookMode {
    /// It is sent to the harness and logged.
    #[default]
    Enforce,
    /// It is logged only.
    Shadow,
}

impl HookMode {
    /// Every mode with its name.
    pub const NAMES: [(&'static str, Self); 2] =
        [("enforce", Self::Enforce), ("shadow", Self::Shadow)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Shadow => "shadow",
        }
    }
}

/// Which copy of the lawbook decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookLaw {
    /// The copy that a person trusted. An edit of the folder has no effect until it is trusted.
    #[default]
    Trusted,
    /// The folder as it is. An edit applies at once.
    Follow,
}

impl HookLaw {
    /// Every choice that can be written, with its name. The default has none.
    pub const NAMES: [(&'static str, Self); 1] = [("follow", Self::Follow)];
}

/// What happens when the agent wants to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopHook {
    /// What is observed before the envelope is judged.
    pub observe: Wanted,
    /// The folder of the envelope, relative to the book.
    pub envelope: String,
    /// The rulespec, relative to the book, if it is not the default one.
    pub rulespec: Option<(String, Span)>,
    /// After this many blocks in a row, the agent is allowed to stop.
    pub blocks: u64,
    /// What happens when the verdict is undecided.
    pub undecided: Undecided,
}

impl Default for StopHook {
    fn default() -> Self {
        Self {
            observe: Wanted::default(),
            envelope: ".lawful".to_owned(),
            rulespec: None,
            blocks: 3,
            undecided: Undecided::Block,
        }
    }
}

impl StopHook {
    /// The path of the rulespec, relative to the book.
    pub fn rulespec(&self) -> &str {
        self.rulespec.as_ref().map_or("analysis/rulespec.yaml", |(path, _)| path)
    }
}

/// What to observe. `None` means not requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What changed since this commit.
    pub git: Option<String>,
    /// Which files exist, by these patterns, relative to the root of the project.
    pub files: Option<Vec<String>>,
    /// Test results in these reports, by path or pattern, relative to the root of the project.
    pub junit: Option<Vec<String>>,
    /// The exit codes of these commands of the manifest.
    pub run: Option<Vec<String>>,
}

impl Wanted {
    /// Whether nothing is requested.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// Whether this is requested.
    pub fn asks_for(&self, kind: Observable) -> bool {
        match kind {
            Observable::Git => self.git.is_some(),
            Observable::Files => self.files.is_some(),
            Observable::Junit => self.junit.is_some(),
            Observable::Run => self.run.is_some(),
        }
    }
}

/// What happens when the verdict is undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undecided {
    /// The agent must continue.
    #[default]
    Block,
    /// The agent stops.
    Allow,
}

impl Undecided {
    /// Every choice with its name.
    pub(crate) const NAMES: [(&'static str, Self); 2] =
        [("block", Self::Block), ("allow", Self::Allow)];
}

/// The keys of `hooks`.
pub(crate) const KEYS: [&str; 3] = ["mode", "law", "stop"];
/// The keys of `hooks.stop`.
pub(crate) const STOP_KEYS: [&str; 5] = ["observe", "envelope", "rulespec", "blocks", "undecided"];
/// The keys of `hooks.stop.observe`.
pub(crate) const WANTED_KEYS: [&str; 4] = ["git", "files", "junit", "run"];

pub(super) fn hooks(node: &Node, commands: &[&str], problems: &mut Vec<Diagnostic>) -> Hooks {
    let mut hooks = Hooks::default();
    let Some(fields) = Fields::of(node, "`hooks`", &KEYS, problems) else { return hooks };
    if let Some(node) = fields.get("mode") {
        hooks.mode = setting("mode", node, &HookMode::NAMES, problems).unwrap_or_default();
    }
    if let Some(node) = fields.get("law") {
        hooks.law = setting("law", node, &HookLaw::NAMES, problems).unwrap_or_default();
    }
    if let Some(node) = fields.written("stop") {
        if !node.is_null() {
            hooks.stop = stop(node, commands, problems);
        }
        hooks.stop_at = Some(Span { end: node.span.start, ..node.span });
        hooks.observe_at = node.get("observe").map(|node| node.span);
    }
    hooks
}

fn stop(node: &Node, commands: &[&str], problems: &mut Vec<Diagnostic>) -> StopHook {
    let mut stop = StopHook::default();
    let Some(fields) = Fields::of(node, "`stop`", &STOP_KEYS, problems) else { return stop };
    if let Some(node) = fields.get("observe") {
        stop.observe = wanted(node, commands, problems);
    }
    if let Some((path, span)) = place(&fields, "envelope", problems) {
        if is_in_git(Path::new(&path)) {
            let message = format!("`{}` is in the folder of git", escape::name(&path));
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, span, message)
                    .help("name another folder of the lawbook, such as `.lawful`"),
            );
        } else {
            stop.envelope = path;
        }
    }
    stop.rulespec = place(&fields, "rulespec", problems);
    if let Some(node) = fields.get("blocks") {
        stop.blocks = count("blocks", node, problems).unwrap_or(stop.blocks);
    }
    if let Some(node) = fields.get("undecided") {
        stop.undecided =
            setting("undecided", node, &Undecided::NAMES, problems).unwrap_or_default();
    }
    stop
}

/// The path in the book that a key names, if it names one.
fn place(fields: &Fields<'_>, key: &str, problems: &mut Vec<Diagnostic>) -> Option<(String, Span)> {
    let node = fields.get(key)?;
    let written = text(node, &format!("`{key}`"), problems)?;
    let path = inside(written, node.span, Within::Book, problems)?;
    if path.is_empty() {
        let message = format!("`{key}` is empty");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, node.span, message)
                .help("name a path, or omit the key for the default"),
        );
        return None;
    }
    Some((path, node.span))
}

fn wanted(node: &Node, commands: &[&str], problems: &mut Vec<Diagnostic>) -> Wanted {
    let mut wanted = Wanted::default();
    let Some(fields) = Fields::of(node, "`observe`", &WANTED_KEYS, problems) else { return wanted };
    if let Some(node) = fields.get("git") {
        wanted.git = text(node, "`git`", problems)
            .filter(|base| is_base(base, node.span, problems))
            .map(ToOwned::to_owned);
    }
    for (key, field) in [("files", &mut wanted.files), ("junit", &mut wanted.junit)] {
        let Some(node) = fields.get(key) else { continue };
        let written = list(node, key, problems);
        let kept = written.into_iter().filter_map(|(pattern, span)| {
            let inside = inside(pattern, span, Within::Project, problems)?;
            is_pattern(&inside, span, problems).then_some(inside)
        });
        *field = Some(kept.collect());
    }
    if let Some(node) = fields.get("run") {
        let mut names = Vec::new();
        for (name, span) in list(node, "run", problems) {
            if commands.contains(&name) {
                names.push(name.to_owned());
            } else {
                problems.push(unknown_command(name, span, commands));
            }
        }
        wanted.run = Some(names);
    }
    wanted
}

/// The strings of a list that must not be empty, with their places.
fn list<'n>(node: &'n Node, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<(&'n str, Span)> {
    let Some(items) = node.as_list() else {
        let problem = wrong_type(node, &format!("`{key}`"), "a list of strings");
        problems.push(problem.help("write it as `[…]`"));
        return Vec::new();
    };
    if items.is_empty() {
        let message = format!("`{key}` is empty");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, node.span, message)
                .help("add an item, or omit the key"),
        );
    }
    let what = format!("an element of `{key}`");
    let strings = items.iter().filter_map(|item| Some((text(item, &what, problems)?, item.span)));
    strings.collect()
}

/// Whether a text can name a commit.
fn is_base(base: &str, span: Span, problems: &mut Vec<Diagnostic>) -> bool {
    let good = !base.is_empty() && !base.starts_with('-') && !base.contains(char::is_control);
    if !good {
        let message = format!("`{}` does not name a commit", escape::name(base));
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, span, message)
                .help("name a branch, a tag or a commit, such as `HEAD`"),
        );
    }
    good
}

pub(super) fn is_pattern(pattern: &str, span: Span, problems: &mut Vec<Diagnostic>) -> bool {
    let why = match Glob::new(pattern) {
        Ok(_) if !pattern.is_empty() => return true,
        Ok(_) => "it is empty".to_owned(),
        Err(error) => error.kind().to_string(),
    };
    let message = format!("invalid pattern `{}`: {why}", escape::name(pattern));
    problems.push(
        Diagnostic::new(&code::BAD_VALUE, span, message)
            .help("write a path, with the wildcards `*`, `**`, `?`, `[…]` and `{…,…}`"),
    );
    false
}
