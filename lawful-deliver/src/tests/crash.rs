//! A crash, or a failure, at every call that writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{User, all, book, disk, request};
use crate::disk::memory::{FailingDisk, Fault, MemoryDisk};
use crate::{Request, Scope, recover};

type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// A project whose owner has files of their own, and an old edition of the book in some of them.
fn start() -> MemoryDisk {
    let disk = disk();
    disk.put(Path::new("/p/AGENTS.md"), b"# Mine\r\n");
    disk.put(Path::new("/p/.claude/settings.json"), b"{\"env\": {}}\n");
    let asked = Request { activate: true, ..request(all()) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    disk
}

/// Does something on a disk that fails at call `n`, for every `n`, and recovers: the tree must be the
/// one before or the one after.
fn at_every_call(
    fault: Fault,
    start: &MemoryDisk,
    act: &dyn Fn(&FailingDisk<'_, MemoryDisk>) -> bool,
) {
    let before: Tree = start.tree();
    let whole = start.clone();
    let all = FailingDisk::new(&whole, fault, usize::MAX);
    assert!(act(&all), "nothing fails");
    let after: Tree = whole.tree();
    assert_ne!(before, after);
    let (mut back, mut forth) = (0, 0);
    for at in 0..all.calls.get() {
        let disk = start.clone();
        act(&FailingDisk::new(&disk, fault, at));
        recover(&disk, &super::desk(Scope::Project)).unwrap();
        let now = disk.tree();
        assert!(now == before || now == after, "half at call {at} ({fault:?})");
        if now == before { back += 1 } else { forth += 1 }
    }
    assert!(back > 10 && forth > 10, "{back} back, {forth} forth");
}

#[test]
fn an_installation_is_never_half() {
    for fault in [Fault::Crash, Fault::Error] {
        at_every_call(fault, &disk(), &|disk| {
            let asked = Request { activate: true, ..request(all()) };
            User::new(disk, Scope::Project).try_install(&book("1"), &asked).is_ok()
        });
    }
}

#[test]
fn an_update_is_never_half() {
    for fault in [Fault::Crash, Fault::Error] {
        at_every_call(fault, &start(), &|disk| {
            User::new(disk, Scope::Project).try_install(&book("2"), &request(all())).is_ok()
        });
    }
}

#[test]
fn an_uninstallation_is_never_half() {
    for fault in [Fault::Crash, Fault::Error] {
        at_every_call(fault, &start(), &|disk| {
            User::new(disk, Scope::Project).try_uninstall(&all()).is_ok()
        });
    }
}

#[test]
fn a_crash_while_recovering_is_recovered_from() {
    let start = start();
    let before = start.tree();
    let whole = start.clone();
    User::new(&whole, Scope::Project).install(&book("2"), &request(all()));
    let after = whole.tree();
    let desk = super::desk(Scope::Project);
    for first in 0..200 {
        let disk = start.clone();
        let failing = FailingDisk::new(&disk, Fault::Crash, first);
        if User::new(&failing, Scope::Project).try_install(&book("2"), &request(all())).is_ok() {
            break;
        }
        for second in (0..40).step_by(7) {
            let disk = disk.clone();
            let _ = recover(&FailingDisk::new(&disk, Fault::Crash, second), &desk);
            recover(&disk, &desk).unwrap();
            let now = disk.tree();
            assert!(now == before || now == after, "half at {first} and {second}");
        }
    }
}

#[test]
fn what_somebody_changed_after_the_crash_stays() {
    let start = start();
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
        recover(&disk, &super::desk(Scope::Project)).unwrap();
        assert_eq!(disk.text(agents).unwrap(), "rewritten\n");
        kept += 1;
    }
    assert!(kept > 10);
}
