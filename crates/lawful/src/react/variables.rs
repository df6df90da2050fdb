//! The variables of a session. Declared variables keep their type and stay within their bounds.
//!
//! **Invariant:** after any step, every declared variable with an initial value is present, has its
//! type, and is within its bounds.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, escape};

use super::codes::MENDED_VARIABLE;
use super::operation::{Operation, OperationKind};
use crate::book::{Variable, VariableType};
use crate::path::{Path, Segment};
use crate::value::Value;

/// The declared variables of a lawbook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    by_id: BTreeMap<Box<str>, Variable>,
    /// In the order of declaration.
    order: Vec<Box<str>>,
    /// How deeply a state may nest.
    depth: usize,
}

/// The result of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The value before; null if absent.
    pub before: Value,
    /// The value after; null if absent.
    pub after: Value,
    /// How the declaration changed the value.
    pub note: Option<String>,
}

impl Declared {
    pub(crate) fn new(variables: &[Variable], depth: usize) -> Self {
        let by_id = variables.iter().map(|v| (root_of(&v.id), v.clone())).collect();
        let order = variables.iter().map(|variable| root_of(&variable.id)).collect();
        Self { by_id, order, depth }
    }

    pub(crate) fn get(&self, root: &str) -> Option<&Variable> {
        self.by_id.get(root)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The ids, in the order of declaration.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.order.iter().map(|id| &**id)
    }

    /// Makes the variables of a state match their declarations.
    pub(crate) fn apply_declarations(&self, variables: &mut Value) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let Value::Map(map) = variables else { return problems };
        for id in &self.order {
            let Some(declared) = self.by_id.get(id) else { continue };
            let report = |message: String| {
                Diagnostic::new(&MENDED_VARIABLE, declared.span, message)
                    .help("the state comes from another lawbook, or was edited by hand")
            };
            match map.get(id).and_then(Value::present) {
                None => {
                    if let Some(initial) = &declared.initial {
                        map.insert(id.clone(), initial.clone());
                    }
                }
                Some(value) if !declared.kind.admits(value) => {
                    let (is, must) = (value.kind_name(), declared.kind.name());
                    let name = escape::name(id);
                    problems.push(report(format!(
                        "`{name}` is {is} in the state and must be {must}; it is reset"
                    )));
                    match &declared.initial {
                        Some(initial) => map.insert(id.clone(), initial.clone()),
                        None => drop(map.remove(id)),
                    }
                }
                Some(value) if !declared.admits(value) => {
                    let name = escape::name(id);
                    problems.push(report(format!(
                        "`{name}` of the state is not one of its declared values; it is reset"
                    )));
                    match &declared.initial {
                        Some(initial) => map.insert(id.clone(), initial.clone()),
                        None => drop(map.remove(id)),
                    }
                }
                Some(value) => {
                    if let (value, Some(note)) = clamp(value.clone(), declared) {
                        let name = escape::name(id);
                        problems.push(report(format!("`{name}` of the state is {note}")));
                        map.insert(id.clone(), value);
                    }
                }
            }
        }
        problems
    }

    /// Changes the value at a path, or returns why not.
    pub(crate) fn write(
        &self,
        variables: &mut Value,
        path: &Path,
        operation: &Operation,
    ) -> Result<Written, String> {
        let before = path.get(variables).cloned();
        let mut after = operation.apply(before.as_ref())?;
        let mut note = None;
        let declared = root(path).and_then(|root| self.get(root));
        match (declared, path.segments()) {
            (Some(declared), [_]) => {
                (after, note) = constrain(declared, operation.kind, before.as_ref(), after)?;
            }
            (Some(declared), [_, _, ..]) if !declared.values.is_empty() => {
                let id = escape::name(&declared.id).into_owned();
                return Err(format!("`{id}` takes only its declared values as a whole"));
            }
            (Some(declared), [_, inner, ..]) => {
                let needed = match inner {
                    Segment::Key(_) => VariableType::Object,
                    Segment::Index(_) | Segment::Each => VariableType::Array,
                };
                if declared.kind != needed && after.is_some() {
                    let (is, needed) = (declared.kind.name(), needed.name());
                    let id = escape::name(&declared.id).into_owned();
                    return Err(format!("`{id}` is {is}, and `{path}` needs {needed}"));
                }
            }
            (_, _) => {}
        }
        if let Some(after) = &after
            && path.segments().len() + after.depth() > self.depth
        {
            return Err(format!("the value exceeds the nesting limit of {}", self.depth));
        }
        match &after {
            Some(value) => {
                if !path.put(variables, value.clone()) {
                    return Err(format!("the value that contains `{path}` has no such part"));
                }
            }
            None => clear(variables, path, operation.kind),
        }
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        Ok(Written { before, after, note })
    }
}

/// Deletes a value. An element that is set to null stays, so that the elements after it keep their
/// indexes.
fn clear(variables: &mut Value, path: &Path, operation: OperationKind) {
    let element = matches!(path.segments().last(), Some(Segment::Index(_)));
    if element && operation == OperationKind::Set {
        if path.get(variables).is_some() {
            path.put(variables, Value::Null);
        }
    } else {
        path.remove(variables);
    }
}

/// The new value of a declared variable: it keeps its type, is clamped to its bounds, and is reset
/// if it is deleted.
fn constrain(
    declared: &Variable,
    operation: OperationKind,
    before: Option<&Value>,
    after: Option<Value>,
) -> Result<(Option<Value>, Option<String>), String> {
    let id = escape::name(&declared.id);
    let Some(after) = after else {
        if operation == OperationKind::Delete {
            let note = declared.initial.as_ref().map(|_| "reset to its initial value".to_owned());
            return Ok((declared.initial.clone(), note.filter(|_| before.is_some())));
        }
        return Err(format!("`{id}` is {}, and cannot be null", declared.kind.name()));
    };
    if !declared.kind.admits(&after) {
        let (must, is) = (declared.kind.name(), after.kind_name());
        return Err(format!("`{id}` is declared as {must}, and this would make it {is}"));
    }
    if !declared.admits(&after) {
        let listed: Vec<String> = declared.values.iter().map(ToString::to_string).collect();
        let (found, listed) = (after.to_string(), listed.join(", "));
        let (found, listed) = (escape::shorten(&found, 80), escape::shorten(&listed, 200));
        return Err(format!("{found} is not one of the declared values of `{id}`: {listed}"));
    }
    let (after, note) = clamp(after, declared);
    Ok((Some(after), note))
}

fn clamp(value: Value, declared: &Variable) -> (Value, Option<String>) {
    let Value::Number(number) = value else { return (value, None) };
    match (declared.min, declared.max) {
        (Some(min), _) if number < min => {
            (Value::Number(min), Some(format!("clamped to its minimum {min}")))
        }
        (_, Some(max)) if number > max => {
            (Value::Number(max), Some(format!("clamped to its maximum {max}")))
        }
        (_, _) => (value, None),
    }
}

/// The variable at the start of a path.
pub(crate) fn root(path: &Path) -> Option<&str> {
    match path.segments() {
        [Segment::Key(key), ..] => Some(key),
        [] | [Segment::Index(_) | Segment::Each, ..] => None,
    }
}

/// A declared id is a path of one segment, and may be quoted.
fn root_of(id: &str) -> Box<str> {
    let path = Path::parse(id).ok();
    path.as_ref().and_then(root).map_or_else(|| id.into(), Into::into)
}
