//! `lawful observe` on real repositories, commands and reports, honest and hostile.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::{Command, Output};

use serde_json::{Value, json};

mod support;

struct Folder(support::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        Self(support::Folder::new(&format!("observe-{name}")))
    }

    /// A repository with a commit of these files.
    fn repository(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self::new(name);
        folder.git(&["init", "--quiet"]);
        for (path, text) in files {
            folder.write(path, text);
        }
        folder.git(&["add", "--all"]);
        folder.commit();
        folder
    }

    fn commit(&self) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        self.git(&[&who[..], &["commit", "--quiet", "--message", "one"]].concat());
    }

    fn git(&self, words: &[&str]) {
        let status = Command::new("git").args(words).current_dir(&self.0).status().unwrap();
        assert!(status.success(), "git {words:?}");
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(path, text);
    }

    fn command(&self, words: &[&str]) -> Command {
        self.0.lawful(&[&["observe"], words].concat())
    }

    fn output(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn facts(&self, words: &[&str]) -> Value {
        let output = self.output(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {said}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What is wrong, as `code: message`.
    fn problem(&self, words: &[&str]) -> String {
        let output = self.output(&[words, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = &json["diagnostics"][0];
        format!("{}: {}", first["code"].as_str().unwrap(), first["message"].as_str().unwrap())
    }
}

#[test]
fn git_tells_what_changed_added_and_was_deleted() {
    let files = [("a", "a"), ("b", "b"), ("c", "long enough to be the same\n"), ("d/e", "e")];
    let folder = Folder::repository("changes", &files);
    let nothing = folder.facts(&["--git", "HEAD"]);
    assert_eq!(nothing, json!({"changed": [], "added": [], "deleted": []}));
    folder.write("a", "changed");
    folder.write("new/f", "f");
    folder.git(&["rm", "--quiet", "b"]);
    folder.git(&["mv", "c", "z"]);
    folder.write(".gitignore", "ignored\n");
    folder.write("ignored", "");
    let seen = folder.facts(&["--git", "HEAD"]);
    let expected = json!({
        "changed": [".gitignore", "a", "b", "c", "new/f", "z"],
        "added": [".gitignore", "new/f", "z"],
        "deleted": ["b", "c"],
    });
    assert_eq!(seen, expected);
    // From a folder below, paths still start at the root.
    let below = folder.command(&["--git", "HEAD"]).current_dir(folder.0.join("d")).output();
    assert_eq!(serde_json::from_slice::<Value>(&below.unwrap().stdout).unwrap(), expected);
}

#[test]
fn any_name_of_a_file_survives() {
    let folder = Folder::repository("names", &[("a", "a")]);
    for name in ["-x", "two\nlines", "tab\t", "quo\"te", "caf\u{e9}", " ", "\u{202e}evil", "M\\"] {
        folder.write(name, "");
    }
    fs::write(folder.0.join(OsStr::from_bytes(b"not\xfftext")), "").unwrap();
    let seen = folder.facts(&["--git", "HEAD", "--files", "*"]);
    let expected = json!([
        " ",
        "-x",
        "M\\",
        "caf\u{e9}",
        "not\\xfftext",
        "quo\"te",
        "tab\t",
        "two\nlines",
        "\u{202e}evil"
    ]);
    assert_eq!(seen["added"], expected);
    assert_eq!(seen["files"].as_array().unwrap().len(), 10);
}

#[test]
fn what_a_repository_configures_is_not_run() {
    let folder = Folder::repository("hostile", &[("a", "a"), ("b", "b")]);
    let trap = folder.0.join("trap");
    let set = format!("touch {}; false", trap.display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "pager.diff",
        "diff.external",
        "diff.d.command",
        "diff.d.textconv",
        "filter.f.clean",
        "filter.f.process",
        "filter.f.smudge",
        "core.sshCommand",
        "alias.diff",
    ] {
        folder.git(&["config", key, &set]);
    }
    folder.git(&["config", "filter.f.required", "true"]);
    folder.git(&["config", "core.worktree", "/tmp"]);
    folder.git(&["config", "filter.g=h.clean", &set]);
    folder.write(".git/info/attributes", "a filter=f diff=d\nb filter=g=h\n");
    folder.write(".git/hooks/post-index-change", &format!("#!/bin/sh\n{set}\n"));
    let hook = folder.0.join(".git/hooks/post-index-change");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    folder.write("a", "changed");
    folder.write("b", "b");
    let mut command = folder.command(&["--git", "HEAD"]);
    command.env("GIT_EXTERNAL_DIFF", &set).env("GIT_DIR", "/nowhere").env("GIT_PAGER", &set);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(seen, json!({"changed": ["a"], "added": [], "deleted": []}));
    assert!(!trap.exists());
}

#[test]
fn a_change_cannot_be_hidden_from_git() {
    let folder = Folder::repository("hidden", &[("a", "a"), ("b", "b"), ("c", "c"), ("d", "d")]);
    folder.git(&["update-index", "--assume-unchanged", "a", "c"]);
    folder.git(&["update-index", "--skip-worktree", "b"]);
    folder.write("a", "changed");
    folder.write("b", "changed");
    fs::remove_file(folder.0.join("c")).unwrap();
    folder.write("secret", "");
    folder.write(".git/info/exclude", "secret\n");
    let seen = folder.facts(&["--git", "HEAD"]);
    let expected =
        json!({"changed": ["a", "b", "c", "secret"], "added": ["secret"], "deleted": ["c"]});
    assert_eq!(seen, expected);
}

/// Every way that is known to make git overlook a change without touching what is observed.
#[test]
fn nothing_that_a_repository_says_of_itself_is_believed() {
    let only = |folder: &Folder, path: &str| {
        let seen = folder.facts(&["--git", "HEAD"]);
        assert_eq!(seen, json!({"changed": [path], "added": [], "deleted": []}));
    };
    let files = [("a", "old text\n"), ("s.sh", "true\n"), ("id", "$Id$\n")];
    let fresh = |name: &str| Folder::repository(name, &files);

    // The times of a file are set back, and git is told to look at little else.
    let folder = fresh("times");
    folder.git(&["config", "core.trustctime", "false"]);
    folder.git(&["config", "core.checkStat", "minimal"]);
    folder.git(&["update-index", "-q", "--refresh"]);
    let before = fs::metadata(folder.0.join("a")).unwrap().modified().unwrap();
    folder.write("a", "bad text\n");
    fs::File::options().write(true).open(folder.0.join("a")).unwrap().set_modified(before).unwrap();
    only(&folder, "a");

    // The index says that the changed file is the old one.
    let folder = fresh("index");
    let number = |folder: &Folder| {
        let output = Command::new("git").args(["rev-parse", ":a"]).current_dir(&folder.0).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let pairs = text.trim().as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.map(byte).collect::<Vec<u8>>()
    };
    let old = number(&folder);
    folder.write("a", "a new and longer text\n");
    folder.git(&["update-index", "a"]);
    let new = number(&folder);
    let mut index = fs::read(folder.0.join(".git/index")).unwrap();
    let at = index.windows(new.len()).position(|window| window == new).unwrap();
    index[at..at + old.len()].copy_from_slice(&old);
    fs::write(folder.0.join(".git/index"), index).unwrap();
    only(&folder, "a");

    // Modes do not count, ends of lines do not count, and neither does what is between dollars.
    let folder = fresh("mode");
    folder.git(&["config", "core.fileMode", "false"]);
    fs::set_permissions(folder.0.join("s.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    only(&folder, "s.sh");
    let folder = fresh("lines");
    folder.git(&["config", "core.autocrlf", "input"]);
    folder.write("a", "old text\r\n");
    only(&folder, "a");
    let folder = fresh("ident");
    folder.write(".git/info/attributes", "id ident\n");
    folder.write("id", "$Id: anything at all $\n");
    only(&folder, "id");
    let folder = fresh("attributes");
    folder.write(".git/any", "* ident\n");
    folder.git(&["config", "core.attributesFile", ".git/any"]);
    folder.write("id", "$Id: anything at all $\n");
    only(&folder, "id");

    // Links count as files, names count without their case, and only some of the tree is there.
    let folder = fresh("link");
    folder.git(&["config", "core.symlinks", "false"]);
    fs::remove_file(folder.0.join("a")).unwrap();
    symlink("old text\n", folder.0.join("a")).unwrap();
    only(&folder, "a");
    let folder = fresh("sparse");
    folder.git(&["config", "core.sparseCheckout", "true"]);
    folder.write(".git/info/sparse-checkout", "/s.sh\n/id\n");
    folder.git(&["read-tree", "-mu", "HEAD"]);
    let seen = folder.facts(&["--git", "HEAD"]);
    assert_eq!(seen, json!({"changed": ["a"], "added": [], "deleted": ["a"]}));
}

#[test]
fn a_list_of_what_is_ignored_does_not_ignore_itself() {
    let files = [("a", "a"), (".gitignore", "built/\n*.log\n")];
    let folder = Folder::repository("ignoring", &files);
    folder.write("evil/.gitignore", "*\n");
    folder.write("evil/x.rs", "bad");
    // What a list that is seen leaves out is left out with everything in it.
    folder.write("built/.gitignore", "*\n");
    folder.write("built/x.o", "");
    folder.write("x.log", "");
    let seen = folder.facts(&["--git", "HEAD"]);
    let expected = json!(["evil/.gitignore"]);
    assert_eq!(seen, json!({"changed": expected, "added": expected, "deleted": []}));
    // A file that is ignored but was added is part of the work.
    folder.git(&["add", "--force", "x.log", "evil/x.rs"]);
    let seen = folder.facts(&["--git", "HEAD"]);
    assert_eq!(seen["added"], json!(["evil/.gitignore", "evil/x.rs", "x.log"]));
    fs::remove_file(folder.0.join("x.log")).unwrap();
    folder.write(".gitignore", "*\n");
    // The list above leaves the whole folder out now, and is seen to have changed.
    let seen = folder.facts(&["--git", "HEAD"]);
    assert_eq!(seen["added"], json!(["evil/x.rs"]));
    assert_eq!(seen["changed"], json!([".gitignore", "evil/x.rs"]));
}

#[test]
fn the_folder_of_an_envelope_hides_the_envelope_and_no_more() {
    let files = [
        ("lawful.yaml", "name: law\n"),
        (
            "analysis/rulespec.yaml",
            "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]\n",
        ),
        ("facts.yaml", "a: 1\n"),
    ];
    let folder = Folder::repository("own", &files);
    let written = folder.0.output(&["envelope", "write", "--facts", "facts.yaml"]);
    assert!(written.status.success());
    assert!(folder.0.join(".lawful/envelope.yaml").exists());
    let nothing = json!({"changed": [], "added": [], "deleted": []});
    assert_eq!(folder.facts(&["--git", "HEAD"]), nothing);
    folder.write(".lawful/evil.rs", "bad");
    assert_eq!(folder.facts(&["--git", "HEAD"])["added"], json!([".lawful/evil.rs"]));
}

#[test]
fn a_repository_of_another_kind_is_observed_as_well() {
    // A worktree keeps its objects elsewhere, and a clone may borrow them.
    let folder = Folder::repository("main", &[("a", "a")]);
    let tree = folder.0.with_extension("tree");
    folder.git(&["worktree", "add", "--quiet", "--detach", tree.to_str().unwrap()]);
    let tree = Folder(support::Folder::made_at(tree));
    tree.write("a", "changed");
    assert_eq!(tree.facts(&["--git", "HEAD"])["changed"], json!(["a"]));
    let copy = folder.0.with_extension("copy");
    folder.git(&["clone", "--quiet", "--shared", ".", copy.to_str().unwrap()]);
    let copy = Folder(support::Folder::made_at(copy));
    copy.write("b", "new");
    assert_eq!(copy.facts(&["--git", "HEAD"])["changed"], json!(["b"]));
    // Objects may have longer names.
    let long = Folder::new("sha256");
    long.git(&["init", "--quiet", "--object-format=sha256"]);
    long.write("a", "a");
    long.git(&["add", "--all"]);
    long.commit();
    long.write("a", "changed");
    assert_eq!(long.facts(&["--git", "HEAD"])["changed"], json!(["a"]));
}

#[test]
fn a_base_is_never_an_option() {
    let folder = Folder::repository("base", &[("a", "a")]);
    for base in ["--output=out", "-h", "", "nowhere", "HEAD..HEAD", "HEAD HEAD", "^HEAD", "a"] {
        let problem = folder.problem(&[&format!("--git={base}")]);
        assert_eq!(problem, format!("cannot-observe: `{base}` does not name a commit"));
    }
    assert!(!folder.0.join("out").exists());
    let outside = Folder::new("no-repository");
    let problem = outside.problem(&["--git", "HEAD"]);
    assert_eq!(
        problem,
        "cannot-observe: `--git` needs a git repository, and this folder is not in one"
    );
}

#[test]
fn files_are_found_by_patterns_and_links_are_not_followed_out() {
    let folder =
        Folder::repository("files", &[("src/a.rs", ""), ("src/deep/b.rs", ""), ("c.md", "")]);
    let outside = Folder::new("outside");
    outside.write("secret.rs", "");
    symlink(outside.0.join("secret.rs"), folder.0.join("src/leak.rs")).unwrap();
    symlink(&outside.0, folder.0.join("out")).unwrap();
    symlink("nowhere", folder.0.join("src/broken.rs")).unwrap();
    symlink("a.rs", folder.0.join("src/link.rs")).unwrap();
    symlink("..", folder.0.join("src/round")).unwrap();
    let files = |patterns: &[&str]| {
        let words = [&["--files"], patterns].concat();
        folder.facts(&words)["files"].clone()
    };
    assert_eq!(files(&["src/*.rs"]), json!(["src/a.rs", "src/link.rs"]));
    assert_eq!(
        files(&["**/*.rs", "src/a.rs"]),
        json!(["src/a.rs", "src/deep/b.rs", "src/link.rs"])
    );
    assert_eq!(files(&["out/*.rs", "nothing/**", "c.{md,txt}"]), json!(["c.md"]));
    assert_eq!(files(&["**/config", ".git/H*", "./.git/**", ".git/HEAD"]), json!([]));
    assert_eq!(
        folder.problem(&["--files", "../*"]),
        "cannot-observe: the pattern `../*` leads out of the project"
    );
    assert_eq!(
        folder.problem(&["--files", "a["]),
        "cannot-observe: `a[` is not a valid pattern: unclosed character class; missing ']'"
    );
}

const LAW: &str = "\
name: law
observe:
  words: [printf, '%s|', a b, $HOME]
  shell: 'printf out; printf err >&2; exit 3'
  slow: {run: 'sleep 60.PID & sleep 60.PID', timeout: 1}
  left: 'sleep 61.PID & exit 0'
  killed: 'kill -9 $$'
  where: {run: 'test -f here', cwd: sub}
  lost: {run: 'true', cwd: gone}
  led: {run: 'true', cwd: link}
  nothing: [no-such-program-at-all]
";

#[test]
fn commands_of_the_manifest_are_run() {
    // Others may run this test at the same time.
    let id = std::process::id().to_string();
    let law = LAW.replace("PID", &id);
    let folder = Folder::repository("run", &[("lawful.yaml", &law), ("sub/here", "")]);
    symlink("/", folder.0.join("link")).unwrap();
    let words = ["--run", "words", "shell", "slow", "left", "killed", "where"];
    let output = folder.output(&words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a b|$HOME|") && said.contains("outerr"), "{said}");
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = &seen["runs"];
    assert_eq!(runs["words"]["exit"], 0);
    assert_eq!(runs["shell"]["exit"], 3);
    assert_eq!((&runs["slow"]["exit"], &runs["slow"]["timeout"]), (&Value::Null, &json!(true)));
    assert!(runs["slow"]["seconds"].as_f64().unwrap() >= 1.0);
    assert_eq!(runs["left"]["exit"], 0);
    assert_eq!((&runs["killed"]["exit"], &runs["killed"]["signal"]), (&Value::Null, &json!(9)));
    assert_eq!(runs["where"]["exit"], 0);
    let running = Command::new("pgrep").args(["-f", &format!("^sleep 6[01].{id}$")]).output();
    assert!(running.map_or(true, |output| output.stdout.is_empty()));

    let problem = |name: &str| folder.problem(&["--run", name]);
    assert_eq!(problem("shel"), "unknown-command: the manifest has no command `shel`");
    assert_eq!(
        problem("nothing"),
        "cannot-observe: cannot start the command `nothing`: no such file or directory"
    );
    assert_eq!(
        problem("lost"),
        "cannot-observe: the command `lost` cannot run in `gone`, which is not a folder of the project"
    );
    assert_eq!(
        problem("led"),
        "cannot-observe: the command `led` cannot run in `link`, which is not a folder of the project"
    );
}

#[test]
fn a_command_ends_with_us() {
    let law = "name: law\nobserve: {slow: 'echo started; sleep 62'}\n";
    let folder = Folder::repository("signal", &[("lawful.yaml", law)]);
    let mut child =
        folder.command(&["--run", "slow"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut first = [0; 8];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut first).unwrap();
    let killed = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success() && child.wait().unwrap().code().is_none());
    // Our end of the pipe closes when nobody is left to write to it.
    let mut rest = Vec::new();
    std::io::Read::read_to_end(child.stderr.as_mut().unwrap(), &mut rest).unwrap();
}

const REPORT: &str = r#"<?xml version="1.0"?>
<testsuites>
  <testsuite name="s">
    <testcase classname="app.Login" name="works"/>
    <testcase classname="app.Login" name="fails"><failure message="no">why</failure></testcase>
    <testcase name="alone"><skipped/></testcase>
    <testcase name="dies"><error/><failure/></testcase>
    <testcase name="off" status="notrun"/>
    <testcase name="red" status="failed"/>
    <testcase name="torn" status="ERROR"><skipped/></testcase>
  </testsuite>
</testsuites>
"#;

#[test]
fn reports_are_read_and_the_worse_of_two_results_counts() {
    let folder = Folder::new("junit");
    folder.write("out/one.xml", REPORT);
    folder.write(
        "out/two.xml",
        "<testsuite><testcase classname='app.Login' name='works'><failure/></testcase></testsuite>",
    );
    let seen = folder.facts(&["--junit", "out/one.xml"]);
    let expected = json!({
        "tests": {
            "alone": "skipped", "app.Login.fails": "failed", "app.Login.works": "passed",
            "dies": "error", "off": "skipped", "red": "failed", "torn": "error",
        },
        "failing": ["app.Login.fails", "dies", "red", "torn"],
    });
    assert_eq!(seen, expected);
    let output = folder.output(&["--junit", "out/*.xml"]);
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(seen["tests"]["app.Login.works"], "failed");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("duplicate-test") && said.contains("the worse one counts: failed"),
        "{said}"
    );
}

#[test]
fn reports_that_are_none() {
    let folder = Folder::new("bad-junit");
    let check = |text: &str, expected: &str| {
        folder.write("r.xml", text);
        assert_eq!(folder.problem(&["--junit", "r.xml"]), expected, "{text:.80}");
    };
    let refused = "bad-report: the report is invalid: document types are not allowed";
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><testsuite name=\"&b;\"/>";
    check(bomb, refused);
    check("<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><testsuite/>", refused);
    check("", "bad-report: the report is invalid: the document does not have a root node");
    check("<html/>", "bad-report: a report starts with `testsuites`, but this one with `html`");
    check("<testsuite><testcase/></testsuite>", "bad-report: a test has no `name`");
    check(
        "<testsuite><testcase name='a'></testsuite>",
        "bad-report: the report is invalid: expected 'testcase' tag, not 'testsuite'",
    );
    check(
        "<testsuite name='&x;'/>",
        "bad-report: the report is invalid: unknown entity reference 'x'",
    );
    let deep = "<testsuite>".repeat(200_000);
    folder.write("r.xml", &deep);
    assert!(folder.problem(&["--junit", "r.xml"]).starts_with("bad-report: "));
    let large = fs::File::create(folder.0.join("r.xml")).unwrap();
    large.set_len(65 * 1024 * 1024).unwrap();
    assert_eq!(
        folder.problem(&["--junit", "r.xml"]),
        "cannot-observe: the report is larger than the limit of 64 MiB"
    );
    assert_eq!(
        folder.problem(&["--junit", "gone.xml"]),
        "cannot-observe: file `gone.xml` not found"
    );
    assert_eq!(
        folder.problem(&["--junit", "gone/*.xml"]),
        "cannot-observe: file `gone/*.xml` not found"
    );
}

#[test]
fn everything_is_there_or_nothing_is() {
    let folder = Folder::repository("all", &[("lawful.yaml", LAW), ("r.xml", REPORT)]);
    folder.write("out.json", "old");
    let output = folder.output(&["--git", "HEAD", "--junit", "gone.xml", "--out", "out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read_to_string(folder.0.join("out.json")).unwrap(), "old");
    assert_eq!(folder.problem(&[]), "usage: nothing to observe");

    fs::set_permissions(folder.0.join("out.json"), fs::Permissions::from_mode(0o640)).unwrap();
    let words = ["--git", "HEAD", "--junit", "r.xml", "--out", "out.json"];
    let output = folder.output(&words);
    assert!(output.status.success() && output.stdout.is_empty());
    let written: Value =
        serde_json::from_slice(&fs::read(folder.0.join("out.json")).unwrap()).unwrap();
    let keys: Vec<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["added", "changed", "deleted", "failing", "tests"]);
    let mode = fs::metadata(folder.0.join("out.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(folder.facts(&[&words[..], &["--format", "json"]].concat()).is_object());
}

#[test]
fn a_manifest_with_errors_runs_nothing() {
    let law = "name: law\nobserve: {a: 'touch ran', b: 3}\n";
    let folder = Folder::repository("broken-law", &[("lawful.yaml", law)]);
    let problem = folder.problem(&["--run", "a"]);
    assert!(problem.starts_with("wrong-type: the command `b`"), "{problem}");
    assert!(!folder.0.join("ran").exists());
}
