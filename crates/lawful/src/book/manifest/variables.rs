//! `variables`: the initial values of a session, with their types and bounds.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Span, escape};

use super::path_key;
use crate::code;
use crate::decode::{Fields, boolean, choice, id, text, wrong_type};
use crate::path::Segment;
use crate::react::RESERVED;
use crate::value::{Number, Value};

/// A declared variable of a session.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its id.
    pub id: Box<str>,
    /// Where it is declared.
    pub span: Span,
    /// Its type, which never changes.
    pub kind: VariableType,
    /// Its initial value.
    pub initial: Option<Value>,
    /// The least value of a number.
    pub min: Option<Number>,
    /// The greatest value of a number.
    pub max: Option<Number>,
    /// The only values that it can have; empty if there is no such list.
    pub values: Vec<Value>,
    /// Whether writes of the agent are rejected.
    pub protected: bool,
}

impl Variable {
    /// Whether the list of values, if there is one, contains a value.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        self.values.is_empty() || self.values.contains(value)
    }
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableType {
    /// A number.
    Number,
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl VariableType {
    /// Every type with its name.
    pub(crate) const NAMES: [(&'static str, Self); 5] = [
        ("number", Self::Number),
        ("string", Self::String),
        ("boolean", Self::Boolean),
        ("array", Self::Array),
        ("object", Self::Object),
    ];

    /// The type of a value; `None` for null.
    fn of(value: &Value) -> Option<Self> {
        Self::NAMES.iter().map(|(_, kind)| *kind).find(|kind| kind.admits(value))
    }

    /// Whether a value is of this type.
    pub fn admits(self, value: &Value) -> bool {
        match self {
            Self::Number => matches!(value, Value::Number(_)),
            Self::String => matches!(value, Value::Text(_)),
            Self::Boolean => matches!(value, Value::Bool(_)),
            Self::Array => matches!(value, Value::List(_)),
            Self::Object => matches!(value, Value::Map(_)),
        }
    }

    /// Its name with an article.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::String => "a string",
            Self::Boolean => "a boolean",
            Self::Array => "a list",
            Self::Object => "an object",
        }
    }
}

/// The keys of a variable. `defaultValue` is `initial` in the recipe format, and the last three
/// describe it for people.
pub(crate) const KEYS: [&str; 10] = [
    "type",
    "initial",
    "defaultValue",
    "min",
    "max",
    "values",
    "protected",
    "name",
    "description",
    "category",
];
/// The type of a recipe that stands for any list or object.
pub(crate) const JSON: &str = "json";

/// Every variable of `variables`: a mapping by id, or the list of a recipe.
pub(super) fn variables(node: &Node, problems: &mut Vec<Diagnostic>) -> Vec<Variable> {
    let Some(items) = node.as_list() else {
        let entries = super::entries(node, "`variables`", problems).iter();
        return entries.filter_map(|entry| variable(entry, problems)).collect();
    };
    let mut found: Vec<Variable> = Vec::new();
    for item in items {
        let keys: Vec<&str> = ["id"].iter().chain(&KEYS).copied().collect();
        let Some(fields) = Fields::of(item, "a variable", &keys, problems) else { continue };
        let Some(name) = fields.require("id", "a variable", problems) else { continue };
        let Some(key) = id(name, "`id`", problems) else { continue };
        let others = item.as_map().unwrap_or_default().iter().filter(|entry| &*entry.key != "id");
        let value = Node { kind: Kind::Map(others.cloned().collect()), span: item.span };
        let entry = Entry { key: key.into(), key_span: name.span, value };
        let Some(variable) = variable(&entry, problems) else { continue };
        if let Some(first) = found.iter().find(|known| known.id == variable.id) {
            let message = format!("there are two variables `{}`", escape::name(key));
            problems.push(
                Diagnostic::new(&code::DUPLICATE_ID, name.span, message)
                    .label(first.span, "first declared here")
                    .help("rename one"),
            );
            continue;
        }
        found.push(variable);
    }
    found
}

