//! The nine operations on values.
//!
//! **Invariant:** values are never converted. An operation on a value of the wrong type returns an
//! error, and the value stays unchanged.

use super::source::Source;
use super::trigger::Direction;
use crate::value::{Number, Value};

/// An operation and its operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Which of the nine.
    pub kind: OperationKind,
    /// The operand; null for `toggle`, for a `delete` of the whole target, and with `from`.
    pub value: Value,
    /// Where the operand comes from when the action runs, instead.
    pub from: Option<Source>,
}

/// Which operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationKind {
    /// Replaces the value.
    Set,
    /// Adds the number.
    Add,
    /// Subtracts the number.
    Subtract,
    /// Multiplies by the number.
    Multiply,
    /// Inverts the boolean.
    Toggle,
    /// Appends the string to the string.
    Append,
    /// Appends the value to the list.
    Push,
    /// Sets the keys of the object in the object.
    Merge,
    /// Deletes the key or the index, or the target itself.
    Delete,
}

impl OperationKind {
    /// Every operation and its name.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("set", Self::Set),
        ("add", Self::Add),
        ("subtract", Self::Subtract),
        ("multiply", Self::Multiply),
        ("toggle", Self::Toggle),
        ("append", Self::Append),
        ("push", Self::Push),
        ("merge", Self::Merge),
        ("delete", Self::Delete),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Why the operand can never work.
    pub(super) fn misfit(self, value: &Value) -> Option<String> {
        let needed = match self {
            Self::Set | Self::Push | Self::Toggle => return None,
            Self::Add | Self::Subtract | Self::Multiply => "a number",
            Self::Append => "a string",
            Self::Merge => "an object",
            Self::Delete => "a key or an index",
        };
        let fits = match (self, value) {
            (Self::Add | Self::Subtract | Self::Multiply, Value::Number(_)) => true,
            (Self::Append, Value::Text(_)) | (Self::Merge, Value::Map(_)) => true,
            (Self::Delete, Value::Null | Value::Text(_)) => true,
            (Self::Delete, Value::Number(index)) => index.as_count().is_some(),
            (_, _) => false,
        };
        let name = self.name();
        (!fits).then(|| format!("`{name}` takes {needed}, and this is {}", value.kind_name()))
    }
}

impl Operation {
    /// Whether it can move a number across a threshold in a direction; true if that is unknown.
    pub(super) fn can_cross(&self, direction: Direction, threshold: Number) -> bool {
        // A value that is looked up later is null here.
        let Value::Number(number) = self.value else { return true };
        let zero = Number::from(0);
        let rises = match self.kind {
            OperationKind::Set if number == threshold => return false,
            OperationKind::Set => number > threshold,
            OperationKind::Add if number == zero => return false,
            OperationKind::Subtract if number == zero => return false,
            OperationKind::Add => number > zero,
            OperationKind::Subtract => number < zero,
            OperationKind::Multiply
            | OperationKind::Toggle
            | OperationKind::Append
            | OperationKind::Push
            | OperationKind::Merge
            | OperationKind::Delete => return true,
        };
        rises == (direction == Direction::RisesAbove)
    }

    /// The result for a value: `Ok(None)` if it is deleted, `Err` with the reason if the operation
    /// does not apply to it.
    pub(super) fn apply(&self, before: Option<&Value>) -> Result<Option<Value>, String> {
        if let Some(misfit) = self.kind.misfit(&self.value) {
            return Err(misfit);
        }
        let name = self.kind.name();
        let is = before.map_or("absent", Value::kind_name);
        let refuse = |needs: &str| Err(format!("`{name}` needs {needs}, and this is {is}"));
        match (self.kind, before) {
            (OperationKind::Set, _) => Ok(self.value.present().cloned()),
            (OperationKind::Add | OperationKind::Subtract | OperationKind::Multiply, _) => {
                let left = match before {
                    None => Number::from(0),
                    Some(Value::Number(number)) => *number,
                    Some(_) => return refuse("a number"),
                };
                self.compute(left)
            }
            (OperationKind::Toggle, Some(Value::Bool(on))) => Ok(Some(Value::Bool(!on))),
            (OperationKind::Toggle, _) => refuse("a boolean"),
            (OperationKind::Append, Some(Value::Text(text))) => {
                let more = self.value.as_text().unwrap_or_default();
                Ok(Some(Value::Text(format!("{text}{more}").into())))
            }
            (OperationKind::Append, _) => refuse("a string"),
            (OperationKind::Push, None) => Ok(Some(Value::List(vec![self.value.clone()]))),
            (OperationKind::Push, Some(Value::List(items))) => {
                let mut items = items.clone();
                items.push(self.value.clone());
                Ok(Some(Value::List(items)))
            }
            (OperationKind::Push, Some(_)) => refuse("a list"),
            (OperationKind::Merge, Some(Value::Map(map))) => {
                let mut map = map.clone();
                if let Value::Map(more) = &self.value {
                    for (key, value) in more.iter() {
                        match value.present() {
                            Some(value) => map.insert(key, value.clone()),
                            None => drop(map.remove(key)),
                        }
                    }
                }
                Ok(Some(Value::Map(map)))
            }
            (OperationKind::Merge, _) => refuse("an object"),
            (OperationKind::Delete, _) => self.delete(before),
        }
    }

    fn compute(&self, left: Number) -> Result<Option<Value>, String> {
        let Value::Number(right) = self.value else { return Ok(None) };
        let found = match self.kind {
            OperationKind::Add => left.plus(right),
            OperationKind::Subtract => left.minus(right),
            OperationKind::Multiply => left.times(right),
            OperationKind::Set
            | OperationKind::Toggle
            | OperationKind::Append
            | OperationKind::Push
            | OperationKind::Merge
            | OperationKind::Delete => Some(left),
        };
        let name = self.kind.name();
        let out_of_range = || format!("the result of `{name}` is out of range");
        found.map(|number| Some(Value::Number(number))).ok_or_else(out_of_range)
    }

    fn delete(&self, before: Option<&Value>) -> Result<Option<Value>, String> {
        let Some(before) = before else { return Ok(None) };
        match (before, &self.value) {
            (_, Value::Null) => Ok(None),
            (Value::Map(map), Value::Text(key)) => {
                let mut map = map.clone();
                map.remove(key);
                Ok(Some(Value::Map(map)))
            }
            (Value::List(items), Value::Number(index)) => {
                let mut items = items.clone();
                let index = index.as_count().and_then(|index| usize::try_from(index).ok());
                if let Some(index) = index.filter(|index| *index < items.len()) {
                    items.remove(index);
                }
                Ok(Some(Value::List(items)))
            }
            (Value::Map(_), _) => Err("an object needs a key, and this is a number".to_owned()),
            (Value::List(_), _) => Err("a list needs an index, and this is a key".to_owned()),
            (before, _) => {
                let is = before.kind_name();
                Err(format!("`delete` needs an object or a list, and this is {is}"))
            }
        }
    }
}
