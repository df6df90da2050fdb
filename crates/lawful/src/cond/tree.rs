//! The tree: what is stored, and what every authoring form decodes to.

use lawful_syntax::{Entry, Kind, Node, Span};

use super::Operator;
use crate::value::Value;

/// A condition and where it was written.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is.
    pub kind: ConditionKind,
    /// Where it is; [`Span::NONE`] for one built in code.
    pub span: Span,
}

/// What a condition is.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// An empty `when`: holds, and is no problem. It equals, and is stored as, an empty `all`.
    Always,
    /// Every child holds.
    All(Vec<Condition>),
    /// Some child holds.
    Any(Vec<Condition>),
    /// The child does not hold.
    Not(Box<Condition>),
    /// A primitive with its arguments, or a saved condition.
    Ref(Ref),
    /// What could not be decoded. It stands in the tree so that the parts beside it are still
    /// checked; it equals nothing and never compiles.
    Broken,
}

/// A reference to a primitive or a saved condition.
#[derive(Clone, Debug)]
pub struct Ref {
    /// The id.
    pub id: Box<str>,
    /// Where the id, or what stands for it, was written.
    pub id_span: Span,
    /// The arguments, for a primitive.
    pub args: Option<Node>,
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self::unplaced(ConditionKind::Always)
    }

    /// Every one of these holds.
    pub fn all(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::unplaced(ConditionKind::All(rules.into_iter().collect()))
    }

    /// Some one of these holds.
    pub fn any(rules: impl IntoIterator<Item = Self>) -> Self {
        Self::unplaced(ConditionKind::Any(rules.into_iter().collect()))
    }

    /// This does not hold.
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

/// Trees are equal when they mean the same; places do not count.
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

/// A value as a node without places.
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
