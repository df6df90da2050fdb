//! `lawful.yaml`: the name of the book, its axes and variables, and its settings.

pub(crate) mod conditioning;
pub(crate) mod effects;
pub(crate) mod guards;
pub(crate) mod hooks;
pub(crate) mod log;
pub(crate) mod observe;
pub(crate) mod protect;
pub(crate) mod settings;
pub(crate) mod variables;

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Entry, Node, Span, did_you_mean, escape};

use crate::code;
use crate::decode::{Fields, text, whole, wrong_type};
use crate::limits::Limits;
use crate::path::Path;
use crate::react::EffectKind;
use crate::value::Value;

pub use conditioning::{Conditioning, Persona, Predicates, RoleSource, Teaches};
pub(crate) use conditioning::{bad_role, same_but_for_case, unknown_role};
pub use effects::Repetition;
pub use guards::{GuardSettings, Opaque};
pub use hooks::{HookLaw, HookMode, Hooks, StopHook, Undecided, Wanted};
pub use log::Log;
pub(crate) use observe::unknown_command;
pub use observe::{Observable, Observation, Run};
pub use protect::{EditBook, Protect, ProtectedPaths};
pub use settings::Lint;
pub use variables::{Variable, VariableType};

/// A decoded manifest.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The name of the book.
    pub name: String,
    /// The context axes and their values, in the order they are written.
    pub axes: Vec<Axis>,
    /// The declared variables, in the order they are written.
    pub variables: Vec<Variable>,
    /// Core and personas.
    pub conditioning: Option<Conditioning>,
    /// Commands that `observe` may run, in the order they are written.
    pub observe: Vec<Observation>,
    /// Keys under `observed` that the host adds to the built-in ones.
    pub observed: Vec<Box<str>>,
    /// What happens to effects that are requested again after a rewind, where it is not the default.
    pub effects: BTreeMap<EffectKind, Repetition>,
    /// The settings of guards.
    pub guards: GuardSettings,
    /// What no agent may change.
    pub protect: Protect,
    /// The settings of hooks.
    pub hooks: Hooks,
    /// The settings of the log of decisions.
    pub log: Log,
    /// The settings of lints.
    pub lint: Lint,
    /// The host's limits, lowered where the book sets lower ones.
    pub limits: Limits,
}

/// A context key and the values it can have.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The key, which is a path into the context.
    pub path: Path,
    /// Where it is declared.
    pub span: Span,
    /// Its values.
    pub values: Vec<Value>,
}

impl Manifest {
    /// An empty manifest.
    pub fn new(limits: Limits) -> Self {
        Self {
            name: String::new(),
            axes: Vec::new(),
            variables: Vec::new(),
            conditioning: None,
            observe: Vec::new(),
            observed: Vec::new(),
            effects: BTreeMap::new(),
            guards: GuardSettings::default(),
            protect: Protect::default(),
            hooks: Hooks::default(),
            log: Log::default(),
            lint: Lint::default(),
            limits,
        }
    }

    /// What happens to an effect of this kind that is requested again after a rewind.
    pub fn repetition(&self, kind: EffectKind) -> Repetition {
        self.effects.get(&kind).copied().unwrap_or_else(|| Repetition::default_of(kind))
    }

    /// The command with this name, or a diagnostic.
    pub fn command(&self, name: &str) -> Result<&Observation, Diagnostic> {
        self.observe.iter().find(|command| *command.name == *name).ok_or_else(|| {
            let names: Vec<&str> = self.observe.iter().map(|command| &*command.name).collect();
            observe::unknown_command(name, Span::NONE, &names)
        })
    }
}

/// The keys of a manifest.
pub(crate) const KEYS: [&str; 13] = [
    "name",
    "axes",
    "variables",
    "conditioning",
    "observe",
    "observed",
    "effects",
    "guards",
    "protect",
    "hooks",
    "log",
    "lint",
    "limits",
];

/// Decodes a manifest. An error in one key does not affect the others.
pub(super) fn decode(node: &Node, limits: Limits, problems: &mut Vec<Diagnostic>) -> Manifest {
    let mut manifest = Manifest::new(limits);
    let Some(fields) = Fields::of(node, "the manifest", &KEYS, problems) else { return manifest };
    if let Some(name) = fields.require("name", "the manifest", problems)
        && let Some(name) = text(name, "`name`", problems)
    {
        manifest.name = name.to_owned();
    }
    if let Some(node) = fields.get("axes") {
        manifest.axes = entries(node, "`axes`", problems)
            .iter()
            .filter_map(|entry| axis(entry, problems))
            .collect();
    }
    if let Some(node) = fields.get("variables") {
        manifest.variables = variables::variables(node, problems);
    }
    manifest.conditioning =
        fields.get("conditioning").and_then(|node| conditioning::conditioning(node, problems));
    if let Some(node) = fields.get("observe") {
        manifest.observe = entries(node, "`observe`", problems)
            .iter()
            .filter_map(|entry| observe::observation(entry, problems))
            .collect();
    }
    if let Some(node) = fields.get("observed") {
        manifest.observed = observe::observed(node, problems);
    }
    if let Some(node) = fields.get("effects") {
        manifest.effects = effects::effects(node, problems);
    }
    if let Some(node) = fields.get("guards") {
        manifest.guards = guards::guards(node, problems);
    }
    if let Some(node) = fields.get("protect") {
        manifest.protect = protect::protect(node, problems);
    }
    if let Some(node) = fields.get("log") {
        manifest.log = log::log(node, problems);
    }
    if let Some(node) = fields.get("hooks") {
        let names: Vec<&str> = fields
            .get("observe")
            .and_then(Node::as_map)
            .map(|entries| entries.iter().map(|entry| &*entry.key).collect())
            .unwrap_or_default();
        manifest.hooks = hooks::hooks(node, &names, problems);
    }
    if let Some(node) = fields.get("lint") {
        manifest.lint = settings::lint(node, problems);
    }
    if let Some(node) = fields.get("limits") {
        settings::lower(&mut manifest.limits, node, problems);
    }
    manifest
}

