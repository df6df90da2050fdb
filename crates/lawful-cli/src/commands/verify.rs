//! `lawful verify ENVELOPE…`

use std::path::Path;

use lawful::verify::Judgement;
use lawful_host::Failure;
use lawful_host::verify::{
    JudgedEnvelope, LoadedRulespec, Observation, OutputFolder, Strictness, Verified,
    clear_artifacts, is_lines, write_artifacts,
};

use super::verify_many::verify_many;
use crate::args::{ReportFormat, VerdictFormat, Verify};
use crate::ci::{print_github, print_predicates, print_sarif, report_as};
use crate::input::one_stdin;
use crate::output::{Answer, print, print_bytes, print_json};
use crate::verify_text;
use crate::workspace::workspace;

pub(crate) fn run(args: &Verify) -> Answer {
    verify(args).unwrap_or_else(|failure| {
        let format = match args.output.format {
            VerdictFormat::Human | VerdictFormat::Jsonl => ReportFormat::Human,
            VerdictFormat::Json => ReportFormat::Json,
            VerdictFormat::Junit => ReportFormat::Junit,
            VerdictFormat::Sarif => ReportFormat::Sarif,
            VerdictFormat::Github => ReportFormat::Github,
        };
        report_as(&failure, format, "lawful verify")
    })
}

fn verify(args: &Verify) -> Result<Answer, Failure> {
    if let Some(twice) =
        one_stdin(args.envelopes.iter().chain(&args.observed).chain(&args.rulespec))
    {
        return Err(Failure::of(twice));
    }
    let lines = |path: &Path| is_lines(path) || (args.records && path == Path::new("-"));
    if args.from.is_some() && !args.envelopes.first().is_some_and(|first| lines(first)) {
        let message = "`--from` needs a first file with one envelope or record per line";
        return Err(Failure::usage(message, "pass a `.jsonl` or `.ndjson` file first"));
    }
    match args.output.format {
        VerdictFormat::Human | VerdictFormat::Json => {}
        VerdictFormat::Jsonl
        | VerdictFormat::Junit
        | VerdictFormat::Sarif
        | VerdictFormat::Github
            if args.explain =>
        {
            let message = "`--explain` needs `--format human` or `--format json`";
            return Err(Failure::usage(message, "the other formats have no place for derivations"));
        }
        VerdictFormat::Jsonl
        | VerdictFormat::Junit
        | VerdictFormat::Sarif
        | VerdictFormat::Github => {}
    }
    let loaded = workspace(args.book.dir()).rulespec(args.rulespec.as_deref())?;
    let strictness = Strictness { deny_vacuous: args.deny_vacuous, explain: args.explain };
    match args.envelopes.as_slice() {
        [one] if !args.records && !one.is_dir() && !is_lines(one) => {
            verify_one(args, one, loaded, strictness)
        }
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
    let name = match envelope.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => envelope.display().to_string(),
    };
    match args.output.format {
        VerdictFormat::Human => print(&verify_text::one(&verified, &loaded)),
        VerdictFormat::Json => print_json(&verified.view(&loaded)),
        VerdictFormat::Jsonl => print_line(&name, &verified, &loaded),
        VerdictFormat::Junit => print_predicates(&name, &verified, &loaded),
        VerdictFormat::Sarif => print_sarif(&verified.diagnostics(&loaded)),
        VerdictFormat::Github => print_github(&verified.diagnostics(&loaded)),
    }
    Ok(verified.answer())
}

/// One envelope as a line of JSON.
fn print_line(name: &str, verified: &Verified, loaded: &LoadedRulespec) {
    let is_denied = |index: &usize| {
        let span = loaded.rulespec.predicates.get(*index).map(|predicate| predicate.span);
        verified.denied.iter().any(|denied| Some(denied.span) == span)
    };
    let with = |wanted: Judgement| {
        let findings = verified.findings.iter().filter(move |one| one.outcome == wanted);
        findings.map(|one| one.index)
    };
    let denied = with(Judgement::Pass).filter(is_denied);
    let mut failed: Vec<usize> = with(Judgement::Fail).chain(denied).collect();
    failed.sort_unstable();
    let nothing = verified.denied.iter().find(|denied| denied.code.name == "nothing-evaluated");
    let line = JudgedEnvelope {
        file: name,
        line: None,
        id: verified.id.as_ref(),
        verdict: verified.verdict,
        failed,
        undecided: with(Judgement::Undecided).collect(),
        error: nothing.map(|denied| &*denied.message),
        report: None,
    };
    let mut text = Vec::new();
    line.push_line(loaded, false, &mut text);
    let _ = print_bytes(&text);
}
