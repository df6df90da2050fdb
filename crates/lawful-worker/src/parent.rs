//! The parent: starts the child, sends it files of the lawbook, and returns the result.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use lawful::book::{Book, Conditioning, Document, Part, Source, SourceError, import_path};
use lawful::code;
use lawful::compose::{Evaluated, RecordFields, Refusal, Roles};
use lawful::syntax::{Diagnostic, FileId, Span, escape, sort, text};

use crate::convert::diagnostic;
use crate::limits::Limits;
use crate::protocol::{self, Greeting, Job, Mark, Outcome, ProblemKind, Reply, Request};
use crate::running::{Running, Silence};
use crate::scratch::Scratch;

/// The child program, and its limits.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The absolute path of the program; `None` if it is unknown.
    pub program: Option<PathBuf>,
    /// Its limits.
    pub limits: Limits,
}

impl Worker {
    /// The program next to this one: in the same folder, after resolving links. It is searched
    /// nowhere else, so that no lawbook, project or `PATH` can supply it.
    pub fn beside_this_program() -> Self {
        let here = std::env::current_exe().and_then(|program| program.canonicalize());
        let name = format!("{}{}", protocol::PROGRAM, std::env::consts::EXE_SUFFIX);
        let program = here.ok().map(|program| program.with_file_name(name));
        Self { program, limits: Limits::default() }
    }

    /// Starts the child in a folder, with an empty environment.
    fn start(&self, folder: &Path) -> Result<Running, Silence> {
        // A path that is not absolute would be searched in `PATH`.
        let program = self.program.as_ref().filter(|program| program.is_absolute());
        let Some(program) = program else { return Err(Silence::Absent(None)) };
        if matches!(program.try_exists(), Ok(false)) {
            return Err(Silence::Absent(Some(program.clone())));
        }
        let child = Command::new(program)
            .arg(protocol::ARGUMENT)
            .env_clear()
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => Ok(Running::new(child, &self.limits)),
            Err(error) => Err(failed("it did not start", &error)),
        }
    }
}

/// Evaluates the Nickel files that the conditioning of a lawbook names. Starts nothing if there are
/// none.
///
/// Loading has read most imports already. Any other imported file becomes a document of the lawbook
/// too, so that diagnostics can point into it and it is part of the fingerprint.
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
    /// The place in the manifest that names the evaluated files.
    place: Span,
    /// The number of files sent that the lawbook had not read, and their bytes.
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
        let scratch = Scratch::new().map_err(|e| failed("cannot create a folder for it", &e))?;
        let mut child = worker.start(scratch.path())?;
        let greeting: Greeting = child.hear()?;
        if greeting.protocol != protocol::VERSION {
            return Err(Silence::OtherVersion(greeting));
        }
        child.say(&Job {
            texts: texts.iter().map(|(path, _)| (*path).to_owned()).collect(),
            record: record.map(str::to_owned),
            folder: scratch.path().to_string_lossy().into_owned(),
            limits: worker.limits,
        });
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

    /// A file of the lawbook; otherwise records why it is not sent.
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
        let path = import_path(from.map(|mark| mark.path.as_str()), written).ok_or_else(outside)?;
        if let Some(file) = self.known(&path) {
            return Ok((path, file));
        }
        let limits = self.book.manifest.limits;
        let unreadable = |why: String| {
            let message = format!("cannot import `{name}`: {why}");
            Box::new(Diagnostic::new(&code::UNREADABLE, span, message))
        };
        let bytes = match self.source.read(&path, limits.document.bytes) {
            Ok(bytes) => bytes,
            Err(SourceError::Outside) => return Err(outside()),
            Err(SourceError::TooLarge) => {
                let most = escape::bytes(limits.document.bytes);
                let problem = *unreadable(format!("it is larger than the limit of {most}"));
                let help = limits.document.help_on_bytes("split the file");
                return Err(Box::new(problem.help(help)));
            }
            Err(error) => return Err(unreadable(error.to_string())),
        };
        self.bytes = self.bytes.saturating_add(bytes.len());
        if self.bytes > limits.book_bytes || self.imported >= limits.files {
            let (files, most) = (limits.files, escape::bytes(limits.book_bytes));
            let why = format!("the imports exceed the limit of {files} files and {most}");
            return Err(unreadable(why));
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

    /// A file of the lawbook that was already read.
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
                    // The other roles may break the core contract; report that too.
                    let rest = Evaluated { texts: outcome.texts, roles: outcome.roles };
                    self.problems.extend(Roles::breaches(self.book, &rest));
                }
            }
            Err(silence) => {
                broken = false;
                self.problems.push(silence_diagnostic(silence, self.place));
            }
        }
        sort(&mut self.problems, &self.book.sources);
        self.problems.dedup();
        let problems = self.problems;
        Err(if broken { Refusal::Broken(problems) } else { Refusal::Undecided(problems) })
    }
}

/// The diagnostic for a child that did not answer.
fn silence_diagnostic(silence: Silence, place: Span) -> Diagnostic {
    match silence {
        Silence::Absent(path) => {
            let message = "this is written in Nickel, but `lawful-nickel`, the program that \
                           evaluates it, is not installed next to `lawful`";
            let problem = Diagnostic::new(&code::NO_NICKEL, place, message);
            let problem = match path {
                Some(path) => {
                    let path = path.display().to_string();
                    problem.note(format!("`{}` does not exist", escape::name(&path)))
                }
                None => problem.note("the folder of `lawful` is unknown"),
            };
            problem.help(format!("install it, for example with `{INSTALL}`"))
        }
        Silence::OtherVersion(Greeting { protocol, version }) => {
            let version = escape::name(&version);
            let message = format!(
                "`lawful-nickel` {version} has protocol version {protocol}, but this `lawful` has {}",
                protocol::VERSION
            );
            let help = format!("install both from the same version, for example with `{INSTALL}`");
            Diagnostic::new(&code::NICKEL_VERSION, place, message).help(help)
        }
        Silence::Limit(limit) => {
            let message = format!("evaluating this exceeds the limit of {limit}");
            let problem = Diagnostic::new(&code::NICKEL_LIMIT, place, message);
            problem.help("look for infinite recursion or unbounded growth")
        }
        Silence::Failed(why) => {
            let message = format!("the Nickel process did not answer: {why}");
            let problem = Diagnostic::new(&code::NICKEL_FAILED, place, message);
            problem.help("no prompt can be composed without it")
        }
    }
}

/// The command that installs the program from source.
const INSTALL: &str = "cargo install --path crates/lawful-nickel";

fn failed(what: &str, error: &io::Error) -> Silence {
    Silence::Failed(format!("{what}: {error}"))
}
