//! Explanations: outcomes read back against the set and the document, after the decision.

use std::ops::ControlFlow;

use lawful_syntax::escape;
use serde::{Serialize, Serializer};

use super::compile::{CondId, ConditionSet, HostTest, Node, NodeId, PathId};
use super::eval::{Outcome, Outcomes};
use super::leaf::{How, Leaf, Quantifier};
use crate::path::Path;
use crate::value::{Map, Value};

/// Why a condition came out as it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What was asked.
    pub kind: ExplanationKind,
    /// What came out.
    pub result: Outcome,
    /// The parts, in order; those not evaluated are there and say so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Explanation>,
    /// The id of a primitive or saved condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The path of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The operator of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<&'static str>,
    /// What it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What was there; nothing when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<Value>,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What an explanation explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ExplanationKind {
    /// Every child must hold.
    All,
    /// Some child must hold.
    Any,
    /// The child must not hold.
    Not,
    /// A primitive of the host, or a saved condition with its expansion as the child.
    Ref,
    /// A built-in test.
    Test,
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl ConditionSet {
    /// Explains a condition that was decided. `outcomes` must come from a run of this set over this
    /// document.
    pub fn explain(&self, condition: CondId, document: &Value, outcomes: &Outcomes) -> Explanation {
        Explainer { set: self, document, outcomes }.node(self.roots[condition], true)
    }
}

struct Explainer<'e> {
    set: &'e ConditionSet,
    document: &'e Value,
    outcomes: &'e Outcomes,
}

