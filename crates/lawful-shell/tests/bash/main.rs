//! Compares readings with what bash really runs.
//!
//! Each case is a random line. Bash runs it in an empty folder with a `PATH` of stubs that record
//! their arguments, a few wrappers and nothing else. Every program that ran must be in the reading,
//! with the same words, unless the reading says that the line is opaque.
//!
//! `SHELL_CASES` sets the number of cases, `SHELL_SEED` the first one.

#![allow(
    clippy::expect_used,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::too_many_lines,
    reason = "this is a test"
)]

mod grammar;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use grammar::{Grammar, Random, mutated};
use lawful_shell::{Reading, read};

#[test]
fn programs_that_bash_runs_are_in_the_reading() {
    let Some(bench) = Bench::new() else { return };
    let tally = bench.check_all(|random, bin| Grammar::new(random, true, bin).line());
    assert!(tally.ran * 2 > tally.lines, "most lines run something: {tally:?}");
    assert!(tally.understood * 3 > tally.lines, "many lines are understood: {tally:?}");
}

#[test]
fn programs_in_damaged_lines_are_in_the_reading() {
    let Some(bench) = Bench::new() else { return };
    let tally = bench.check_all(|random, bin| {
        let line = Grammar::new(random, false, bin).line();
        mutated(&line, random)
    });
    assert!(tally.ran > 0, "some lines run something: {tally:?}");
}

#[test]
fn lines_that_bash_refuses_are_opaque() {
    let Some(bench) = Bench::new() else { return };
    let mut failures = Vec::new();
    let mut refused = 0;
    for case in cases(300) {
        let random = &mut Random::new(case);
        let line = Grammar::new(random, true, "bin").line();
        let line = mutated(&line, random);
        if bench.accepts(&line) {
            continue;
        }
        refused += 1;
        if read(&line).opaque.is_empty() {
            failures.push(format!("case {case}:\n{line}"));
        }
    }
    println!("{refused} lines refused");
    assert!(refused > 0);
    report(failures);
}

/// The numbers of the cases.
fn cases(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str, default: u64| {
        env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let seed = number("SHELL_SEED", 0);
    seed..seed + number("SHELL_CASES", default)
}

fn report(mut failures: Vec<String>) {
    failures.sort_by_key(String::len);
    let shown = failures.iter().take(12).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failures.is_empty(), "{} failures, the shortest:\n{shown}", failures.len());
}

/// What became of the cases.
#[derive(Debug, Default)]
struct Tally {
    lines: usize,
    /// Lines that ran a stub.
    ran: usize,
    /// Lines that are not opaque.
    understood: usize,
}

/// A folder with stubs.
struct Bench {
    folder: tempfile::TempDir,
    bash: PathBuf,
}

