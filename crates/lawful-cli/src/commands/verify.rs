//! `lawful verify ENVELOPE…`

use std::io::ErrorKind;
use std::path::Path;

use lawful::code;
use lawful::syntax::Diagnostic;

use crate::args::Verify;
use crate::lawbook::{Failure, Report as _};
use crate::output::{Answer, print, print_json};
use crate::verify::{
    Extent, Observed, Options, Sight, Verification, is_lines, judge_file, load, many,
};

pub(crate) fn run(args: &Verify) -> Answer {
    verify(args).unwrap_or_else(|failure| failure.report(args.format.is_json()))
}

fn verify(args: &Verify) -> Result<Answer, Failure> {
    let options = Options { deny_vacuous: args.deny_vacuous, explain: args.explain };
    let stdin = |path: &Path| path == Path::new("-");
    let named = args.envelopes.iter().chain(&args.observed).chain(&args.rulespec);
    if named.filter(|path| stdin(path)).count() > 1 {
        let message = "standard input can be read once, and `-` is named twice";
        return Err(Failure::usage(message, "put one of them in a file"));
    }
    let mut law = load(args.rulespec.as_deref(), args.book.as_deref())?;
    if let [one] = args.envelopes.as_slice()
        && !one.is_dir()
        && !is_lines(one)
    {
        if let Some(folder) = &args.artifacts {
            clear_artifacts(folder)?;
        }
        let sight = args.observed.as_deref().map_or(Sight::None, Sight::File);
        let judged = judge_file(&mut law, one, sight, options)?;
        if let Some(folder) = &args.artifacts {
            write_artifacts(folder, &judged)?;
        }
        if args.format.is_json() {
            print_json(&judged.view);
        } else {
            print(&judged.text);
        }
        return Ok(judged.answer());
    }
    if args.artifacts.is_some() {
        let message = "`--artifacts` is for one envelope, and there are several";
        return Err(Failure::usage(message, "name one envelope"));
    }
    if args.envelopes.iter().any(|path| stdin(path)) {
        let message = "`-` is one envelope, and there are others beside it";
        return Err(Failure::usage(message, "put it in a file"));
    }
    let seen = match args.observed.as_deref() {
        None => None,
        Some(file) => Some(
            Observed::read(file, &mut law.sources)
                .map_err(|problems| Failure::new(law.sources.clone(), problems))?,
        ),
    };
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    let extent = Extent {
        paths: args.envelopes.clone(),
        jobs: args.jobs.map_or_else(cores, Into::into),
        max_failures: args.max_failures,
        fail_fast: args.fail_fast,
    };
    let (view, text) = many(&law, seen.as_ref(), options, &extent);
    if args.format.is_json() {
        print_json(&view);
    } else {
        print(&text);
    }
    Ok(match view.verdict {
        "pass" => Answer::Yes,
        "fail" => Answer::No,
        _ => Answer::Undecided,
    })
}

/// What a verification leaves behind.
const PROGRAM: &str = "rulespec.compiled.dl";
const REPORT: &str = "datalog_evaluation.txt";

/// Removes what an earlier verification left behind, so that nothing is left of it where this one
/// comes to no verdict.
pub(super) fn clear_artifacts(folder: &Path) -> Result<(), Failure> {
    for path in [PROGRAM, REPORT].map(|name| folder.join(name)) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound && path.exists() => {
                return Err(Failure::instead_of(&path, |span| {
                    let message = format!("the file cannot be removed: {error}");
                    Diagnostic::new(&code::UNREADABLE, span, message)
                }));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Writes the program as it was run, and what it derived.
pub(super) fn write_artifacts(folder: &Path, judged: &Verification) -> Result<(), Failure> {
    for (name, text) in [(PROGRAM, &judged.compiled), (REPORT, &judged.evaluation)] {
        write_file(&folder.join(name), text)?;
    }
    Ok(())
}

/// Writes a file whole, and the folder it stands in.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| lawful_deliver::write_atomically(path, text.as_bytes())).map_err(|error| {
        Failure::instead_of(path, |span| {
            let message = format!("the file cannot be written: {error}");
            Diagnostic::new(&code::UNREADABLE, span, message)
        })
    })
}