fn variable(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Variable> {
    let id = path_key(entry, problems)?;
    if let [Segment::Key(key)] = id.segments()
        && RESERVED.contains(&&**key)
    {
        let message = format!("a variable cannot be called `{key}`");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, entry.key_span, message)
                .help("rename it; conditions and placeholders use this name"),
        );
        return None;
    }
    if !matches!(id.segments(), [Segment::Key(_)]) {
        let message = format!("`{}` is not a valid variable id", escape::name(&entry.key));
        problems.push(
            Diagnostic::new(&code::BAD_PATH, entry.key_span, message)
                .help("declare the variable at the root; use a path to reach into it"),
        );
        return None;
    }
    let what = format!("the variable `{}`", escape::name(&entry.key));
    let fields = Fields::of(&entry.value, &what, &KEYS, problems)?;
    for key in ["name", "description", "category"] {
        if let Some(node) = fields.get(key) {
            text(node, &format!("`{key}`"), problems);
        }
    }
    if let (Some(_), Some(node)) = (fields.get("initial"), fields.get("defaultValue")) {
        let message = "`initial` and `defaultValue` are the same key";
        let problem = Diagnostic::new(&code::BAD_VALUE, node.span, message);
        problems.push(problem.help("remove one of them"));
    }
    let initial = fields.get("initial").or_else(|| fields.get("defaultValue"));
    let initial = initial.map(|node| (Value::from_node(node), node.span));
    let kind = kind(&fields, &what, initial.as_ref().map(|(value, _)| value), problems)?;
    let mut bound = |key: &str| {
        let node = fields.get(key)?;
        match Value::from_node(node) {
            Value::Number(number) if kind == VariableType::Number => Some(number),
            Value::Number(_) => {
                let message =
                    format!("`{key}` is only valid for numbers, but {what} is {}", kind.name());
                problems.push(
                    Diagnostic::new(&code::BAD_VALUE, node.span, message)
                        .help(format!("remove `{key}`")),
                );
                None
            }
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                problems.push(wrong_type(node, &format!("`{key}`"), "a number"));
                None
            }
        }
    };
    let (min, max) = (bound("min"), bound("max"));
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        let message = format!("the minimum {min} of {what} is above its maximum {max}");
        problems
            .push(Diagnostic::new(&code::BAD_VALUE, entry.value.span, message).help("swap them"));
    }
    if let Some((value, span)) = &initial {
        check_value("`initial`", value, *span, kind, (min, max), problems);
    }
    let values = values(&fields, kind, (min, max), problems);
    if let Some((value, span)) = &initial
        && !values.is_empty()
        && kind.admits(value)
        && !values.contains(value)
    {
        let message = "`initial` is not one of the `values`";
        let problem = Diagnostic::new(&code::BAD_VALUE, *span, message);
        problems.push(problem.help("choose one of them, or add it"));
    }
    let protected = fields.get("protected");
    // An invalid `protected` counts as true, the safe side.
    let protected =
        protected.is_some_and(|node| boolean(node, "`protected`", problems).unwrap_or(true));
    let initial = initial.map(|(value, _)| value);
    Some(Variable {
        id: entry.key.clone(),
        span: entry.key_span,
        kind,
        initial,
        min,
        max,
        values,
        protected,
    })
}

/// The type of a variable. `json` is the type of its initial value.
fn kind(
    fields: &Fields<'_>,
    what: &str,
    initial: Option<&Value>,
    problems: &mut Vec<Diagnostic>,
) -> Option<VariableType> {
    let inferred = initial.and_then(VariableType::of);
    let node = match fields.get("type") {
        None if fields.get("defaultValue").is_some() && inferred.is_some() => return inferred,
        None => fields.require("type", what, problems)?,
        Some(node) => node,
    };
    if node.as_text() != Some(JSON) {
        return choice(node, "type", &VariableType::NAMES, problems);
    }
    if inferred.is_none() {
        let message = format!("the type `{JSON}` of {what} needs an `initial` value");
        problems.push(
            Diagnostic::new(&code::MISSING_KEY, node.span, message)
                .help("write `initial: {}` or `initial: []`, or another type"),
        );
    }
    inferred
}

/// `values`: the only values that a variable can have.
fn values(
    fields: &Fields<'_>,
    kind: VariableType,
    bounds: (Option<Number>, Option<Number>),
    problems: &mut Vec<Diagnostic>,
) -> Vec<Value> {
    let Some(node) = fields.get("values") else { return Vec::new() };
    let Some(items) = node.as_list() else {
        problems.push(wrong_type(node, "`values`", "a list"));
        return Vec::new();
    };
    if items.is_empty() {
        let problem = Diagnostic::new(&code::BAD_VALUE, node.span, "`values` is empty");
        problems.push(problem.help("list the values, or remove the key"));
    }
    for item in items {
        check_value(
            "a value of `values`",
            &Value::from_node(item),
            item.span,
            kind,
            bounds,
            problems,
        );
    }
    items.iter().map(Value::from_node).collect()
}

fn check_value(
    what: &str,
    value: &Value,
    span: Span,
    kind: VariableType,
    (min, max): (Option<Number>, Option<Number>),
    problems: &mut Vec<Diagnostic>,
) {
    if !kind.admits(value) {
        let message = format!("{what} must be {}, found {}", kind.name(), value.kind_name());
        problems.push(Diagnostic::new(&code::WRONG_TYPE, span, message));
        return;
    }
    let Value::Number(number) = value else { return };
    let below = min.filter(|min| number < min).map(|min| format!("below the minimum {min}"));
    let above = max.filter(|max| number > max).map(|max| format!("above the maximum {max}"));
    if let Some(where_) = below.or(above) {
        let message = format!("{what} is {where_}");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, span, message)
                .help("choose a value between the bounds"),
        );
    }
}
