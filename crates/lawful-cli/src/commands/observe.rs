//! `lawful observe`

use std::path::Path;

use lawful::book::{Book, Wanted};
use lawful::code;
use lawful::syntax::{Diagnostic, sort};
use lawful::{Verb, blocks};

use crate::args::{Format, Observe};
use crate::input::not_stdout;
use crate::lawbook::{self, Failure, book_folder, find_from};
use crate::observe::{Place, Seen, gather, root};
use crate::output::{Answer, diagnostics, print_error, print_json, stderr_style};

pub(crate) fn run(args: &Observe) -> Answer {
    match observe(args) {
        Ok(seen) => {
            print_error(&diagnostics(&seen.problems, &seen.sources, stderr_style()));
            if args.out.is_none() || args.format == Format::Json {
                print_json(&seen.facts);
            }
            Answer::Yes
        }
        Err(failure) => failure.report(args.format.is_json()),
    }
}

/// Everything that was asked for, written where it should be.
fn observe(args: &Observe) -> Result<Seen, Failure> {
    let asked = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    let wanted = Wanted {
        git: args.git.clone(),
        files: asked(&args.files),
        junit: asked(&args.junit),
        run: asked(&args.run),
    };
    if wanted.is_empty() {
        let message = "there is nothing to observe";
        return Err(Failure::usage(message, "ask for `--git`, `--files`, `--junit` or `--run`"));
    }
    // A lawbook is needed for what it lists, and to say where the project is.
    let folder = match &args.book {
        Some(book) => Some(book_folder(book)),
        None if wanted.run.is_some() => Some(find_from(Path::new("."), None)?),
        None => None,
    };
    let book = folder.as_deref().map(manifest).transpose()?;
    let root = root(folder.as_deref().unwrap_or(Path::new(".")));
    if let Some(path) = &args.out {
        not_stdout(path, "--out", "leave it out: the facts are printed then")?;
    }
    let place = Place { root: &root, reports: Path::new("."), deadline: None };
    let mut seen = gather(&wanted, book.as_ref().map(|book| &book.manifest), &place);
    sort(&mut seen.problems, &seen.sources);
    if seen.facts.present().is_none() {
        return Err(Failure { sources: seen.sources, problems: seen.problems });
    }
    if let Some(path) = &args.out {
        write(path, &seen)?;
    }
    Ok(seen)
}

/// The book in a folder, whose manifest has no errors.
fn manifest(folder: &Path) -> Result<Book, Failure> {
    let (_, book, mut problems) = lawbook::open(folder)?;
    problems.retain(|problem| blocks(Verb::Observe, &book, problem));
    if problems.is_empty() { Ok(book) } else { Err(Failure { sources: book.sources, problems }) }
}

fn write(path: &Path, seen: &Seen) -> Result<(), Failure> {
    let text = lawful::syntax::render::to_json(&seen.facts).map_err(std::io::Error::other);
    let written =
        text.and_then(|text| lawful_deliver::write_atomically(path, (text + "\n").as_bytes()));
    written.map_err(|error| {
        Failure::instead_of(path, |span| {
            let message = format!("the facts cannot be written: {error}");
            Diagnostic::new(&code::UNREADABLE, span, message)
        })
    })
}
