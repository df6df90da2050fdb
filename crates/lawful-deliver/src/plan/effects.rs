//! What a plan would make of what each harness reads: reported before anything is written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Op;
use super::draft::Draft;
use crate::arrive::{Arrival, Arrives, Own, Reader};
use crate::choose::hides;
use crate::finding::Finding;
use crate::harness::Audience;
use crate::target::Target;
use crate::{Harness, Prompts, Scope, code};

impl Draft<'_> {
    /// Reports what would not arrive once, and unchanged. Returns which roles arrive where.
    pub(super) fn effects(
        &mut self,
        prompts: &Prompts,
        harnesses: &[&'static Harness],
        wanted: &[Target],
        may_hide: bool,
    ) -> BTreeSet<(&'static str, String)> {
        let now = |path: &Path| self.now(path);
        let mut findings: Vec<Finding> = Vec::new();
        let mut read = BTreeSet::new();
        let has_conflict = self.operations.iter().any(|operation| operation.op == Op::Conflict);
        for harness in harnesses {
            let reader = Reader {
                harness,
                places: self.places,
                main: &prompts.main,
                snapshot: &self.snapshot,
                now: &now,
            };
            if !may_hide {
                findings.extend(self.newly_hidden(&reader));
            }
            let is_its = |target: &&Target| target.harness.id == harness.id && !target.is_switch();
            for target in wanted.iter().filter(is_its) {
                let arrival = arrival(&reader, prompts, target);
                if arrival.arrives != Arrives::No {
                    read.insert((harness.id, target.role.clone()));
                }
                // With a conflict nothing is written, so there is nothing to evaluate.
                if !has_conflict {
                    findings.extend(self.problem(&reader, target, &arrival));
                }
            }
        }
        for finding in findings {
            let is_known = |known: &Finding| {
                known.code == finding.code
                    && known.path == finding.path
                    && known.message == finding.message
            };
            if !self.findings.iter().any(is_known) {
                self.findings.push(finding);
            }
        }
        read
    }

    /// A file of the user that a harness would not read any more.
    fn newly_hidden(&self, reader: &Reader<'_>) -> Option<Finding> {
        let is_new = |path: &Path| {
            crate::arrive::text_of(&self.snapshot, path).is_none() && self.now(path).is_some()
        };
        let (by, hidden) = reader.hidden_by(is_new)?;
        Some(hides(reader, &self.places.shown(self.scope, &by), &hidden))
    }

    fn problem(&self, reader: &Reader<'_>, target: &Target, arrival: &Arrival) -> Option<Finding> {
        let shown = &*target.shown;
        match arrival.arrives {
            Arrives::Once => None,
            Arrives::No => arrival.unread.as_ref().map(|unread| unread.finding(shown)),
            Arrives::Changed => Some(changed(reader.harness, shown)),
            Arrives::Twice => twice(reader, target, arrival, self.scope, &self.snapshot),
        }
    }
}

/// What arrives of a target.
pub(crate) fn arrival(reader: &Reader<'_>, prompts: &Prompts, target: &Target) -> Arrival {
    let core = if target.text.contains(&prompts.core) || target.surface.audience == Audience::Agents
    {
        &*prompts.core
    } else {
        &*target.text
    };
    let own = Own { surface: target.surface, role: &target.role, text: &target.text, core };
    reader.of(&own)
}

fn changed(harness: &Harness, shown: &str) -> Finding {
    let message = format!("{} changes this text before the model gets it", harness.name);
    let help =
        "look for `@name`, `${name}`, comments and blank lines, also in the rest of the file";
    Finding::new(&code::ALTERED_TEXT, Some(shown), message, help)
}

/// That the core arrives twice: from another scope, which is an error, or from the same one.
pub(crate) fn twice(
    reader: &Reader<'_>,
    target: &Target,
    arrival: &Arrival,
    scope: Scope,
    snapshot: &crate::disk_snapshot::DiskSnapshot,
) -> Option<Finding> {
    let own = snapshot.kept(&target.at.path).unwrap_or(&target.at.path);
    // Where the file of an agent does not have it, the main conversation gets it twice too.
    let is_agent = target.surface.audience == Audience::Agents;
    if is_agent && !arrival.from.iter().any(|(path, _)| path == own) {
        return None;
    }
    let others: Vec<&(PathBuf, Scope)> =
        arrival.from.iter().filter(|(path, _)| path != own).collect();
    let other = others.iter().find(|(_, from)| *from != scope).or(others.first());
    let Some((path, from)) = other else {
        let message = "this file has the core twice";
        let help = "remove the copy that is not in the block of this lawbook";
        return Some(Finding::new(&code::DELIVERED_TWICE, Some(&target.shown), message, help));
    };
    let (name, path) = (reader.harness.name, reader.shown(path));
    if *from == scope || is_agent {
        let message = format!("{name} reads the same text from `{path}`");
        let help = "install for only one of the two";
        return Some(Finding::new(&code::DELIVERED_TWICE, Some(&target.shown), message, help));
    }
    let message = format!("{name} already gets this core from `{path}`");
    let other = match from {
        Scope::User => "user",
        Scope::Project => "project",
    };
    let id = reader.harness.id;
    let help = format!(
        "run `lawful uninstall --scope {other} --harness {id}` first, or leave this harness out"
    );
    Some(Finding::new(&code::ALREADY_DELIVERED, Some(&target.shown), message, help))
}
