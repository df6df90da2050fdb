//! The child: greets, sets its limits, collects the files, evaluates, answers, exits.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Write};
use std::path::{Component, Path};

use lawful_worker::protocol::{Greeting, Job, Mark, Outcome, Problem, ProblemKind, Reply, Request};

use crate::closure::{Untold, imports};
use crate::evaluate::{self, Texts};
use crate::limits;

/// Serves one job from `input` in this process, and answers on `output`. Returns `false` if the
/// parent is gone or breaks the protocol.
///
/// This limits the whole process, so it is for a process that does nothing else.
pub(crate) fn work(mut input: impl BufRead + Send, mut output: impl Write + Send) -> bool {
    let greeted = send(&mut output, &Greeting::current());
    let Some(job) = greeted.and_then(|()| receive::<Job>(&mut input)) else { return false };
    limits::set(&job.limits);
    // Nickel evaluates nested expressions by recursion.
    let stack = job.limits.stack;
    std::thread::scope(|scope| {
        let serve = || {
            let outcome = serve(&job, &mut input, &mut output)?;
            send(&mut output, &Request::Done(outcome))
        };
        let started = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, serve);
        started.is_ok_and(|thread| thread.join().is_ok_and(|served| served.is_some()))
    })
}

fn serve(job: &Job, input: &mut impl BufRead, output: &mut impl Write) -> Option<Outcome> {
    let folder = Path::new(&job.folder);
    let (texts, problems, refused) = gather(job, folder, input, output)?;
    if refused || !problems.is_empty() {
        return Some(Outcome { problems, ..Outcome::default() });
    }
    Some(evaluate::run(job, &texts, folder))
}

/// Copies every file that the job can reach into the folder. Returns whether one was refused.
fn gather(
    job: &Job,
    folder: &Path,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Option<(Texts, Vec<Problem>, bool)> {
    let mut texts: Texts = BTreeMap::new();
    let mut parsed: BTreeSet<String> = BTreeSet::new();
    let mut problems = Vec::new();
    let mut refused = false;
    let named = job.texts.iter().chain(&job.record);
    let mut wanted: Vec<(String, Option<Mark>, bool)> =
        named.rev().map(|path| (path.clone(), None, true)).collect();
    while let Some((written, from, nickel)) = wanted.pop() {
        send(output, &Request::File { written, from })?;
        let Reply::File { path, text } = receive::<Reply>(input)? else {
            refused = true;
            continue;
        };
        if !texts.contains_key(&path) {
            copy(folder, &path, &text)?;
            texts.insert(path.clone(), text);
        }
        // A file can be imported both as text and as Nickel.
        if !nickel || !parsed.insert(path.clone()) {
            continue;
        }
        match imports(texts.get(&path).map_or("", String::as_str)) {
            Ok(found) => wanted.extend(found.into_iter().rev().map(|import| {
                let (start, end) = (import.start, import.end);
                let message = String::new();
                let mark = Mark { path: path.clone(), start, end, message, primary: true };
                (import.written, Some(mark), import.nickel)
            })),
            Err(Untold::Syntax) => problems.extend(evaluate::refuse(&path, &texts, folder)),
            Err(Untold::Missed(start, end)) => {
                let message = String::new();
                let mark = Mark { path: path.clone(), start, end, message, primary: true };
                let message = "cannot determine what is imported here".to_owned();
                let kind = ProblemKind::Breakdown;
                problems.push(Problem {
                    kind,
                    file: path,
                    marks: vec![mark],
                    ..Problem::of(message)
                });
            }
        }
    }
    Some((texts, problems, refused))
}

/// Writes a file into the folder, under its path in the lawbook.
fn copy(folder: &Path, path: &str, text: &str) -> Option<()> {
    let path = Path::new(path);
    // The parent sends no other paths, but a copy must never be written elsewhere.
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let target = folder.join(path);
    std::fs::create_dir_all(target.parent()?).ok()?;
    std::fs::write(target, text).ok()
}

fn receive<T: serde::de::DeserializeOwned>(input: &mut impl BufRead) -> Option<T> {
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

fn send(output: &mut impl Write, message: &impl serde::Serialize) -> Option<()> {
    let mut line = serde_json::to_vec(message).ok()?;
    line.push(b'\n');
    output.write_all(&line).ok()?;
    output.flush().ok()
}
