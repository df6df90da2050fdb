//! Runs the fuzz targets of `fuzz/` on the stable toolchain, without `cargo-fuzz`.
//!
//! The compiler flags are those of `cargo fuzz build --sanitizer none`: coverage counters for
//! libFuzzer, and no sanitizer, which would need a nightly compiler. The corpus is in
//! `fuzz/corpus`, crashing inputs in `fuzz/artifacts`; git ignores both.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{Failure, Result, cargo, failed, root, run as run_command, rust_files_in};

/// The flags of `cargo fuzz build --sanitizer none`. Debug assertions are in the profile.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-sanitizer-coverage-stack-depth",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "-Clink-dead-code",
    "--cfg",
    "fuzzing",
];

/// Builds the targets and runs each of them for a number of seconds.
pub(crate) fn run(words: &[String]) -> Result {
    let folder = root().join("fuzz");
    let known = rust_files_in(&folder.join("fuzz_targets"));
    let request = Request::of(words, &known)?;
    let host = host()?;
    build(&request, &host)?;
    let mut runs = Vec::new();
    for target in &request.targets {
        println!("fuzzing {target} for {} seconds", request.seconds);
        runs.push(fuzz(&folder, &host, target, request.seconds)?);
    }
    print_table(&runs);
    let broken: Vec<&str> =
        runs.iter().filter(|run| run.crashed).map(|run| run.target.as_str()).collect();
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failure::Failed(format!("crashes in: {}", broken.join(", "))))
}

/// The request.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    seconds: u64,
    targets: Vec<String>,
}

impl Request {
    fn of(words: &[String], known: &[String]) -> Result<Self> {
        let mut request = Self { seconds: 60, targets: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--seconds" {
                let seconds = words.next().and_then(|word| word.parse().ok()).filter(|n| *n > 0);
                request.seconds = seconds.ok_or_else(|| {
                    Failure::Usage("`--seconds` needs a whole number above 0".to_owned())
                })?;
            } else if known.contains(word) {
                request.targets.push(word.clone());
            } else {
                let list = known.join(", ");
                let message = format!("unknown fuzz target `{word}`; the targets are: {list}");
                return Err(Failure::Usage(message));
            }
        }
        if request.targets.is_empty() {
            request.targets = known.to_vec();
        }
        Ok(request)
    }
}

/// The platform that the compiler builds for.
fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .current_dir(root())
        .output()
        .map_err(|error| failed("`rustc -vV`", error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| failed("`rustc -vV`", "it names no host"))
}

fn build(request: &Request, host: &str) -> Result {
    let mut command = cargo(&["build", "--release", "--locked"]);
    command.args(["--manifest-path", "fuzz/Cargo.toml", "--target-dir", "fuzz/target"]);
    // With a target named, the flags do not reach build scripts, which cannot link with them.
    command.args(["--target", host]);
    for target in &request.targets {
        command.args(["--bin", target]);
    }
    command.env("RUSTFLAGS", FLAGS.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    run_command(command)
}

/// The result of one target.
struct Run {
    target: String,
    figures: Figures,
    crashed: bool,
}

/// The last message of libFuzzer.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    executions: u64,
    per_second: u64,
}

impl Figures {
    fn of(log: &str) -> Self {
        let figure = |name: &str| {
            let value = log.lines().rev().find_map(|line| {
                line.trim().strip_prefix("stat::")?.strip_prefix(name)?.strip_prefix(':')
            });
            value.and_then(|value| value.trim().parse().ok()).unwrap_or_default()
        };
        let executions = figure("number_of_executed_units");
        Self { executions, per_second: figure("average_exec_per_sec") }
    }
}

