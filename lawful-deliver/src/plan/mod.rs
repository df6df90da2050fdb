//! What has to be done, worked out before anything is.
//!
//! A plan is a pure function of the prompts, the table of harnesses, what is on the disk and the
//! ledger. It walks over what is wanted and over what the ledger holds that is wanted no more, and
//! changes a copy of the files in memory; whatever is different in the end is what will be written.
//!
//! **Invariant:** the plan of an installation with a conflict, or with a prompt that may not be
//! delivered, writes nothing at all.

mod draft;
mod give;
mod take;

use std::path::PathBuf;

use crate::disk::Disk;
use crate::finding::Finding;
use crate::harness::Harness;
use crate::ledger::{Desk, Installed, Ledger};
use crate::place::Places;
use crate::prompts::is_plain_role;
use crate::seen::Seen;
use crate::target::{Ask, Target, targets};
use crate::{Prompts, block, code, holds_core};
use draft::Draft;

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// A file is made.
    Create,
    /// A block in a file is added, changed or taken out.
    UpdateBlock,
    /// A file of ours is written anew.
    ReplaceOwned,
    /// A setting is changed.
    SetKey,
    /// A file of ours is removed.
    Delete,
    /// It is so already.
    Skip,
    /// It cannot be done.
    Conflict,
}

impl Op {
    /// The word for it.
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
    /// What is done.
    pub op: Op,
    /// For which harness.
    pub harness: String,
    /// The file, as people are shown it.
    pub path: String,
    /// The role whose prompt it is.
    pub role: Option<String>,
    /// The file before; `None` if there is none.
    pub before: Option<String>,
    /// The file after; `None` if there is none.
    pub after: Option<String>,
}

/// A file as it should be in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Everything that has to be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What is done to which file, in order.
    pub operations: Vec<Operation>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Files that are different in the end; none if something stands in the way.
    pub(crate) changes: Vec<Change>,
    /// Folders to be made, the outermost first.
    pub(crate) made: Vec<PathBuf>,
    /// Folders to be removed if they are empty, the innermost first.
    pub(crate) left: Vec<PathBuf>,
    /// The ledger in the end.
    pub(crate) ledger: Ledger,
    /// The ledger in the beginning.
    pub(crate) ledger_before: Ledger,
}

impl Plan {
    /// Whether something stands in the way.
    pub fn has_conflict(&self) -> bool {
        self.operations.iter().any(|operation| operation.op == Op::Conflict)
            || self
                .findings
                .iter()
                .any(|finding| finding.code.severity == lawful::syntax::Severity::Error)
    }

    /// What is left for a person to do before a harness reads what it was given.
    pub fn note(&self, harness: &Harness, scope: crate::Scope) -> Option<String> {
        let known = self.ledger.installed.iter().find(|known| known.harness == harness.id)?;
        let surface = harness.surface(scope, crate::Audience::Main, known.active)?;
        let switch = surface.switch.filter(|_| !known.active)?;
        let (name, key) = (harness.name, switch.key);
        Some(format!(
            "{name} reads it once `{key}` names it; `lawful install --activate` sets that"
        ))
    }

    /// Whether there is nothing to write.
    pub fn is_done(&self) -> bool {
        self.changes.is_empty() && self.ledger == self.ledger_before
    }
}

/// What to install.
#[derive(Clone, Debug)]
pub struct Request {
    /// For whom.
    pub harnesses: Vec<&'static Harness>,
    /// Which roles; `None` for all.
    pub roles: Option<Vec<String>>,
    /// Whether settings may be changed, and prompts of a harness replaced.
    pub activate: bool,
    /// Whether files of others, and edits of ours, may be written over.
    pub adopt: bool,
    /// The folder of the book, as the ledger will keep it.
    pub source: String,
}

