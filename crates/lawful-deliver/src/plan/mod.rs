//! Planning: what has to be done, computed before anything is written.
//!
//! A plan is a pure function of the prompts, the table of harnesses, the disk and the ledger. It
//! visits the targets, and the ledger entries that are no longer targets, and changes a copy of the
//! files in memory. The differences at the end are what will be written.
//!
//! **Invariant:** the plan of an installation with a conflict, or with a prompt that must not be
//! delivered, writes nothing at all.

mod draft;
mod effects;
mod followed_links;
mod give;
mod namesake;
mod not_kept;
mod sight;
mod take;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lawful::syntax::Severity;

use crate::delivery::RoleDelivery;
use crate::desk::Desk;
use crate::disk::{Disk, Kind};
use crate::disk_snapshot::DiskSnapshot;
use crate::finding::Finding;
use crate::harness::Harness;
use crate::kept::Overwritten;
use crate::ledger::{Installed, LARGEST, Ledger, Mode};
use crate::named_by::named_by;
use crate::place::{Located, Places};
use crate::project::ProjectState;
use crate::prompts::is_plain_role;
use crate::reach::Reach;
use crate::target::{Target, deliveries};
use crate::unledgered_blocks::unledgered_blocks;
use crate::unledgered_files::unledgered_files;
use crate::{Prompts, block, code, harness_limits, holds_core, in_project, lockfile};
use draft::Draft;
pub(crate) use effects::{arrival, twice};
use sight::Sight;

/// A kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A file is created.
    Create,
    /// A block in a file is added, changed or removed.
    UpdateBlock,
    /// A file of Lawful is rewritten.
    ReplaceOwned,
    /// A setting is changed.
    SetKey,
    /// A file of Lawful is removed.
    Delete,
    /// Already up to date.
    Skip,
    /// Not possible.
    Conflict,
}

impl Op {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::UpdateBlock => "update-block",
            Self::ReplaceOwned => "replace-owned",
            Self::SetKey => "set-key",
            Self::Delete => "delete",
            Self::Skip => "skip",
            Self::Conflict => "conflict",
        }
    }
}

/// One operation, and the file before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The kind of operation.
    pub op: Op,
    /// The harness.
    pub harness: String,
    /// The file, as shown to the user.
    pub path: String,
    /// The role of the prompt.
    pub role: Option<String>,
    /// The file before; `None` if it did not exist.
    pub before: Option<String>,
    /// The file after; `None` if it is deleted.
    pub after: Option<String>,
    /// The edit that prevents the operation.
    pub edit: Option<Edit>,
}

/// An edit of something that Lawful wrote: a whole file, or the value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What Lawful wrote.
    pub written: String,
    /// What is there now.
    pub now: String,
}

/// A file in its final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Everything that has to be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// The problems.
    pub findings: Vec<Finding>,
    /// What the user still has to do before a harness reads the prompt.
    pub notes: Vec<String>,
    /// Which role reaches which harness; empty on a conflict.
    pub roles: Vec<RoleDelivery>,
    /// Texts of persons that are replaced; empty on a conflict.
    pub overwritten: Vec<Overwritten>,
    /// Files that change; empty on a conflict.
    pub(crate) changes: Vec<Change>,
    /// Folders to create, outermost first.
    pub(crate) made: Vec<PathBuf>,
    /// Folders to remove if empty, innermost first.
    pub(crate) left: Vec<PathBuf>,
    /// The ledger after the plan.
    pub(crate) ledger: Ledger,
    /// The ledger before the plan.
    pub(crate) ledger_before: Ledger,
    /// The change of the lock of a project.
    pub(crate) lock: Option<Change>,
    /// The removal of ledgers whose content is in this one now.
    pub(crate) retired: Vec<Change>,
}

impl Plan {
    /// Whether there is a conflict.
    pub fn has_conflict(&self) -> bool {
        self.operations.iter().any(|operation| operation.op == Op::Conflict)
            || self.findings.iter().any(|finding| finding.code.severity == Severity::Error)
    }

    /// The plan without changes.
    fn without_changes(self) -> Self {
        let (changes, made, left) = (Vec::new(), Vec::new(), Vec::new());
        let (ledger, lock, retired) = (self.ledger_before.clone(), None, Vec::new());
        let overwritten = Vec::new();
        Self { overwritten, changes, made, left, ledger, lock, retired, ..self }
    }

