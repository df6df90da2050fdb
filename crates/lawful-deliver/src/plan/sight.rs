//! What should be where, given what every harness of a plan reads.
//!
//! Harnesses read each other's files, so the choice for one depends on those for the others. They
//! are made in order, twice: the second time with all the others known.

use super::{Job, Request};
use crate::arrive;
use crate::choose::{Chooser, Planned};
use crate::desk::Desk;
use crate::disk::Disk;
use crate::disk_snapshot::DiskSnapshot;
use crate::finding::Finding;
use crate::harness::Audience;
use crate::ledger::{Installed, Ledger, Mode};
use crate::place::Places;
use crate::target::{Ask, Target, What, targets};
use crate::{Harness, Prompts};

/// What a plan depends on.
pub(super) struct Sight<'a, D> {
    pub(super) disk: &'a D,
    pub(super) desk: &'a Desk,
    pub(super) places: &'a Places,
    pub(super) ledger: &'a Ledger,
    pub(super) prompts: &'a Prompts,
    pub(super) book: &'a str,
}

impl<D: Disk> Sight<'_, D> {
    /// The targets of all jobs. A harness that has the lawbook and reads a file that this plan writes
    /// becomes a job too, so that it does not get the text twice.
    pub(super) fn wanted(
        &self,
        jobs: &mut Vec<Job>,
        request: &Request,
        findings: &mut Vec<Finding>,
    ) -> (DiskSnapshot, Vec<Target>) {
        let mut snapshot = DiskSnapshot::default();
        for job in jobs.iter() {
            self.look(&mut snapshot, job.harness);
        }
        let mut planned = self.planned(jobs, &snapshot, request, self.elsewhere(jobs));
        for joined in self.joining(jobs, &planned, request, &mut snapshot) {
            jobs.push(joined);
        }
        planned = self.planned(jobs, &snapshot, request, planned);
        let mut wanted = Vec::new();
        let all = ids(jobs);
        for job in jobs.iter() {
            let situation = (planned.clone(), all.clone());
            wanted.extend(self.targets(job, &snapshot, request, situation, findings));
        }
        (snapshot, wanted)
    }

    fn look(&self, snapshot: &mut DiskSnapshot, harness: &'static Harness) {
        let roles: Vec<&str> = self.prompts.roles.iter().map(|prompt| &*prompt.role).collect();
        arrive::look(snapshot, self.disk, harness, self.places, &self.prompts.main, &roles);
    }

    fn targets(
        &self,
        job: &Job,
        snapshot: &DiskSnapshot,
        request: &Request,
        (planned, jobs): (Vec<Planned>, Vec<&'static str>),
        findings: &mut Vec<Finding>,
    ) -> Vec<Target> {
        let scope = self.desk.scope;
        let chooser = Chooser {
            scope,
            places: self.places,
            snapshot,
            book: self.book,
            ledger: self.ledger,
            may_hide: request.may_hide,
            stays: false,
            planned,
            jobs,
        };
        let ask = Ask { scope, roles: job.roles.as_deref(), active: job.active };
        targets(self.prompts, job.harness, ask, &chooser, findings)
    }

    /// The blocks for main conversations, when the others are as known so far.
    fn planned(
        &self,
        jobs: &[Job],
        snapshot: &DiskSnapshot,
        request: &Request,
        mut planned: Vec<Planned>,
    ) -> Vec<Planned> {
        for job in jobs {
            let situation = (planned.clone(), ids(jobs));
            let targets = self.targets(job, snapshot, request, situation, &mut Vec::new());
            planned.retain(|one| one.harness != job.harness.id);
            let blocks = targets.into_iter().filter_map(|target| match target.what {
                What::Block { text } if target.surface.audience == Audience::Main => {
                    let path = snapshot.kept(&target.at.path).unwrap_or(&target.at.path);
                    Some(Planned { harness: job.harness.id, path: path.to_owned(), text })
                }
                What::Block { .. } | What::Owned { .. } | What::Key { .. } => None,
            });
            planned.extend(blocks);
        }
        planned
    }

    /// The blocks of the lawbook that harnesses outside of this plan have.
    fn elsewhere(&self, jobs: &[Job]) -> Vec<Planned> {
        let main = self.prompts.roles.iter().find(|prompt| prompt.role == self.prompts.main);
        let Some(main) = main else { return Vec::new() };
        let mut found = Vec::new();
        for entry in &self.ledger.files {
            let is_block = matches!(entry.mode, Mode::Block(_));
            if !is_block || entry.book != self.book || entry.role != main.role {
                continue;
            }
            let path = self.places.kept(self.desk.scope, &entry.path).path;
            let others = entry.harnesses.iter().filter_map(|id| crate::find(id));
            let others = others.filter(|one| !jobs.iter().any(|job| job.harness.id == one.id));
            found.extend(others.map(|one| Planned {
                harness: one.id,
                path: path.clone(),
                text: main.text.clone(),
            }));
        }
        found
    }

    /// Installed harnesses that read a file of this plan and have the text elsewhere.
    fn joining(
        &self,
        jobs: &[Job],
        planned: &[Planned],
        request: &Request,
        snapshot: &mut DiskSnapshot,
    ) -> Vec<Job> {
        let is_new = |row: &&Installed| {
            let is_ours = row.book == self.book && row.source == request.source && !row.partial;
            is_ours && !jobs.iter().any(|job| job.harness.id == row.harness)
        };
        let mut found = Vec::new();
        for row in self.ledger.installed().iter().filter(is_new) {
            let Some(harness) = crate::find(&row.harness) else { continue };
            self.look(snapshot, harness);
            let own = self.ledger.files.iter().filter(|entry| {
                entry.book == self.book
                    && entry.role == self.prompts.main
                    && entry.harnesses.iter().any(|known| known == harness.id)
            });
            let own: Vec<_> =
                own.map(|entry| self.places.kept(self.desk.scope, &entry.path).path).collect();
            let reads = |one: &&Planned| {
                harness.surfaces.iter().any(|surface| {
                    let at = self.places.locate(surface.place, &self.prompts.main);
                    let is_it = at
                        .is_some_and(|at| snapshot.kept(&at.path).unwrap_or(&at.path) == one.path);
                    surface.audience == Audience::Main && is_it
                })
            };
            if planned.iter().filter(reads).any(|one| !own.contains(&one.path)) {
                found.push(Job { harness, roles: row.roles.clone(), active: row.active });
            }
        }
        found
    }
}

fn ids(jobs: &[Job]) -> Vec<&'static str> {
    jobs.iter().map(|job| job.harness.id).collect()
}
