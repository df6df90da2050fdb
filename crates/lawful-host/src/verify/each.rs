//! The result for each of many envelopes, rendered by the worker that judged it.

use lawful::Value;
use lawful::syntax::render::push_json_line;
use lawful::verify::Verdict;
use lawful::view::{NameView, RecordView};

use super::{LoadedRulespec, ReportedEnvelope};

/// The result for one envelope or record.
#[derive(Debug)]
pub struct JudgedEnvelope<'e> {
    /// The name of its file.
    pub file: &'e str,
    /// Its line, if the file has one per line.
    pub line: Option<usize>,
    /// Its `id`, if it has one.
    pub id: Option<&'e Value>,
    /// The verdict.
    pub verdict: Verdict,
    /// The indexes of the predicates that failed.
    pub failed: Vec<usize>,
    /// The indexes of the predicates that are undecided.
    pub undecided: Vec<usize>,
    /// Why it could not be judged.
    pub error: Option<&'e str>,
    /// What is reported about it, unless there are too many.
    pub report: Option<&'e ReportedEnvelope>,
}

/// Renders a result. Workers call it in any order; what it writes is put in order.
pub type EachEnvelope<'e> = dyn Fn(&JudgedEnvelope<'_>, &mut Vec<u8>) + Sync + 'e;

impl JudgedEnvelope<'_> {
    /// The file, and the line.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.to_owned(),
        }
    }

    /// Appends the result as a line of JSON. `with_file` adds the name of the file.
    pub fn push_line(&self, loaded: &LoadedRulespec, with_file: bool, out: &mut Vec<u8>) {
        let predicates = &loaded.rulespec.predicates;
        let names = |indexes: &[usize]| -> Vec<NameView> {
            let name = |index: &usize| {
                let name = predicates.get(*index).and_then(|predicate| predicate.name.as_deref());
                name.map_or(NameView::Index(*index), |name| NameView::Name(name.to_owned()))
            };
            indexes.iter().map(name).collect()
        };
        let id = match (self.id, self.line) {
            (Some(id), _) => id.clone(),
            (None, Some(line)) => Value::from(i64::try_from(line).unwrap_or(i64::MAX)),
            (None, None) => Value::from(self.file),
        };
        let view = RecordView {
            id,
            file: with_file.then(|| self.file.to_owned()),
            verdict: self.verdict,
            failed: names(&self.failed),
            undecided: names(&self.undecided),
            error: self.error.map(str::to_owned),
            law: &loaded.law,
        };
        // Writing to memory cannot fail, and every part of the view can be serialised.
        let _ = push_json_line(&view, out);
    }
}
