//! The files as they would be, while a plan is being made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Change, Edit, Op, Operation, Plan};
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::finding::Finding;
use crate::harness_limits::{HarnessLimits, Short};
use crate::kept::{Overwritten, Part};
use crate::ledger::Ledger;
use crate::place::Places;
use crate::target::Target;
use crate::text::with_plain_lines;
use crate::{Scope, code};

/// An unfinished plan.
pub(super) struct Draft<'a> {
    pub(super) snapshot: DiskSnapshot,
    pub(super) scope: Scope,
    pub(super) places: &'a Places,
    /// The id of the lawbook.
    pub(super) book: &'a str,
    /// Its earlier ids.
    pub(super) former: Vec<String>,
    before: &'a Ledger,
    pub(super) ledger: Ledger,
    pub(super) operations: Vec<Operation>,
    pub(super) findings: Vec<Finding>,
    overwritten: Vec<Overwritten>,
    /// By real path: the new text, and the text that was found.
    files: BTreeMap<PathBuf, (Option<String>, Option<String>)>,
    made: Vec<PathBuf>,
}

/// A file that can be written.
pub(super) struct Open {
    pub(super) real: PathBuf,
    pub(super) text: Option<String>,
}

/// An edit, and the first line of the file that it changed, from 1.
pub(super) struct Edited {
    edit: Edit,
    line: usize,
}

impl Edited {
    /// The edit of a file.
    pub(super) fn of_file(written: &str, now: &str) -> Self {
        let (written, now) = (with_plain_lines(written), with_plain_lines(now));
        let line = first_difference(&written, &now);
        Self { edit: Edit { written, now }, line }
    }

    /// The edit of a value in a settings file. The rest of the file may contain secrets, so only
    /// the value is shown.
    pub(super) fn of_value(file: (&str, &str), value: (&str, &str)) -> Self {
        let line = first_difference(&with_plain_lines(file.0), &with_plain_lines(file.1));
        let with_end = |text: &str| with_plain_lines(text) + "\n";
        Self { edit: Edit { written: with_end(value.0), now: with_end(value.1) }, line }
    }
}

/// The first line of a text that differs from another; its last line if it is the start of the
/// other.
fn first_difference(written: &str, now: &str) -> usize {
    let same = written.lines().zip(now.lines()).take_while(|(a, b)| a == b).count();
    (same + 1).min(now.lines().count().max(1))
}

