//! The operations on variables, without their declared bounds except those of `x` and `p`.

use super::access::{as_map, number};
use crate::value::{Number, Value};

/// Whether the bounds of `x`, or its initial value, changed the result of a valid operation.
pub(super) fn is_noted(id: &str, operation: &str, with: Option<&Value>, before: &Value) -> bool {
    if id == "p" {
        return operation == "delete";
    }
    if id != "x" {
        return false;
    }
    let Some(Value::Number(old)) = before.get("x") else { panic!("`x` is a number") };
    let with = || with.map(number).unwrap();
    let free = match operation {
        "set" => with(),
        "add" => old.plus(with()).unwrap(),
        "subtract" => old.minus(with()).unwrap(),
        "multiply" => old.times(with()).unwrap(),
        "delete" => return true,
        other => panic!("{other} does not fit a number"),
    };
    free < 0.into() || free > 5.into()
}

/// Whether the operation is valid. Paths are names of variables here.
pub(super) fn modify(
    variables: &mut Value,
    id: &str,
    operation: &str,
    with: Option<&Value>,
) -> bool {
    let vars = as_map(variables);
    let old = vars.get(id).and_then(Value::present).cloned();
    let with = with.cloned().unwrap_or_default();
    let left = || match &old {
        None => Some(Number::from(0)),
        Some(Value::Number(number)) => Some(*number),
        Some(_) => None,
    };
    let right = || if let Value::Number(number) = with { Some(number) } else { None };
    let new = match (operation, &old, &with) {
        ("set", _, with) => Some(with.clone()),
        ("add", _, _) => left().zip(right()).and_then(|(a, b)| a.plus(b)).map(Value::Number),
        ("subtract", _, _) => left().zip(right()).and_then(|(a, b)| a.minus(b)).map(Value::Number),
        ("multiply", _, _) => left().zip(right()).and_then(|(a, b)| a.times(b)).map(Value::Number),
        ("toggle", Some(Value::Bool(on)), _) => Some(Value::Bool(!on)),
        ("append", Some(Value::Text(a)), Value::Text(b)) => Some(format!("{a}{b}").as_str().into()),
        ("push", None, with) => Some(Value::List(vec![with.clone()])),
        ("push", Some(Value::List(items)), with) => {
            Some(Value::List(items.iter().chain([with]).cloned().collect()))
        }
        ("merge", Some(Value::Map(a)), Value::Map(b)) => {
            let mut merged = a.clone();
            b.iter().for_each(|(key, value)| merged.insert(key, value.clone()));
            Some(Value::Map(merged))
        }
        ("delete", _, Value::Null) if id == "x" => Some(1.into()),
        ("delete", _, Value::Null) if id == "p" => Some("none".into()),
        ("delete", _, Value::Null) => Some(Value::Null),
        ("delete", None, _) => Some(Value::Null),
        ("delete", Some(Value::Map(map)), Value::Text(key)) => {
            let mut map = map.clone();
            map.remove(key);
            Some(Value::Map(map))
        }
        ("delete", Some(Value::List(items)), Value::Number(index)) => {
            let mut items = items.clone();
            let index = usize::try_from(index.as_count().unwrap()).unwrap();
            if index < items.len() {
                items.remove(index);
            }
            Some(Value::List(items))
        }
        (_, _, _) => None,
    };
    let new = match new {
        Some(Value::Number(number)) if id == "x" => {
            Some(Value::Number(number.clamp(0.into(), 5.into())))
        }
        Some(_) if id == "x" => None,
        Some(new) if id == "p" && new.as_text().is_none() => None,
        new => new,
    };
    let Some(new) = new else { return false };
    match new.present() {
        None => drop(vars.remove(id)),
        Some(new) => vars.insert(id, new.clone()),
    }
    true
}
