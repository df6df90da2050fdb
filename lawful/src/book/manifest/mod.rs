//! `lawful.yaml`: what the book is called, what its contexts and variables are, and its limits.

mod conditioning;
mod settings;
mod variables;

use lawful_syntax::{Diagnostic, Entry, Node, Span, escape};

use crate::code;
use crate::decode::{Fields, text, wrong_type};
use crate::limits::Limits;
use crate::path::Path;
use crate::value::Value;

pub use conditioning::{Conditioning, Persona};
pub use settings::Lint;
pub use variables::{Variable, VariableType};

/// What a manifest says.
#[derive(Debug)]
pub struct Manifest {
    /// The name of the book.
    pub name: String,
    /// The context axes and their values, in the order they are written.
    pub axes: Vec<Axis>,
    /// The declared variables, in the order they are written.
    pub variables: Vec<Variable>,
    /// Core and personas.
    pub conditioning: Option<Conditioning>,
    /// Commands that `observe` may run, by name.
    pub observe: Option<Node>,
    /// What hooks do.
    pub hooks: Option<Node>,
    /// What `check` looks for beyond mistakes.
    pub lint: Lint,
    /// The host's limits, lowered where the book asks for it.
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
    /// A manifest that says nothing.
    pub fn new(limits: Limits) -> Self {
        Self {
            name: String::new(),
            axes: Vec::new(),
            variables: Vec::new(),
            conditioning: None,
            observe: None,
            hooks: None,
            lint: Lint::default(),
            limits,
        }
    }
}

const KEYS: [&str; 8] =
    ["name", "axes", "variables", "conditioning", "observe", "hooks", "lint", "limits"];

/// Decodes a manifest. What is wrong with one key does not touch the others.
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
        manifest.variables = entries(node, "`variables`", problems)
            .iter()
            .filter_map(|entry| variables::variable(entry, problems))
            .collect();
    }
    manifest.conditioning =
        fields.get("conditioning").and_then(|node| conditioning::conditioning(node, problems));
    for (key, field) in [("observe", &mut manifest.observe), ("hooks", &mut manifest.hooks)] {
        *field = fields.get(key).cloned();
        if let Some(node) = field {
            entries(node, &format!("`{key}`"), problems);
        }
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

fn path_key(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Path> {
    match Path::parse(&entry.key) {
        Ok(path) => Some(path),
        Err(error) => {
            let message = format!("`{}` is not a path: {error}", escape::name(&entry.key));
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
        let message = format!("the axis `{name}` cannot hold `[*]`");
        problems.push(
            Diagnostic::new(&code::BAD_PATH, entry.key_span, message)
                .help("an axis is one value of the context"),
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
            let message = "null is not a value of an axis";
            problems.push(
                Diagnostic::new(&code::BAD_VALUE, item.span, message)
                    .help("leave it out; a context may lack any key"),
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
