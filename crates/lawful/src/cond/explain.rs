//! Explanations: reconstructs a decision afterwards from the set and the document.

use std::sync::Arc;

use lawful_syntax::escape;
use serde::{Serialize, Serializer};

use super::eval::Outcomes;
use super::leaf::{How, Leaf, Quantifier};
use super::outcome::{Join, Outcome};
use super::set::{CondId, ConditionSet, HostTest, Node, NodeId, PathEntry, PathId, Step};
use crate::path::{Path, Segment, Slots};
use crate::value::{Map, Value};

/// Why a condition has its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// What is explained.
    pub kind: ExplanationKind,
    /// The result.
    pub result: Outcome,
    /// The parts, in order, including those that were not evaluated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Explanation>,
    /// The id of a primitive or saved condition.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    pub id: Option<Arc<str>>,
    /// The path of a test.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    pub path: Option<Arc<str>>,
    /// The operator of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<&'static str>,
    /// The value of the operator.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    pub expected: Option<Arc<Value>>,
    /// The actual value; `None` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
    /// Additional information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The kind of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExplanationKind {
    /// Every child must be true.
    All,
    /// Some child must be true.
    Any,
    /// The child must not be true.
    Not,
    /// A host primitive, or a saved condition with its expansion as the child.
    Ref,
    /// A built-in test.
    Test,
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A shared value is written as the value itself.
#[expect(clippy::ref_option, reason = "serde passes the field")]
fn shared<T: Serialize + ?Sized, S: Serializer>(
    value: &Option<Arc<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_deref().serialize(serializer)
}

impl ConditionSet {
    /// Explains an evaluated condition. `outcomes` must come from a run of this set over this
    /// document.
    pub fn explain(&self, condition: CondId, document: &Value, outcomes: &Outcomes) -> Explanation {
        match self.root_of(condition) {
            Some(root) => Explainer { set: self, document, outcomes }.node(root, true),
            None => Explanation {
                note: Some("the condition belongs to another set".to_owned()),
                ..blank(ExplanationKind::Ref, Outcome::Error)
            },
        }
    }
}

struct Explainer<'e> {
    set: &'e ConditionSet,
    document: &'e Value,
    outcomes: &'e Outcomes,
}