impl Bench {
    /// `None` if there is no bash.
    fn new() -> Option<Self> {
        let bash = find("bash")?;
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).expect("a folder for stubs");
        for wrapper in ["bash", "sh", "env", "xargs", "nice", "timeout"] {
            if let Some(program) = find(wrapper) {
                symlink(program, bin.join(wrapper)).expect("a link");
            }
        }
        for number in 1..=9 {
            // `p5` prints a command, so that running its output is noticed.
            let prints = if number == 5 { "echo p9 z" } else { ":" };
            let stub = format!(
                "#!{}\nunset BASH_ENV\ns=${{0##*/}}\nfor a; do s+=$'\\x1f'$a; done\nprintf '%s\\x1e' \"$s\" >> .log\n{prints}\n",
                bash.display(),
            );
            let path = bin.join(format!("p{number}"));
            fs::write(&path, stub).expect("a stub");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        }
        Some(Self { folder, bash })
    }

    fn check_all(&self, line: impl Fn(&mut Random, &str) -> String) -> Tally {
        let bin = self.folder.path().join("bin");
        let bin = bin.to_str().expect("a plain path");
        let mut tally = Tally::default();
        let mut failures = Vec::new();
        for case in cases(150) {
            let line = line(&mut Random::new(case), bin);
            let reading = read(&line);
            let ran = self.run(&line, case);
            tally.lines += 1;
            tally.ran += usize::from(!ran.is_empty());
            tally.understood += usize::from(reading.opaque.is_empty());
            if let Some(missing) = missing(&reading, &ran) {
                failures.push(format!("case {case}: {missing:?} ran, but is not in the reading of\n{line}\n{reading:#?}"));
            }
        }
        report(failures);
        println!("{tally:?}");
        tally
    }

    /// Whether bash can parse a line. It runs nothing.
    fn accepts(&self, line: &str) -> bool {
        let status = Command::new(&self.bash)
            .args(["--norc", "--noprofile", "-n", "-c", line])
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.expect("bash starts").success()
    }

    /// Runs a line, and returns the stubs that ran with their arguments.
    fn run(&self, line: &str, case: u64) -> Vec<Vec<String>> {
        // A process in the background may outlive its line, so each line has its own log.
        let work = self.folder.path().join(format!("work{case}"));
        let log = work.join(".log");
        fs::create_dir(&work).expect("a folder to work in");
        let child = Command::new(&self.bash)
            .args(["--norc", "--noprofile", "-c", line])
            .env_clear()
            .env("PATH", self.folder.path().join("bin"))
            .env("HOME", &work)
            .env("FUNCNEST", "5")
            .current_dir(&work)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.expect("bash starts");
        // Both pipes close when the last process of the line ends.
        let out = child.stdout.take().expect("a pipe");
        let err = child.stderr.take().expect("a pipe");
        let readers = [drain(out), drain(err)];
        let deadline = Instant::now() + Duration::from_secs(10);
        while readers.iter().any(|reader| !reader.is_finished()) {
            if Instant::now() > deadline {
                let _ = child.kill();
                break;
            }
            thread::sleep(Duration::from_micros(200));
        }
        let _ = child.wait();
        let log = fs::read(&log).unwrap_or_default();
        let _ = fs::remove_dir_all(&work);
        String::from_utf8_lossy(&log)
            .split_terminator('\x1e')
            .map(|record| record.split('\x1f').map(str::to_owned).collect())
            .collect()
    }
}

fn drain(mut pipe: impl std::io::Read + Send + 'static) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    })
}

fn find(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path: &PathBuf| Path::is_file(path))
}

/// A stub that ran, but is not in a reading that claims to be complete.
fn missing<'a>(reading: &Reading, ran: &'a [Vec<String>]) -> Option<&'a Vec<String>> {
    if !reading.opaque.is_empty() {
        return None;
    }
    // `bash p1` runs the file `p1`, which is an argument there.
    let is_shell = |word: &String| word == "bash" || word == "sh";
    ran.iter().find(|ran| {
        !reading.commands.iter().any(|command| {
            let script =
                command.words.iter().skip_while(|word| is_shell(word) || word.starts_with('-'));
            covers(&command.words, ran) || covers(&script.cloned().collect::<Vec<_>>(), ran)
        })
    })
}

/// Whether a command of a reading is the one that ran. A word with an expansion is any words, and
/// `xargs` adds words at the end.
fn covers(words: &[String], ran: &[String]) -> bool {
    // Not every shell expands braces, and a carriage return at the end of a word is left out.
    let same =
        |word: &String, ran: &String| word == ran.trim_end_matches('\r') || ran.contains('{');
    let from_xargs = |words: &[String]| {
        words.len() <= ran.len() && words.iter().zip(ran).all(|(word, ran)| same(word, ran))
            || ran.iter().any(|word| word.contains('{')) && words.first() == ran.first()
    };
    match words.iter().position(|word| {
        word.contains(['$', '`', '*', '?', '[', '<', '>', '~', '%']) || word.contains("{}")
    }) {
        None => from_xargs(words),
        Some(0) => false,
        Some(first) => from_xargs(&words[..first]),
    }
}
