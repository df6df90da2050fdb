//! `lawful observe`

use std::path::Path;

use lawful::book::Wanted;
use lawful::code;
use lawful::syntax::Diagnostic;
use lawful_host::Failure;
use lawful_host::observe::Observed;

use crate::args::{Format, Observe};
use crate::input::not_stdout;
use crate::output::{Answer, Report as _, print_json, print_problems};
use crate::workspace::workspace;

pub(crate) fn run(args: &Observe) -> Answer {
    match observe(args) {
        Ok(seen) => {
            print_problems(&seen.warnings);
            if args.out.is_none() || args.output.format == Format::Json {
                print_json(&seen);
            }
            Answer::Yes
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

/// Observes what was asked for, and writes it to the output file.
fn observe(args: &Observe) -> Result<Observed, Failure> {
    let asked = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    let wanted = Wanted {
        git: args.git.clone(),
        files: asked(&args.files),
        junit: asked(&args.junit),
        run: asked(&args.run),
    };
    if let Some(path) = &args.out {
        not_stdout(path, "--out", "omit it to print the observation")?;
    }
    let seen = workspace(args.book.dir()).observe(&wanted)?;
    if let Some(path) = &args.out {
        write(path, &seen)?;
    }
    Ok(seen)
}

fn write(path: &Path, seen: &Observed) -> Result<(), Failure> {
    let text = lawful::syntax::render::to_json(seen).map_err(std::io::Error::other);
    let written =
        text.and_then(|text| lawful_deliver::write_atomically(path, (text + "\n").as_bytes()));
    written.map_err(|error| {
        Failure::instead_of(path, |span| {
            let message = format!("cannot write the observation: {error}");
            Diagnostic::new(&code::UNREADABLE, span, message)
        })
    })
}
