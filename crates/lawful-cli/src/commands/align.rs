//! `lawful align`

use lawful::view::AlignReport;

use crate::args::{Align, AlignDeny, Format};
use crate::output::{Answer, Report as _, print, print_json, stdout_style};
use crate::workspace::workspace;

pub(crate) fn run(args: &Align) -> Answer {
    let report = match workspace(args.book.dir()).align() {
        Ok(report) => report,
        Err(failure) => return failure.report(args.output.is_json()),
    };
    match args.output.format {
        Format::Json => print_json(&report),
        Format::Human => {
            print(&report.diagnostics.render(stdout_style()));
            print(&summary(&report));
        }
    }
    Answer::of(!args.deny.contains(&AlignDeny::Gaps) || report.gaps() == 0)
}

fn summary(report: &AlignReport) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (predicates, prompts) =
        (count(report.predicates, "predicate"), count(report.prompts, "prompt"));
    match report.gaps() {
        0 => format!("aligned: {predicates}, {prompts}\n"),
        gaps => format!("{} between {predicates} and {prompts}\n", count(gaps, "gap")),
    }
}
