//! The fields of an event, with their types checked.
//!
//! A harness may have two names for a field; an event that has both is refused, because it is
//! unknown which one the harness uses.

use lawful::Value;
use lawful::syntax::escape;

/// Why a field cannot be read.
pub(super) type Read<T> = Result<T, String>;

/// The fields of an event.
#[derive(Clone, Copy)]
pub(super) struct Fields<'v>(pub(super) &'v Value);

impl<'v> Fields<'v> {
    /// The value of a field, under the one of its names that is used.
    pub(super) fn get(self, names: &[&str]) -> Read<Option<&'v Value>> {
        let mut found = names.iter().filter_map(|name| Some((*name, self.0.get(name)?)));
        let first = found.next();
        match (first, found.next()) {
            (Some((one, _)), Some((two, _))) => Err(format!("it has both `{one}` and `{two}`")),
            (first, _) => Ok(first.map(|(_, value)| value)),
        }
    }

    /// A string, if the field is there.
    pub(super) fn text(self, names: &[&str]) -> Read<Option<&'v str>> {
        match self.get(names)? {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(names, other, "a string")),
        }
    }

    /// A string that must be there.
    pub(super) fn needed(self, names: &[&str]) -> Read<&'v str> {
        self.text(names)?.ok_or_else(|| missing(names))
    }

    /// A boolean; default: false.
    pub(super) fn flag(self, names: &[&str]) -> Read<bool> {
        match self.get(names)? {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(other) => Err(wrong(names, other, "a boolean")),
        }
    }

    /// A list of strings; default: none.
    pub(super) fn texts(self, names: &[&str]) -> Read<Vec<&'v str>> {
        match self.get(names)? {
            None => Ok(Vec::new()),
            Some(Value::List(items)) => items
                .iter()
                .map(|item| item.as_text().ok_or_else(|| wrong(names, item, "a string")))
                .collect(),
            Some(other) => Err(wrong(names, other, "a list")),
        }
    }
}

/// A text that the system can use as a path, a command or a name.
pub(super) fn usable(text: &str, what: &str) -> Read<Box<str>> {
    if text.contains('\0') {
        return Err(format!("{what} has a NUL character"));
    }
    if text.trim().is_empty() {
        return Err(format!("{what} is empty"));
    }
    Ok(text.into())
}

pub(super) fn missing(names: &[&str]) -> String {
    format!("it has no `{}`", names.first().unwrap_or(&""))
}

pub(super) fn wrong(names: &[&str], found: &Value, expected: &str) -> String {
    let name = names.first().unwrap_or(&"");
    format!("`{}` is {}, not {expected}", escape::name(name), found.kind_name())
}
