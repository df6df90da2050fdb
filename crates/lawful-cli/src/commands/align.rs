//! `lawful align`

use lawful::align::Alignment;
use lawful::book::Part;
use lawful::compose::{Compositions, Roles};
use lawful::syntax::{Diagnostic, Span, sort};
use lawful::verify::NO_RULESPEC;
use lawful::view::AlignView;
use lawful::{Verb, blocks};

use crate::args::{Align, AlignDeny, Format};
use crate::lawbook::Failure;
use crate::output::{Answer, diagnostics, print, print_json, stdout_style};
use crate::roles::{OpenedForRoles, Refused, open};

pub(crate) fn run(args: &Align) -> Answer {
    match align(args) {
        Ok(answer) => answer,
        Err(refused) => refused.report(args.format.is_json()),
    }
}

fn align(args: &Align) -> Result<Answer, Refused> {
    let opened = open(args.book.as_deref())?;
    let OpenedForRoles { folder, book, compositions, nickel, elsewhere } = opened;
    let Some((rulespec, mut problems)) = lawful::rulespec(&book) else {
        let path = folder.join(book.manifest.hooks.stop.rulespec());
        let failure = Failure::instead_of(&path, |span| {
            Diagnostic::new(&NO_RULESPEC, span, "the lawbook has no rulespec")
                .help("write it; there is nothing to align with")
        });
        return Err(failure.into());
    };
    // A text that does not parse has no predicates to be wrong.
    problems.extend(elsewhere.into_iter().filter(|one| blocks(Verb::Verify, &book, one)));
    problems.retain(Diagnostic::is_error);
    let Some(rulespec) = rulespec.filter(|_| problems.is_empty()) else {
        if problems.is_empty() {
            let mut documents = book.documents.iter();
            let document = documents.find(|document| document.part == Part::Rulespec);
            let place = document.map_or(Span::NONE, |document| Span::start_of(document.file));
            let message = "the rulespec cannot be used";
            problems.push(Diagnostic::new(&NO_RULESPEC, place, message).help("run `lawful check`"));
        }
        sort(&mut problems, &book.sources);
        return Err(Failure { sources: book.sources, problems }.into());
    };
    // What a prompt teaches does not depend on what fills its placeholders.
    let context = Compositions::first_context(&book.manifest);
    let roles = match book.manifest.conditioning {
        None => None,
        Some(_) => match Roles::compose(&book, &compositions, &context, &[], &nickel) {
            Ok(roles) => Some(roles),
            Err(refusal) => return Err(Refused::new(refusal, book.sources)),
        },
    };
    let alignment = match Alignment::of(&book, &compositions, roles.as_ref(), &rulespec) {
        Ok(alignment) => alignment,
        Err(problems) => return Err(Failure { sources: book.sources, problems }.into()),
    };
    match args.format {
        Format::Json => print_json(&AlignView::new(&alignment, &book.sources)),
        Format::Human => {
            let mut problems = alignment.diagnostics();
            sort(&mut problems, &book.sources);
            print(&diagnostics(&problems, &book.sources, stdout_style()));
            print(&summary(&alignment));
        }
    }
    let denied = args.deny.contains(&AlignDeny::Gaps) && !alignment.is_aligned();
    Ok(if denied { Answer::No } else { Answer::Yes })
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