fn entries<'n>(node: &'n Node, what: &str, problems: &mut Vec<Diagnostic>) -> &'n [Entry] {
    let entries = node.as_map();
    if entries.is_none() {
        problems.push(wrong_type(node, what, "a mapping"));
    }
    entries.unwrap_or_default()
}

/// A whole number of at least 1.
fn count(key: &str, node: &Node, problems: &mut Vec<Diagnostic>) -> Option<u64> {
    whole(node, &format!("`{}`", escape::name(key)), 1, problems)
}

/// One of the values of a key, or a diagnostic.
fn setting<T: Copy>(
    key: &str,
    node: &Node,
    names: &[(&str, T)],
    problems: &mut Vec<Diagnostic>,
) -> Option<T> {
    let written = text(node, &format!("`{key}`"), problems)?;
    let found = names.iter().find(|(name, _)| *name == written);
    if found.is_none() {
        let message = format!("invalid value `{}` for `{key}`", escape::name(written));
        let help = did_you_mean("value", written, names.iter().map(|(name, _)| *name));
        problems.push(Diagnostic::new(&code::BAD_VALUE, node.span, message).help(help));
    }
    found.map(|(_, value)| *value)
}

/// The folder that a path of the manifest is relative to and must not leave.
#[derive(Clone, Copy)]
enum Within {
    /// The folder of the manifest.
    Book,
    /// The root of the repository that the book is in.
    Project,
}

/// A path with `.` and `..` resolved, or a diagnostic if it leaves its folder.
fn inside(
    path: &str,
    span: Span,
    within: Within,
    problems: &mut Vec<Diagnostic>,
) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut leaves = path.starts_with('/') || path.contains('\\') || path.contains(':');
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => leaves |= parts.pop().is_none(),
            part => parts.push(part),
        }
    }
    if !leaves {
        return Some(parts.join("/"));
    }
    let (place, help) = match within {
        Within::Book => {
            ("lawbook", "copy the file into the lawbook and use its path relative to the lawbook")
        }
        Within::Project => ("project", "use its path relative to the root of the repository"),
    };
    let message = format!("`{}` leads out of the {place}", escape::name(path));
    problems.push(Diagnostic::new(&code::OUTSIDE_BOOK, span, message).help(help));
    None
}

fn path_key(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Path> {
    match Path::parse(&entry.key) {
        Ok(path) => Some(path),
        Err(error) => {
            let message = format!("invalid path `{}`: {error}", escape::name(&entry.key));
            problems
                .push(Diagnostic::new(&code::BAD_PATH, entry.key_span, message).help(error.help));
            None
        }
    }
}

fn axis(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Axis> {
    let path = path_key(entry, problems)?;
    let name = escape::name(&entry.key);
    if path.is_wild() {
        let message = format!("the axis `{name}` cannot contain `[*]`");
        problems.push(
            Diagnostic::new(&code::BAD_PATH, entry.key_span, message)
                .help("name one value of the context"),
        );
        return None;
    }
    let Some(items) = entry.value.as_list() else {
        let problem = wrong_type(&entry.value, &format!("the axis `{name}`"), "a list of values");
        problems.push(problem.help("write it as `[…]`"));
        return None;
    };
    if items.is_empty() {
        let message = format!("the axis `{name}` has no values");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, entry.value.span, message).help("list its values"),
        );
    }
    let mut values: Vec<Value> = Vec::new();
    for item in items {
        let value = Value::from_node(item);
        if value.present().is_none() {
            let message = "an axis cannot have the value null";
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, item.span, message)
                    .help("remove it; any key may be absent from a context"),
            );
        } else if values.contains(&value) {
            let message = format!("the axis `{name}` has the value {} twice", item.describe());
            problems.push(
                Diagnostic::new(&code::DUPLICATE_VALUE, item.span, message).help("remove one"),
            );
        } else {
            values.push(value);
        }
    }
    Some(Axis { path, span: entry.key_span, values })
}