impl Explainer<'_> {
    /// `asked` is false below a branch that was short-circuited: the part may have been evaluated
    /// for another condition, but not for this one.
    ///
    /// Built-in tests are evaluated again, which is cheap and gives the same result. Primitives are
    /// not; their outcomes were stored. The outcome of a branch follows from its children.
    fn node(&self, id: NodeId, asked: bool) -> Explanation {
        match &self.set.nodes[id] {
            Node::All(children) => self.branch(children, asked, ExplanationKind::All, Join::And),
            Node::Any(children) => self.branch(children, asked, ExplanationKind::Any, Join::Or),
            Node::Not(child) => {
                let child = self.node(*child, asked);
                let result = child.result.not();
                Explanation { children: vec![child], ..blank(ExplanationKind::Not, result) }
            }
            Node::Saved(name, body) => {
                let body = self.node(*body, asked);
                let result = body.result;
                Explanation {
                    children: vec![body],
                    id: Some(Arc::clone(name)),
                    ..blank(ExplanationKind::Ref, result)
                }
            }
            Node::Host(host) => {
                let kept = if asked { self.outcomes.of(id) } else { Outcome::NotEvaluated };
                self.host(id, host, kept)
            }
            Node::Leaf(path, leaf) => self.leaf(id, *path, leaf, asked),
        }
    }

    fn branch(
        &self,
        nodes: &[NodeId],
        asked: bool,
        kind: ExplanationKind,
        join: Join,
    ) -> Explanation {
        let mut result = if asked { join.neutral() } else { Outcome::NotEvaluated };
        let mut children = Vec::with_capacity(nodes.len());
        for node in nodes {
            let child = self.node(*node, asked && result != join.decisive());
            result = join.of(result, child.result);
            children.push(child);
        }
        Explanation { children, ..blank(kind, result) }
    }

    fn host(&self, id: NodeId, host: &HostTest, result: Outcome) -> Explanation {
        let asked = result != Outcome::NotEvaluated;
        let read = |path: &PathId| {
            let entry = &self.set.paths[*path];
            Some((Box::from(&**entry.text()), entry.path.get(self.document)?.clone()))
        };
        let actual: Map = host.reads.iter().filter_map(read).collect();
        let error = self.outcomes.errors.iter().find(|(failed, _)| asked && *failed == id);
        Explanation {
            id: Some(Arc::clone(&host.id)),
            expected: self.operand(id, || host.args.as_ref().map(shown)),
            actual: (asked && !actual.is_empty()).then(|| shown(&Value::Map(actual))),
            note: error.map(|(_, why)| escape::shorten(why, 500).into_owned()),
            ..blank(ExplanationKind::Ref, result)
        }
    }

    fn leaf(&self, id: NodeId, path: PathId, leaf: &Leaf, asked: bool) -> Explanation {
        let patterns = &self.set.patterns;
        let entry = &self.set.paths[path];
        let test = Explanation {
            path: Some(Arc::clone(entry.text())),
            op: Some(leaf.operator.name()),
            expected: self.operand(id, || leaf.test.expected(patterns).map(|value| shown(&value))),
            ..blank(ExplanationKind::Test, Outcome::NotEvaluated)
        };
        if !asked {
            return test;
        }
        let all = entry.path.slots(self.document.present());
        if let Step::Wild(_) = entry.step {
            let slots = all.collect();
            let present = slots.iter().flatten().copied();
            return Explanation {
                result: Outcome::of(leaf.decide(all, patterns).holds),
                actual: Some(shorten_list(present, &mut { SHOWN })),
                note: self.note(entry, leaf, &slots),
                ..test
            };
        }
        let slot = all.only();
        Explanation {
            result: Outcome::of(leaf.holds_for_one(slot, patterns)),
            actual: slot.map(shown),
            note: self.note(entry, leaf, &[slot]),
            ..test
        }
    }

    /// What a test compares with, or the arguments of a primitive. All explanations of one part
    /// share it.
    fn operand(&self, id: NodeId, make: impl FnOnce() -> Option<Value>) -> Option<Arc<Value>> {
        self.set.operands[id].get_or_init(|| make().map(Arc::new)).clone()
    }

    fn note(&self, entry: &PathEntry, leaf: &Leaf, slots: &[Option<&Value>]) -> Option<String> {
        let wild = matches!(entry.step, Step::Wild(_));
        let path = entry.text();
        let mut notes: Vec<String> = Vec::new();
        if wild {
            notes.extend(self.no_list(&entry.path));
        }
        if wild || leaf.how != How::One {
            notes.extend(self.slots_note(leaf, slots));
        }
        if !wild && slots.iter().all(Option::is_none) {
            notes.push(format!("`{path}` is absent"));
        }
        if leaf.how != How::AsList {
            let wrong = slots.iter().flatten().find_map(|value| {
                leaf.test.type_mismatch(value).map(|needed| (value.kind_name(), needed))
            });
            if let Some((found, needed)) = wrong {
                let whose = if wild { "a value of " } else { "" };
                notes.push(format!("{whose}`{path}` is {found}, not {needed}"));
            }
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Says where the first `[*]` of a path meets something other than a list.
    fn no_list(&self, path: &Path) -> Option<String> {
        let at = path.segments().iter().position(|segment| *segment == Segment::Each)?;
        let front = path.segments().get(..at)?;
        let value = Slots { start: self.document.present(), segments: front }.only();
        let name =
            if at == 0 { "the document".to_owned() } else { format!("`{}`", Path::of(front)) };
        match value {
            None => Some(format!("{name} is absent")),
            Some(Value::List(_)) => None,
            Some(other) => Some(format!("{name} is {}, not a list", other.kind_name())),
        }
    }

    fn slots_note(&self, leaf: &Leaf, slots: &[Option<&Value>]) -> Option<String> {
        let absent = slots.iter().filter(|slot| slot.is_none()).count();
        let holding = slots.iter().filter(|slot| leaf.holds(**slot, &self.set.patterns)).count();
        let needed = match leaf.how {
            How::One => return None,
            How::AsList => {
                return (absent > 0)
                    .then(|| format!("{absent} of {} slots are absent", slots.len()));
            }
            How::Some | How::Every if slots.is_empty() => {
                return Some("there are no slots, which counts as one absent slot".to_owned());
            }
            How::Written(_) if slots.is_empty() => return Some("there are no slots".to_owned()),
            How::Some | How::Written(Quantifier::Any) => "one must be",
            How::Every | How::Written(Quantifier::All) => "all must be",
            How::Written(Quantifier::None) => "none may be",
        };
        let absent = if absent > 0 { format!(" ({absent} absent)") } else { String::new() };
        Some(format!("true for {holding} of {} slots{absent}; {needed}", slots.len()))
    }
}

fn blank(kind: ExplanationKind, result: Outcome) -> Explanation {
    Explanation {
        kind,
        result,
        children: Vec::new(),
        id: None,
        path: None,
        op: None,
        expected: None,
        actual: None,
        note: None,
    }
}

/// The approximate number of bytes of a value that are shown.
const SHOWN: usize = 4096;

/// A value for an explanation, truncated if it is very large.
fn shown(value: &Value) -> Value {
    let mut room = SHOWN;
    shorten(value, &mut room)
}

fn shorten(value: &Value, room: &mut usize) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            *room = room.saturating_sub(8);
            value.clone()
        }
        Value::Text(text) => {
            let shown = escape::shorten(text, *room);
            *room = room.saturating_sub(shown.len() + 2);
            Value::Text(shown.into())
        }
        Value::List(items) => shorten_list(items.iter(), room),
        Value::Map(map) => {
            *room = room.saturating_sub(2);
            let mut kept = Map::new();
            for (key, value) in map.iter() {
                if *room == 0 {
                    kept.insert("…", "…".into());
                    break;
                }
                *room = room.saturating_sub(key.len() + 2);
                kept.insert(escape::shorten(key, SHOWN), shorten(value, room));
            }
            Value::Map(kept)
        }
    }
}

fn shorten_list<'v>(items: impl Iterator<Item = &'v Value>, room: &mut usize) -> Value {
    *room = room.saturating_sub(2);
    let mut kept = Vec::with_capacity(items.size_hint().0);
    for item in items {
        if *room == 0 {
            kept.push("…".into());
            break;
        }
        kept.push(shorten(item, room));
    }
    Value::List(kept)
}
