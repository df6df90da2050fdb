//! `variables`: the initial values of a session, with their types and bounds.

use lawful_syntax::{Diagnostic, Entry, Span, escape};

use super::path_key;
use crate::code;
use crate::decode::{Fields, boolean, choice, wrong_type};
use crate::path::Segment;
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
    /// Whether writes of the agent are rejected.
    pub protected: bool,
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

/// The keys of a variable.
pub(crate) const KEYS: [&str; 5] = ["type", "initial", "min", "max", "protected"];

pub(super) fn variable(entry: &Entry, problems: &mut Vec<Diagnostic>) -> Option<Variable> {
    let id = path_key(entry, problems)?;
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
    let kind = fields.require("type", &what, problems)?;
    let kind = choice(kind, "type", &VariableType::NAMES, problems)?;
    let initial = fields.get("initial").map(|node| (Value::from_node(node), node.span));
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
        check_initial(value, *span, kind, (min, max), problems);
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
        protected,
    })
}

fn check_initial(
    value: &Value,
    span: Span,
    kind: VariableType,
    (min, max): (Option<Number>, Option<Number>),
    problems: &mut Vec<Diagnostic>,
) {
    if !kind.admits(value) {
        let message = format!("`initial` must be {}, found {}", kind.name(), value.kind_name());
        problems.push(Diagnostic::new(&code::WRONG_TYPE, span, message));
        return;
    }
    let Value::Number(number) = value else { return };
    let below = min.filter(|min| number < min).map(|min| format!("below the minimum {min}"));
    let above = max.filter(|max| number > max).map(|max| format!("above the maximum {max}"));
    if let Some(where_) = below.or(above) {
        let message = format!("`initial` is {where_}");
        problems.push(
            Diagnostic::new(&code::BAD_VALUE, span, message)
                .help("choose a value between the bounds"),
        );
    }
}
