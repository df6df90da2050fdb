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
    let mut shared = None;
    for path in &job.texts {
        match evaluate(&mut shared, (path, texts, folder), Evaluation::string) {
            Ok(text) => {
                outcome.texts.insert(path.clone(), text);
            }
            Err(problems) => outcome.problems.extend(problems),
        }
    }
    if let Some(path) = &job.record {
        let roles = |evaluation: &mut Evaluation<'_>| {
            let mut found = Outcome::default();
            if let Err(problems) = evaluation.roles(&mut found) {
                found.problems.extend(problems);
            }
            if found.problems.is_empty() { Ok(found) } else { Err(found) }
        };
        let (Ok(found) | Err(found)) = evaluate(&mut shared, (path, texts, folder), roles);
        outcome.roles = found.roles;
        outcome.problems.extend(found.problems);
    }
    outcome
}

/// Evaluates a file in the context of those before it, which has loaded the standard library.
///
/// A file that fails is evaluated in a context of its own, which nothing uses afterwards. So
/// neither a problem nor a result depends on an evaluation that failed before.
fn evaluate<'j, T, E>(
    shared: &mut Option<Context>,
    (path, texts, folder): (&'j str, &'j Texts, &'j Path),
    find: impl Fn(&mut Evaluation<'j>) -> Result<T, E>,
) -> Result<T, E> {
    let used = shared.take();
    let was_used = used.is_some();
    let mut evaluation = Evaluation::new(used.unwrap_or_default(), path, texts, folder);
    let mut found = find(&mut evaluation);
    if found.is_err() && was_used {
        evaluation = Evaluation::new(Context::new(), path, texts, folder);
        found = find(&mut evaluation);
    }
    if found.is_ok() {
        *shared = Some(evaluation.context);
    }
    found
}

/// The problems that Nickel reports for a text that does not parse.
pub(crate) fn refuse(path: &str, texts: &Texts, folder: &Path) -> Vec<Problem> {
    match Evaluation::new(Context::new(), path, texts, folder).string() {
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
    fn new(context: Context, path: &'j str, texts: &'j Texts, folder: &'j Path) -> Self {
        Self { path, texts, folder, context: named(context, folder, path) }
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
        let exported = self.exported();
        let found = self.evaluate()?;
        let Some(record) = found.as_record() else {
            let message = format!("expected a record of role to string, found {}", kind(&found));
            return Err(vec![self.shape(message)]);
        };
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
    fn exported(&mut self) -> Option<BTreeSet<String>> {
        let text = self.texts.get(self.path)?;
        let mention = |word: &str| self.texts.values().any(|text| text.contains(word));
        let asked = format!("{}?", self.path);
        let mut ask = |question: &str| {
            // Under a name of its own, so that no import finds the question in place of the file.
            let mut context = named(std::mem::take(&mut self.context), self.folder, &asked);
            let answer = context.eval_deep_for_export(question);
            // After a failure, nothing else is evaluated in that context.
            let context = if answer.is_ok() { context } else { Context::new() };
            self.context = named(context, self.folder, self.path);
            answer.ok()
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

/// A context whose next source is a file of the lawbook.
fn named(context: Context, folder: &Path, path: &str) -> Context {
    context.with_source_name(folder.join(path).to_string_lossy().into_owned())
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
