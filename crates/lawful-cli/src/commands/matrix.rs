//! `lawful matrix NAME`

use std::path::Path;

use lawful::syntax::escape;
use lawful::view::MatrixReport;
use lawful_host::Failure;
use similar::TextDiff;

use crate::args::{Format, Matrix};
use crate::input::not_stdout;
use crate::output::{Answer, Report as _, print, print_json};
use crate::token_count::TokenCount;
use crate::workspace::workspace;

pub(crate) fn run(args: &Matrix) -> Answer {
    match answer(args) {
        Ok((view, answer)) => {
            match args.output.format {
                Format::Human => print(&human(&view)),
                Format::Json => print_json(&view),
            }
            answer
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

fn answer(args: &Matrix) -> Result<(MatrixReport, Answer), Failure> {
    let book = workspace(args.book.dir()).lawbook()?;
    let matrix = book.matrix(&args.name)?;
    let tokens = TokenCount::new(args.exact);
    let mut report = matrix.report_with(tokens.tokenizer());
    if args.snapshot.is_some() || args.check.is_some() {
        let now = matrix.snapshot()?;
        if let Some(file) = &args.snapshot {
            write_snapshot(file, &now)?;
        }
        if let Some(file) = &args.check {
            report.changed = changes(file, &now, &matrix.snapshot_title())?;
        }
    }
    let answer = Answer::of(report.changed.is_empty());
    Ok((report, answer))
}

fn write_snapshot(file: &Path, now: &str) -> Result<(), Failure> {
    not_stdout(file, "--snapshot", "pass a file")?;
    lawful_deliver::write_atomically(file, now.as_bytes()).map_err(|error| {
        Failure::usage(format!("cannot write `{}`: {error}", file.display()), "choose another file")
    })
}

/// The differences from a stored snapshot. A file without the title of a snapshot of this
/// composition cannot be compared: an earlier format did not record exactly which contexts lead to
/// a prompt.
fn changes(file: &Path, now: &str, title: &str) -> Result<Vec<String>, Failure> {
    let kept = std::fs::read_to_string(file).map_err(|error| {
        Failure::usage(
            format!("cannot read `{}`: {error}", file.display()),
            "write it with `--snapshot`",
        )
    })?;
    let kept = kept.replace("\r\n", "\n");
    if kept.lines().next() != Some(title) {
        let message = format!(
            "`{}` is not a snapshot of this composition, or has an older format",
            file.display()
        );
        return Err(Failure::usage(message, "review the prompts, then write it with `--snapshot`"));
    }
    if kept == now {
        return Ok(Vec::new());
    }
    let diff = TextDiff::from_lines(kept.as_str(), now);
    let shown = diff.unified_diff().context_radius(2).header("kept", "now").to_string();
    Ok(shown.lines().map(str::to_owned).collect())
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
            line(format!("    example: {witness}"));
        }
    }
    let numbers =
        |list: &[usize]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    for (what, list) in [
        ("rules that never fire", numbers(&view.never_fire)),
        ("fragments never used", view.unused_fragments.join(", ")),
        ("adds always forbidden", view.always_forbidden.join(", ")),
        ("orders always superseded", numbers(&view.superseded_orders)),
    ] {
        if !list.is_empty() {
            line(format!("{what}: {list}"));
        }
    }
    for change in &view.changed {
        line(change.clone());
    }
    out
}
