//! `lawful matrix NAME`

use std::path::Path;

use lawful::PromptMatrix;
use lawful::book::{SourceError, read_file};
use lawful::code;
use lawful::diff::UnifiedDiff;
use lawful::syntax::{Diagnostic, escape};
use lawful::view::MatrixReport;
use lawful_host::Failure;

use crate::args::{Format, Matrix};
use crate::input::not_stdout;
use crate::output::{Answer, Report as _, print, print_json, shortened};
use crate::token_count::TokenCount;
use crate::workspace::workspace;

/// The largest snapshot that is read.
const SNAPSHOT_BYTES: usize = 1 << 30;

pub(crate) fn run(args: &Matrix) -> Answer {
    answer(args).unwrap_or_else(|failure| failure.report(args.output.is_json()))
}

fn answer(args: &Matrix) -> Result<Answer, Failure> {
    let book = workspace(args.book.dir()).lawbook()?;
    let matrix = book.matrix(&args.name)?;
    if let Some(file) = &args.snapshot {
        write_snapshot(file, &matrix.snapshot()?)?;
    }
    let tokens = TokenCount::new(args.exact);
    let report = || matrix.report_with(tokens.tokenizer());
    let Some(file) = &args.check else {
        match args.output.format {
            Format::Human => print(&human(&report())),
            Format::Json => print_json(&report()),
        }
        return Ok(Answer::Yes);
    };
    let changes = changes(file, &matrix)?;
    match args.output.format {
        Format::Human if changes.is_empty() => {
            print(&format!("no prompt of {} changed\n", escape::line(&args.name)));
        }
        Format::Human => print(&changes.for_people()),
        Format::Json => print_json(&report().with_changes(&changes)),
    }
    Ok(Answer::of(changes.is_empty()))
}

fn write_snapshot(file: &Path, now: &str) -> Result<(), Failure> {
    not_stdout(file, "--snapshot", "pass a file")?;
    lawful_deliver::write_atomically(file, now.as_bytes()).map_err(|error| {
        Failure::usage(format!("cannot write `{}`: {error}", file.display()), "choose another file")
    })
}

/// The differences from a stored snapshot.
fn changes(file: &Path, matrix: &PromptMatrix<'_>) -> Result<UnifiedDiff, Failure> {
    let stored = read_file(file, SNAPSHOT_BYTES).map_err(|error| {
        Failure::instead_of(file, |span| match error {
            SourceError::NotAFile => {
                Diagnostic::new(&code::NOT_A_FILE, span, "expected a file, found a folder")
                    .help("pass a file that `--snapshot` wrote")
            }
            SourceError::Missing
            | SourceError::Outside
            | SourceError::TooLarge
            | SourceError::Unreadable(_) => {
                let message = format!("cannot read the snapshot: {error}");
                Diagnostic::new(&code::UNREADABLE, span, message).help("write it with `--snapshot`")
            }
        })
    })?;
    Ok(matrix.compare(&file.display().to_string(), &stored)?)
}

fn human(view: &MatrixReport) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&escape::line(&text));
        out.push('\n');
    };
    let about = if view.tokens == "estimate" { "about " } else { "" };
    let noun = if view.classes.len() == 1 { "prompt" } else { "prompts" };
    line(format!(
        "{} distinct {noun} of {}, ignoring placeholders",
        view.classes.len(),
        view.composition
    ));
    for (at, class) in view.classes.iter().enumerate() {
        let contexts = class.contexts.map_or("?".to_owned(), |count| count.to_string());
        let largest = if view.largest == Some(at) { ", the largest" } else { "" };
        let noun = if class.contexts == Some(1) { "context" } else { "contexts" };
        let tokens = if class.tokens == 1 { "token" } else { "tokens" };
        line(format!("  {contexts} {noun}, {about}{} {tokens}{largest}", class.tokens));
        line(format!("    {}", class.order.join(", ")));
        if let Some(witness) = &class.witness {
            line(format!("    example: {}", shortened(&witness.to_string())));
        }
    }
    let rule = |index: &usize| match view.rule_ids.get(index) {
        Some(id) => format!("{index} {id}"),
        None => index.to_string(),
    };
    let rules = |list: &[usize]| list.iter().map(rule).collect::<Vec<_>>().join(", ");
    for (what, list) in [
        ("rules that never fire", rules(&view.never_fire)),
        ("fragments never used", view.unused_fragments.join(", ")),
        ("adds always forbidden", view.always_forbidden.join(", ")),
        ("orders always superseded", rules(&view.superseded_orders)),
    ] {
        if !list.is_empty() {
            line(format!("{what}: {list}"));
        }
    }
    out
}