/// The current harness and role.
pub(super) struct Turn<'t> {
    pub(super) harness: &'t str,
    pub(super) path: &'t str,
    pub(super) role: &'t str,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        snapshot: DiskSnapshot,
        ledger: &'a Ledger,
        scope: Scope,
        places: &'a Places,
        book: &'a str,
    ) -> Self {
        let now = ledger.followed(&snapshot, scope, places);
        Self {
            snapshot,
            scope,
            places,
            book,
            former: Vec::new(),
            before: ledger,
            ledger: now,
            operations: Vec::new(),
            findings: Vec::new(),
            overwritten: Vec::new(),
            files: BTreeMap::new(),
            made: Vec::new(),
        }
    }

    /// Whether an id belongs to this lawbook.
    pub(super) fn is_mine(&self, id: &str) -> bool {
        id == self.book || self.former.iter().any(|former| former == id)
    }

    /// Takes over the entries of earlier ids of the lawbook.
    pub(super) fn take_over(&mut self, former: Vec<String>) {
        for old in &former {
            self.ledger.rename(old, self.book);
        }
        self.former = former;
    }

    /// The file at a path as it is now; the finding says why it cannot be used.
    pub(super) fn open(&self, path: &Path, shown: &str) -> Result<Open, Finding> {
        let unfit = |why: &str| {
            let help = "nothing is written until you fix or move it";
            Finding::new(&code::CANNOT_DELIVER, Some(shown), why, help)
        };
        let (real, text) = match self.snapshot.get(path) {
            Some(Look::Missing { real, .. }) => (real, None),
            Some(Look::Text { real, text, .. }) => (real, Some(text)),
            Some(Look::Outside) => {
                let message = "this is a link that leads out of the folder, or to nothing";
                let help = "replace it with a file or a folder";
                return Err(Finding::new(&code::OUTSIDE_ROOT, Some(shown), message, help));
            }
            Some(Look::Unfit(why)) => return Err(unfit(&format!("cannot write this: {why}"))),
            None => return Err(unfit("this file was not read")),
        };
        if self.snapshot.is_unnamed(real) {
            let message = "no harness reads this file, so Lawful does not write to it";
            let help = "remove by hand what does not belong there";
            return Err(Finding::new(&code::CANNOT_DELIVER, Some(shown), message, help));
        }
        let text = match self.files.get(real) {
            Some((now, _)) => now.clone(),
            None => text.cloned(),
        };
        Ok(Open { real: real.clone(), text })
    }

    /// Performs one operation.
    pub(super) fn write(&mut self, op: Op, turn: &Turn<'_>, open: Open, after: Option<String>) {
        if after.is_some()
            && let Some(Look::Missing { folders, .. }) = self.look_of(&open.real)
        {
            let new: Vec<PathBuf> =
                folders.iter().filter(|folder| !self.made.contains(folder)).cloned().collect();
            for folder in &new {
                self.ledger.folders.push(self.places.shown(self.scope, folder));
            }
            self.made.extend(new);
        }
        self.say(op, turn, open.text.clone(), after.clone());
        let found = open.text;
        self.files.entry(open.real).or_insert_with(|| (None, found)).0 = after;
    }

    /// Records that a text of a person is about to be replaced. The first one is what was there.
    pub(super) fn overwrite(&mut self, open: &Open, part: Part) {
        let is_known =
            |known: &Overwritten| known.path == open.real && known.part.key() == part.key();
        if !self.overwritten.iter().any(is_known) {
            self.overwritten.push(Overwritten { path: open.real.clone(), part });
        }
    }

    /// Folders that a hook of Lawful created belong to prompts too while they contain some.
    pub(super) fn share(&mut self, open: &Open, made: &[PathBuf]) {
        for folder in
            made.iter().filter(|folder| open.real.ancestors().skip(1).any(|f| f == *folder))
        {
            let shown = self.places.shown(self.scope, folder);
            if !self.ledger.folders.contains(&shown) {
                self.ledger.folders.push(shown);
            }
        }
    }

    fn look_of(&self, real: &Path) -> Option<&Look> {
        self.snapshot.by_real(real)
    }

    fn say(&mut self, op: Op, turn: &Turn<'_>, before: Option<String>, after: Option<String>) {
        self.operations.push(Operation {
            op,
            harness: turn.harness.to_owned(),
            path: turn.path.to_owned(),
            role: (!turn.role.is_empty()).then(|| turn.role.to_owned()),
            before,
            after,
            edit: None,
        });
    }

    pub(super) fn skip(&mut self, turn: &Turn<'_>) {
        self.say(Op::Skip, turn, None, None);
    }

    pub(super) fn conflict(&mut self, turn: &Turn<'_>, finding: Finding) {
        self.say(Op::Conflict, turn, None, None);
        self.findings.push(finding);
    }

    /// Reports that something was edited, at the first line of the edit in the file.
    pub(super) fn conflict_of_edit(
        &mut self,
        turn: &Turn<'_>,
        finding: Finding,
        edit: Option<Edited>,
    ) {
        let line = edit.as_ref().map_or(finding.line, |edit| edit.line);
        self.conflict(turn, Finding { line, ..finding });
        if let (Some(operation), Some(edited)) = (self.operations.last_mut(), edit) {
            operation.edit = Some(edited.edit);
        }
    }

    /// Files over the limit of a harness, which block the plan.
    pub(super) fn warn(&mut self, wanted: &[Target]) {
        let now = |path: &Path| self.now(path);
        let (scope, places, ledger, snapshot) =
            (self.scope, self.places, &self.ledger, &self.snapshot);
        let limits = HarnessLimits { scope, places, ledger, snapshot, now: &now };
        let short = limits.short(wanted);
        for Short { path, message } in short {
            for operation in self.operations.iter_mut().filter(|known| known.path == path) {
                operation.op = Op::Conflict;
            }
            let help = "shorten the prompt or the files; `lawful harnesses` lists other surfaces";
            let found = Finding::new(&code::TOO_LONG_FOR_HARNESS, Some(&path), message, help);
            self.findings.push(found);
        }
    }

    /// The current text at a path.
    pub(super) fn now(&self, path: &Path) -> Option<String> {
        self.open(path, "").ok().and_then(|open| open.text)
    }

    pub(super) fn finish(mut self) -> Plan {
        // A folder of Lawful stays while it contains something of Lawful.
        let (kept, left): (Vec<String>, Vec<String>) =
            self.ledger.folders.iter().cloned().partition(|folder| self.ledger.uses_folder(folder));
        self.ledger.folders = kept;
        self.ledger.folders.sort();
        self.ledger.folders.dedup();
        // The ledger of a project can name any path; only folders in the project are touched.
        let left = left.iter().map(|folder| self.places.kept(self.scope, folder));
        let left = left.filter(|at| self.snapshot.is_folder_inside(at));
        let mut left: Vec<PathBuf> = left.map(|at| at.path).collect();
        left.sort();
        left.reverse();
        let changes = self.files.into_iter().filter(|(_, (now, found))| now != found);
        let changes = changes.map(|(path, (after, before))| Change { path, before, after });
        Plan {
            operations: self.operations,
            findings: self.findings,
            notes: Vec::new(),
            roles: Vec::new(),
            overwritten: self.overwritten,
            changes: changes.collect(),
            made: self.made,
            left,
            ledger: self.ledger,
            ledger_before: self.before.clone(),
            lock: None,
            retired: Vec::new(),
        }
    }
}
