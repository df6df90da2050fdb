//! Parts of a value that a test knows to be there.

use crate::value::{Map, Number, Value};

pub(super) fn as_map(value: &mut Value) -> &mut Map {
    if let Value::Map(map) = value { map } else { panic!("variables are an object") }
}

pub(super) fn object(fields: &[(&str, Value)]) -> Value {
    let mut map = Map::new();
    for (key, value) in fields {
        map.insert(*key, value.clone());
    }
    Value::Map(map)
}

pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    match value.get(key) {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_text).unwrap_or_default()
}

pub(super) fn number(value: &Value) -> Number {
    if let Value::Number(number) = value { *number } else { panic!("{value} is no number") }
}

pub(super) fn count(value: &Value) -> u64 {
    number(value).as_count().unwrap()
}
