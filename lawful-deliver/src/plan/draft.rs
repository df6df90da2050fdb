//! The files as they would be, while a plan is made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Change, Op, Operation, Plan};
use crate::finding::Finding;
use crate::ledger::Ledger;
use crate::place::Places;
use crate::seen::{Look, Seen};
use crate::target::{Target, What};
use crate::{Scope, block, code};

/// A plan in the making.
pub(super) struct Draft<'a> {
    pub(super) seen: Seen,
    pub(super) scope: Scope,
    pub(super) places: &'a Places,
    /// The id of the book.
    pub(super) book: &'a str,
    /// The ids that it had before.
    pub(super) former: Vec<String>,
    before: &'a Ledger,
    pub(super) ledger: Ledger,
    pub(super) operations: Vec<Operation>,
    pub(super) findings: Vec<Finding>,
    /// By real path: the text now, and the text that was found.
    files: BTreeMap<PathBuf, (Option<String>, Option<String>)>,
    made: Vec<PathBuf>,
}

/// A file that can be written to.
pub(super) struct Open {
    pub(super) real: PathBuf,
    pub(super) text: Option<String>,
}

/// Whose turn it is.
pub(super) struct Turn<'t> {
    pub(super) harness: &'t str,
    pub(super) path: &'t str,
    pub(super) role: &'t str,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        seen: Seen,
        ledger: &'a Ledger,
        scope: Scope,
        places: &'a Places,
        book: &'a str,
    ) -> Self {
        Self {
            seen,
            scope,
            places,
            book,
            former: Vec::new(),
            before: ledger,
            ledger: ledger.clone(),
            operations: Vec::new(),
            findings: Vec::new(),
            files: BTreeMap::new(),
            made: Vec::new(),
        }
    }

    /// Whether an id is one of this book.
    pub(super) fn is_mine(&self, id: &str) -> bool {
        id == self.book || self.former.iter().any(|former| former == id)
    }

    /// Takes over what the book has under ids from before.
    pub(super) fn take_over(&mut self, former: Vec<String>) {
        for old in &former {
            self.ledger.rename(old, self.book);
        }
        self.former = former;
    }

    /// The file at a path as it is now; the finding says why it cannot be used.
    pub(super) fn open(&self, path: &Path, shown: &str) -> Result<Open, Finding> {
        let unfit = |why: &str| {
            let help = "nothing is written until it is out of the way";
            Finding::new(&code::CANNOT_DELIVER, Some(shown), why, help)
        };
        let (real, text) = match self.seen.get(path) {
            Some(Look::Missing { real, .. }) => (real, None),
            Some(Look::Text { real, text, .. }) => (real, Some(text)),
            Some(Look::Outside) => {
                let message = "this is a link that leads out of the folder, or nowhere";
                let help = "put a file or a folder in its place";
                return Err(Finding::new(&code::OUTSIDE_ROOT, Some(shown), message, help));
            }
            Some(Look::Unfit(why)) => return Err(unfit(&format!("this cannot be written: {why}"))),
            None => return Err(unfit("this was not looked at")),
        };
        let text = match self.files.get(real) {
            Some((now, _)) => now.clone(),
            None => text.cloned(),
        };
        Ok(Open { real: real.clone(), text })
    }

    /// Does one operation.
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

    fn look_of(&self, real: &Path) -> Option<&Look> {
        self.seen.by_real(real)
    }

    fn say(&mut self, op: Op, turn: &Turn<'_>, before: Option<String>, after: Option<String>) {
        self.operations.push(Operation {
            op,
            harness: turn.harness.to_owned(),
            path: turn.path.to_owned(),
            role: (!turn.role.is_empty()).then(|| turn.role.to_owned()),
            before,
            after,
        });
    }

    pub(super) fn skip(&mut self, turn: &Turn<'_>) {
        self.say(Op::Skip, turn, None, None);
    }

    pub(super) fn conflict(&mut self, turn: &Turn<'_>, finding: Finding) {
        self.say(Op::Conflict, turn, None, None);
        self.findings.push(finding);
    }

    /// What does not stand in the way and should be known.
    pub(super) fn warn(&mut self, wanted: &[Target]) {
        for target in wanted {
            self.warn_of_limit(target);
            for (at, shown) in &target.shadows {
                if self.now(&at.path).is_none_or(|text| self.holds(&text, target)) {
                    continue;
                }
                let name = target.harness.name;
                let message = format!("{name} reads `{shown}` in place of this");
                let help = format!("move `{shown}` away, or put its text into this file");
                self.findings.push(Finding::new(
                    &code::SHADOWED,
                    Some(&target.shown),
                    message,
                    help,
                ));
            }
            self.warn_of_twice(target);
        }
    }

    fn warn_of_twice(&mut self, target: &Target) {
        for name in target.harness.also_reads {
            let text = self.now(&self.places.project().join(name)).unwrap_or_default();
            let is_it = self.seen.kept(&self.places.project().join(name)) == Some(&target.at.path);
            if is_it || !self.holds(&text, target) {
                continue;
            }
            let message = format!("{} reads the same text from `{name}`", target.harness.name);
            let help = "install for one of the two";
            let found = Finding::new(&code::DELIVERED_TWICE, Some(&target.shown), message, help);
            self.findings.push(found);
        }
    }

    fn warn_of_limit(&mut self, target: &Target) {
        let Some(limit) = target.limit else { return };
        let text = self.now(&target.at.path).unwrap_or_default();
        let Some(excess) = limit.excess(&text) else { return };
        let (name, most) = (target.harness.name, limit.shown());
        let message = format!("{name} reads {most} of this, and it would have {excess} more");
        let help = "shorten the prompt or the file; `lawful harnesses` lists other places";
        let found = Finding::new(&code::TOO_LONG_FOR_HARNESS, Some(&target.shown), message, help);
        self.findings.push(found);
        for operation in &mut self.operations {
            if operation.path == target.shown && operation.harness == target.harness.id {
                operation.op = Op::Conflict;
            }
        }
    }

    /// Whether a text has a block of this book with the text of a target.
    fn holds(&self, text: &str, target: &Target) -> bool {
        let Ok(found) = block::blocks(text) else { return false };
        let ours = found.iter().find(|block| block.id == self.book);
        match &target.what {
            What::Block { text } => ours.is_some_and(|block| block.text == *text),
            What::Owned { file } => {
                let owned = crate::owned::parse(file);
                ours.is_some_and(|block| owned.is_some_and(|owned| owned.text == block.text))
            }
            What::Key { value, .. } => ours.is_some_and(|block| block.text == *value),
        }
    }

    /// The text at a path as it is now.
    fn now(&self, path: &Path) -> Option<String> {
        self.open(path, "").ok().and_then(|open| open.text)
    }

    pub(super) fn finish(mut self) -> Plan {
        // A folder of ours stays as long as something of ours is in it.
        let used = |folder: &str| {
            let inside = format!("{}/", folder.trim_end_matches('/'));
            self.ledger.files.iter().any(|entry| entry.path.starts_with(&inside))
        };
        let (kept, left): (Vec<String>, Vec<String>) =
            self.ledger.folders.iter().cloned().partition(|folder| used(folder));
        self.ledger.folders = kept;
        self.ledger.folders.sort();
        self.ledger.folders.dedup();
        // The ledger of a project may name anything; only what is in the project is touched.
        let left = left.iter().map(|folder| self.places.kept(self.scope, folder));
        let left = left.filter(|at| self.seen.is_folder_inside(at));
        let mut left: Vec<PathBuf> = left.map(|at| at.path).collect();
        left.sort();
        left.reverse();
        let changes = self.files.into_iter().filter(|(_, (now, found))| now != found);
        let changes = changes.map(|(path, (after, before))| Change { path, before, after });
        Plan {
            operations: self.operations,
            findings: self.findings,
            notes: Vec::new(),
            changes: changes.collect(),
            made: self.made,
            left,
            ledger: self.ledger,
            ledger_before: self.before.clone(),
        }
    }
}
