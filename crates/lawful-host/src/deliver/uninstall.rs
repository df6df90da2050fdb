//! Taking back what was installed.

use std::path::PathBuf;

use lawful::code::NO_LAWBOOK;
use lawful::syntax::Diagnostic;
use lawful_deliver::{self as deliver, BookRef, HARNESSES, Harness, OsDisk, Plan, Scope};

use super::Scopes;
use super::install::Delivery;
use super::site::{Site, diagnostics, ledger, named, settled};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// What to take back.
#[derive(Clone, Debug)]
pub struct UninstallRequest {
    /// From these harnesses; from all where there is none.
    pub harnesses: Vec<String>,
    /// Whose files.
    pub scope: Scopes,
    /// Of every lawbook that the ledger holds, and not only of the one of the workspace.
    pub every_book: bool,
    /// The root of the project; without it, the root of the repository.
    pub project: Option<PathBuf>,
    /// Plan, and change nothing.
    pub dry_run: bool,
}

impl Workspace {
    /// Takes back what was installed, and leaves every other byte as it was.
    pub fn uninstall(&self, request: &UninstallRequest) -> Result<Delivery, Failure> {
        let plans = uninstall(self, request)?;
        let findings: Vec<_> = plans.iter().flat_map(|plan| plan.findings.clone()).collect();
        Ok(Delivery {
            problems: diagnostics(&findings),
            conflict: plans.iter().any(Plan::has_conflict),
            operations: plans.into_iter().flat_map(|plan| plan.operations).collect(),
            notes: Vec::new(),
            nowhere: false,
        })
    }
}

/// What was planned for each scope, and done unless it was only to be shown.
fn uninstall(workspace: &Workspace, args: &UninstallRequest) -> Result<Vec<Plan>, Failure> {
    if args.scope == Scopes::User && args.project.is_some() {
        let help = "leave it out; `HOME` says where the files of a user are";
        return Err(Failure::usage("`--root` is of a project, and `--scope user` is not", help));
    }
    let harnesses = match named(&args.harnesses)? {
        none if none.is_empty() => HARNESSES.iter().collect::<Vec<&'static Harness>>(),
        named => named,
    };
    let book = book(workspace, args)?;
    let site = Site::new(workspace, args.project.as_deref())?;
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
fn book(
    workspace: &Workspace,
    args: &UninstallRequest,
) -> Result<Option<(String, PathBuf)>, Failure> {
    if args.every_book {
        return Ok(None);
    }
    let folder = workspace.folder().map_err(none_near)?;
    let opened = workspace.clone().with_book(Some(&folder)).open()?;
    Ok(Some((deliver::book_id(&opened.book.manifest.name), folder)))
}

/// That there is no lawbook near, with what to do about it here.
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
