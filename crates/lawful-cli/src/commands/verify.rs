//! `lawful verify ENVELOPE…`

use std::path::Path;

use lawful_host::Failure;
use lawful_host::verify::{
    BatchRequest, LoadedRulespec, Observation, ObservedFacts, OutputFolder, Strictness,
    clear_artifacts, is_lines, write_artifacts,
};

use crate::args::Verify;
use crate::input::one_stdin;
use crate::output::{Answer, Report as _, print, print_json};
use crate::progress::Progress;
use crate::verify_text;
use crate::workspace::workspace;

pub(crate) fn run(args: &Verify) -> Answer {
    verify(args).unwrap_or_else(|failure| failure.report(args.output.is_json()))
}

fn verify(args: &Verify) -> Result<Answer, Failure> {
    if let Some(twice) =
        one_stdin(args.envelopes.iter().chain(&args.observed).chain(&args.rulespec))
    {
        return Err(Failure::of(twice));
    }
    let loaded = workspace(args.book.dir()).rulespec(args.rulespec.as_deref())?;
    let strictness = Strictness { deny_vacuous: args.deny_vacuous, explain: args.explain };
    match args.envelopes.as_slice() {
        [one] if !one.is_dir() && !is_lines(one) => verify_one(args, one, loaded, strictness),
        _ => verify_many(args, loaded, strictness),
    }
}

fn verify_one(
    args: &Verify,
    envelope: &Path,
    mut loaded: LoadedRulespec,
    strictness: Strictness,
) -> Result<Answer, Failure> {
    let artifacts = args.artifacts.as_deref();
    let artifacts =
        artifacts.map(|folder| OutputFolder::named(folder, loaded.home.as_ref())).transpose()?;
    if let Some(folder) = &artifacts {
        clear_artifacts(folder)?;
    }
    let observation = Observation::of_file(args.observed.as_deref());
    let verified = loaded.verify_file(envelope, observation, strictness)?;
    if let Some(folder) = &artifacts {
        write_artifacts(folder, &verified)?;
    }
    if args.output.is_json() {
        print_json(&verified.view(&loaded));
    } else {
        print(&verify_text::one(&verified, &loaded));
    }
    Ok(verified.answer())
}

fn verify_many(
    args: &Verify,
    mut loaded: LoadedRulespec,
    strictness: Strictness,
) -> Result<Answer, Failure> {
    if args.artifacts.is_some() {
        let message = "`--artifacts` takes one envelope, but several are given";
        return Err(Failure::usage(message, "pass one envelope"));
    }
    if args.envelopes.iter().any(|path| path == Path::new("-")) {
        let message = "`-` cannot be combined with other envelopes";
        return Err(Failure::usage(message, "save it to a file"));
    }
    let seen = match args.observed.as_deref() {
        None => None,
        Some(file) => Some(
            ObservedFacts::read(file, &mut loaded.sources)
                .map_err(|problems| Failure::new(loaded.sources.clone(), problems))?,
        ),
    };
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    let request = BatchRequest {
        paths: args.envelopes.clone(),
        jobs: args.jobs.map_or_else(cores, Into::into),
        max_failures: args.max_failures,
        fail_fast: args.fail_fast,
    };
    let mut progress = Progress::new();
    let mut at = |envelopes, failed| progress.at(envelopes, failed);
    let verified = loaded.verify_many(&request, seen.as_ref(), strictness, &mut at);
    progress.end();
    if args.output.is_json() {
        print_json(&verified.view(&loaded));
    } else {
        print(&verify_text::many(&verified, &loaded, &request));
    }
    Ok(verified.answer())
}
