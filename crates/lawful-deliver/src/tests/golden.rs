//! The tree that every harness is given, in each scope, with settings and without.
//!
//! `UPDATE_GOLDEN=1 cargo test -p lawful-deliver golden` rewrites the trees; read the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use super::{User, book, disk, request, shown};
use crate::{HARNESSES, Harness, Scope};

fn tree(harness: &'static Harness) -> String {
    let mut out = String::new();
    for scope in [Scope::Project, Scope::User] {
        for activate in [false, true] {
            let disk = disk();
            let user = User::new(&disk, scope);
            let asked = crate::Request { activate, ..request(vec![harness]) };
            let plan = user.install(&book("1"), &asked);
            let flag = if activate { " --activate" } else { "" };
            let scope = match scope {
                Scope::Project => "project",
                Scope::User => "user",
            };
            let _ = writeln!(out, "### {} --scope {scope}{flag}", harness.id);
            let codes = plan.findings.iter().map(|finding| finding.code.name);
            for line in shown(&plan).iter().map(String::as_str).chain(codes) {
                let _ = writeln!(out, "# {line}");
            }
            for (path, bytes) in disk.tree() {
                let path = path.display().to_string();
                // The lock has hashes of what is here.
                let is_asked = scope == "user" && harness.id == "codex";
                let is_trust = path == "/u/.codex/config.toml" && !is_asked;
                let kept = path.starts_with("/s") || path == "/p/lawful.lock" || is_trust;
                let Some(bytes) = bytes.filter(|_| !kept) else { continue };
                let _ = writeln!(out, "=== {path}\n{}", String::from_utf8(bytes).unwrap());
            }
            assert!(user.plan(&book("1"), &asked).is_done(), "{}: twice is once", harness.id);
        }
    }
    out
}

#[test]
fn every_harness_has_its_tree() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/tests/golden");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for harness in &HARNESSES {
        let file = folder.join(format!("{}.txt", harness.id));
        let tree = tree(harness);
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, &tree).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(tree, kept, "{}", file.display());
    }
    let kept = fs::read_dir(&folder).unwrap().count();
    assert_eq!(kept, HARNESSES.len(), "a tree for every harness, and no other");
}
