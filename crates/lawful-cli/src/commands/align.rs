//! `lawful align`

use lawful::align::Alignment;
use lawful::syntax::sort;
use lawful::view::AlignView;
use lawful_host::align::Aligned;

use crate::args::{Align, AlignDeny, Format};
use crate::output::{Answer, Report as _, diagnostics, print, print_json, stdout_style};
use crate::workspace::workspace;

pub(crate) fn run(args: &Align) -> Answer {
    let Aligned { alignment, sources } = match workspace(args.book.as_deref()).align() {
        Ok(aligned) => aligned,
        Err(failure) => return failure.report(args.format.is_json()),
    };
    match args.format {
        Format::Json => print_json(&AlignView::new(&alignment, &sources)),
        Format::Human => {
            let mut problems = alignment.diagnostics();
            sort(&mut problems, &sources);
            print(&diagnostics(&problems, &sources, stdout_style()));
            print(&summary(&alignment));
        }
    }
    Answer::of(!args.deny.contains(&AlignDeny::Gaps) || alignment.is_aligned())
}

fn summary(alignment: &Alignment) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (predicates, prompts) =
        (count(alignment.predicates, "predicate"), count(alignment.prompts, "prompt"));
    match alignment.gaps() {
        0 => format!("aligned: {predicates}, {prompts}\n"),
        gaps => format!("{} between {predicates} and {prompts}\n", count(gaps, "gap")),
    }
}
