//! Delivery as a whole, on a disk in memory and on the real one.

mod arrive;
mod crash;
mod forged;
mod golden;
mod hostile;
mod life;
mod locks;
mod many;
mod shared;
mod strangers;
mod told;

use std::ffi::OsString;
use std::io;
use std::path::Path;

use lawful::compose::AgentKeys;

use crate::desk::Origin;
use crate::disk::memory::MemoryDisk;
use crate::project::rename_new;
use crate::{
    Asked, Desk, Disk, FileStatus, Finding, HARNESSES, Harness, KnownBook, Ledger, Places, Plan,
    Prompts, Request, RolePrompt, Scope, State, apply, find, plan_install, plan_uninstall, recover,
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
    places_of(Path::new("/p"))
}

/// The places of a project, for a user who trusts it in Gemini CLI: most tests are not about that.
fn places_of(root: &Path) -> Places {
    Places::new(root, |name| match name {
        "HOME" => Some(OsString::from("/u")),
        "GEMINI_CLI_TRUST_WORKSPACE" => Some(OsString::from("true")),
        _ => None,
    })
}

/// Has the user trust these projects in Codex.
fn trust_in_codex(disk: &MemoryDisk) {
    let trust = |root: &str| format!("[projects.\"{root}\"]\ntrust_level = \"trusted\"\n");
    let trust: String = ["/p", "/q", "/r"].map(trust).concat();
    disk.put(Path::new("/u/.codex/config.toml"), trust.as_bytes());
}

/// The records of the project `/p`, or of the user.
pub(super) fn desk(disk: &impl Disk, scope: Scope) -> Desk {
    match scope {
        Scope::Project => of_project(disk, Path::new("/p"), &state()),
        Scope::User => Desk::of_user(&state()),
    }
}

pub(super) fn state() -> State {
    let set = |name: &str| (name == "XDG_STATE_HOME").then(|| OsString::from("/s"));
    State::of_user(set).unwrap()
}

/// The records of a project. A new one has an id that is the same in every run.
pub(super) fn of_project(disk: &impl Disk, root: &Path, state: &State) -> Desk {
    let mut desk = Desk::of_project(disk, root, state, None).unwrap();
    if let Origin::Project(project) = &mut desk.origin {
        rename_new(&mut desk.folder, project, &"5".repeat(32));
    }
    desk
}

/// The text of the ledger of `/p`.
pub(super) fn ledger_text(disk: &MemoryDisk) -> String {
    disk.text(&desk(disk, Scope::Project).path()).unwrap()
}

/// Removes the ledger of `/p`, and if asked the lock.
pub(super) fn lose_ledger(disk: &MemoryDisk, and_lock: bool) {
    let folder = desk(disk, Scope::Project).folder;
    for name in ["ledger.json", "project.json"] {
        disk.remove_file(&folder.join(name)).unwrap();
    }
    disk.remove_folder(&folder).unwrap();
    if and_lock {
        disk.remove_file(Path::new("/p/lawful.lock")).unwrap();
    }
}

/// An empty project, and a home whose user trusts it.
pub(super) fn disk() -> MemoryDisk {
    let disk = MemoryDisk::new("/p");
    disk.create_folder(Path::new("/u"), crate::Mode::Shared).unwrap();
    // Most tests are not about trust.
    trust_in_codex(&disk);
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
        may_hide: false,
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
        Self { disk, places: places(), desk: desk(disk, scope) }
    }

    /// In a project at another path.
    pub(super) fn at(disk: &'d D, root: &str, is_moved_here: bool) -> Self {
        let root = Path::new(root);
        let places = places_of(root);
        let mut desk = of_project(disk, root, &state());
        if is_moved_here {
            desk = Desk::of_project(disk, root, &state(), Some(true)).unwrap();
        }
        Self { disk, places, desk }
    }

    pub(super) fn ledger(&self) -> Ledger {
        let known = KnownBook {
            id: "crew".to_owned(),
            source: "law".to_owned(),
            core: Some(CORE.to_owned()),
        };
        Ledger::read(self.disk, &self.desk, &self.places, || vec![known]).unwrap()
    }

    pub(super) fn plan(&self, prompts: &Prompts, request: &Request) -> Plan {
        plan_install(prompts, request, &self.desk, &self.places, &self.ledger(), self.disk)
    }

    /// After what was interrupted is completed.
    fn recovered(&self) -> io::Result<Self> {
        let (places, mut desk) = (self.places.clone(), self.desk.clone());
        recover(self.disk, &mut desk, &places)?;
        Ok(Self { disk: self.disk, places, desk })
    }

    pub(super) fn try_install(&self, prompts: &Prompts, request: &Request) -> io::Result<Plan> {
        let user = self.recovered()?;
        let plan = user.plan(prompts, request);
        apply(self.disk, &user.desk, &self.places, &plan)?;
        Ok(plan)
    }

    pub(super) fn install(&self, prompts: &Prompts, request: &Request) -> Plan {
        self.try_install(prompts, request).unwrap()
    }

    pub(super) fn try_uninstall(&self, harnesses: &[&'static Harness]) -> io::Result<Plan> {
        let user = self.recovered()?;
        let ledger = user.ledger();
        let plan = plan_uninstall(harnesses, None, &user.desk, &self.places, &ledger, self.disk);
        apply(self.disk, &user.desk, &self.places, &plan)?;
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
