//! `lawful` and the program `lawful-nickel` beside it.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::time::SystemTime;

use serde_json::Value;

const LAWFUL: &str = env!("CARGO_BIN_EXE_lawful");
const MANIFEST: (&str, &str) = ("lawful.yaml", "name: b\nconditioning: all.ncl\n");
const CORE: (&str, &str) = ("core.ncl", "\"Never guess.\"");

struct Folder(PathBuf);

impl Folder {
    /// A book, in the file system of the programs, so that these can be linked into it.
    fn new(name: &str, record: &str) -> Self {
        let folder = Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nickel-{name}")));
        let _ = fs::remove_dir_all(&folder.0);
        fs::create_dir_all(folder.0.join("book")).unwrap();
        for (path, text) in [MANIFEST, CORE, ("all.ncl", record)] {
            fs::write(folder.0.join("book").join(path), text).unwrap();
        }
        folder
    }

    /// `lawful` alone in a folder of its own.
    fn lawful_alone(&self) -> PathBuf {
        let folder = self.0.join("bin");
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("lawful");
        fs::hard_link(LAWFUL, &program).unwrap();
        program
    }

    /// Puts a program into a folder that leaves a trace and greets with a version of the protocol.
    fn stranger(&self, folder: &str, protocol: u32) {
        let folder = self.0.join(folder);
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("lawful-nickel");
        let script = format!(
            "#!/bin/sh\n: > '{}'\necho '{{\"protocol\":{protocol},\"version\":\"9.9.9\"}}'\nread job\n",
            self.trace().display()
        );
        // Another process writes it: a file that a thread of this one forks with open for writing
        // could not be started.
        let write = "printf %s \"$1\" > \"$2\" && chmod +x \"$2\"";
        let written =
            Command::new("sh").args(["-c", write, "sh", &script]).arg(&program).status().unwrap();
        assert!(written.success());
    }

    fn trace(&self) -> PathBuf {
        self.0.join("started")
    }

    /// Runs a program on the book: the exit code, and the first diagnostic.
    fn run(&self, program: &Path, arguments: &[&str]) -> (i32, Value) {
        let (exit, json) = self.run_whole(program, arguments);
        (exit, json["diagnostics"][0].clone())
    }

    fn run_whole(&self, program: &Path, arguments: &[&str]) -> (i32, Value) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.0.join("on-path")).chain(std::env::split_paths(&path));
        let output = Command::new(program)
            .args(arguments)
            .args(["--format", "json"])
            .current_dir(self.0.join("book"))
            .env("PATH", std::env::join_paths(path).unwrap())
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let json =
            serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        (output.status.code().unwrap(), json)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `lawful`, with a current `lawful-nickel` beside it. Cargo builds that by itself for the tests of its
/// own package, and so of the whole workspace; for the tests of this package alone it is asked to.
fn both() -> &'static Path {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let lawful = Path::new(LAWFUL);
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let built = fs::metadata(lawful.with_file_name("lawful-nickel")).and_then(|m| m.modified());
        let sources =
            ["lawful-nickel", "lawful-worker"].map(|name| newest(&crates.join(name).join("src")));
        if built.is_ok_and(|built| sources.iter().all(|changed| *changed < built)) {
            return;
        }
        let folder = lawful.parent().unwrap();
        let profile = folder.file_name().unwrap().to_str().unwrap();
        let profile = if profile == "debug" { "dev" } else { profile };
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "lawful-nickel", "--profile", profile])
            .arg("--target-dir")
            .arg(folder.parent().unwrap())
            .current_dir(crates)
            .status();
        assert!(status.unwrap().success(), "`lawful-nickel` does not build");
    });
    Path::new(LAWFUL)
}

/// When anything in a folder was changed last.
fn newest(path: &Path) -> SystemTime {
    let changed = fs::metadata(path).unwrap().modified().unwrap();
    let entries = fs::read_dir(path).into_iter().flatten();
    entries.map(|entry| newest(&entry.unwrap().path())).fold(changed, SystemTime::max)
}

const ROLE: [&str; 3] = ["compose", "--role", "lead"];
const GOOD: &str = "{ lead = import \"core.ncl\" }";

#[test]
fn a_role_is_composed_by_both() {
    let folder = Folder::new("both", GOOD);
    let (exit, json) = folder.run_whole(both(), &ROLE);
    assert_eq!((exit, &json["text"]), (0, &Value::from("Never guess.")), "{json}");
}

