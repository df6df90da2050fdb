//! Carrying over what a project has: instructions for agents, permissions, and documents of other
//! tools.
//!
//! **Invariant:** nothing is lost silently. Every line of an imported Markdown file is in a fragment,
//! and everything else that has no place in the lawbook is listed with the reason.

mod documents;
mod file_pattern;
mod front;
mod host_pattern;
mod instructions;
mod pattern;
mod permissions;
mod scan;
mod sections;
mod slug;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lawful::Limits;
use lawful::book::{MANIFEST, read_file};
use lawful::code;
use lawful::syntax::text::add as add_text;
use lawful::syntax::{Diagnostic, FileId, Sources, Span};
use serde::Serialize;

use super::yaml;
use crate::failure::Failure;
use instructions::Instructions;
use scan::{Candidate, Kind};

/// A file that was carried over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Carried {
    /// The file.
    pub file: String,
    /// What became of it.
    pub what: String,
    /// The files of the lawbook that have it now.
    pub files: Vec<String>,
}

/// Something that could not be carried over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotCarried {
    /// The file.
    pub file: String,
    /// The line in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What it is.
    pub what: String,
    /// Why it has no place in the lawbook.
    pub why: String,
}

/// A file of the lawbook that was made from another one.
#[derive(Clone, Debug)]
pub(super) struct ImportedFile {
    pub(super) path: String,
    pub(super) text: String,
    /// The file that it was made from.
    pub(super) origin: String,
    /// Whether the test commands were added to it.
    pub(super) has_tests: bool,
}

/// A variable of imported rules.
#[derive(Clone, Debug)]
pub(super) struct ImportedVariable {
    id: String,
    /// Its declaration, as JSON.
    declaration: String,
    origin: String,
    line: Option<usize>,
}

/// An axis: its values, each with a comment.
#[derive(Clone, Debug)]
struct ImportedAxis {
    name: &'static str,
    values: Vec<(String, String)>,
}

/// Everything that is carried over.
#[derive(Clone, Debug, Default)]
pub(super) struct Imported {
    pub(super) files: Vec<ImportedFile>,
    pub(super) variables: Vec<ImportedVariable>,
    axes: Vec<ImportedAxis>,
    pub(super) carried: Vec<Carried>,
    pub(super) not_carried: Vec<NotCarried>,
    /// What a guard does not see of what the original rule decided.
    gaps: Vec<(String, &'static str)>,
    has_sources: bool,
}

/// The text of a file, with its place in a table of sources.
pub(super) struct Text {
    sources: Sources,
    file: FileId,
}

impl Text {
    fn text(&self) -> &str {
        self.sources.file(self.file).map_or("", |file| file.text())
    }

    /// The line of a place.
    fn line(&self, span: Span) -> Option<usize> {
        self.sources.locate(span).map(|(_, position)| position.line)
    }
}

/// Carries over files and folders. A file that was named must be readable; one that was found in a
/// folder is listed if it is not.
pub(super) fn gather(from: &[PathBuf]) -> Result<Imported, Failure> {
    let mut imported = Imported { has_sources: !from.is_empty(), ..Imported::default() };
    let mut instructions = Instructions::default();
    for candidate in scan::candidates(from, &mut imported.not_carried)? {
        match read(&candidate.path, &candidate.shown) {
            Ok(text) => take(&candidate, &text, &mut instructions, &mut imported)?,
            Err(problem) if candidate.is_named => return Err(problem),
            Err(problem) => {
                let why = problem.problems.first().map(|problem| problem.message.clone());
                imported.lose(&candidate.shown, None, "the file", why.unwrap_or_default());
            }
        }
    }
    instructions.finish(&mut imported);
    Ok(imported)
}

fn take(
    candidate: &Candidate,
    text: &Text,
    instructions: &mut Instructions,
    imported: &mut Imported,
) -> Result<(), Failure> {
    let shown = &candidate.shown;
    match &candidate.kind {
        Kind::Page(page) => {
            instructions.add(shown, page, text.text(), imported);
            Ok(())
        }
        Kind::Settings => permissions::add(candidate, text, imported),
        Kind::Document => documents::add(candidate, text, imported),
        Kind::Copied(path) => {
            documents::copy(shown, path, text.text(), imported);
            Ok(())
        }
    }
}

/// Reads a regular file. A pipe could block forever.
fn read(path: &Path, shown: &str) -> Result<Text, Failure> {
    let limit = Limits::default().document.bytes;
    let problem = |message: String| {
        Failure::instead_of(Path::new(shown), |span| {
            Diagnostic::new(&code::UNREADABLE, span, message)
        })
    };
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return Err(problem("this is not a regular file".to_owned()));
    }
    let bytes = read_file(path, limit).map_err(|error| problem(error.to_string()))?;
    let mut sources = Sources::default();
    let (file, invalid) = add_text(&mut sources, shown, &bytes);
    match invalid {
        None => Ok(Text { sources, file }),
        Some(invalid) => Err(Failure::new(sources, vec![invalid])),
    }
}

impl Imported {
    /// Adds a file of the lawbook.
    fn put(&mut self, path: String, text: String, origin: &str) {
        let origin = origin.to_owned();
        self.files.push(ImportedFile { path, text, origin, has_tests: false });
    }

    /// Lists something that could not be carried over.
    fn lose(
        &mut self,
        file: &str,
        line: Option<usize>,
        what: impl Into<String>,
        why: impl Into<String>,
    ) {
        let (file, what, why) = (file.to_owned(), what.into(), why.into());
        self.not_carried.push(NotCarried { file, line, what, why });
    }

