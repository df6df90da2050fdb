//! What the figures were measured on, without a name or a place.

use std::fs::read_to_string;
use std::process::Command;
use std::thread::available_parallelism;

/// The lines that describe the machine and the tools.
pub fn describe() -> Vec<String> {
    let cores = available_parallelism().map_or(0, usize::from);
    vec![
        format!("processor: {}, {cores} cores", processor().unwrap_or_else(unknown)),
        format!("memory: {}", memory().unwrap_or_else(unknown)),
        format!("kernel: {}", kernel().unwrap_or_else(unknown)),
        format!("compiler: {}", output_of("rustc", &["--version"]).unwrap_or_else(unknown)),
        format!("date: {}", output_of("date", &["-u", "+%Y-%m-%d"]).unwrap_or_else(unknown)),
    ]
}

/// The version of a package in the lock file.
pub fn version(package: &str) -> &'static str {
    const LOCK: &str = include_str!("../Cargo.lock");
    let entry = format!("name = \"{package}\"");
    let after = LOCK.lines().skip_while(|line| *line != entry).nth(1);
    after.and_then(|line| line.split('"').nth(1)).unwrap_or("?")
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn processor() -> Option<String> {
    let text = read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory() -> Option<String> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(format!("{} GiB", (kibibytes + (1 << 19)) >> 20))
}

fn kernel() -> Option<String> {
    let kind = read_to_string("/proc/sys/kernel/ostype").ok()?;
    let release = read_to_string("/proc/sys/kernel/osrelease").ok()?;
    Some(format!("{} {}", kind.trim(), release.trim()))
}

fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
