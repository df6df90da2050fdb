//! Uninstalling.

use std::path::PathBuf;

use lawful::code::NO_LAWBOOK;
use lawful::syntax::Diagnostic;
use lawful_deliver::{self as deliver, BookRef, HARNESSES, Harness, OsDisk, Plan, Scope};

use super::Scopes;
use super::install::Delivery;
use super::site::{Site, diagnostics, named, settled};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// What to uninstall.
#[derive(Clone, Debug)]
pub struct UninstallRequest {
    /// Only these harnesses; all if empty.
    pub harnesses: Vec<String>,
    /// Whose files.
    pub scope: Scopes,
    /// Every lawbook in the ledger, not only that of the workspace.
    pub every_book: bool,
    /// The project root; default: the root of the repository.
    pub project: Option<PathBuf>,
    /// Plan without changing anything.
    pub dry_run: bool,
    /// Whether the project was moved here, if its [records](super::MovedProject) have another path; `None`
    /// if nobody was asked.
    pub was_moved: Option<bool>,
}

impl Workspace {
    /// Removes what was installed, and leaves every other byte unchanged.
    pub fn uninstall(&self, request: &UninstallRequest) -> Result<Delivery, Failure> {
        let plans = uninstall(self, request)?;
        let findings: Vec<_> = plans.iter().flat_map(|plan| plan.findings.clone()).collect();
        Ok(Delivery {
            problems: diagnostics(&findings),
            conflict: plans.iter().any(Plan::has_conflict),
            operations: plans.into_iter().flat_map(|plan| plan.operations).collect(),
            roles: Vec::new(),
            notes: Vec::new(),
            nowhere: false,
        })
    }
}

/// Plans for each scope, and applies the plans unless it is a dry run.
fn uninstall(workspace: &Workspace, args: &UninstallRequest) -> Result<Vec<Plan>, Failure> {
    if args.scope == Scopes::User && args.project.is_some() {
        let help = "omit it; `HOME` decides where the files of a user are";
        return Err(Failure::usage("`--root` cannot be used with `--scope user`", help));
    }
    let harnesses = match named(&args.harnesses)? {
        none if none.is_empty() => HARNESSES.iter().collect::<Vec<&'static Harness>>(),
        named => named,
    };
    let book = book(workspace, args)?;
    let site = Site::new(workspace, args.project.as_deref())?.moved(args.was_moved);
    let mut plans = Vec::new();
    for &scope in args.scope.each() {
        let mut desk = match (site.desk(scope), args.scope) {
            (Ok(desk), _) => desk,
            // Without a home there is nothing to uninstall.
            (Err(_), Scopes::All) if scope == Scope::User => continue,
            (Err(failure), _) => return Err(failure),
        };
        let lock = if args.dry_run {
            settled(&desk)?;
            None
        } else {
            Some(site.begin(&mut desk)?)
        };
        let ledger = site.ledger(&desk)?;
        let source = book.as_ref().map(|(_, folder)| site.kept(scope, folder));
        let book = book.as_ref().zip(source.as_deref());
        let book = book.map(|((id, _), source)| BookRef { id, source });
        let places = &site.places;
        let plan = deliver::plan_uninstall(&harnesses, book, &desk, places, &ledger, &OsDisk);
        if lock.is_some() {
            site.apply(&desk, &plan)?;
        }
        plans.push(plan);
    }
    Ok(plans)
}

/// The id and the folder of the lawbook to uninstall; `None` for every one.
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
            problem.help("pass `--book DIR`, or uninstall every lawbook with `--every-book`")
        } else {
            problem
        }
    };
    Failure { problems: failure.problems.into_iter().map(help).collect(), ..failure }
}