    /// Whether there is nothing to write.
    pub fn is_done(&self) -> bool {
        let has_records = self.lock.is_some() || !self.retired.is_empty();
        self.changes.is_empty() && self.ledger == self.ledger_before && !has_records
    }
}

/// What to install.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
pub struct Request {
    /// The harnesses.
    pub harnesses: Vec<&'static Harness>,
    /// The roles; `None` for all, or in an update for those chosen before.
    pub roles: Option<Vec<String>>,
    /// Whether to only update what is installed.
    pub update: bool,
    /// Whether settings may be changed, and prompts of a harness replaced.
    pub activate: bool,
    /// Whether files of others, and edits, can be overwritten.
    pub overwrite: bool,
    /// Whether a new file can hide one of the user from a harness.
    pub may_hide: bool,
    /// The folder of the lawbook, as stored in the ledger.
    pub source: String,
    /// Files and folders that exist because of a hook of Lawful.
    pub made: Vec<PathBuf>,
}

/// A harness, and how the lawbook is installed for it.
struct Job {
    harness: &'static Harness,
    roles: Option<Vec<String>>,
    active: bool,
}

/// The harnesses, and how to install for each. Those that have the lawbook under another id, or
/// from another source, are included, so that there is only one copy.
fn jobs(request: &Request, book: &str, former: &[String], ledger: &Ledger) -> Vec<Job> {
    let is_ours = |row: &&Installed| row.book == book || former.contains(&row.book);
    let rows: Vec<&Installed> = ledger.installed.iter().filter(is_ours).collect();
    let mut jobs: Vec<Job> = Vec::new();
    for harness in &request.harnesses {
        let known = rows.iter().find(|row| row.harness == harness.id);
        let kept = known.filter(|_| request.update).and_then(|row| row.roles.clone());
        jobs.push(Job {
            harness,
            roles: request.roles.clone().or(kept),
            active: request.activate || known.is_some_and(|row| row.active),
        });
    }
    for row in rows.iter().filter(|row| row.book != book || row.source != request.source) {
        let is_new = |harness: &&Harness| !jobs.iter().any(|job| job.harness.id == harness.id);
        if let Some(harness) = crate::find(&row.harness).filter(is_new) {
            jobs.push(Job { harness, roles: row.roles.clone(), active: row.active });
        }
    }
    jobs
}

