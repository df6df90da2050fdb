//! Documents that load as they are: those of a prompt book, rulespecs and rules.

use lawful::syntax::render::to_json;
use lawful::syntax::{Diagnostic, Entry, Format, Kind, Node, parse};
use lawful::{Limits, Value};

use super::scan::Candidate;
use super::slug::{slug, unique};
use super::{Carried, Imported, ImportedVariable, Text, permissions};
use crate::failure::Failure;
use crate::init::stop::RULESPEC;

/// Copies a document to the same place in the lawbook.
pub(super) fn copy(shown: &str, path: &str, text: &str, imported: &mut Imported) {
    if imported.is_taken(path) {
        let what = format!("the document for `{path}`");
        imported.lose(shown, None, what, "another file was carried over to this place");
        return;
    }
    imported.put(path.to_owned(), text.to_owned(), shown);
    let what = match path.split('/').next() {
        Some("fragments") => "a fragment",
        Some("compositions") => "a composition",
        Some("rules") => "rules",
        Some("analysis") => "the rulespec",
        Some(_) | None => "a document",
    };
    imported.carried.push(Carried {
        file: shown.to_owned(),
        what: what.to_owned(),
        files: vec![path.to_owned()],
    });
}

/// The tree of a document. One that does not parse is listed as lost, unless it was named: then it is a
/// failure.
pub(super) fn parsed(
    candidate: &Candidate,
    text: &Text,
    format: Format,
    what: &str,
    imported: &mut Imported,
) -> Result<Option<Node>, Failure> {
    let (node, problems) = parse(&text.sources, text.file, format, &Limits::default().document);
    let errors: Vec<Diagnostic> = problems.into_iter().filter(Diagnostic::is_error).collect();
    match (node, errors.first()) {
        (Some(node), None) => Ok(Some(node)),
        (_, Some(error)) if !candidate.is_named => {
            let line = text.line(error.span);
            imported.lose(&candidate.shown, line, what, error.message.clone());
            Ok(None)
        }
        (_, _) => Err(Failure::sorted(errors, text.sources.clone())),
    }
}

/// Adds a document whose content says what it is.
pub(super) fn add(
    candidate: &Candidate,
    text: &Text,
    imported: &mut Imported,
) -> Result<(), Failure> {
    let shown = &candidate.shown;
    let format = Format::of(shown);
    let Some(node) = parsed(candidate, text, format, "the document", imported)? else {
        return Ok(());
    };
    let has = |key: &str| node.get(key).is_some();
    if has("claims") && has("predicates") {
        copy(shown, RULESPEC, text.text(), imported);
    } else if has("base") && has("name") {
        copy(shown, &place("compositions", shown, imported), text.text(), imported);
    } else if has("permissions") {
        permissions::add_node(shown, text, &node, imported);
    } else if is_rules(&node) {
        copy(shown, &place("rules", shown, imported), text.text(), imported);
    } else if has("rules") || has("reactions") {
        recipe(shown, text, &node, imported);
    } else if candidate.is_named {
        let why = "it is no rulespec, composition, permissions or rules";
        imported.lose(shown, None, "the document", why);
    }
    Ok(())
}

/// The place of a document in a folder of the lawbook.
fn place(folder: &str, shown: &str, imported: &Imported) -> String {
    let name = shown.rsplit('/').next().unwrap_or(shown);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, "yaml"));
    let stem = Some(slug(stem)).filter(|stem| !stem.is_empty());
    let stem = stem.unwrap_or_else(|| "imported".to_owned());
    let path = |stem: &str| format!("{folder}/{stem}.{end}");
    path(&unique(&stem, |stem| imported.is_taken(&path(stem))))
}

/// Whether a document is a list of rules, one rule, or a mapping of nothing but rules.
fn is_rules(node: &Node) -> bool {
    let is_rule = |node: &Node| {
        let has = |key: &str| node.get(key).is_some();
        (has("trigger") && has("actions")) || (has("when") && has("then"))
    };
    match &node.kind {
        Kind::List(items) => !items.is_empty() && items.iter().all(is_rule),
        Kind::Map(entries) => {
            is_rule(node)
                || !entries.is_empty()
                    && entries.iter().all(|entry| matches!(&*entry.key, "rules" | "reactions"))
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => false,
    }
}

/// A recipe: rules and reactions beside variables and other things. Rules and variables are carried
/// over.
fn recipe(shown: &str, text: &Text, node: &Node, imported: &mut Imported) {
    let mut rules: Vec<Entry> = Vec::new();
    for entry in node.as_map().unwrap_or_default() {
        match &*entry.key {
            "rules" | "reactions" => rules.push(entry.clone()),
            "variables" => variables(shown, text, &entry.value, imported),
            "id" | "name" | "description" | "version" => {}
            key => {
                let what = format!("the key `{key}`");
                let why = "only rules, reactions and variables are carried over";
                imported.lose(shown, text.line(entry.key_span), what, why);
            }
        }
    }
    let place = place("rules", shown, imported);
    let place = place.rsplit_once('.').map_or(place.clone(), |(stem, _)| format!("{stem}.json"));
    let rules = Value::from_owned_node(Node::unplaced(Kind::Map(rules)));
    let document = to_json(&rules).unwrap_or_default();
    copy(shown, &place, &(document + "\n"), imported);
}

/// Variables: a mapping by id, or a list of mappings with ids.
fn variables(shown: &str, text: &Text, node: &Node, imported: &mut Imported) {
    let add = |id: &str, declaration: String, line: Option<usize>, imported: &mut Imported| {
        if imported.variables.iter().any(|known| known.id == id) {
            let what = format!("the variable `{id}`");
            imported.lose(shown, line, what, "another variable has this id");
            return;
        }
        let (id, origin) = (id.to_owned(), shown.to_owned());
        imported.variables.push(ImportedVariable { id, declaration, origin, line });
    };
    match &node.kind {
        Kind::Map(entries) => {
            for entry in entries {
                let line = text.line(entry.key_span);
                add(&entry.key, node_json(&entry.value), line, imported);
            }
        }
        Kind::List(items) => {
            for item in items {
                let line = text.line(item.span);
                match item.get("id").and_then(Node::as_text) {
                    Some(id) => add(id, without_id(item), line, imported),
                    None => {
                        let what = format!("the variable {}", item.describe());
                        imported.lose(shown, line, what, "it has no id");
                    }
                }
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_) => {
            imported.lose(shown, text.line(node.span), "the key `variables`", "it is not a list");
        }
    }
}

/// A declaration without the key that is its name in the manifest.
fn without_id(node: &Node) -> String {
    let entries = node.as_map().unwrap_or_default().iter().filter(|entry| &*entry.key != "id");
    node_json(&Node::unplaced(Kind::Map(entries.cloned().collect())))
}

/// A node as JSON on one line, which is YAML too.
fn node_json(node: &Node) -> String {
    serde_json::to_string(&Value::from_node(node)).unwrap_or_else(|_| "null".to_owned())
}