#[test]
fn conditioning_that_makes_no_prompt() {
    for (name, record, exit, code) in [
        ("text", "\u{0}\u{202e}", 2, "nickel-error"),
        ("first", "{ lead = \"You lead.\" }", 1, "core-not-first"),
        ("role", "{ lead = import \"core.ncl\", \"../x\" = import \"core.ncl\" }", 2, "bad-value"),
        ("import", "{ lead = import \"/etc/hostname\" as 'Text }", 2, "outside-book"),
        ("shape", "{ lead = fun x => x }", 2, "nickel-shape"),
        (
            "fail",
            "{ lead | (fun _ _ => std.contract.blame_with_message \"a\\u{1b}[31m\" 'x) = \"\" }",
            2,
            "nickel-error",
        ),
    ] {
        let (found, json) = Folder::new(name, record).run_whole(both(), &ROLE);
        assert_eq!(json["diagnostics"][0]["code"], code, "{name}: {json}");
        assert!(json["text"].is_null(), "{name}: {json}");
        assert_eq!(found, exit, "{name}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let folder = Folder::new("tidy", GOOD);
    let scratch = folder.0.join("scratch");
    fs::create_dir_all(&scratch).unwrap();
    let output = Command::new(both())
        .args(["compose", "--role", "lead", "--book"])
        .arg(folder.0.join("book"))
        .env("TMPDIR", &scratch)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Never guess.\n");
    assert_eq!(fs::read_dir(scratch).unwrap().count(), 0);
}

#[test]
fn without_the_program_nothing_is_decided_and_what_to_install_is_said() {
    let folder = Folder::new("alone", GOOD);
    let lawful = folder.lawful_alone();
    for arguments in [&ROLE[..], &["check"]] {
        let (exit, problem) = folder.run(&lawful, arguments);
        assert_eq!((exit, &problem["code"]), (2, &Value::from("no-nickel")), "{problem}");
        let said = problem.to_string();
        assert!(said.contains("cargo install --path crates/lawful-nickel"), "{said}");
        assert_eq!((&problem["line"], &problem["column"]), (&2.into(), &15.into()), "{said}");
    }
    // A book without Nickel does not need it.
    fs::write(folder.0.join("book/lawful.yaml"), "name: b\n").unwrap();
    let (exit, json) = folder.run_whole(&lawful, &["check"]);
    assert_eq!(exit, 0, "{json}");
}

#[test]
fn the_program_is_looked_for_beside_lawful_and_nowhere_else() {
    let folder = Folder::new("elsewhere", GOOD);
    let lawful = folder.lawful_alone();
    folder.stranger("on-path", 1);
    folder.stranger("book", 1);
    let (exit, problem) = folder.run(&lawful, &ROLE);
    assert_eq!((exit, &problem["code"]), (2, &Value::from("no-nickel")), "{problem}");
    // Nor beside a link to `lawful`, which a project may hold.
    std::os::unix::fs::symlink(&lawful, folder.0.join("book/lawful")).unwrap();
    let (exit, problem) = folder.run(&folder.0.join("book/lawful"), &ROLE);
    assert_eq!((exit, &problem["code"]), (2, &Value::from("no-nickel")), "{problem}");
    assert!(!folder.trace().exists(), "a stranger was started");
}

#[test]
fn a_program_of_another_version_is_refused() {
    let folder = Folder::new("version", GOOD);
    let lawful = folder.lawful_alone();
    folder.stranger("bin", 2);
    for arguments in [&ROLE[..], &["check"]] {
        let (exit, problem) = folder.run(&lawful, arguments);
        assert_eq!((exit, &problem["code"]), (2, &Value::from("nickel-version")), "{problem}");
        let expected = "`lawful-nickel` 9.9.9 has protocol version 2, but this `lawful` has 1";
        assert_eq!(problem["message"], expected);
    }
    assert!(folder.trace().exists());
}

#[test]
fn without_the_program_everything_but_the_roles_is_listed() {
    let folder = Folder::new("list", "{ lead = \"Never guess.\n\nYou lead.\" }");
    let program = folder.lawful_alone();
    let (exit, json) = folder.run_whole(&program, &["list"]);
    assert_eq!((exit, &json["roles"]), (2, &serde_json::json!([])));
    assert_eq!(json["diagnostics"][0]["code"], "no-nickel");
    let (exit, json) = folder.run_whole(&program, &["list", "conditions"]);
    assert_eq!((exit, json), (0, serde_json::json!({"conditions": []})));
}
