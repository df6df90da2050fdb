//! Host primitives: named tests that the host implements.

use std::fmt;

use crate::value::Value;

/// A test that a host registers under an id.
///
/// It declares what it reads and which arguments it takes, so that conditions can be checked before
/// anything runs. It gets exactly the values it declared.
pub struct Primitive {
    pub(super) id: Box<str>,
    pub(super) reads: Vec<Box<str>>,
    pub(super) args: Vec<ArgSpec>,
    pub(super) build: Box<Build>,
}

type Build = dyn Fn(&Args) -> Result<Box<dyn Predicate>, String> + Send + Sync;

impl Primitive {
    /// A primitive. `build` is called once for each use in a condition, with valid arguments. The
    /// predicate it returns is called at every evaluation.
    pub fn new<P: Predicate + 'static>(
        id: &str,
        build: impl Fn(&Args) -> Result<P, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            reads: Vec::new(),
            args: Vec::new(),
            build: Box::new(move |args| Ok(Box::new(build(args)?))),
        }
    }

    /// Declares a context path that it reads. The path must not contain `[*]`.
    #[must_use]
    pub fn reads(mut self, path: &str) -> Self {
        self.reads.push(path.into());
        self
    }

    /// Declares an argument.
    #[must_use]
    pub fn arg(mut self, spec: ArgSpec) -> Self {
        self.args.push(spec);
        self
    }
}

impl fmt::Debug for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Primitive").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The test of a primitive. An `Err` is the third value: neither true nor false.
pub trait Predicate: Send + Sync {
    /// Tests the declared inputs.
    fn test(&self, inputs: &Inputs<'_>) -> Result<bool, String>;
}

impl<F: Fn(&Inputs<'_>) -> Result<bool, String> + Send + Sync> Predicate for F {
    fn test(&self, inputs: &Inputs<'_>) -> Result<bool, String> {
        self(inputs)
    }
}

/// The values at the paths a primitive reads, in the order it declared them.
#[derive(Debug)]
pub struct Inputs<'d> {
    pub(super) values: Vec<Option<&'d Value>>,
}

impl<'d> Inputs<'d> {
    /// The value at the `n`th declared path; `None` when absent.
    pub fn get(&self, n: usize) -> Option<&'d Value> {
        self.values.get(n).copied().flatten()
    }
}

/// The type an argument must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// Any value but null.
    Any,
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Bool,
    /// A list.
    List,
    /// An object.
    Map,
}

impl ArgKind {
    pub(super) fn admits(self, value: &Value) -> bool {
        match self {
            Self::Any => value.present().is_some(),
            Self::Text => matches!(value, Value::Text(_)),
            Self::Number => matches!(value, Value::Number(_)),
            Self::Bool => matches!(value, Value::Bool(_)),
            Self::List => matches!(value, Value::List(_)),
            Self::Map => matches!(value, Value::Map(_)),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Bool => "a boolean",
            Self::List => "a list",
            Self::Map => "an object",
        }
    }
}

/// The declaration of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgSpec {
    pub(super) name: Box<str>,
    pub(super) kind: ArgKind,
    pub(super) required: bool,
    pub(super) choices: Vec<Box<str>>,
}

impl ArgSpec {
    /// A required argument.
    pub fn required(name: &str, kind: ArgKind) -> Self {
        Self { name: name.into(), kind, required: true, choices: Vec::new() }
    }

    /// An optional argument.
    pub fn optional(name: &str, kind: ArgKind) -> Self {
        Self { required: false, ..Self::required(name, kind) }
    }

    /// A string argument that is one of a closed set.
    pub fn one_of(name: &str, choices: &[&str]) -> Self {
        let choices = choices.iter().map(|choice| (*choice).into()).collect();
        Self { choices, ..Self::required(name, ArgKind::Text) }
    }
}

/// Arguments that match their declaration.
#[derive(Clone, Debug)]
pub struct Args(pub(super) Value);

impl Args {
    /// An argument; `None` if omitted.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A string argument; empty if omitted.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_text).unwrap_or_default()
    }
}