    /// Lists what a guard does not see, once.
    fn gap(&mut self, file: &str, what: &'static str) {
        let gap = (file.to_owned(), what);
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    fn is_taken(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }

    /// Takes out the document that an error is about, and lists it.
    pub(super) fn refuse(&mut self, error: &Diagnostic, sources: &Sources) {
        let Some((file, position)) = sources.locate(error.span) else { return };
        if file.name() == MANIFEST {
            self.refuse_variable(error, file.text(), position.line);
            return;
        }
        let Some(at) = self.files.iter().position(|known| known.path == file.name()) else {
            return;
        };
        let refused = self.files.remove(at);
        let what = format!("the document for `{}`", refused.path);
        let why = format!("line {} there: {}", position.line, error.message);
        self.lose(&refused.origin, None, what, why);
        for carried in &mut self.carried {
            carried.files.retain(|path| *path != refused.path);
        }
        self.carried.retain(|carried| !carried.files.is_empty());
    }

    /// Takes out a guard that another one includes or overrules, and lists it; says whether it did. What is decided
    /// does not change.
    pub(super) fn refuse_useless(&mut self, warning: &Diagnostic, sources: &Sources) -> bool {
        if !["useless-guard", "overruled-guard"].contains(&warning.code.name) {
            return false;
        }
        let Some((file, position)) = sources.locate(warning.span) else { return false };
        let Some(known) = self.files.iter_mut().find(|known| known.path == file.name()) else {
            return false;
        };
        let rule = file.text().lines().nth(position.line.saturating_sub(2)).unwrap_or_default();
        if !permissions::take_out(known, position.line) {
            return false;
        }
        let what = format!("the rule `{}`", rule.trim_start_matches("# "));
        let (origin, path) = (known.origin.clone(), known.path.clone());
        if !known.text.contains("\n- id: ") {
            self.files.retain(|file| file.path != path);
            self.carried.retain(|carried| !carried.files.contains(&path));
        }
        self.lose(&origin, None, what, warning.message.clone());
        true
    }

    /// Takes out the variable on a line of the manifest.
    fn refuse_variable(&mut self, error: &Diagnostic, manifest: &str, line: usize) {
        let Some(written) = manifest.lines().nth(line.saturating_sub(1)) else { return };
        let Some(at) = self.variables.iter().position(|known| known.line_of_manifest() == written)
        else {
            return;
        };
        let refused = self.variables.remove(at);
        let what = format!("the variable `{}`", refused.id);
        self.lose(&refused.origin, refused.line, what, error.message.clone());
    }

    /// Takes out files at paths that the template has.
    pub(super) fn refuse_paths(&mut self, taken: &[String]) {
        let (kept, refused): (Vec<_>, Vec<_>) = std::mem::take(&mut self.files)
            .into_iter()
            .partition(|file| !taken.contains(&file.path));
        self.files = kept;
        for file in refused {
            let what = format!("the document for `{}`", file.path);
            self.lose(&file.origin, None, what, "the template has a file of this name");
        }
    }

    /// The lines of the axes in the manifest.
    pub(super) fn axis_lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for axis in &self.axes {
            lines.push(format!("  {}:", axis.name));
            for (value, comment) in &axis.values {
                let comment = yaml::comment(comment);
                let value = yaml::scalar(value);
                lines.push(if comment.is_empty() {
                    format!("    - {value}")
                } else {
                    format!("    - {value}  # {comment}")
                });
            }
        }
        lines
    }

    /// The lines of the variables in the manifest.
    pub(super) fn variable_lines(&self) -> Vec<String> {
        self.variables.iter().map(ImportedVariable::line_of_manifest).collect()
    }

    /// The page that lists what was carried over, and what was not.
    pub(super) fn record(&self) -> Option<String> {
        if !self.has_sources {
            return None;
        }
        let shown = |text: &str| yaml::comment(text).replace('|', "\\|");
        let mut text = "# Imported\n\n`lawful init --from` made a part of this lawbook from other files. They are unchanged.\n".to_owned();
        if !self.carried.is_empty() {
            text.push_str("\n## Carried over\n\n| file | as | in |\n|---|---|---|\n");
        }
        for carried in &self.carried {
            let files: Vec<String> =
                carried.files.iter().map(|file| format!("`{}`", shown(file))).collect();
            let _ = writeln!(
                text,
                "| `{}` | {} | {} |",
                shown(&carried.file),
                shown(&carried.what),
                files.join(", ")
            );
        }
        if !self.gaps.is_empty() {
            text.push_str(
                "\n## Carried over in part\n\n| file | what no guard sees |\n|---|---|\n",
            );
        }
        for (file, gap) in &self.gaps {
            let _ = writeln!(text, "| `{}` | {} |", shown(file), shown(gap));
        }
        text.push_str("\n## Not carried over\n\n");
        if self.not_carried.is_empty() {
            text.push_str("Everything was carried over.\n");
            return Some(text);
        }
        text.push_str("| file | line | what | why |\n|---|---|---|---|\n");
        for lost in &self.not_carried {
            let line = lost.line.map(|line| line.to_string()).unwrap_or_default();
            let _ = writeln!(
                text,
                "| `{}` | {line} | {} | {} |",
                shown(&lost.file),
                shown(&lost.what),
                shown(&lost.why)
            );
        }
        Some(text)
    }
}

impl ImportedVariable {
    fn line_of_manifest(&self) -> String {
        format!("  {}: {}", yaml::scalar(&self.id), self.declaration)
    }
}

#[cfg(test)]
mod tests;
