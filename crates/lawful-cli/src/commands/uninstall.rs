//! `lawful uninstall`

use lawful_deliver::{self as deliver, BookRef, HARNESSES, Harness, OsDisk, Plan};

use crate::args::{Held, Scope, Uninstall};
use crate::deliver::operations::{OperationsView, summary, text};
use crate::deliver::{Site, begin, cannot_write, diagnostics, ledger, named};
use crate::lawbook::{self, Failure};
use crate::output::{self, Answer, print, print_error, print_json, stderr_style};

pub(crate) fn run(args: &Uninstall) -> Answer {
    let json = args.held.format.is_json();
    match uninstall(&args.held) {
        Ok(plans) => report(&plans, json),
        Err(failure) if json => {
            let Failure { sources, problems } = &failure;
            print_json(&OperationsView::new(&[], false, problems, sources));
            Answer::Undecided
        }
        Err(failure) => failure.report(false),
    }
}

fn uninstall(args: &Held) -> Result<Vec<Plan>, Failure> {
    let harnesses = match named(&args.harness)? {
        none if none.is_empty() => HARNESSES.iter().collect::<Vec<&'static Harness>>(),
        named => named,
    };
    let book = match &args.book {
        None => None,
        Some(book) => {
            let folder = lawbook::book_folder(book);
            let (_, book, _) = lawbook::open(&folder)?;
            Some((deliver::book_id(&book.manifest.name), folder))
        }
    };
    let site = Site::new(args.root.as_deref())?;
    let mut plans = Vec::new();
    for scope in scopes(args) {
        let Ok(desk) = site.desk(scope) else { continue };
        let _lock = begin(&desk)?;
        let ledger = ledger(&desk)?;
        let source = book.as_ref().map(|(_, folder)| site.kept(scope, folder));
        let book = book.as_ref().zip(source.as_deref());
        let book = book.map(|((id, _), source)| BookRef { id, source });
        let places = &site.places;
        let plan = deliver::plan_uninstall(&harnesses, book, &desk, places, &ledger, &OsDisk);
        deliver::apply(&OsDisk, &desk, &plan).map_err(|error| cannot_write(&desk, &error))?;
        plans.push(plan);
    }
    Ok(plans)
}

/// The scopes that are asked about; a project of its own has no user.
pub(crate) fn scopes(args: &Held) -> Vec<Scope> {
    match (args.scope, &args.root) {
        (Some(scope), _) => vec![scope],
        (None, Some(_)) => vec![Scope::Project],
        (None, None) => vec![Scope::Project, Scope::User],
    }
}

fn report(plans: &[Plan], json: bool) -> Answer {
    let operations: Vec<_> = plans.iter().flat_map(|plan| plan.operations.clone()).collect();
    let findings: Vec<_> = plans.iter().flat_map(|plan| plan.findings.clone()).collect();
    let (sources, problems) = diagnostics(&findings);
    if json {
        print_json(&OperationsView::new(&operations, false, &problems, &sources));
    } else {
        print_error(&output::diagnostics(&problems, &sources, stderr_style()));
        print(&text(&operations, false));
        print(&summary(&operations, "taken back"));
    }
    if plans.iter().any(Plan::has_conflict) { Answer::No } else { Answer::Yes }
}
