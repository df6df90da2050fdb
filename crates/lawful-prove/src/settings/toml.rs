//! TOML. The parser keeps the text of everything that is not removed.

use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::names::{is_essence, is_forbidden};

/// The text without harmful keys, and their paths.
pub(super) fn without(text: &str, forbidden: &[&str]) -> Option<(String, Vec<String>)> {
    let mut document: DocumentMut = text.parse().ok()?;
    let mut removed = Vec::new();
    clean(document.as_table_mut(), forbidden, &mut Vec::new(), &mut removed);
    let left = if removed.is_empty() { text.to_owned() } else { document.to_string() };
    Some((left, removed))
}

/// The strings in tables.
pub(super) fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(document) = text.parse::<DocumentMut>() {
        collect(document.as_table(), &mut found);
    }
    found
}

fn collect(table: &dyn TableLike, found: &mut Vec<String>) {
    for (_, item) in table.iter() {
        if let Some(text) = item.as_str() {
            found.push(text.to_owned());
        } else if let Some(table) = item.as_table_like() {
            collect(table, found);
        }
    }
}

fn clean(
    table: &mut dyn TableLike,
    forbidden: &[&str],
    path: &mut Vec<String>,
    removed: &mut Vec<String>,
) {
    let is_harmful = |(name, item): &(&str, &Item)| {
        let names: Vec<&str> = path.iter().map(String::as_str).chain([*name]).collect();
        can_act(item) && (is_forbidden(&names, forbidden) || has_essence(item))
    };
    let harmful = table.iter().filter(is_harmful);
    let harmful: Vec<String> = harmful.map(|(name, _)| name.to_owned()).collect();
    for name in harmful {
        table.remove(&name);
        path.push(name);
        removed.push(path.join("."));
        path.pop();
    }
    for (name, item) in table.iter_mut() {
        path.push(name.get().to_owned());
        match item {
            Item::Table(table) => clean(table, forbidden, path, removed),
            Item::ArrayOfTables(tables) => {
                tables.iter_mut().for_each(|table| clean(table, forbidden, path, removed));
            }
            Item::Value(value) => clean_value(value, forbidden, path, removed),
            Item::None => {}
        }
        path.pop();
    }
}

fn clean_value(
    value: &mut Value,
    forbidden: &[&str],
    path: &mut Vec<String>,
    removed: &mut Vec<String>,
) {
    if let Some(table) = value.as_inline_table_mut() {
        clean(table, forbidden, path, removed);
    } else if let Some(array) = value.as_array_mut() {
        array.iter_mut().for_each(|value| clean_value(value, forbidden, path, removed));
    }
}

/// Whether a value can name something to run or to reach.
fn can_act(item: &Item) -> bool {
    match item {
        Item::None => false,
        Item::Table(_) | Item::ArrayOfTables(_) => true,
        Item::Value(value) => value.is_str() || value.is_array() || value.is_inline_table(),
    }
}

/// Whether a table describes something to run.
fn has_essence(item: &Item) -> bool {
    let of_table =
        |table: &dyn TableLike| table.iter().any(|(name, item)| is_essence(name) && can_act(item));
    match item {
        Item::None => false,
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => tables.iter().any(|table| of_table(table)),
        Item::Value(Value::InlineTable(table)) => of_table(table),
        Item::Value(Value::Array(array)) => {
            array.iter().any(|value| value.as_inline_table().is_some_and(|table| of_table(table)))
        }
        Item::Value(_) => false,
    }
}
