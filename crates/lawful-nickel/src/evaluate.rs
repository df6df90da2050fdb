//! Evaluation: texts to strings, with every role forced.
//!
//! Nickel is lazy: a field that is not used is never checked. Each role is forced separately, so
//! that each problem names its role and one broken role does not hide another.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lawful_worker::protocol::{Job, Outcome, Problem, ProblemKind};
use nickel_lang::{Context, ErrorFormat, Expr};

use crate::refusal::problems;

/// Texts by their paths in the lawbook.
pub(crate) type Texts = BTreeMap<String, String>;

/// Evaluates the files of a job.
pub(crate) fn run(job: &Job, texts: &Texts, folder: &Path) -> Outcome {
    let mut outcome = Outcome::default();
    for path in &job.texts {
        let mut evaluation = Evaluation::new(path, texts, folder);
        match evaluation.string() {
            Ok(text) => {
                outcome.texts.insert(path.clone(), text);
            }
            Err(problems) => outcome.problems.extend(problems),
        }
    }
    if let Some(path) = &job.record {
        let mut evaluation = Evaluation::new(path, texts, folder);
        match evaluation.roles(&mut outcome) {
            Ok(()) => {}
            Err(problems) => outcome.problems.extend(problems),
        }
    }
    outcome
}

/// The problems that Nickel reports for a text that does not parse.
pub(crate) fn refuse(path: &str, texts: &Texts, folder: &Path) -> Vec<Problem> {
    match Evaluation::new(path, texts, folder).string() {
        Ok(_) => Vec::new(),
        Err(problems) => problems,
    }
}

struct Evaluation<'j> {
    path: &'j str,
    texts: &'j Texts,
    folder: &'j Path,
    context: Context,
}

impl<'j> Evaluation<'j> {
    fn new(path: &'j str, texts: &'j Texts, folder: &'j Path) -> Self {
        let name = folder.join(path).to_string_lossy().into_owned();
        let context = Context::new().with_source_name(name);
        Self { path, texts, folder, context }
    }

    fn evaluate(&mut self) -> Result<Expr, Vec<Problem>> {
        let text = self.texts.get(self.path).map_or("", String::as_str);
        let found = self.context.eval_shallow(text);
        found.map_err(|error| self.problems(&error, None))
    }

    fn string(&mut self) -> Result<String, Vec<Problem>> {
        let found = self.evaluate()?;
        let wrong = || self.shape(format!("expected a string, found {}", kind(&found)));
        found.as_str().map(normalise).ok_or_else(|| vec![wrong()])
    }

    fn roles(&mut self, outcome: &mut Outcome) -> Result<(), Vec<Problem>> {
        let found = self.evaluate()?;
        let Some(record) = found.as_record() else {
            let message = format!("expected a record of role to string, found {}", kind(&found));
            return Err(vec![self.shape(message)]);
        };
        let exported = self.exported();
        let is_role = |role: &str| exported.as_ref().is_none_or(|names| names.contains(role));
        if !record.iter().any(|(role, _)| is_role(role)) {
            return Err(vec![self.shape("this record has no roles".to_owned())]);
        }
        for (at, _) in record.iter().enumerate() {
            let Some((role, value)) = record.key_value_by_index(at) else { continue };
            if !is_role(role) {
                continue;
            }
            match self.role(role, value) {
                Ok(text) => {
                    outcome.roles.insert(role.to_owned(), text);
                }
                Err(problems) => outcome.problems.extend(problems),
            }
        }
        Ok(())
    }

    /// The exported fields: without those marked as not exported, and without optional fields that
    /// have no value. `None` if all fields are exported, or if this is unknown.
    ///
    /// Nickel's stable API exposes no metadata, so this runs a Nickel program, if a text contains
    /// one of the two words.
    fn exported(&self) -> Option<BTreeSet<String>> {
        let text = self.texts.get(self.path)?;
        let mention = |word: &str| self.texts.values().any(|text| text.contains(word));
        let ask = |question: &str| {
            let name = self.folder.join(self.path).to_string_lossy().into_owned();
            Context::new().with_source_name(name).eval_deep_for_export(question).ok()
        };
        let mut exported: Option<BTreeSet<String>> = None;
        if mention("optional") {
            let found = ask(&format!("%record/fields% (\n{text}\n)"))?;
            let names = found.as_array()?;
            let names = names.iter().filter_map(|name| name.as_str().map(str::to_owned));
            exported = Some(names.collect());
        }
        if mention("not_exported") {
            // No field is forced: each value is replaced.
            let found = ask(&format!("%record/map% (\n{text}\n) (fun _ _ => null)"))?;
            let names: BTreeSet<String> =
                found.as_record()?.iter().map(|(name, _)| name.to_owned()).collect();
            exported = Some(match exported {
                Some(others) => others.intersection(&names).cloned().collect(),
                None => names,
            });
        }
        exported
    }

    fn role(&mut self, role: &str, value: Option<Expr>) -> Result<String, Vec<Problem>> {
        let Some(value) = value else {
            let mut problem = self.shape("a role has no prompt".to_owned());
            problem.role = Some(role.to_owned());
            return Err(vec![problem]);
        };
        let found = self.context.eval_expr_shallow(value);
        let found = found.map_err(|error| self.problems(&error, Some(role)))?;
        found.as_str().map(normalise).ok_or_else(|| {
            let mut problem = self
                .shape(format!("the prompt of a role must be a string, but is {}", kind(&found)));
            problem.role = Some(role.to_owned());
            vec![problem]
        })
    }

    fn shape(&self, message: String) -> Problem {
        let file = self.path.to_owned();
        Problem { kind: ProblemKind::Shape, file, ..Problem::of(message) }
    }

    fn problems(&self, error: &nickel_lang::Error, role: Option<&str>) -> Vec<Problem> {
        let said = |format: ErrorFormat| {
            let mut out = Vec::new();
            let _ = error.format(&mut out, format);
            String::from_utf8_lossy(&out).into_owned()
        };
        let (json, text) = (said(ErrorFormat::Json), said(ErrorFormat::Text));
        let mut found = problems(&json, &text, self.folder, self.texts);
        for problem in &mut found {
            self.path.clone_into(&mut problem.file);
            problem.role = role.map(str::to_owned);
        }
        found
    }
}

/// Normalises line endings to `\n`.
fn normalise(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The type of a value, for a message.
fn kind(value: &Expr) -> &'static str {
    if value.is_null() {
        "null"
    } else if value.is_bool() {
        "a boolean"
    } else if value.is_number() {
        "a number"
    } else if value.is_string() {
        "a string"
    } else if value.is_record() {
        "a record"
    } else if value.is_array() {
        "an array"
    } else if value.is_enum_tag() || value.is_enum_variant() {
        "an enum"
    } else {
        "a function"
    }
}
