//! The paths in the input of a tool that no table knows.

use std::collections::BTreeSet;

use crate::value::Value;

/// The fields that name a path, or a list of paths, in the input of any tool.
pub const PATH_FIELDS: [&str; 20] = [
    "file_path",
    "filePath",
    "filepath",
    "absolute_path",
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "notebook_path",
    "dir_path",
    "directory",
    "target_file",
    "target_notebook",
    "target_directory",
    "target_directories",
    "source",
    "destination",
    "old_path",
    "new_path",
];

/// Every text below a field that names paths, at any depth.
pub(super) fn paths(input: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    collect(input, false, &mut found);
    let mut seen = BTreeSet::new();
    found.retain(|path| seen.insert(*path));
    found
}

fn collect<'v>(value: &'v Value, named: bool, found: &mut Vec<&'v str>) {
    match value {
        Value::Text(text) if named => {
            let path = text.trim();
            let path = path.strip_prefix("file://").unwrap_or(path);
            if !path.is_empty() {
                found.push(path);
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect(item, named, found)),
        Value::Map(map) => {
            for (key, value) in map.iter() {
                let is_path = PATH_FIELDS.iter().any(|field| field.eq_ignore_ascii_case(key));
                collect(value, named || is_path, found);
            }
        }
        Value::Text(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