impl Explainer<'_> {
    /// `asked` is false below a branch that was decided before: the part may have been evaluated
    /// for another condition, and was not for this one.
    fn node(&self, id: NodeId, asked: bool) -> Explanation {
        let result = if asked { self.outcomes.nodes[id] } else { Outcome::NotEvaluated };
        match &self.set.nodes[id] {
            Node::All(children) => {
                let children = self.children(children, asked, Outcome::False);
                Explanation { children, ..blank(ExplanationKind::All, result) }
            }
            Node::Any(children) => {
                let children = self.children(children, asked, Outcome::True);
                Explanation { children, ..blank(ExplanationKind::Any, result) }
            }
            Node::Not(child) => Explanation {
                children: vec![self.node(*child, asked)],
                ..blank(ExplanationKind::Not, result)
            },
            Node::Saved(name, body) => Explanation {
                children: vec![self.node(*body, asked)],
                id: Some(name.to_string()),
                ..blank(ExplanationKind::Ref, result)
            },
            Node::Host(host) => self.host(id, host, result),
            Node::Leaf(path, leaf) => self.leaf(*path, leaf, result),
        }
    }

    fn children(
        &self,
        children: &[NodeId],
        mut asked: bool,
        decisive: Outcome,
    ) -> Vec<Explanation> {
        let explain = |child: &NodeId| {
            let explanation = self.node(*child, asked);
            asked = asked && explanation.result != decisive;
            explanation
        };
        children.iter().map(explain).collect()
    }

    fn host(&self, id: NodeId, host: &HostTest, result: Outcome) -> Explanation {
        let asked = result != Outcome::NotEvaluated;
        let read = |path: &PathId| {
            let path = &self.set.paths[*path].path;
            Some((path.to_string().into_boxed_str(), path.get(self.document)?.clone()))
        };
        let actual: Map = host.reads.iter().filter_map(read).collect();
        let error = self.outcomes.errors.iter().find(|(failed, _)| asked && *failed == id);
        Explanation {
            id: Some(host.id.to_string()),
            expected: host.args.clone(),
            actual: (asked && !actual.is_empty()).then(|| shown(&Value::Map(actual))),
            note: error.map(|(_, why)| escape::shorten(why, 500).into_owned()),
            ..blank(ExplanationKind::Ref, result)
        }
    }

    fn leaf(&self, path: PathId, leaf: &Leaf, result: Outcome) -> Explanation {
        let path = &self.set.paths[path].path;
        let asked = result != Outcome::NotEvaluated;
        let slots = if asked { slots(path, self.document) } else { Vec::new() };
        let actual = if path.is_wild() {
            asked.then(|| {
                Value::List(slots.iter().flatten().map(|value| (*value).clone()).collect())
            })
        } else {
            slots.first().copied().flatten().cloned()
        };
        Explanation {
            path: Some(path.to_string()),
            op: Some(leaf.operator.name()),
            expected: leaf.test.expected(&self.set.patterns),
            actual: actual.map(|value| shown(&value)),
            note: if asked { self.note(path, leaf, &slots) } else { None },
            ..blank(ExplanationKind::Test, result)
        }
    }

    fn note(&self, path: &Path, leaf: &Leaf, slots: &[Option<&Value>]) -> Option<String> {
        let mut notes: Vec<String> = Vec::new();
        if path.is_wild() {
            notes.extend(self.slots_note(leaf, slots));
        } else if slots.iter().all(Option::is_none) {
            notes.push(format!("`{path}` is absent"));
        }
        if leaf.how != How::AsList {
            let wrong = slots.iter().flatten().find_map(|value| {
                leaf.test.type_mismatch(value).map(|needed| (value.kind_name(), needed))
            });
            if let Some((found, needed)) = wrong {
                let whose = if path.is_wild() { "a value of " } else { "" };
                notes.push(format!("{whose}`{path}` is {found}, not {needed}"));
            }
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    fn slots_note(&self, leaf: &Leaf, slots: &[Option<&Value>]) -> Option<String> {
        let absent = slots.iter().filter(|slot| slot.is_none()).count();
        let holding = slots.iter().filter(|slot| leaf.holds(**slot, &self.set.patterns)).count();
        let needed = match leaf.how {
            How::One => return None,
            How::AsList => {
                return (absent > 0 && slots.len() > absent)
                    .then(|| format!("{absent} of {} slots are absent", slots.len()));
            }
            How::Some if slots.is_empty() => return Some("there are no slots".to_owned()),
            How::Every if slots.is_empty() => {
                return Some("there are no slots, which counts as an absent one".to_owned());
            }
            How::Some | How::Written(Quantifier::Any) => "one must",
            How::Every | How::Written(Quantifier::All) => "all must",
            How::Written(Quantifier::None) => "none may",
        };
        let absent = if absent > 0 { format!(" ({absent} absent)") } else { String::new() };
        Some(format!("it holds for {holding} of {} slots{absent}, and {needed}", slots.len()))
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

fn slots<'v>(path: &Path, document: &'v Value) -> Vec<Option<&'v Value>> {
    let mut out = Vec::new();
    let _: ControlFlow<()> = path.visit(document, &mut |slot| {
        out.push(slot);
        ControlFlow::Continue(())
    });
    out
}

/// Values up to this many bytes are shown whole.
const SHOWN: usize = 4096;

/// A value as an explanation carries it: whole, or its beginning as text when it is very large.
fn shown(value: &Value) -> Value {
    if weight(value, SHOWN) <= SHOWN {
        return value.clone();
    }
    let mut text = String::new();
    // Writing stops with an error once the room is used up.
    let _ = std::fmt::write(&mut Capped { text: &mut text, room: SHOWN }, format_args!("{value}"));
    Value::Text(format!("{}… (shortened)", escape::shorten(&text, 400)).into())
}

/// About how large a value is, counted no further than the limit.
fn weight(value: &Value, limit: usize) -> usize {
    let mut sum = 8;
    let mut parts: Vec<&Value> = vec![value];
    while let Some(part) = parts.pop() {
        sum += match part {
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
            Value::Text(text) => text.len(),
            Value::List(items) => {
                parts.extend(items.iter().take(limit));
                2
            }
            Value::Map(map) => {
                parts.extend(map.iter().take(limit).map(|(_, value)| value));
                map.iter().take(limit).map(|(key, _)| key.len()).sum()
            }
        };
        if sum > limit {
            break;
        }
    }
    sum
}

struct Capped<'t> {
    text: &'t mut String,
    room: usize,
}

impl std::fmt::Write for Capped<'_> {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        if self.text.len() + part.len() > self.room {
            return Err(std::fmt::Error);
        }
        self.text.push_str(part);
        Ok(())
    }
}