fn fuzz(folder: &Path, host: &str, target: &str, seconds: u64) -> Result<Run> {
    let corpus = folder.join("corpus").join(target);
    let artifacts = folder.join("artifacts").join(target);
    for needed in [&corpus, &artifacts] {
        fs::create_dir_all(needed).map_err(|error| failed(needed.display(), error))?;
    }
    let log_path = folder.join("artifacts").join(format!("{target}.log"));
    let log = File::create(&log_path).map_err(|error| failed(log_path.display(), error))?;
    let log_too = log.try_clone().map_err(|error| failed(log_path.display(), error))?;

    let binary = folder.join("target").join(host).join("release").join(target);
    let mut command = Command::new(&binary);
    command
        .arg(format!("-max_total_time={seconds}"))
        .args(["-print_final_stats=1", "-rss_limit_mb=2048", "-timeout=10"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()));
    let dictionary = folder.join("dictionaries").join(target);
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    // New inputs go into the first folder; the second is only read.
    command.arg(&corpus);
    let seeds = folder.join("seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    let status = command
        .current_dir(folder)
        .stdout(log)
        .stderr(log_too)
        .status()
        .map_err(|error| failed(binary.display(), error))?;
    let log = fs::read(&log_path).map_err(|error| failed(log_path.display(), error))?;
    let log = String::from_utf8_lossy(&log);
    if !status.success() {
        print_crash(&log, &log_path, &binary);
    }
    Ok(Run { target: target.to_owned(), figures: Figures::of(&log), crashed: !status.success() })
}

/// Shows the output of libFuzzer from the start of a crash, and how to reproduce it.
fn print_crash(log: &str, log_path: &Path, binary: &Path) {
    let starts = |line: &str| line.contains("panicked at") || line.contains("ERROR: libFuzzer");
    let lines: Vec<&str> = log.lines().collect();
    let from = lines.iter().position(|line| starts(line)).unwrap_or(lines.len().saturating_sub(30));
    for line in lines.iter().skip(from).take(60) {
        println!("  {line}");
    }
    println!("  the whole log: {}", log_path.display());
    if let Some(input) = artifact(log) {
        println!("  reproduce: {} {}", binary.display(), input.display());
    }
}

/// The file with the crashing input.
fn artifact(log: &str) -> Option<PathBuf> {
    let line = log.lines().find_map(|line| line.split_once("Test unit written to "))?;
    Some(PathBuf::from(line.1.trim()))
}

fn print_table(runs: &[Run]) {
    println!("\n{:<12} {:>12} {:>10} {:>8}", "target", "executions", "exec/s", "crashes");
    for run in runs {
        let Run { target, figures, crashed } = run;
        let (executions, per_second) = (figures.executions, figures.per_second);
        println!("{target:<12} {executions:>12} {per_second:>10} {:>8}", u8::from(*crashed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(words: &[&str]) -> Result<Request> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Request::of(&words, &["path".to_owned(), "yaml".to_owned()])
    }

    #[test]
    fn without_words_all_targets_run_for_a_minute() {
        let all = Request { seconds: 60, targets: vec!["path".to_owned(), "yaml".to_owned()] };
        assert_eq!(request(&[]), Ok(all));
    }

    #[test]
    fn seconds_and_targets_are_read_in_any_order() {
        let one = || Ok(Request { seconds: 5, targets: vec!["yaml".to_owned()] });
        assert_eq!(request(&["--seconds", "5", "yaml"]), one());
        assert_eq!(request(&["yaml", "--seconds", "5"]), one());
    }

    #[test]
    fn mistakes_are_refused() {
        assert!(matches!(request(&["--seconds"]), Err(Failure::Usage(_))));
        assert!(matches!(request(&["--seconds", "0"]), Err(Failure::Usage(_))));
        assert!(matches!(request(&["yml"]), Err(Failure::Usage(_))));
    }

    #[test]
    fn the_last_figures_count() {
        let log =
            "#1 INITED\nstat::number_of_executed_units: 123\nstat::average_exec_per_sec:     41\n";
        assert_eq!(Figures::of(log), Figures { executions: 123, per_second: 41 });
        assert_eq!(Figures::of("nothing"), Figures::default());
    }

    #[test]
    fn the_breaking_input_is_found() {
        let log = "x\nartifact_prefix='a/'; Test unit written to a/crash-1\n";
        assert_eq!(artifact(log), Some(PathBuf::from("a/crash-1")));
    }
}
