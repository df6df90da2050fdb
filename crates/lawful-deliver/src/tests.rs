//! Delivery as a whole, on a disk in memory and on the real one.

mod crash;
mod forged;
mod golden;
mod hostile;
mod life;
mod many;
mod shared;
mod told;

use std::ffi::OsString;
use std::io;
use std::path::Path;

use lawful::compose::AgentKeys;

use crate::disk::memory::MemoryDisk;
use crate::{
    Asked, Desk, Disk, FileStatus, Finding, HARNESSES, Harness, Ledger, Places, Plan, Prompts,
    Request, RolePrompt, Scope, Seal, State, apply, find, plan_install, plan_uninstall, recover,
    status,
};

pub(super) const CORE: &str = "# The law\n\nSay what you saw.";

/// A book with a main role and two others.
pub(super) fn book(edition: &str) -> Prompts {
    let role = |role: &str, persona: &str| RolePrompt {
        role: role.to_owned(),
        text: format!("{CORE}\n\n{persona} ({edition})"),
        agent: AgentKeys::default(),
    };
    Prompts {
        book: "crew".to_owned(),
        core: CORE.to_owned(),
        main: "lead".to_owned(),
        roles: vec![
            role("lead", "You lead."),
            role("scout", "You look."),
            role("smith", "You make."),
        ],
    }
}

pub(super) fn places() -> Places {
    Places::new(Path::new("/p"), |name| (name == "HOME").then(|| OsString::from("/u")))
}

pub(super) fn desk(scope: Scope) -> Desk {
    match scope {
        Scope::Project => Desk::of_project(Path::new("/p"), Some(seal())),
        Scope::User => {
            let set = |name: &str| (name == "XDG_STATE_HOME").then(|| OsString::from("/s"));
            Desk::of_user(&State::of_user(set).unwrap())
        }
    }
}

/// What the user of these tests seals records with.
pub(super) fn seal() -> Seal {
    Seal::new([7; Seal::LENGTH])
}

/// An empty project and an empty home.
pub(super) fn disk() -> MemoryDisk {
    let disk = MemoryDisk::new("/p");
    disk.create_folder(Path::new("/u"), crate::Mode::Shared).unwrap();
    disk
}

pub(super) fn all() -> Vec<&'static Harness> {
    HARNESSES.iter().collect()
}

pub(super) fn named(ids: &[&str]) -> Vec<&'static Harness> {
    ids.iter().map(|id| find(id).unwrap()).collect()
}

pub(super) fn request(harnesses: Vec<&'static Harness>) -> Request {
    Request {
        harnesses,
        roles: None,
        update: false,
        activate: false,
        overwrite: false,
        source: "law".to_owned(),
        made: Vec::new(),
    }
}

/// A person with a disk, who installs and uninstalls.
pub(super) struct User<'d, D> {
    pub(super) disk: &'d D,
    pub(super) places: Places,
    pub(super) desk: Desk,
}

impl<'d, D: Disk> User<'d, D> {
    pub(super) fn new(disk: &'d D, scope: Scope) -> Self {
        Self { disk, places: places(), desk: desk(scope) }
    }

    pub(super) fn ledger(&self) -> Ledger {
        Ledger::read(self.disk, &self.desk).unwrap()
    }

    pub(super) fn plan(&self, prompts: &Prompts, request: &Request) -> Plan {
        plan_install(prompts, request, &self.desk, &self.places, &self.ledger(), self.disk)
    }

    pub(super) fn try_install(&self, prompts: &Prompts, request: &Request) -> io::Result<Plan> {
        recover(self.disk, &self.desk, &self.places)?;
        let plan = self.plan(prompts, request);
        apply(self.disk, &self.desk, &self.places, &plan)?;
        Ok(plan)
    }

    pub(super) fn install(&self, prompts: &Prompts, request: &Request) -> Plan {
        self.try_install(prompts, request).unwrap()
    }

    pub(super) fn try_uninstall(&self, harnesses: &[&'static Harness]) -> io::Result<Plan> {
        recover(self.disk, &self.desk, &self.places)?;
        let plan =
            plan_uninstall(harnesses, None, &self.desk, &self.places, &self.ledger(), self.disk);
        apply(self.disk, &self.desk, &self.places, &plan)?;
        Ok(plan)
    }

    pub(super) fn uninstall(&self, harnesses: &[&'static Harness]) -> Plan {
        self.try_uninstall(harnesses).unwrap()
    }

    pub(super) fn status(&self, prompts: &Prompts) -> Vec<FileStatus> {
        self.status_and_findings(prompts).0
    }

    pub(super) fn status_and_findings(&self, prompts: &Prompts) -> (Vec<FileStatus>, Vec<Finding>) {
        let ledger = self.ledger();
        let asked: Vec<Asked<'_>> = ledger
            .installed()
            .iter()
            .map(|installed| Asked {
                harness: find(&installed.harness).unwrap(),
                prompts: Some(prompts),
                installed: Some(installed),
            })
            .collect();
        status(&asked, &all(), None, &self.desk, &self.places, &ledger, self.disk)
    }
}

/// The operations, one a line.
pub(super) fn shown(plan: &Plan) -> Vec<String> {
    let line = |operation: &crate::Operation| {
        format!("{} {} {}", operation.op.name(), operation.harness, operation.path)
    };
    plan.operations.iter().map(line).collect()
}

/// The codes of what a plan reports, but for roles that a harness has no place for: most harnesses
/// have none, and `tests/golden` and the tests of agent keys show them.
pub(super) fn codes(plan: &Plan) -> Vec<&'static str> {
    let codes = plan.findings.iter().map(|finding| finding.code.name);
    codes.filter(|code| *code != "undelivered-role").collect()
}
