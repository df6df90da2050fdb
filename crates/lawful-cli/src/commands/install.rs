//! `lawful install`

use std::path::PathBuf;

use lawful::code::deliver as codes;
use lawful::syntax::{Diagnostic, Sources};
use lawful_deliver::{
    self as deliver, HARNESSES, HOOKS, Harness, Ledger, OsDisk, Plan, Request, Settings, State,
};

use crate::args::{Install, Scope};
use crate::deliver::operations::{OperationsView, summary, text};
use crate::deliver::{Site, diagnostics_after, ledger, named, prompts, settled};
use crate::lawbook::Failure;
use crate::output::{self, Answer, print, print_error, print_json, stderr_style};
use crate::roles::Refused;

pub(crate) fn run(args: &Install) -> Answer {
    match install(args) {
        Ok((plan, of_book)) => report(args, &plan, of_book),
        Err(refused) if args.format.is_json() => {
            let Failure { sources, problems } = &refused.failure;
            print_json(&OperationsView::new(&[], false, problems, sources));
            refused.answer
        }
        Err(refused) => refused.report(false),
    }
}

/// What was planned, and done unless something stood in the way, and the warnings of the prompts.
fn install(args: &Install) -> Result<(Plan, (Sources, Vec<Diagnostic>)), Refused> {
    if args.scope == Scope::User && args.root.is_some() {
        let help = "leave it out; `HOME` says where the files of a user are";
        return Err(
            Failure::usage("`--root` is of a project, and `--scope user` is not", help).into()
        );
    }
    let asked = named(&args.harness)?;
    let site = Site::new(args.root.as_deref())?;
    let mut desk = site.desk(args.scope)?;
    let folder = site.book(args.book.as_deref(), || ledger(&desk))?;
    let (loaded, prompts) = prompts(Some(&folder))?;
    let lock = if args.dry_run {
        settled(&desk)?;
        None
    } else {
        Some(site.begin(&mut desk)?)
    };
    let ledger = ledger(&desk)?;
    let source = site.kept(args.scope, &loaded.folder);
    let (harnesses, update) = harnesses(args, asked, &site, &ledger, &prompts.id(), &source)?;
    let request = Request {
        harnesses,
        roles: (!args.role.is_empty()).then(|| args.role.clone()),
        update,
        activate: args.activate,
        adopt: args.adopt,
        source,
        made: made_by_hooks(args.scope, &site),
    };
    let plan = deliver::plan_install(&prompts, &request, &desk, &site.places, &ledger, &OsDisk);
    if lock.is_some() && !plan.has_conflict() {
        site.apply(desk, &plan)?;
    }
    Ok((plan, (loaded.book.sources, loaded.roles.warnings)))
}

/// Settings files, and folders around them, that are there because of a hook.
fn made_by_hooks(scope: Scope, site: &Site) -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name);
    let Ok(state) = State::of_user(variable) else { return Vec::new() };
    let scope = match scope {
        Scope::User => deliver::Scope::User,
        Scope::Project => deliver::Scope::Project,
    };
    let settings = HOOKS
        .iter()
        .filter_map(|hook| Settings::locate(hook, scope, site.places.project(), variable).ok());
    settings.flat_map(|settings| settings.made(&state)).collect()
}

/// For whom: those that are named, all, those that are used here, or those that have this book; of
/// these the rest is as it was asked for the first time.
fn harnesses(
    args: &Install,
    named: Vec<&'static Harness>,
    site: &Site,
    ledger: &Ledger,
    book: &str,
    source: &str,
) -> Result<(Vec<&'static Harness>, bool), Failure> {
    if !named.is_empty() {
        return Ok((named, false));
    }
    if args.all {
        return Ok((HARNESSES.iter().collect(), false));
    }
    let is_installed = |harness: &&Harness| {
        let mut rows = ledger.installed().iter().filter(|row| row.harness == harness.id);
        rows.any(|row| row.book == book || row.source == source)
    };
    let installed: Vec<&'static Harness> = HARNESSES.iter().filter(is_installed).collect();
    if !installed.is_empty() && !args.detect {
        return Ok((installed, true));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = deliver::detect(&OsDisk, &site.places, &path, ledger);
    if found.is_empty() {
        let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.id).collect();
        let help = format!("name some with `--harness`: {}", names.join(", "));
        return Err(Failure::usage("no harness is used here", help));
    }
    Ok((found, false))
}

fn report(args: &Install, plan: &Plan, of_book: (Sources, Vec<Diagnostic>)) -> Answer {
    let (sources, problems) = diagnostics_after(of_book, &plan.findings);
    let conflict = plan.has_conflict();
    if args.format.is_json() {
        print_json(&OperationsView::new(&plan.operations, args.dry_run, &problems, &sources));
    } else {
        print_error(&output::diagnostics(&problems, &sources, stderr_style()));
        print(&text(&plan.operations, args.dry_run));
        print(&match (conflict, args.dry_run) {
            (true, _) => "nothing was written\n".to_owned(),
            (false, true) => summary(&plan.operations, "would be written"),
            (false, false) => summary(&plan.operations, "written"),
        });
        for note in &plan.notes {
            print_error(&format!("note: {note}\n"));
        }
    }
    let nowhere = plan.operations.is_empty()
        && plan.findings.iter().any(|finding| finding.code == &codes::NO_SURFACE);
    match (conflict, nowhere) {
        (true, _) => Answer::No,
        (false, true) => Answer::Undecided,
        (false, false) => Answer::Yes,
    }
}
