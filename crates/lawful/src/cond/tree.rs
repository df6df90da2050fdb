//! The condition tree: the stored form, to which every written form decodes.

use lawful_syntax::{Entry, Kind, Node, Span};

use super::Operator;
use crate::value::Value;

/// A condition and its place.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its kind.
    pub kind: ConditionKind,
    /// Its place; [`Span::NONE`] if it was built in code.
    pub span: Span,
}

/// The kind of a condition.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// An empty `when`: always true, without a warning. It equals, and is stored as, an empty
    /// `all`.
    Always,
    /// Every child must be true.
    All(Vec<Condition>),
    /// Some child must be true.
    Any(Vec<Condition>),
    /// The child must not be true.
    Not(Box<Condition>),
    /// A primitive with its arguments, or a saved condition.
    Ref(Ref),
    /// An invalid part. It is in the tree so that its siblings are still checked. It equals nothing
    /// and never compiles.
    Broken,
}

/// A reference to a primitive or a saved condition.
#[derive(Clone, Debug)]
pub struct Ref {
    /// The id.
    pub id: Box<str>,
    /// The place of the id, or of what it was derived from.
    pub id_span: Span,
    /// The arguments, for a primitive.
    pub args: Option<Node>,
}

impl Condition {
    /// The condition that is always true.
    pub fn always() -> Self {
        Self::unplaced(ConditionKind::Always)
    }

    /// Whether it is the condition that is always true, as an absent `when` is.
    pub fn is_always(&self) -> bool {
        matches!(self.kind, ConditionKind::Always)
    }

    /// A conjunction of these.
    pub fn all(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::unplaced(ConditionKind::All(rules.into_iter().collect()))
    }

    /// A disjunction of these.
    pub fn any(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::unplaced(ConditionKind::Any(rules.into_iter().collect()))
    }

    /// The negation of this.
    #[expect(clippy::should_implement_trait, reason = "the name of the form, beside all and any")]
    pub fn not(rule: Self) -> Self {
        Self::unplaced(ConditionKind::Not(Box::new(rule)))
    }

    /// A saved condition, or a primitive without arguments.
    pub fn reference(id: &str) -> Self {
        Self::unplaced(ConditionKind::Ref(Ref { id: id.into(), id_span: Span::NONE, args: None }))
    }

    /// A primitive with arguments.
    pub fn with_args<'a>(id: &str, args: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let args = args.into_iter().map(|(key, value)| entry(key, to_node(&value))).collect();
        let args = Some(Node::unplaced(Kind::Map(args)));
        Self::unplaced(ConditionKind::Ref(Ref { id: id.into(), id_span: Span::NONE, args }))
    }

    /// A built-in test of the value at a path. Operators such as `exists` take no value.
    pub fn test(path: &str, operator: Operator, value: Option<Value>) -> Self {
        let args = [Some(("path", Value::from(path))), value.map(|value| ("value", value))];
        Self::with_args(operator.id(), args.into_iter().flatten())
    }

    /// Every id it refers to, with its place, in order.
    pub(super) fn refs(&self) -> Vec<(&str, Span)> {
        let mut out = Vec::new();
        let mut open = vec![self];
        while let Some(condition) = open.pop() {
            match &condition.kind {
                ConditionKind::Always | ConditionKind::Broken => {}
                ConditionKind::All(rules) | ConditionKind::Any(rules) => {
                    open.extend(rules.iter().rev())
                }
                ConditionKind::Not(rule) => open.push(rule),
                ConditionKind::Ref(reference) => out.push((&*reference.id, reference.id_span)),
            }
        }
        out
    }

    fn unplaced(kind: ConditionKind) -> Self {
        Self { kind, span: Span::NONE }
    }
}

/// Equality by meaning, ignoring places.
impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        use ConditionKind::{All, Always, Any, Broken, Not, Ref};
        match (&self.kind, &other.kind) {
            (Always, Always) => true,
            (Always, All(rules)) | (All(rules), Always) => rules.is_empty(),
            (All(a), All(b)) | (Any(a), Any(b)) => a == b,
            (Not(a), Not(b)) => a == b,
            (Ref(a), Ref(b)) => a.id == b.id && a.args == b.args,
            (Always | All(_) | Any(_) | Not(_) | Ref(_) | Broken, _) => false,
        }
    }
}

pub(super) fn entry(key: &str, value: Node) -> Entry {
    Entry { key: key.into(), key_span: value.span, value }
}

/// Converts a value to a node without places.
pub(crate) fn to_node(value: &Value) -> Node {
    Node::unplaced(match value {
        Value::Null => Kind::Null,
        Value::Bool(value) => Kind::Bool(*value),
        Value::Number(number) => number.to_kind(),
        Value::Text(text) => Kind::Text(text.clone()),
        Value::List(items) => Kind::List(items.iter().map(to_node).collect()),
        Value::Map(map) => {
            Kind::Map(map.iter().map(|(key, value)| entry(key, to_node(value))).collect())
        }
    })
}
