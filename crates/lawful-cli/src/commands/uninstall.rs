//! `lawful uninstall`

use std::path::PathBuf;

use lawful::code::NO_LAWBOOK;
use lawful::syntax::Diagnostic;
use lawful_deliver::{self as deliver, BookRef, HARNESSES, Harness, OsDisk, Plan};

use crate::args::{Scope, Scopes, Uninstall};
use crate::deliver::operations::{OperationsView, summary, text};
use crate::deliver::{Site, diagnostics, ledger, named, settled};
use crate::lawbook::{self, Failure, Report as _};
use crate::output::{self, Answer, print, print_error, print_json, stderr_style};

pub(crate) fn run(args: &Uninstall) -> Answer {
    match uninstall(args) {
        Ok(plans) => report(args, &plans),
        Err(failure) if args.format.is_json() => {
            let Failure { sources, problems } = &failure;
            print_json(&OperationsView::new(&[], false, problems, sources));
            Answer::Undecided
        }
        Err(failure) => failure.report(false),
    }
}

/// What was planned for each scope, and done unless it was only to be shown.
fn uninstall(args: &Uninstall) -> Result<Vec<Plan>, Failure> {
    if args.scope == Scopes::User && args.root.is_some() {
        let help = "leave it out; `HOME` says where the files of a user are";
        return Err(Failure::usage("`--root` is of a project, and `--scope user` is not", help));
    }
    let harnesses = match named(&args.harness)? {
        none if none.is_empty() => HARNESSES.iter().collect::<Vec<&'static Harness>>(),
        named => named,
    };
    let book = book(args)?;
    let site = Site::new(args.root.as_deref())?;
    let mut plans = Vec::new();
    for &scope in args.scope.each() {
        let mut desk = match (site.desk(scope), args.scope) {
            (Ok(desk), _) => desk,
            // Who has no home has nothing there.
            (Err(_), Scopes::All) if scope == Scope::User => continue,
            (Err(failure), _) => return Err(failure),
        };
        let lock = if args.dry_run {
            settled(&desk)?;
            None
        } else {
            Some(site.begin(&mut desk)?)
        };
        let ledger = ledger(&desk)?;
        let source = book.as_ref().map(|(_, folder)| site.kept(scope, folder));
        let book = book.as_ref().zip(source.as_deref());
        let book = book.map(|((id, _), source)| BookRef { id, source });
        let places = &site.places;
        let plan = deliver::plan_uninstall(&harnesses, book, &desk, places, &ledger, &OsDisk);
        if lock.is_some() {
            site.apply(desk, &plan)?;
        }
        plans.push(plan);
    }
    Ok(plans)
}

/// The id and the folder of the lawbook that is meant; `None` for every one.
fn book(args: &Uninstall) -> Result<Option<(String, PathBuf)>, Failure> {
    if args.every_book {
        return Ok(None);
    }
    let folder = lawbook::named(args.book.as_deref()).map_err(|failure| match args.book {
        Some(_) => failure,
        None => none_near(failure),
    })?;
    let (_, book, _) = lawbook::open(&folder)?;
    Ok(Some((deliver::book_id(&book.manifest.name), folder)))
}

/// The same failure, with what to do about it here.
fn none_near(failure: Failure) -> Failure {
    let help = |problem: Diagnostic| {
        if problem.code == &NO_LAWBOOK {
            problem.help("name it with `--book DIR`, or take back those of every lawbook with `--every-book`")
        } else {
            problem
        }
    };
    Failure { problems: failure.problems.into_iter().map(help).collect(), ..failure }
}

fn report(args: &Uninstall, plans: &[Plan]) -> Answer {
    let operations: Vec<_> = plans.iter().flat_map(|plan| plan.operations.clone()).collect();
    let findings: Vec<_> = plans.iter().flat_map(|plan| plan.findings.clone()).collect();
    let (sources, problems) = diagnostics(&findings);
    if args.format.is_json() {
        print_json(&OperationsView::new(&operations, args.dry_run, &problems, &sources));
    } else {
        print_error(&output::diagnostics(&problems, &sources, stderr_style()));
        print(&text(&operations, args.dry_run));
        let done = if args.dry_run { "would be taken back" } else { "taken back" };
        print(&summary(&operations, done));
    }
    if plans.iter().any(Plan::has_conflict) { Answer::No } else { Answer::Yes }
}
