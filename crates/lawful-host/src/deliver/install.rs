//! Installing the prompts of a lawbook for harnesses.

use std::path::{Path, PathBuf};

use lawful::Diagnostics;
use lawful::syntax::{Diagnostic, Sources};
use lawful_deliver::codes;
use lawful_deliver::{
    self as deliver, HARNESSES, HOOKS, Harness, Ledger, Operation, OsDisk, Plan, Request,
    RoleDelivery, Scope, Settings,
};

use super::operations::OperationsView;
use super::site::{Site, diagnostics_after, named, prompts, settled};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::stop::quote;
use crate::workspace::Workspace;

/// What to install, and for which harnesses.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
pub struct InstallRequest {
    /// These harnesses.
    pub harnesses: Vec<String>,
    /// Every harness.
    pub all: bool,
    /// Every harness in use here, even if the lawbook is already installed.
    pub detect: bool,
    /// Whose files.
    pub scope: Scope,
    /// Only these roles; all if empty.
    pub roles: Vec<String>,
    /// The project root; default: the root of the repository.
    pub project: Option<PathBuf>,
    /// Plan without changing anything.
    pub dry_run: bool,
    /// Change settings to use the strongest surface.
    pub activate: bool,
    /// Replace files that Lawful did not write, and overwrite edits.
    pub overwrite: bool,
    /// Whether the project was moved here, if its [records](MovedProject) have another path; `None`
    /// if nobody was asked.
    pub was_moved: Option<bool>,
    /// Write files even if a harness then stops reading one of the user.
    pub may_hide: bool,
}

/// What was installed or uninstalled, or would be.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// The diagnostics of the operations and of the lawbook.
    pub problems: Diagnostics,
    /// Which role reaches which harness; empty on a conflict, and for an uninstallation.
    pub roles: Vec<RoleDelivery>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Whether a conflict prevented some of the operations.
    pub conflict: bool,
    /// Whether no harness has a surface for any prompt.
    pub nowhere: bool,
}

impl Delivery {
    /// `No` on a conflict, `Undecided` if there is no surface for any prompt.
    pub fn answer(&self) -> Answer {
        match (self.conflict, self.nowhere) {
            (true, _) => Answer::No,
            (false, true) => Answer::Undecided,
            (false, false) => Answer::Yes,
        }
    }

    /// The JSON form, with the diff of each file on request.
    pub fn view(&self, diffs: bool) -> OperationsView {
        OperationsView::new(&self.operations, &self.roles, diffs, self.problems.views())
    }
}

/// A project whose records have another path, which is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedProject {
    /// The path of the records.
    pub from: PathBuf,
    /// The project.
    pub to: PathBuf,
}

impl Workspace {
    /// The project, if it may have been moved: only a person can tell that from a clone.
    pub fn moved_project(&self, project: Option<&Path>) -> Option<MovedProject> {
        let site = Site::new(self, project).ok()?;
        let desk = site.desk(Scope::Project).ok()?;
        let from = desk.moved_from()?.to_owned();
        Some(MovedProject { from, to: site.places.project().to_owned() })
    }

    /// Installs the prompts of the lawbook. Writes everything or nothing.
    pub fn install(&self, request: &InstallRequest) -> Result<Delivery, Failure> {
        let (plan, of_book) = install(self, request)?;
        let nowhere = plan.operations.is_empty()
            && plan.findings.iter().any(|finding| finding.code == &codes::NO_SURFACE);
        Ok(Delivery {
            problems: diagnostics_after(of_book, &plan.findings),
            conflict: plan.has_conflict(),
            operations: plan.operations,
            roles: plan.roles,
            notes: plan.notes,
            nowhere,
        })
    }
}

/// Plans, applies the plan unless there is a conflict, and collects the warnings of the prompts.
fn install(
    workspace: &Workspace,
    args: &InstallRequest,
) -> Result<(Plan, (Sources, Vec<Diagnostic>)), Failure> {
    if args.scope == Scope::User && args.project.is_some() {
        let help = "omit it; `HOME` decides where the files of a user are";
        return Err(Failure::usage("`--root` cannot be used with `--scope user`", help));
    }
    let asked = named(&args.harnesses)?;
    let site = Site::new(workspace, args.project.as_deref())?.moved(args.was_moved);
    let mut desk = site.desk(args.scope)?;
    let folder = site.book(|| site.ledger(&desk))?;
    let (loaded, prompts) = prompts(workspace, &folder)?;
    let lock = if args.dry_run {
        settled(&desk)?;
        None
    } else {
        Some(site.begin(&mut desk)?)
    };
    let ledger = site.ledger(&desk)?;
    let source = site.kept(args.scope, &loaded.folder);
    let (harnesses, update) =
        harnesses(workspace, args, asked, &site, &ledger, &prompts.id(), &source)?;
    let request = Request {
        harnesses,
        roles: (!args.roles.is_empty()).then(|| args.roles.clone()),
        update,
        activate: args.activate,
        overwrite: args.overwrite,
        may_hide: args.may_hide,
        source,
        made: made_by_hooks(workspace, args.scope, &site),
    };
    let mut plan = deliver::plan_install(&prompts, &request, &desk, &site.places, &ledger, &OsDisk);
    if lock.is_some() && !plan.has_conflict() {
        site.apply(&desk, &plan)?;
        let kept = plan.overwritten.iter().map(|one| {
            let path = quote(&site.places.shown(args.scope, &one.path));
            format!("what was overwritten is kept: `lawful restore {path}` brings it back")
        });
        plan.notes.extend(kept.collect::<Vec<String>>());
    }
    Ok((plan, (loaded.book.sources, loaded.roles.warnings)))
}

/// Settings files, and their folders, that exist because of a hook.
fn made_by_hooks(workspace: &Workspace, scope: Scope, site: &Site<'_>) -> Vec<PathBuf> {
    let variable = |name: &str| workspace.variable(name);
    let Ok(state) = workspace.state() else { return Vec::new() };
    let settings = HOOKS
        .iter()
        .filter_map(|hook| Settings::locate(hook, scope, site.places.project(), variable).ok());
    settings.flat_map(|settings| settings.made(&state)).collect()
}

/// The harnesses to install for: the given ones, all, those in use here, or those that have this
/// lawbook. The latter keep the options of their first installation.
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
        let help = format!("select harnesses with `--harness`: {}", names.join(", "));
        return Err(Failure::usage("no harness is in use here", help));
    }
    Ok((found, false))
}
