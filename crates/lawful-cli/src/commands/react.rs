//! `lawful react`

use lawful::react::{Input, Rules, Session};
use lawful::syntax::{Diagnostic, Sources, render, sort};
use lawful::view::{ReactView, step_text};
use lawful_host::input::step_input;
use lawful_host::lawbook::LoadedRules;
use lawful_host::state_file;

use crate::args::{Format, React};
use crate::input::{not_stdout, one_stdin};
use crate::lawbook::{Failure, Report as _, workspace};
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};

pub(crate) fn run(args: &React) -> Answer {
    match step(args) {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.format.is_json()),
    }
}

fn step(args: &React) -> Result<(), Failure> {
    let uses = args.state.iter().chain([&args.input]);
    if let Some(twice) = one_stdin(uses) {
        return Err(Failure::of(twice));
    }
    let LoadedRules { mut book, rules, mut problems } = workspace(args.book.as_deref()).rules()?;
    let (before, input) = read(args, &rules, &mut book.sources)?;
    let step = rules.step(before.clone(), &input);
    let not_fired = args.why_not.then(|| rules.why_not(before.clone(), &input));
    if let Some(file) = &args.state_out {
        not_stdout(file, "--state-out", "leave it out: `--format json` has the state")?;
        state_file::write(file, &step.session)?;
    }
    problems.extend(step.diagnostics.iter().cloned());
    sort(&mut problems, &book.sources);
    match args.format {
        Format::Human => {
            print_error(&diagnostics(&problems, &book.sources, stderr_style()));
            print(&step_text(&rules, &before, &step, not_fired.as_deref()));
        }
        Format::Json => {
            let views = problems.iter().map(|problem| render::view(problem, &book.sources));
            print_json(&ReactView::new(&rules, &step, not_fired.as_deref(), views.collect()));
        }
    }
    Ok(())
}

/// Reads the state and the input, and reports the problems of both at once.
fn read(args: &React, rules: &Rules, sources: &mut Sources) -> Result<(Session, Input), Failure> {
    let mut problems = Vec::new();
    let session = match &args.state {
        None => Some(rules.start()),
        Some(file) => state_file::read(file, sources, &mut problems),
    };
    let input = step_input(&args.input, sources, &mut problems);
    match (session, input.map(|(input, _)| input), problems.iter().any(Diagnostic::is_error)) {
        (Some(session), Some(input), false) => Ok((session, input)),
        (_, _, _) => {
            sort(&mut problems, sources);
            Err(Failure::new(sources.clone(), problems))
        }
    }
}
