use super::*;
use crate::disk::memory::MemoryDisk;

const ID: &str = "0123456789abcdef0123456789abcdef";

fn row(path: &str, kind: LockedKind, harness: &str) -> LockedFile {
    let (role, hash) = (Some("lead".to_owned()), "a".repeat(64));
    LockedFile { path: path.to_owned(), kind, harness: harness.to_owned(), role, hash }
}

/// What is said of a lock with this text.
fn problem(text: &[u8]) -> (usize, String) {
    let disk = MemoryDisk::new("/p");
    disk.put(Path::new("/p/lawful.lock"), text);
    let finding = read(&disk, Path::new("/p")).unwrap_err().finding();
    assert_eq!(finding.code.name, "bad-lock");
    (finding.line, finding.message)
}

#[test]
fn a_lock_has_one_line_for_each_row_in_order() {
    let mut ledger = Ledger::default();
    ledger.unconfirmed = vec![
        row("b.md", LockedKind::Key, "zed"),
        row("a.md", LockedKind::Block, "zed"),
        row("a.md", LockedKind::Block, "codex"),
    ];
    let lock = LockFile::of(ID, &ledger);
    let text = lock.to_text().unwrap().unwrap();
    let hash = "a".repeat(64);
    let line = |path: &str, kind: &str, harness: &str| {
        format!(
            "    {{\"path\":\"{path}\",\"kind\":\"{kind}\",\"harness\":\"{harness}\",\"role\":\"lead\",\"hash\":\"{hash}\"}}"
        )
    };
    assert_eq!(
        text,
        format!(
            "{{\n  \"format\": 1,\n  \"project\": \"{ID}\",\n  \"files\": [\n{},\n{},\n{}\n  ]\n}}\n",
            line("a.md", "block", "codex"),
            line("a.md", "block", "zed"),
            line("b.md", "key", "zed")
        )
    );
    assert_eq!(parse(text.as_bytes()).unwrap(), lock);
    assert_eq!(LockFile::of(ID, &Ledger::default()).to_text().unwrap(), None);
}

#[test]
fn a_row_that_no_version_writes_makes_a_lock_invalid() {
    let with = |change: &dyn Fn(&mut LockedFile)| {
        let mut bad = row("b.md", LockedKind::Owned, "codex");
        change(&mut bad);
        let lock = LockFile {
            format: FORMAT,
            project: ID.to_owned(),
            files: vec![row("a.md", LockedKind::Block, "zed"), bad],
        };
        problem(lock.to_text().unwrap().unwrap().as_bytes())
    };
    for path in ["", "/etc/passwd", "../up", "a/../../b", "./a", "a/.."] {
        let (_, said) = with(&|row| path.clone_into(&mut row.path));
        assert!(said.contains("not inside the project"), "{path}: {said}");
    }
    for path in [".git/config", "sub/.GIT/hooks/x", ".git", "git~1/config"] {
        let (line, said) = with(&|row| path.clone_into(&mut row.path));
        assert!(said.contains("below `.git`"), "{path}: {said}");
        assert_eq!(line, 6);
    }
    for role in ["", "../x", "a/b", "a b"] {
        let (_, said) = with(&|row| row.role = Some(role.to_owned()));
        assert!(said.contains("invalid role"), "{role}: {said}");
    }
    for hash in ["", "a", &"A".repeat(64), &"g".repeat(64)] {
        let (_, said) = with(&|row| hash.clone_into(&mut row.hash));
        assert!(said.contains("invalid hash"), "{hash}: {said}");
    }
    for harness in ["", "Codex", "a b", "a/b"] {
        let (_, said) = with(&|row| harness.clone_into(&mut row.harness));
        assert!(said.contains("invalid harness"), "{harness}: {said}");
    }
}

#[test]
fn what_is_not_a_lock_is_said_with_its_line() {
    let valid = format!("{{\"format\":1,\"project\":\"{ID}\",\"files\":[]}}");
    assert!(parse(valid.as_bytes()).is_ok());
    for (text, expected) in [
        ("", 1),
        ("{", 1),
        ("[]", 1),
        ("{}", 1),
        ("{\n<<<<<<< HEAD\n", 2),
        ("{\"format\":\n\"1\"}", 2),
        (&valid.replace("[]", "{}"), 1),
        (&valid.replace("[]", "[],\"run\":\"x\""), 1),
        (&valid.replace(ID, "x"), 1),
        (&valid.replace(":1,", ":2,"), 1),
        (&format!("{valid}{valid}"), 1),
    ] {
        let (line, said) = problem(text.as_bytes());
        assert_eq!(line, expected, "{text}: {said}");
        assert!(said.starts_with("this is not a valid lock: "), "{said}");
    }
    assert!(problem(b"\xff").1.contains("not UTF-8"));
    assert!(problem(valid.replace(":1,", ":2,").as_bytes()).1.contains("another version"));
    let disk = MemoryDisk::new("/p/lawful.lock");
    assert!(!read(&disk, Path::new("/p")).unwrap_err().is_text);
}
