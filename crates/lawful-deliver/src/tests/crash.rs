//! A crash, or a failure, at every call that writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{User, all, book, disk, request};
use crate::disk::memory::{FailingDisk, Fault, MemoryDisk};
use crate::{Disk as _, Harness, Request, Scope, recover};

type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

const SCOPES: [Scope; 2] = [Scope::Project, Scope::User];

/// For whom: all of them in a project, and of a user some of every kind.
fn some(scope: Scope) -> Vec<&'static Harness> {
    match scope {
        Scope::Project => all(),
        Scope::User => super::named(&["claude-code", "agy", "gemini-cli", "codex"]),
    }
}

/// A project and a home in which nothing is.
fn nothing(scope: Scope) -> MemoryDisk {
    let disk = disk();
    let folders: &[&str] = match scope {
        Scope::User => &["/s"],
        // What a crash leaves of these is empty, and stays for the next project.
        Scope::Project => &["/s", "/s/lawful", "/s/lawful/projects"],
    };
    for folder in folders {
        disk.create_folder(Path::new(folder), crate::Mode::Shared).unwrap();
    }
    disk
}

/// A project and a home whose owner has files of their own, and an old edition of the book in some of
/// them.
fn start(scope: Scope) -> MemoryDisk {
    let disk = nothing(scope);
    for root in ["/p", "/u"] {
        let root = Path::new(root);
        disk.put(&root.join("AGENTS.md"), b"# Mine\r\n");
        disk.put(&root.join(".gemini/GEMINI.md"), b"# Mine");
        disk.put(&root.join(".claude/settings.json"), b"{\"env\": {}}\n");
    }
    let asked = Request { activate: true, ..request(some(scope)) };
    User::new(&disk, scope).install(&book("1"), &asked);
    disk
}

/// Does something on a disk that fails at call `n`, for every `n`, and recovers: the tree must be the
/// one before or the one after.
fn at_every_call(
    scope: Scope,
    start: &MemoryDisk,
    act: &dyn Fn(&User<'_, FailingDisk<'_, MemoryDisk>>) -> bool,
) {
    for fault in [Fault::Crash, Fault::Error] {
        let before: Tree = start.tree();
        let whole = start.clone();
        let all = FailingDisk::new(&whole, fault, usize::MAX);
        assert!(act(&User::new(&all, scope)), "nothing fails");
        let after: Tree = whole.tree();
        assert_ne!(before, after);
        let (mut back, mut forth) = (0, 0);
        for at in 0..all.calls.get() {
            let disk = start.clone();
            act(&User::new(&FailingDisk::new(&disk, fault, at), scope));
            if fault == Fault::Crash {
                disk.lose_power();
            }
            recover(&disk, &mut super::desk(&disk, scope), &super::places()).unwrap();
            let now = disk.tree();
            assert!(now == before || now == after, "half at call {at} ({fault:?}, {scope:?})");
            if now == before { back += 1 } else { forth += 1 }
        }
        assert!(back > 3 && forth > 10, "{back} back, {forth} forth");
    }
}

#[test]
fn an_installation_is_never_half() {
    for scope in SCOPES {
        at_every_call(scope, &nothing(scope), &|user| {
            let asked = Request { activate: true, ..request(some(scope)) };
            user.try_install(&book("1"), &asked).is_ok()
        });
    }
}

#[test]
fn an_update_is_never_half() {
    for scope in SCOPES {
        at_every_call(scope, &start(scope), &|user| {
            user.try_install(&book("2"), &request(some(scope))).is_ok()
        });
    }
}

#[test]
fn an_uninstallation_is_never_half() {
    for scope in SCOPES {
        at_every_call(scope, &start(scope), &|user| user.try_uninstall(&all()).is_ok());
    }
}

#[test]
fn a_failure_takes_everything_back_at_once() {
    for scope in SCOPES {
        let before = nothing(scope).tree();
        let mut taken_back = 0;
        for at in 0..300 {
            let disk = nothing(scope);
            let failing = FailingDisk::new(&disk, Fault::Error, at);
            let asked = Request { activate: true, ..request(some(scope)) };
            if User::new(&failing, scope).try_install(&book("1"), &asked).is_ok() {
                break;
            }
            taken_back += usize::from(disk.tree() == before);
        }
        assert!(taken_back > 10, "{taken_back} without another run");
    }
}

#[test]
fn a_crash_while_recovering_is_recovered_from() {
    for scope in SCOPES {
        let start = start(scope);
        let before = start.tree();
        let whole = start.clone();
        let asked = request(super::named(&["claude-code", "codex"]));
        User::new(&whole, scope).install(&book("2"), &asked);
        let after = whole.tree();
        for first in 0.. {
            let disk = start.clone();
            let failing = FailingDisk::new(&disk, Fault::Crash, first);
            if User::new(&failing, scope).try_install(&book("2"), &asked).is_ok() {
                break;
            }
            disk.lose_power();
            for second in 0.. {
                let disk = disk.clone();
                let failing = FailingDisk::new(&disk, Fault::Crash, second);
                let _ = recover(&failing, &mut super::desk(&disk, scope), &super::places());
                disk.lose_power();
                recover(&disk, &mut super::desk(&disk, scope), &super::places()).unwrap();
                let now = disk.tree();
                assert!(now == before || now == after, "half at {first} and {second}");
                if failing.calls.get() <= second {
                    break;
                }
            }
        }
    }
}

#[test]
fn what_somebody_changed_after_the_crash_stays() {
    let start = start(Scope::Project);
    let agents = Path::new("/p/AGENTS.md");
    let mut kept = 0;
    for at in 0..300 {
        let disk = start.clone();
        let failing = FailingDisk::new(&disk, Fault::Crash, at);
        let user = User::new(&failing, Scope::Project);
        if user.try_install(&book("2"), &request(all())).is_ok() {
            break;
        }
        disk.put(agents, b"rewritten\n");
        recover(&disk, &mut super::desk(&disk, Scope::Project), &super::places()).unwrap();
        assert_eq!(disk.text(agents).unwrap(), "rewritten\n");
        kept += 1;
    }
    assert!(kept > 10);
}

#[test]
fn a_project_that_was_moved_is_never_half_known() {
    let start = start(Scope::Project);
    start.put(Path::new("/p/.claude/agents/lawful-scout.md"), b"mine\n");
    let overwriting = Request { overwrite: true, ..request(super::named(&["claude-code"])) };
    User::new(&start, Scope::Project).install(&book("1"), &overwriting);
    start.rename(Path::new("/p"), Path::new("/q")).unwrap();
    for fault in [Fault::Crash, Fault::Error] {
        let mut failed = 0;
        for at in 0.. {
            let disk = start.clone();
            let failing = FailingDisk::new(&disk, fault, at);
            let is_done = User::at(&failing, "/q", true).try_uninstall(&all()).is_ok();
            disk.lose_power();
            // Whatever had happened, the next run has everything that was known at the old path.
            let user = User::at(&disk, "/q", true);
            assert!(!user.uninstall(&all()).has_conflict(), "at {at}");
            let scout = disk.text(Path::new("/q/.claude/agents/lawful-scout.md")).unwrap();
            assert_eq!(scout, "mine\n", "at {at}");
            assert_eq!(disk.text(Path::new("/q/AGENTS.md")).unwrap(), "# Mine\r\n");
            assert_eq!(disk.text(Path::new("/q/lawful.lock")), None);
            if is_done {
                break;
            }
            failed += 1;
        }
        assert!(failed > 20, "{failed}");
    }
}
