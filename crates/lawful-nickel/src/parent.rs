//! The parent: starts the child, hands out files of the book, and tells what came of it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use lawful::book::{Book, Conditioning, Document, Part, Source, SourceError};
use lawful::code;
use lawful::compose::{Evaluated, RecordFields, Refusal, Roles};
use lawful::syntax::{Diagnostic, FileId, Span, escape, sort, text};

use crate::convert::diagnostic;
use crate::limits::Limits;
use crate::protocol::{Job, Mark, Outcome, ProblemKind, Reply, Request};
use crate::running::{Running, Silence};
use crate::scratch::Scratch;

/// How to start a child: a program that calls [`work`](crate::work).
#[derive(Clone, Debug)]
pub struct Worker {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What it may take.
    pub limits: Limits,
}

/// What the Nickel files that a book's conditioning names come to. Nothing is started for a book
/// that names none.
///
/// Files outside `conditioning/` that are imported become documents of the book, so that diagnostics
/// can point into them and the book's fingerprint knows them.
pub fn evaluate(
    book: &mut Book,
    source: &dyn Source,
    worker: &Worker,
) -> Result<Evaluated, Refusal> {
    let Some(conditioning) = book.manifest.conditioning.clone() else {
        return Ok(Evaluated::default());
    };
    let texts = conditioning.nickel_texts();
    let record = conditioning.nickel_record();
    if texts.is_empty() && record.is_none() {
        return Ok(Evaluated::default());
    }
    let place = record.or(texts.first().copied()).map_or(Span::NONE, |(_, span)| span);
    let mut host = Host::new(book, source, &conditioning, place);
    let outcome = host.run(&texts, record.map(|(path, _)| path), worker);
    host.answer(outcome)
}

struct Host<'b> {
    book: &'b mut Book,
    source: &'b dyn Source,
    conditioning: &'b Conditioning,
    /// Where the manifest names what is evaluated.
    place: Span,
    /// How many files were handed out that the book had not read, and their bytes.
    imported: usize,
    bytes: usize,
    problems: Vec<Diagnostic>,
}

impl<'b> Host<'b> {
    fn new(
        book: &'b mut Book,
        source: &'b dyn Source,
        conditioning: &'b Conditioning,
        place: Span,
    ) -> Self {
        Self { book, source, conditioning, place, imported: 0, bytes: 0, problems: Vec::new() }
    }