/// The plan that installs the prompts of a lawbook for harnesses.
pub fn plan_install(
    prompts: &Prompts,
    request: &Request,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> Plan {
    let book = prompts.id();
    let mut findings = unfit(prompts, request);
    findings.extend(namesake::replaced(&book, request, ledger));
    findings.extend(bad_lock(disk, desk, request.overwrite));
    if !findings.is_empty() {
        return refused(findings, ledger);
    }
    findings.extend(desk.findings(disk));
    let former = ledger.former(&book, &request.source);
    let mut jobs = jobs(request, &book, &former, ledger);
    let sight = Sight { disk, desk, places, ledger, prompts, book: &book };
    let (mut snapshot, mut wanted) = sight.wanted(&mut jobs, request, &mut findings);
    let mut installed: Vec<Installed> = Vec::new();
    for job in &jobs {
        if !wanted.iter().any(|target| target.harness.id == job.harness.id) {
            continue;
        }
        installed.push(Installed {
            harness: job.harness.id.to_owned(),
            book: book.clone(),
            source: request.source.clone(),
            roles: job.roles.clone(),
            active: job.active,
            partial: false,
        });
    }
    let is_error = |finding: &Finding| finding.code.severity == Severity::Error;
    if findings.iter().any(is_error) {
        return refused(findings, ledger);
    }
    let named: Vec<PathBuf> = wanted.iter().map(|target| target.at.path.clone()).collect();
    look(&mut snapshot, disk, &mut wanted, desk, places, ledger);
    findings.extend(followed_links::findings(&named, &wanted, desk.scope, places));
    let mut draft = Draft::new(snapshot, ledger, desk.scope, places, &book);
    draft.findings = findings;
    draft.take_over(former.clone());
    draft.give_all(&wanted, request);
    for job in &jobs {
        draft.take_unwanted(job.harness.id, &wanted);
        for old in &former {
            draft.take_all(job.harness.id, Some(old));
        }
    }
    draft
        .ledger
        .installed
        .retain(|row| row.book != book || !jobs.iter().any(|job| job.harness.id == row.harness));
    for installed in installed {
        draft.ledger.note(installed);
    }
    draft.warn(&wanted);
    let harnesses: Vec<&'static Harness> = jobs.iter().map(|job| job.harness).collect();
    let read = draft.effects(prompts, &harnesses, &wanted, request.may_hide);
    let is_read = |target: &Target| read.contains(&(target.harness.id, target.role.clone()));
    let of_job =
        |job: &Job| deliveries(prompts, job.harness, job.roles.as_deref(), &wanted, &is_read);
    let roles: Vec<RoleDelivery> = jobs.iter().flat_map(of_job).collect();
    let mut plan = Plan { notes: notes(&wanted), roles, ..draft.finish() };
    if !plan.has_conflict() {
        let handled: Vec<&str> = jobs.iter().map(|job| job.harness.id).collect();
        add_records(&mut plan, desk, disk, &handled);
        refuse_closed(&mut plan, desk, places, disk);
    }
    if plan.has_conflict() {
        plan = Plan { notes: Vec::new(), roles: Vec::new(), ..plan.without_changes() };
    }
    plan.findings.extend(not_kept::findings(&plan.changes, desk.scope, places, disk));
    // Conflicts come first.
    plan.findings.sort_by_key(|finding| finding.code.severity != Severity::Error);
    plan
}

/// Reports a conflict if a folder is not writable.
fn refuse_closed(plan: &mut Plan, desk: &Desk, places: &Places, disk: &impl Disk) {
    if plan.is_done() {
        return;
    }
    let mut known: BTreeMap<PathBuf, bool> = BTreeMap::new();
    let ledger = desk.path();
    let files = plan.changes.iter().chain(&plan.lock).chain(&plan.retired);
    for path in files.map(|change| &change.path).chain([&ledger]) {
        let is_folder = |path: &&Path| disk.kind(path).is_ok_and(|kind| kind == Kind::Folder);
        if let Some(folder) = path.ancestors().skip(1).find(is_folder) {
            known.entry(folder.to_owned()).or_insert_with(|| disk.is_open(folder));
        }
    }
    for (folder, _) in known.iter().filter(|(_, is_open)| !**is_open) {
        let shown = match places.shown(desk.scope, folder) {
            root if root.is_empty() => ".".to_owned(),
            shown => shown,
        };
        let message = "this folder is not writable";
        let help = "change its permissions and run it again; nothing was written";
        plan.findings.push(Finding::new(&code::CANNOT_DELIVER, Some(&shown), message, help));
    }
}

/// Adds the records that belong to a plan, which has handled these harnesses.
fn add_records(plan: &mut Plan, desk: &Desk, disk: &impl Disk, handled: &[&str]) {
    plan.ledger.settle(handled);
    if let Some(excess) = plan.ledger.excess() {
        let message = format!("the ledger is too large: {excess}");
        let help = "install fewer roles, or for fewer harnesses";
        plan.findings.push(Finding::new(&code::LEDGER_FULL, None, message, help));
    }
    let records = lockfile::change(disk, desk, &plan.ledger)
        .and_then(|lock| Ok((lock, retired(disk, desk)?)));
    match records {
        Ok((lock, retired)) => (plan.lock, plan.retired) = (lock, retired),
        Err(error) => {
            let message = format!("cannot read the records of the project: {error}");
            let help = "fix the cause and run it again; nothing was written";
            let found = Finding::new(&code::CANNOT_DELIVER, Some(lockfile::NAME), message, help);
            plan.findings.push(found);
        }
    }
}

/// The removal of ledgers whose content is in the one of a desk now: that of an earlier version, and
/// that of the path that the project was moved from.
fn retired(disk: &impl Disk, desk: &Desk) -> std::io::Result<Vec<Change>> {
    let mut retired: Vec<Change> = in_project::retirement(disk, desk)?.into_iter().collect();
    if let Some(path) = desk.project().and_then(ProjectState::inherited)
        && let Some(bytes) = disk.read_up_to(&path, LARGEST)?
    {
        let before = Some(String::from_utf8_lossy(&bytes).into_owned());
        retired.push(Change { path, before, after: None });
    }
    Ok(retired)
}

/// That the lock of the project is not valid, unless it is to be replaced.
fn bad_lock(disk: &impl Disk, desk: &Desk, overwrite: bool) -> Option<Finding> {
    let bad = lockfile::problem(disk, desk)?;
    (!overwrite || !bad.is_text).then(|| bad.finding())
}

/// What the user should know about how a harness reads what was written.
fn notes(wanted: &[Target]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for target in wanted.iter().filter(|target| !target.is_switch()) {
        let surface = target.surface;
        let is_start = |place: &crate::Place| place.base == crate::Base::Start;
        let is_switched_there =
            surface.switch.is_some_and(|switch| switch.order.iter().any(is_start));
        let is_there =
            surface.at_start || (is_switched_there && !surface.switch.is_some_and(|s| s.or_jsonc));
        if surface.scope != crate::Scope::Project || !is_there {
            continue;
        }
        let note = format!(
            "{} reads `{}` only if it is started in the root of the project",
            target.harness.name, target.shown
        );
        if surface.audience == crate::Audience::Main {
            notes.push(note);
        }
    }
    notes
}

/// A lawbook, by its id in files and its folder.
#[derive(Clone, Copy, Debug)]
pub struct BookRef<'b> {
    /// Its id.
    pub id: &'b str,
    /// Its folder, as stored in the ledger.
    pub source: &'b str,
}

