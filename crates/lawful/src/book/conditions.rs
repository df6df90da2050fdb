//! `conditions/*.yaml`: a mapping from id to condition.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, FileId, Node};

use super::contents::Document;
use crate::code;
use crate::cond::{Groups, Registry, RegistryBuilder, SavedCondition, decode};
use crate::decode::wrong_type;
use crate::limits::Limits;

/// Adds every condition of a document to the registry. An invalid condition is added without its
/// tree, so that a ref to it is not also reported as unknown.
pub fn saved_conditions(
    node: &Node,
    registry: &mut RegistryBuilder,
    problems: &mut Vec<Diagnostic>,
) {
    Saved::decode(node).add(registry, problems);
}

/// The conditions of one document and their problems.
#[derive(Debug, Default)]
struct Saved {
    conditions: Vec<Arc<SavedCondition>>,
    problems: Vec<Diagnostic>,
}

impl Saved {
    fn decode(node: &Node) -> Self {
        let mut saved = Self::default();
        let Some(entries) = node.as_map() else {
            let wanted = "a mapping from id to condition";
            let problem = wrong_type(node, "a document of conditions", wanted);
            saved.problems.push(problem.help("write `my-condition: {tone: terse}`"));
            return saved;
        };
        for entry in entries {
            if entry.key.trim().is_empty() {
                let message = "the id of a condition is blank";
                saved.problems.push(
                    Diagnostic::new(&code::BAD_VALUE, entry.key_span, message)
                        .help("give it a name"),
                );
                continue;
            }
            let (tree, found) = decode(&entry.value);
            saved.problems.extend(found);
            let (id, id_span) = (entry.key.clone(), entry.key_span);
            saved.conditions.push(Arc::new(SavedCondition { id, id_span, tree }));
        }
        saved
    }

    fn add(&self, registry: &mut RegistryBuilder, problems: &mut Vec<Diagnostic>) {
        problems.extend_from_slice(&self.problems);
        for condition in &self.conditions {
            problems.extend(registry.saved(Arc::clone(condition)).err());
        }
    }
}

/// The registry of a book, with the conditions of each document.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    documents: Vec<(Arc<Document>, Arc<Saved>)>,
    limits: Limits,
    pub registry: Registry,
    groups: Groups,
    pub problems: Vec<Diagnostic>,
}

impl Conditions {
    /// Decodes the documents that changed since the previous load. If none changed and none was
    /// removed, the previous result is returned.
    pub(super) fn of<'d>(
        documents: impl Iterator<Item = &'d Arc<Document>>,
        host: &RegistryBuilder,
        limits: Limits,
        before: Option<&Self>,
    ) -> Self {
        let known: BTreeMap<FileId, &(Arc<Document>, Arc<Saved>)> = before
            .iter()
            .flat_map(|before| &before.documents)
            .map(|known| (known.0.file, known))
            .collect();
        let mut decoded = false;
        let decode = |document: &Arc<Document>| match known.get(&document.file) {
            Some((same, saved)) if Arc::ptr_eq(same, document) => {
                (Arc::clone(same), Arc::clone(saved))
            }
            Some(_) | None => {
                decoded = true;
                let saved = document.node.as_ref().map(Saved::decode).unwrap_or_default();
                (Arc::clone(document), Arc::new(saved))
            }
        };
        let documents: Vec<_> = documents.map(decode).collect();
        if let Some(before) = before
            && !decoded
            && before.documents.len() == documents.len()
            && before.limits == limits
        {
            return before.clone();
        }
        let mut problems = Vec::new();
        let mut registry = host.clone().limits(limits);
        for (_, saved) in &documents {
            saved.add(&mut registry, &mut problems);
        }
        let registry = registry.build();
        let same_limits = before.filter(|before| before.limits == limits);
        let groups =
            Groups::of(&registry, same_limits.map(|before| (&before.registry, &before.groups)));
        problems.extend(groups.problems().cloned());
        Self { documents, limits, registry, groups, problems }
    }

    /// The registry of a book whose conditions were checked before. `None` if one has errors.
    pub(super) fn unchecked<'d>(
        documents: impl Iterator<Item = &'d Arc<Document>>,
        host: &RegistryBuilder,
        limits: Limits,
    ) -> Option<Self> {
        let mut problems = Vec::new();
        let mut registry = host.clone().limits(limits).validated();
        for node in documents.filter_map(|document| document.node.as_ref()) {
            Saved::decode(node).add(&mut registry, &mut problems);
        }
        let sound = !problems.iter().any(Diagnostic::is_error);
        let (documents, registry, groups) = (Vec::new(), registry.build(), Groups::default());
        sound.then_some(Self { documents, limits, registry, groups, problems })
    }
}