    fn run(
        &mut self,
        texts: &[(&str, Span)],
        record: Option<&str>,
        worker: &Worker,
    ) -> Result<Outcome, Silence> {
        let failed =
            |what: &str, error: &dyn std::fmt::Display| Silence::Failed(format!("{what}: {error}"));
        let scratch = Scratch::new().map_err(|e| failed("no folder can be made for it", &e))?;
        let job = Job {
            texts: texts.iter().map(|(path, _)| (*path).to_owned()).collect(),
            record: record.map(str::to_owned),
            folder: scratch.path().to_string_lossy().into_owned(),
            limits: worker.limits,
        };
        let child = Command::new(&worker.program)
            .args(&worker.arguments)
            .env_clear()
            .current_dir(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let child = child.map_err(|error| failed("it cannot be started", &error))?;
        let mut child = Running::new(child, &worker.limits);
        child.say(&job);
        loop {
            match child.hear()? {
                Request::Done(outcome) => return Ok(outcome),
                Request::File { written, from } => {
                    let reply = self.hand_out(&written, from.as_ref());
                    child.say(&reply);
                }
            }
        }
    }

    /// A file of the book, or a note of why it is not handed out.
    fn hand_out(&mut self, written: &str, from: Option<&Mark>) -> Reply {
        match self.file(written, from) {
            Ok((path, file)) => {
                let text = self.book.sources.file(file).map_or("", |file| file.text()).to_owned();
                Reply::File { path, text }
            }
            Err(problem) => {
                self.problems.push(*problem);
                Reply::Refused
            }
        }
    }

    fn file(
        &mut self,
        written: &str,
        from: Option<&Mark>,
    ) -> Result<(String, FileId), Box<Diagnostic>> {
        let importer = from.and_then(|mark| Some((mark, self.known(&mark.path)?)));
        let span = match importer {
            Some((mark, file)) => Span::new(file, mark.start, mark.end),
            None => {
                let named = self.conditioning.files();
                let named = named.into_iter().find(|(path, _)| *path == written);
                named.map_or(self.place, |(_, span)| span)
            }
        };
        let name = escape::name(written);
        let outside = || {
            let message = format!("`{name}` leads out of the lawbook");
            let problem = Diagnostic::new(&code::OUTSIDE_BOOK, span, message);
            Box::new(problem.help("copy it into the lawbook and import it from there"))
        };
        let path = resolve(from.map(|mark| mark.path.as_str()), written).ok_or_else(outside)?;
        if let Some(file) = self.known(&path) {
            return Ok((path, file));
        }
        let limits = self.book.manifest.limits;
        let unreadable = |why: String| {
            let message = format!("`{name}` cannot be imported: {why}");
            Box::new(Diagnostic::new(&code::UNREADABLE, span, message))
        };
        let bytes = match self.source.read(&path, limits.document.bytes) {
            Ok(bytes) => bytes,
            Err(SourceError::Outside) => return Err(outside()),
            Err(error) => return Err(unreadable(error.to_string())),
        };
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > limits.book_bytes || self.imported >= limits.files {
            return Err(unreadable("the imports are more than a lawbook may have".to_owned()));
        }
        let shown = self.source.shown(&path);
        let (file, problem) = text::add(&mut self.book.sources, &shown, &bytes);
        if let Some(problem) = problem {
            return Err(Box::new(problem));
        }
        self.imported += 1;
        self.book.documents.push(Arc::new(Document {
            path: path.clone(),
            part: Part::Conditioning,
            file,
            node: None,
            page: None,
            sound: true,
            problems: Vec::new(),
        }));
        Ok((path, file))
    }

    /// A file of the book that was read before.
    fn known(&self, path: &str) -> Option<FileId> {
        let mut documents = self.book.documents.iter().filter(|document| document.sound);
        documents.find(|document| document.path == path).map(|document| document.file)
    }

    fn answer(mut self, outcome: Result<Outcome, Silence>) -> Result<Evaluated, Refusal> {
        let mut broken = true;
        match outcome {
            Ok(outcome) => {
                let record = self.conditioning.nickel_record();
                let record = record.and_then(|(path, _)| self.known(path));
                let fields = record.map(|file| RecordFields::of(&self.book.sources, file));
                for problem in &outcome.problems {
                    broken &= problem.kind == ProblemKind::Contract;
                    let file = |path: &str| self.known(path);
                    let (place, fields) = (self.place, fields.as_ref());
                    self.problems.push(diagnostic(problem, place, fields, file, self.book));
                }
                if self.problems.is_empty() {
                    return Ok(Evaluated { texts: outcome.texts, roles: outcome.roles });
                }
                broken &= self.problems.len() == outcome.problems.len();
                if broken {
                    // The other roles may break the core contract, and that is told at once.
                    let rest = Evaluated { texts: outcome.texts, roles: outcome.roles };
                    self.problems.extend(Roles::breaches(self.book, &rest));
                }
            }
            Err(silence) => {
                broken = false;
                let (code, message, help) = match silence {
                    Silence::Limit(limit) => (
                        &code::NICKEL_LIMIT,
                        format!("evaluating this took more than {limit}"),
                        "look for something that recurses or grows without end",
                    ),
                    Silence::Failed(why) => (
                        &code::NICKEL_FAILED,
                        format!("the process that evaluates Nickel did not answer: {why}"),
                        "no prompt is made without it",
                    ),
                };
                self.problems.push(Diagnostic::new(code, self.place, message).help(help));
            }
        }
        sort(&mut self.problems, &self.book.sources);
        self.problems.dedup();
        let problems = self.problems;
        Err(if broken { Refusal::Broken(problems) } else { Refusal::Undecided(problems) })
    }
}

/// The path in the book that an import means; `None` if it leads out of it.
fn resolve(importer: Option<&str>, written: &str) -> Option<String> {
    if written.starts_with('/') || written.contains(['\\', ':', '\0']) {
        return None;
    }
    let folder = importer.and_then(|path| path.rsplit_once('/')).map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn an_import_is_relative_to_its_file_and_stays_in_the_book() {
        let one = |from, written, expected: Option<&str>| {
            assert_eq!(resolve(from, written).as_deref(), expected, "{written}");
        };
        one(None, "c/compose.ncl", Some("c/compose.ncl"));
        one(Some("c/compose.ncl"), "core.ncl", Some("c/core.ncl"));
        one(Some("c/compose.ncl"), "./personas/../core.ncl", Some("c/core.ncl"));
        one(Some("c/compose.ncl"), "../law/core.ncl", Some("law/core.ncl"));
        one(Some("compose.ncl"), "core.ncl", Some("core.ncl"));
        one(Some("c/compose.ncl"), "../../core.ncl", None);
        one(Some("c/compose.ncl"), "../../c/core.ncl", None);
        one(Some("c/compose.ncl"), "/etc/passwd", None);
        one(Some("c/compose.ncl"), "C:\\secret", None);
    }
}