/// The plan that removes what the ledger has for these harnesses and this lawbook. Edited text
/// stays, and so does what another lawbook with the same name installed.
pub fn plan_uninstall(
    harnesses: &[&'static Harness],
    book: Option<BookRef<'_>>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> Plan {
    if let Some(bad) = bad_lock(disk, desk, false) {
        return refused(vec![bad], ledger);
    }
    let mut snapshot = DiskSnapshot::default();
    look(&mut snapshot, disk, [], desk, places, ledger);
    // For a given lawbook, blocks and files that are not in the ledger are recognized by their markers.
    let (unledgered_blocks, unledgered_files) = match book {
        None => (Vec::new(), Vec::new()),
        Some(_) => {
            let now = ledger.followed(&snapshot, desk.scope, places);
            let blocks = unledgered_blocks(harnesses, desk, places, &now, &mut snapshot, disk);
            (blocks, unledgered_files(harnesses, desk, places, &now, &mut snapshot, disk))
        }
    };
    let mut draft = Draft::new(snapshot, ledger, desk.scope, places, "");
    let ids = book.map(|book| {
        let mut ids = ledger.former(book.id, book.source);
        ids.push(book.id.to_owned());
        ids
    });
    let others = book.map(|book| namesake::of_others(book, places, ledger, disk));
    let others = others.unwrap_or_default();
    for harness in harnesses {
        let is_other =
            |id: &str| others.iter().any(|other| other.harness == harness.id && other.book == id);
        match &ids {
            None => draft.take_all(harness.id, None),
            Some(ids) => {
                for id in ids.iter().filter(|id| !is_other(id)) {
                    draft.take_all(harness.id, Some(id));
                }
            }
        }
    }
    // Neither a block nor a file says which of two lawbooks with the same name wrote it.
    for unledgered in unledgered_blocks.iter().filter(|unledgered| {
        others.is_empty() && book.is_some_and(|book| book.id == unledgered.block.id)
    }) {
        draft.take_unledgered(unledgered);
    }
    for unledgered in unledgered_files.iter().filter(|unledgered| {
        others.is_empty() && book.is_some_and(|book| book.id == unledgered.entry.book)
    }) {
        draft.take_unledgered_file(unledgered);
    }
    draft.leave_unproven(harnesses);
    let is_asked = |other: &&&Installed| harnesses.iter().any(|known| known.id == other.harness);
    let stays = book.zip(others.iter().find(is_asked));
    draft.findings.extend(stays.map(|(book, other)| namesake::stays(book, other)));
    draft.findings.extend(desk.findings(disk));
    let mut plan = draft.finish();
    // What is neither in the lock nor on disk may be on another branch, or in a stash.
    let has_no_lock =
        desk.project().is_some() && matches!(lockfile::read(disk, &desk.root), Ok(None));
    if has_no_lock && plan.changes.is_empty() && !ledger.files.is_empty() {
        return plan.without_changes();
    }
    let found = plan.findings.len();
    let handled: Vec<&str> = harnesses.iter().map(|harness| harness.id).collect();
    add_records(&mut plan, desk, disk, &handled);
    refuse_closed(&mut plan, desk, places, disk);
    if plan.findings.len() > found {
        plan = Plan { operations: Vec::new(), ..plan.without_changes() };
    }
    plan.findings.extend(not_kept::findings(&plan.changes, desk.scope, places, disk));
    plan
}

fn refused(findings: Vec<Finding>, ledger: &Ledger) -> Plan {
    Plan { findings, ledger: ledger.clone(), ledger_before: ledger.clone(), ..Plan::default() }
}

/// Why prompts must not be delivered at all.
fn unfit(prompts: &Prompts, request: &Request) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut folded: Vec<String> = Vec::new();
    for prompt in &prompts.roles {
        let role = lawful::syntax::escape::name(&prompt.role);
        let lower = prompt.role.to_lowercase();
        if !is_plain_role(&prompt.role) || folded.contains(&lower) {
            let message = format!("the role name `{role}` is not valid as a file name");
            let help = "use only letters, digits, `-`, `_` and `.`, and no two names that differ only in case";
            findings.push(Finding::new(&code::BAD_ROLE_NAME, None, message, help));
        }
        folded.push(lower);
        if block::has_sentinel(&prompt.text) {
            let message =
                format!("the prompt of `{role}` contains a line that begins or ends a block");
            let help = "indent the line, or put it in backticks";
            findings.push(Finding::new(&code::SENTINEL_IN_PROMPT, None, message, help));
        }
        if prompt.runs_on(&prompts.core) {
            let message = format!("no blank line follows the core in the prompt of `{role}`");
            let help = "write `core ++ \"\\n\\n\" ++ persona`";
            findings.push(Finding::new(&code::CORE_RUNS_ON, None, message, help));
        }
        // The lawbook was checked when it was composed; check the final text once more.
        if !holds_core(&prompt.text, &prompts.core) {
            let message =
                format!("the prompt of `{role}` does not have the core exactly once, at its start");
            findings.push(Finding::new(&code::CANNOT_DELIVER, None, message, "see `lawful check`"));
        }
    }
    for role in request.roles.iter().flatten() {
        if !prompts.roles.iter().any(|prompt| prompt.role == *role) {
            let names = prompts.roles.iter().map(|prompt| &*prompt.role);
            let help = lawful::syntax::did_you_mean("role", role, names);
            let message = format!("unknown role `{}`", lawful::syntax::escape::name(role));
            findings.push(Finding::new(&code::UNKNOWN_ROLE, None, message, help));
        }
    }
    findings
}

