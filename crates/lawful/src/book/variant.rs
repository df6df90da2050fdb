//! A book with one document changed in memory.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, Node};

use super::conditions::Conditions;
use super::contents::{Book, Document};
use super::layout::Part;

impl Book {
    /// The book with another tree for one of its documents. Everything else is shared with this
    /// book. Places and the fingerprint are those of the original text, and a reload returns to it.
    ///
    /// `None` if there is no such document, if it has no tree, if it is the manifest, on which
    /// everything depends, or if its saved conditions have errors that the original has not.
    pub(crate) fn with_tree(&self, at: usize, tree: Node) -> Option<Self> {
        let original = self.documents.get(at)?;
        if original.part == Part::Manifest || original.node.is_none() {
            return None;
        }
        let changed = Arc::new(Document {
            path: original.path.clone(),
            part: original.part,
            file: original.file,
            node: Some(tree),
            page: None,
            sound: original.sound,
            problems: original.problems.clone(),
        });
        let mut documents = self.documents.clone();
        *documents.get_mut(at)? = changed;
        let before = &self.memory.conditions;
        let registry = if original.part == Part::Conditions {
            let conditions = documents.iter().filter(|found| found.part == Part::Conditions);
            let host = &self.memory.options.registry;
            let now = Conditions::of(conditions, host, self.manifest.limits, Some(before));
            if errors(&now.problems) > errors(&before.problems) {
                return None;
            }
            now.registry
        } else {
            self.registry.clone()
        };
        Some(Self {
            manifest: self.manifest.clone(),
            documents,
            registry,
            sources: self.sources.clone(),
            complete: self.complete,
            memory: Arc::clone(&self.memory),
        })
    }
}

fn errors(problems: &[Diagnostic]) -> usize {
    problems.iter().filter(|problem| problem.is_error()).count()
}
