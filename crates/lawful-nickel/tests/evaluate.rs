//! Untrusted Nickel: it cannot read files outside the lawbook, and it cannot run forever.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lawful::book::{FolderSource, Options, load};
use lawful::compose::{Evaluated, Refusal};
use lawful_worker::{Limits, Worker, evaluate};

struct Folder(PathBuf);

impl Folder {
    /// A book whose conditioning is `conditioning/compose.ncl`, with these files beside it.
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("lawful-ncl-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Self(path);
        folder.write("book/lawful.yaml", "name: crew\nconditioning: conditioning/compose.ncl\n");
        folder.write("book/conditioning/core.ncl", "\"Never guess.\"\n");
        for (path, text) in files {
            folder.write(&format!("book/conditioning/{path}"), text);
        }
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn evaluate(&self, limits: Limits) -> Result<Evaluated, (bool, Vec<String>)> {
        self.evaluate_by(env!("CARGO_BIN_EXE_lawful-nickel").into(), limits)
    }

    fn evaluate_by(
        &self,
        program: PathBuf,
        limits: Limits,
    ) -> Result<Evaluated, (bool, Vec<String>)> {
        let source = FolderSource::open(&self.0.join("book")).unwrap();
        let (mut book, _) = load(&source, Options::default()).unwrap();
        let worker = Worker { program: Some(program), limits };
        evaluate(&mut book, &source, &worker).map_err(|refusal| {
            let (broken, problems) = match refusal {
                Refusal::Broken(problems) => (true, problems),
                Refusal::Undecided(problems) => (false, problems),
            };
            let line = |problem: &lawful::syntax::Diagnostic| {
                let place = book.sources.locate(problem.span).map(|(file, at)| {
                    let name = Path::new(file.name()).file_name().unwrap().to_string_lossy();
                    format!("{name}:{}:{}", at.line, at.column)
                });
                format!("{} {}: {}", place.unwrap_or_default(), problem.code.name, problem.message)
            };
            (broken, problems.iter().map(line).collect())
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is refused, as one line for each problem.
fn refused(name: &str, files: &[(&str, &str)]) -> (bool, String) {
    let found = Folder::new(name, files).evaluate(Limits::default());
    let (broken, problems) = found.expect_err("it is evaluated");
    (broken, problems.join("\n"))
}

fn check(name: &str, program: &str, expected: &str) {
    assert_eq!(refused(name, &[("compose.ncl", program)]), (false, expected.to_owned()));
}

/// The contract of every role, as it is usually written.
const HAS_CORE: &str = "let core_text : String = import \"core.ncl\" in\n\
    let HasCore = std.contract.from_predicate (fun s => std.string.contains core_text s) in\n";

#[test]
fn a_record_with_a_contract_on_every_role() {
    let program = format!(
        "{HAS_CORE}let personas = {{ lead = import \"personas/lead.ncl\" }} in\n\
         {{ lead | HasCore = core_text ++ \"\\n\\n\" ++ personas.lead,\n\
         \"core-worker\" | HasCore = core_text ++ \"\\n\\n\" ++ \"You work.\" }}\n"
    );
    let files =
        [("compose.ncl", &*program), ("personas/lead.ncl", "m%\"\r\n  You\r\n  lead.\r\n\"%\r\n")];
    let found = Folder::new("good", &files).evaluate(Limits::default()).unwrap();
    assert_eq!(found.texts["conditioning/core.ncl"], "Never guess.");
    assert_eq!(found.roles["lead"], "Never guess.\n\nYou\nlead.");
    assert_eq!(found.roles["core-worker"], "Never guess.\n\nYou work.");
}

#[test]
fn a_broken_contract_names_the_role_the_contract_and_the_place() {
    let program =
        format!("{HAS_CORE}{{ lead | HasCore = core_text, scout | HasCore = \"You look.\" }}\n");
    let expected = "compose.ncl:3:49 nickel-contract: the role `scout` breaks the contract `HasCore`: \
                    contract broken by the value of `scout`";
    assert_eq!(refused("contract", &[("compose.ncl", &program)]), (true, expected.to_owned()));
}

#[test]
fn a_contract_is_named_wherever_it_is_written() {
    let broken = |name: &str, program: &str, expected: &str| {
        let found = refused(name, &[("compose.ncl", &format!("{HAS_CORE}{program}"))]);
        assert_eq!(found, (true, expected.to_owned()), "{program}");
    };
    let named = "nickel-contract: the role `bad` breaks the contract `HasCore`: contract broken by";
    broken(
        "dictionary",
        "{ ok = core_text, bad = \"no\" } | { _ | HasCore }",
        &format!("compose.ncl:3:25 {named} a value"),
    );
    broken(
        "typed",
        "{ ok = core_text, bad = \"no\" } | { _ : HasCore }",
        &format!("compose.ncl:3:19 {named} a value"),
    );
    broken(
        "function",
        "let post | String -> HasCore = fun p => p in { ok = core_text, bad = post \"no\" }",
        &format!("compose.ncl:3:64 {named} a function"),
    );
    broken(
        "record",
        "let R = { a | String } in { a = core_text, zz = core_text } | R",
        "compose.ncl:3:27 nickel-contract: the contract `R` is broken: contract broken by a value: \
         extra field `zz`",
    );
    broken(
        "message",
        "let C = std.contract.custom (fun _ _ => 'Error { message = \"no core\" }) in\n\
         { bad | C = \"no\" }",
        "compose.ncl:4:13 nickel-contract: the role `bad` breaks the contract `C`: \
         contract broken by the value of `bad`: no core",
    );
    let files = [
        ("compose.ncl", "{ a = import \"core.ncl\" }"),
        ("core.ncl", "\"\" | std.string.NonEmpty"),
    ];
    let (broken, found) = refused("core-contract", &files);
    assert!(broken);
    let expected = "core.ncl:1:1 nickel-contract: the contract `std.string.NonEmpty` is broken: ";
    assert!(found.lines().any(|line| line.starts_with(expected)), "{found}");
}

#[test]
fn a_broken_contract_does_not_hide_a_prompt_without_the_core() {
    let program = format!(
        "{HAS_CORE}{{ lead = core_text,\n bad | HasCore = \"no\",\n late = \"x\" ++ core_text }}\n"
    );
    let expected = "compose.ncl:4:18 nickel-contract: the role `bad` breaks the contract `HasCore`: \
                    contract broken by the value of `bad`\n\
                    compose.ncl:5:2 core-not-first: the prompt of the role `late` does not start with the core";
    assert_eq!(refused("both", &[("compose.ncl", &program)]), (true, expected.to_owned()));
}

#[test]
fn the_author_of_a_program_may_end_it() {
    check(
        "fail",
        "{ a = std.fail_with \"not written yet\" }",
        "compose.ncl:1:21 nickel-error: in the role `a`: the program fails here: not written yet",
    );
}

#[test]
fn what_an_export_leaves_out_is_no_role() {
    let roles = |name: &str, program: &str| {
        let program = format!("{HAS_CORE}{program}");
        let found = Folder::new(name, &[("compose.ncl", &program)]).evaluate(Limits::default());
        found.map(|found| found.roles.into_keys().collect::<Vec<_>>())
    };
    let hidden = "{ post | not_exported = fun p => core_text ++ p, a = post \"\" }";
    assert_eq!(roles("hidden", hidden), Ok(vec!["a".to_owned()]));
    let optional = "{ a = core_text, b | optional | String, c | optional = core_text }";
    assert_eq!(roles("optional", optional), Ok(vec!["a".to_owned(), "c".to_owned()]));
    let both = "{ a = core_text, b | optional, c | not_exported = 1 }";
    assert_eq!(roles("both-left-out", both), Ok(vec!["a".to_owned()]));
    // A field that is neither is a role that somebody forgot.
    let (_, problems) = roles("forgotten", "{ a | optional, b | String }").unwrap_err();
    assert_eq!(problems, ["compose.ncl:3:17 nickel-shape: in the role `b`: a role has no prompt"]);
    check(
        "all-hidden",
        "{ a | not_exported = \"x\" }",
        "compose.ncl:1:1 nickel-shape: this record has no roles",
    );
}

#[test]
fn the_folder_of_the_copies_is_not_told_of() {
    check(
        "eof",
        "{ d = ",
        "compose.ncl:1:7 nickel-error: unexpected end of file when parsing conditioning/compose.ncl",
    );
    check(
        "empty",
        "",
        "compose.ncl:1:1 nickel-error: unexpected end of file when parsing conditioning/compose.ncl",
    );
}

#[test]
fn an_import_that_cannot_be_told_is_pointed_at() {
    check(
        "missed",
        "let { q ? import \"d.txt\" } = {} in { a = q }",
        "compose.ncl:1:11 nickel-failed: cannot determine what is imported here",
    );
}

#[test]
fn every_role_is_forced_and_every_problem_told() {
    check(
        "forced",
        "{ lead = \"ok\",\n scout = 1 + \"a\",\n cook | String,\n mate = fun x => x,\n guard = 7 }\n",
        "compose.ncl:2:14 nickel-error: in the role `scout`: dynamic type error\n\
         compose.ncl:3:2 nickel-shape: in the role `cook`: a role has no prompt\n\
         compose.ncl:4:2 nickel-shape: in the role `mate`: the prompt of a role must be a string, but is a function\n\
         compose.ncl:5:2 nickel-shape: in the role `guard`: the prompt of a role must be a string, but is a number",
    );
}

#[test]
fn what_is_no_record_or_no_nickel() {
    check(
        "list",
        "[1]",
        "compose.ncl:1:1 nickel-shape: expected a record of role to string, found an array",
    );
    check("none", "{}", "compose.ncl:1:1 nickel-shape: this record has no roles");
    check("syntax", "{ lead = , }", "compose.ncl:1:10 nickel-error: unexpected token");
    let files = [("compose.ncl", "{ lead = import \"core.ncl\" }"), ("core.ncl", "{ a = 1 }")];
    let expected = "core.ncl:1:1 nickel-shape: expected a string, found a record\n\
                    compose.ncl:1:3 nickel-shape: in the role `lead`: the prompt of a role must be a string, but is a record";
    let (_, found) = refused("core", &files);
    let mut lines: Vec<&str> = found.lines().collect();
    lines.sort_unstable_by_key(|line| !line.starts_with("core.ncl"));
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn imports_stay_in_the_book() {
    check(
        "outside",
        "{ a = import \"/etc/passwd\" as 'Text,\n b = import \"../../secret.ncl\",\n c = import \"../../../../../etc/passwd\" as 'Text,\n\
         d = import \"missing.ncl\",\n e | (import \"/etc/hostname\" as 'Text) = \"\" }",
        "compose.ncl:1:7 outside-book: `/etc/passwd` leads out of the lawbook\n\
         compose.ncl:2:6 outside-book: `../../secret.ncl` leads out of the lawbook\n\
         compose.ncl:3:6 outside-book: `../../../../../etc/passwd` leads out of the lawbook\n\
         compose.ncl:4:5 unreadable: cannot import `missing.ncl`: there is no such file\n\
         compose.ncl:5:6 outside-book: `/etc/hostname` leads out of the lawbook",
    );
}

#[test]
fn a_link_out_of_the_book_is_not_followed() {
    let folder = Folder::new(
        "link",
        &[(
            "compose.ncl",
            "{ a = import \"../parts/secret.ncl\", b = import \"../parts/door/secret.ncl\" }",
        )],
    );
    folder.write("secret.ncl", "\"secret\"");
    fs::create_dir_all(folder.0.join("book/parts")).unwrap();
    std::os::unix::fs::symlink("../../secret.ncl", folder.0.join("book/parts/secret.ncl")).unwrap();
    std::os::unix::fs::symlink("../..", folder.0.join("book/parts/door")).unwrap();
    let (broken, problems) = folder.evaluate(Limits::default()).unwrap_err();
    assert!(!broken);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems.iter().all(|problem| problem.contains("outside-book")), "{problems:?}");
}

#[test]
fn an_import_from_elsewhere_in_the_book_is_read_and_pointed_into() {
    let folder = Folder::new("inside", &[("compose.ncl", "{ a = import \"../parts/p.ncl\" }")]);
    folder.write("book/parts/p.ncl", "\"You \" ++ (import \"name.txt\" as 'Text)");
    folder.write("book/parts/name.txt", "look.");
    let found = folder.evaluate(Limits::default()).unwrap();
    assert_eq!(found.roles["a"], "You look.");
    folder.write("book/parts/p.ncl", "\"You \"\n++ 1");
    let (_, problems) = folder.evaluate(Limits::default()).unwrap_err();
    assert_eq!(problems, ["p.ncl:2:4 nickel-error: in the role `a`: dynamic type error"]);
}

/// A program that must end at the limit whose message has these words.
fn hostile(name: &str, program: &str, limits: Limits, words: &str) {
    let folder = Folder::new(name, &[("compose.ncl", program)]);
    let (broken, problems) = folder.evaluate(limits).expect_err("it evaluates");
    assert!(!broken);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let expected = "lawful.yaml:2:15 nickel-limit: evaluating this exceeds the limit of ";
    assert!(problems[0].starts_with(expected), "{problems:?}");
    assert!(problems[0].contains(words), "{problems:?}");
}

#[test]
fn every_limit_is_named_when_it_is_reached() {
    let small =
        Limits { memory: 256 << 20, cpu: 60, wall: Duration::from_mins(2), ..Limits::default() };
    let grow = "let rec grow = fun s n => if n == 0 then s else grow (s ++ s) (n - 1) in\n\
                { a = grow \"xxxxxxxx\" 60 }";
    hostile("memory", grow, small, "of memory");
    let spin = "let rec f = fun x => f x in { a = f 0 }";
    hostile(
        "cpu",
        spin,
        Limits { cpu: 1, memory: 8 << 30, wall: Duration::from_mins(2), ..small },
        "1 second of processor time",
    );
    hostile(
        "wall",
        spin,
        Limits { wall: Duration::from_millis(300), memory: 8 << 30, ..small },
        "0.3 seconds of wall-clock time",
    );
    let long = "let rec grow = fun s n => if n == 0 then s else grow (s ++ s) (n - 1) in\n\
                { a = grow \"xxxxxxxx\" 18 }";
    hostile("answer", long, Limits { answer: 1 << 20, ..small }, "1 MiB for the answer");
    let nested = format!("{{ a = {}1{} }}", "[".repeat(100_000), "]".repeat(100_000));
    hostile("stack", &nested, Limits { stack: 4 << 20, ..small }, "the stack");
}

#[test]
fn a_child_that_is_none_is_not_believed() {
    let folder = Folder::new("child", &[("compose.ncl", "{ a = \"Never guess.\" }")]);
    let not_a_program = folder.0.join("book/lawful.yaml");
    for (program, words) in [
        (not_a_program.to_str().unwrap(), "it did not start: "),
        ("/bin/echo", "it sent an invalid message: "),
        ("/bin/false", "it exited with "),
    ] {
        let found = folder.evaluate_by(program.into(), Limits::default());
        let (broken, problems) = found.expect_err("it evaluates");
        assert!(!broken);
        let start = "lawful.yaml:2:15 nickel-failed: the Nickel process did not answer: ";
        assert!(problems[0].starts_with(&format!("{start}{words}")), "{problems:?}");
    }
}

#[test]
fn a_program_that_is_absent_or_not_named_by_its_place_is_not_started() {
    let folder = Folder::new("absent", &[("compose.ncl", "{ a = \"Never guess.\" }")]);
    for program in ["/nowhere/lawful-nickel", "echo", "./lawful-nickel"] {
        let found = folder.evaluate_by(program.into(), Limits::default());
        let (broken, problems) = found.expect_err("it evaluates");
        assert!(!broken);
        assert!(problems[0].starts_with("lawful.yaml:2:15 no-nickel: "), "{problems:?}");
    }
}

#[test]
fn the_program_says_what_it_is_and_does_nothing_by_itself() {
    let run = |words: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_lawful-nickel")).args(words).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let version = format!("lawful-nickel {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"]), (Some(0), version));
    assert_eq!(run(&[]), (Some(2), String::new()));
    assert_eq!(run(&["compose.ncl"]), (Some(2), String::new()));
}
