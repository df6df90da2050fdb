//! `lawful react`

use std::sync::Arc;

use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, Sources, sort};
use lawful::view::step_text;
use lawful::{Diagnostics, Lawbook, Verb};
use lawful_host::Failure;
use lawful_host::input::step_input;
use lawful_host::state_file;

use crate::args::{Format, React};
use crate::input::{not_stdout, one_stdin};
use crate::output::{Answer, Report as _, print, print_error, print_json, stderr_style};
use crate::workspace::workspace;

pub(crate) fn run(args: &React) -> Answer {
    match step(args) {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.output.is_json()),
    }
}

fn step(args: &React) -> Result<(), Failure> {
    let uses = args.state.iter().chain([&args.input]);
    if let Some(twice) = one_stdin(uses) {
        return Err(Failure::of(twice));
    }
    let book = workspace(args.book.dir()).lawbook()?;
    if args.strict {
        book.all_rules_ready()?;
    } else {
        book.ready_for(Verb::React)?;
    }
    // A problem with a write points into the input.
    let mut sources = (**book.sources()).clone();
    let (before, input, warnings) = read(args, &book, &mut sources)?;
    let mut step = if args.why_not {
        book.step_explained(before.clone(), &input)
    } else {
        book.step(before.clone(), &input)
    };
    let found = [warnings, step.diagnostics.into_parts().0].concat();
    step.diagnostics = Diagnostics::new(found, Arc::new(sources));
    if let Some(file) = &args.state_out {
        not_stdout(file, "--state-out", "omit it: `--format json` prints the state")?;
        state_file::write(file, &step.session)?;
    }
    match args.output.format {
        Format::Human => {
            print_error(&step.diagnostics.render(stderr_style()));
            print(&step_text(&before, &step));
        }
        Format::Json => print_json(&step),
    }
    Ok(())
}

/// Reads the state and the input, with their warnings, and reports the problems of both together.
fn read(
    args: &React,
    book: &Lawbook,
    sources: &mut Sources,
) -> Result<(Session, Input, Vec<Diagnostic>), Failure> {
    let mut problems = Vec::new();
    let session = match &args.state {
        None => Some(book.start()),
        Some(file) => state_file::read(file, &book.manifest().limits, sources, &mut problems),
    };
    let input = step_input(&args.input, sources, &mut problems);
    match (session, input.map(|(input, _)| input), problems.iter().any(Diagnostic::is_error)) {
        (Some(session), Some(input), false) => Ok((session, input, problems)),
        (_, _, _) => {
            sort(&mut problems, sources);
            Err(Failure::new(sources.clone(), problems))
        }
    }
}