/// Reads everything that the plan can depend on.
pub(crate) fn look<'t>(
    snapshot: &mut DiskSnapshot,
    disk: &impl Disk,
    wanted: impl IntoIterator<Item = &'t mut Target>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
) {
    let mut wanted: Vec<&mut Target> = wanted.into_iter().collect();
    let roles: Vec<String> = wanted.iter().map(|target| target.role.clone()).collect();
    let kept = ledger.files.iter().map(|entry| &*entry.role);
    let reach = Reach::new(desk.scope, places, kept.chain(roles.iter().map(|role| &**role)));
    let read = |snapshot: &mut DiskSnapshot, target: &mut Target| {
        snapshot.add_named(disk, &target.at, &reach);
        if let Some(other) = target.instead.clone()
            && !snapshot.is_file(&target.at.path)
        {
            let at = Located { path: other, root: target.at.root.clone() };
            snapshot.add_named(disk, &at, &reach);
            if snapshot.is_file(&at.path) {
                target.at = at;
            }
        }
        // Two names of one file are one file.
        if let Some(kept) = snapshot.kept(&target.at.path) {
            kept.clone_into(&mut target.at.path);
            target.shown = places.shown(desk.scope, kept);
        }
    };
    for target in &mut wanted {
        read(snapshot, target);
        for at in harness_limits::beside(places, desk.scope, snapshot, target) {
            snapshot.add(disk, &at);
        }
    }
    for entry in &ledger.files {
        snapshot.add_named(disk, &places.kept(desk.scope, &entry.path), &reach);
        if let Mode::Owned { .. } = entry.mode {
            for named in named_by(desk.scope, places, &entry.path, &entry.role) {
                snapshot.add_named(disk, &named.at, &reach);
            }
        }
    }
    for folder in &ledger.folders {
        snapshot.add_folder(disk, &places.kept(desk.scope, folder), &reach);
    }
}
