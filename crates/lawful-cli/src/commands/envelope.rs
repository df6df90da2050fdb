//! `lawful envelope write` and `lawful envelope check`

use std::path::Path;

use lawful::view::CheckView;
use lawful_host::Failure;
use lawful_host::verify::{EnvelopeChecked, EnvelopeRequest, LoadedRulespec, Verified};

use crate::args::{EnvelopeCheck, EnvelopeCommand, EnvelopeLaw, EnvelopeWrite};
use crate::output::{Answer, Report as _, print, print_json, stdout_style};
use crate::verify_text;
use crate::workspace::workspace;

pub(crate) fn run(command: &EnvelopeCommand) -> Answer {
    let (answer, json) = match command {
        EnvelopeCommand::Write(args) => (write(args), args.output.is_json()),
        EnvelopeCommand::Check(args) => (check(args), args.output.is_json()),
    };
    answer.unwrap_or_else(|failure| failure.report(json))
}

fn write(args: &EnvelopeWrite) -> Result<Answer, Failure> {
    let request = request(args.dir.as_deref(), &args.law);
    let workspace = workspace(args.law.book.dir());
    let (loaded, verified) = workspace.write_envelope(&args.facts, &request)?;
    show(&loaded, &verified, args.output.is_json());
    if !args.output.is_json() && verified.at_fault {
        print("fix the work, then write the envelope again\n");
    }
    Ok(verified.answer())
}

fn request(folder: Option<&Path>, law: &EnvelopeLaw) -> EnvelopeRequest {
    EnvelopeRequest {
        folder: folder.map(Path::to_owned),
        rulespec: law.rulespec.clone(),
        observed: law.observed.clone(),
        observe: law.observe,
    }
}

fn check(args: &EnvelopeCheck) -> Result<Answer, Failure> {
    let request = request(args.dir.as_deref(), &args.law);
    let checked = workspace(args.law.book.dir()).check_envelope(&request)?;
    match &checked {
        EnvelopeChecked::Judged(loaded, verified) => {
            show(loaded, verified, args.output.is_json());
        }
        EnvelopeChecked::Missing(problems) if args.output.is_json() => {
            print_json(&CheckView::from(problems));
        }
        EnvelopeChecked::Missing(problems) => {
            print(&problems.render(stdout_style()));
        }
    }
    Ok(checked.answer())
}

fn show(loaded: &LoadedRulespec, verified: &Verified, json: bool) {
    if json {
        print_json(&verified.view(loaded));
    } else {
        print(&verify_text::one(verified, loaded));
    }
}
