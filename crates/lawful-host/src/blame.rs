//! Where every line of a prompt comes from.

use std::path::Path;

use lawful::Value;
use lawful::compose::{Composition, Origin};
use lawful::insertion::Insertion;
use serde::Serialize;

use crate::lawbook::LoadedCompositions;
use crate::problems::Failure;
use crate::state_file::insertions;
use crate::workspace::Workspace;

/// `{"lines"}`
#[derive(Clone, Debug, Serialize)]
pub struct BlameView {
    /// Every line, in order.
    pub lines: Vec<LineView>,
}

/// A line of a prompt; the empty line between two fragments belongs to none.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// Its number, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// The fragment that it comes from.
    pub fragment: Option<String>,
    /// What the session inserts, if the line comes from there: `directive mood`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insertion: Option<String>,
    /// The file that it comes from.
    pub file: Option<String>,
    /// The line in that file.
    pub file_line: Option<usize>,
    /// The rule of the composition that brought the fragment in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<usize>,
    /// Of a line of an installed file: the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Of a line of an installed file: the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<&'static str>,
    /// Of a line of an installed file: the part of the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
}

impl Workspace {
    /// Where every line of a composition's prompt comes from, in a context and perhaps a session,
    /// whose state is in a file.
    pub fn blame(
        &self,
        composition: &str,
        context: &Value,
        state: Option<&Path>,
    ) -> Result<BlameView, Failure> {
        let mut loaded = self.compositions()?;
        let insertions = insertions(state, &mut loaded.book)?;
        Ok(BlameView { lines: lines(&loaded, loaded.get(composition)?, context, &insertions) })
    }
}

fn lines(
    loaded: &LoadedCompositions,
    composition: &Composition,
    context: &Value,
    insertions: &[Insertion],
) -> Vec<LineView> {
    let resolution = loaded.resolve(composition, context, insertions, false);
    let brought = &resolution.trace.brought_by;
    let lines = resolution.prompt.lines().into_iter().enumerate().map(|(at, line)| {
        let (id, insertion) = match line.origin {
            None | Some(Origin::Core | Origin::Persona) => (None, None),
            Some(Origin::Fragment(id)) => (Some(id), None),
            Some(Origin::Insertion(at)) => (None, insertions.get(at)),
        };
        let file = line.place.and_then(|(file, _)| loaded.book.sources.file(file));
        LineView {
            line: at + 1,
            text: line.text.to_owned(),
            fragment: id.map(|id| loaded.compositions.name(id).to_owned()),
            insertion: insertion
                .map(|insertion| format!("{} {}", insertion.kind.name(), insertion.id)),
            file: file.map(|file| file.name().to_owned()),
            file_line: line.place.map(|(_, number)| number),
            rule: id.and_then(|id| {
                brought.iter().rev().find(|(known, _)| *known == id).map(|(_, rule)| *rule)
            }),
            ..LineView::default()
        }
    });
    lines.collect()
}
