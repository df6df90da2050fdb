//! Installing the prompts of a lawbook for harnesses.

use std::path::PathBuf;

use lawful::Diagnostics;
use lawful::code::deliver as codes;
use lawful::syntax::{Diagnostic, Sources};
use lawful_deliver::{
    self as deliver, HARNESSES, HOOKS, Harness, Ledger, Operation, OsDisk, Plan, Request, Scope,
    Settings,
};

use super::operations::OperationsView;
use super::site::{Site, diagnostics_after, ledger, named, prompts, settled};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// What to install, and for whom.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct InstallRequest {
    /// For these harnesses.
    pub harnesses: Vec<String>,
    /// For every harness.
    pub all: bool,
    /// For every harness that is used here, also where the book is installed already.
    pub detect: bool,
    /// Whose files.
    pub scope: Scope,
    /// Only these roles; all where there is none.
    pub roles: Vec<String>,
    /// The root of the project; without it, the root of the repository.
    pub project: Option<PathBuf>,
    /// Plan, and change nothing.
    pub dry_run: bool,
    /// Change settings so that the strongest surface is used.
    pub activate: bool,
    /// Replace files of others, and overwrite edits.
    pub adopt: bool,
}

/// What was installed or taken back, or would be.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// What there is to say about them and about the book.
    pub problems: Diagnostics,
    /// What the user has to know or do.
    pub notes: Vec<String>,
    /// Whether something stands in the way, so that not everything was done.
    pub conflict: bool,
    /// Whether no harness has a place for any prompt.
    pub nowhere: bool,
}

impl Delivery {
    /// No where there is a conflict, undecided where there is no place for any prompt.
    pub fn answer(&self) -> Answer {
        match (self.conflict, self.nowhere) {
            (true, _) => Answer::No,
            (false, true) => Answer::Undecided,
            (false, false) => Answer::Yes,
        }
    }

    /// The public shape, with the differences of each file if they are wanted.
    pub fn view(&self, diffs: bool) -> OperationsView {
        OperationsView::new(&self.operations, diffs, self.problems.views())
    }
}

impl Workspace {
    /// Installs the prompts of the lawbook. Everything is written or nothing is.
    pub fn install(&self, request: &InstallRequest) -> Result<Delivery, Failure> {
        let (plan, of_book) = install(self, request)?;
        let nowhere = plan.operations.is_empty()
            && plan.findings.iter().any(|finding| finding.code == &codes::NO_SURFACE);
        Ok(Delivery {
            problems: diagnostics_after(of_book, &plan.findings),
            conflict: plan.has_conflict(),
            operations: plan.operations,
            notes: plan.notes,
            nowhere,
        })
    }
}

/// What was planned, and done unless something stood in the way, and the warnings of the prompts.
fn install(
    workspace: &Workspace,
    args: &InstallRequest,
) -> Result<(Plan, (Sources, Vec<Diagnostic>)), Failure> {
    if args.scope == Scope::User && args.project.is_some() {
        let help = "leave it out; `HOME` says where the files of a user are";
        return Err(Failure::usage("`--root` is of a project, and `--scope user` is not", help));
    }
    let asked = named(&args.harnesses)?;
    let site = Site::new(workspace, args.project.as_deref())?;
    let mut desk = site.desk(args.scope)?;
    let folder = site.book(|| ledger(&desk))?;
    let (loaded, prompts) = prompts(workspace, &folder)?;
    let lock = if args.dry_run {
        settled(&desk)?;
        None
    } else {
        Some(site.begin(&mut desk)?)
    };
    let ledger = ledger(&desk)?;
    let source = site.kept(args.scope, &loaded.folder);
    let (harnesses, update) =
        harnesses(workspace, args, asked, &site, &ledger, &prompts.id(), &source)?;
    let request = Request {
        harnesses,
        roles: (!args.roles.is_empty()).then(|| args.roles.clone()),
        update,
        activate: args.activate,
        adopt: args.adopt,
        source,
        made: made_by_hooks(workspace, args.scope, &site),
    };
    let plan = deliver::plan_install(&prompts, &request, &desk, &site.places, &ledger, &OsDisk);
    if lock.is_some() && !plan.has_conflict() {
        site.apply(desk, &plan)?;
    }
    Ok((plan, (loaded.book.sources, loaded.roles.warnings)))
}

/// Settings files, and folders around them, that are there because of a hook.
fn made_by_hooks(workspace: &Workspace, scope: Scope, site: &Site<'_>) -> Vec<PathBuf> {
    let variable = |name: &str| workspace.variable(name);
    let Ok(state) = workspace.state() else { return Vec::new() };
    let settings = HOOKS
        .iter()
        .filter_map(|hook| Settings::locate(hook, scope, site.places.project(), variable).ok());
    settings.flat_map(|settings| settings.made(&state)).collect()
}

/// For whom: those that are named, all, those that are used here, or those that have this book; of
/// these the rest is as it was asked for the first time.
fn harnesses(
    workspace: &Workspace,
    args: &InstallRequest,
    named: Vec<&'static Harness>,
    site: &Site<'_>,
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
    let path = workspace.variable("PATH").unwrap_or_default();
    let found = deliver::detect(&OsDisk, &site.places, &path, ledger);
    if found.is_empty() {
        let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.id).collect();
        let help = format!("name some with `--harness`: {}", names.join(", "));
        return Err(Failure::usage("no harness is used here", help));
    }
    Ok((found, false))
}