/// The plan that gives the prompts of a book to harnesses.
pub fn plan_install(
    prompts: &Prompts,
    request: &Request,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> Plan {
    let mut findings = unfit(prompts, request);
    if !findings.is_empty() {
        return refused(findings, ledger);
    }
    let book = prompts.id();
    let mut wanted: Vec<Target> = Vec::new();
    let mut installed: Vec<Installed> = Vec::new();
    for harness in &request.harnesses {
        let known =
            ledger.installed.iter().find(|known| known.harness == harness.id && known.book == book);
        let active = request.activate || known.is_some_and(|known| known.active);
        let ask = Ask { scope: desk.scope, roles: request.roles.as_deref(), active };
        let new = targets(prompts, harness, ask, places, &mut findings);
        if new.is_empty() {
            continue;
        }
        wanted.extend(new);
        installed.push(Installed {
            harness: harness.id.to_owned(),
            book: book.clone(),
            source: request.source.clone(),
            roles: request.roles.clone(),
            active,
        });
    }
    let seen = look(disk, &mut wanted, desk, places, ledger);
    let mut draft = Draft::new(seen, ledger, desk.scope, places, &book);
    draft.findings = findings;
    for target in &wanted {
        draft.give(target, request);
    }
    for harness in &request.harnesses {
        draft.take_unwanted(harness.id, &wanted);
    }
    for installed in installed {
        draft.ledger.note(installed);
    }
    draft.warn(&wanted);
    let mut plan = draft.finish();
    if plan.has_conflict() {
        let (changes, made, left) = (Vec::new(), Vec::new(), Vec::new());
        plan = Plan { changes, made, left, ledger: ledger.clone(), ..plan };
    }
    plan
}

/// The plan that takes back what the ledger holds, for these harnesses and this book. What was edited
/// stays, and everything else goes.
pub fn plan_uninstall(
    harnesses: &[&'static Harness],
    book: Option<&str>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> Plan {
    let seen = look(disk, [], desk, places, ledger);
    let mut draft = Draft::new(seen, ledger, desk.scope, places, "");
    for harness in harnesses {
        draft.take_all(harness.id, book);
    }
    draft.finish()
}

fn refused(findings: Vec<Finding>, ledger: &Ledger) -> Plan {
    Plan { findings, ledger: ledger.clone(), ledger_before: ledger.clone(), ..Plan::default() }
}

/// Why prompts may not be delivered at all.
fn unfit(prompts: &Prompts, request: &Request) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut folded: Vec<String> = Vec::new();
    for prompt in &prompts.roles {
        let role = lawful::syntax::escape::name(&prompt.role);
        let lower = prompt.role.to_lowercase();
        if !is_plain_role(&prompt.role) || folded.contains(&lower) {
            let message = format!("the role `{role}` cannot become the name of a file");
            let help =
                "use letters, digits, `-`, `_` and `.`, and no two names that differ only in case";
            findings.push(Finding::new(&code::BAD_ROLE_NAME, None, message, help));
        }
        folded.push(lower);
        if block::has_sentinel(&prompt.text) {
            let message = format!("the prompt of `{role}` has a line that begins or ends a block");
            let help = "indent the line, or put it in backticks";
            findings.push(Finding::new(&code::SENTINEL_IN_PROMPT, None, message, help));
        }
        // The book was checked when it was composed; what is written is checked once more.
        if !holds_core(&prompt.text, &prompts.core) {
            let message =
                format!("the prompt of `{role}` does not hold the core exactly once, at its start");
            findings.push(Finding::new(&code::CANNOT_DELIVER, None, message, "see `lawful check`"));
        }
    }
    for role in request.roles.iter().flatten() {
        if !prompts.roles.iter().any(|prompt| prompt.role == *role) {
            let names = prompts.roles.iter().map(|prompt| &*prompt.role);
            let help = lawful::syntax::did_you_mean("role", role, names);
            let message = format!("there is no role `{}`", lawful::syntax::escape::name(role));
            findings.push(Finding::new(&code::UNKNOWN_ROLE, None, message, help));
        }
    }
    findings
}

/// Looks at everything that the plan can be about.
pub(crate) fn look<'t>(
    disk: &impl Disk,
    wanted: impl IntoIterator<Item = &'t mut Target>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
) -> Seen {
    let mut seen = Seen::default();
    for target in wanted {
        seen.add(disk, &target.at);
        if let Some(other) = target.with_comments()
            && !seen.is_file(&target.at.path)
        {
            let at = crate::place::Located { path: other, root: target.at.root.clone() };
            seen.add(disk, &at);
            if seen.is_file(&at.path) {
                target.shown = places.shown(desk.scope, &at.path);
                target.at = at;
            }
        }
        for (at, _) in &target.shadows {
            seen.add(disk, at);
        }
        for name in target.harness.also_reads {
            let root = places.project().to_owned();
            seen.add(disk, &crate::place::Located { path: root.join(name), root });
        }
    }
    for entry in &ledger.files {
        seen.add(disk, &places.kept(desk.scope, &entry.path));
    }
    seen
}
