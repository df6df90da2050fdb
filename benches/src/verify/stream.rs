//! A file of many envelopes: `lawful verify` beside a program that merely parses every line.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::workload;
use crate::Result;
use crate::cli::{Folder, ask_gnu_time, build, has_gnu_time};
use crate::measure::quartiles;
use crate::report::Part;

/// What was measured. Lists have one figure for each turn.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many envelopes there are.
    pub lines: usize,
    /// Bytes of the file.
    pub bytes: u64,
    /// Seconds on a processor: `lawful verify --jobs 1`.
    pub lawful: Vec<f64>,
    /// Seconds on a processor: `serde_json`.
    pub parsed: Vec<f64>,
    /// Seconds from start to exit: `lawful verify` on all cores.
    pub all_cores: Vec<f64>,
    /// Seconds from start to exit: `lawful verify --jobs 1`.
    pub one_core: Vec<f64>,
    /// The most memory that was resident, in KiB, on one core and on all: lines, then both.
    pub memory: Vec<(usize, u64, u64)>,
}

/// Checks the answer, and times both in turns.
pub fn measure(lines: usize, turns: usize) -> Result<Part<Figures>> {
    if !has_gnu_time() {
        return Ok(Part::Missing("there is no GNU time to ask".to_owned()));
    }
    let program = build()?;
    let folder = Folder::new()?;
    let rulespec = folder.0.join("rulespec.yaml");
    std::fs::write(&rulespec, workload::TEN)?;
    let (few, many) = (lines / 10, lines);
    let files = [few, many].map(|lines| (lines, folder.0.join(format!("{lines}.jsonl"))));
    for (lines, file) in &files {
        write(file, *lines)?;
    }
    let [(_, short), (_, long)] = &files;
    let verify = |file: &Path, jobs: &[&str]| {
        let mut command = Command::new(&program);
        command.arg("verify").arg("--rulespec").arg(&rulespec).args(jobs).arg(file);
        command
    };
    for (lines, file) in &files {
        for jobs in [&["--jobs", "1"][..], &[]] {
            check(verify(file, jobs), *lines)?;
        }
    }
    let mut figures = Figures {
        lines: many,
        bytes: std::fs::metadata(long)?.len(),
        lawful: Vec::new(),
        parsed: Vec::new(),
        all_cores: Vec::new(),
        one_core: Vec::new(),
        memory: Vec::new(),
    };
    let parse = |file: &PathBuf| -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--parse").arg(file).arg(many.to_string());
        Ok(command)
    };
    for turn in 0..turns {
        eprint!("\rturn {} of {turns}", turn + 1);
        let one = ask(&verify(long, &["--jobs", "1"]), &folder.0)?;
        let parsed = ask(&parse(long)?, &folder.0)?;
        let all = ask(&verify(long, &[]), &folder.0)?;
        figures.lawful.push(one.processor);
        figures.parsed.push(parsed.processor);
        figures.one_core.push(one.wall);
        figures.all_cores.push(all.wall);
        if turn == 0 {
            let small = ask(&verify(short, &["--jobs", "1"]), &folder.0)?;
            let small_all = ask(&verify(short, &[]), &folder.0)?;
            figures.memory.push((few, small.resident, small_all.resident));
            figures.memory.push((many, one.resident, all.resident));
        }
    }
    eprintln!();
    Ok(Part::Measured(figures))
}

struct Asked {
    processor: f64,
    wall: f64,
    resident: u64,
}

fn ask(command: &Command, folder: &Path) -> Result<Asked> {
    let answer = ask_gnu_time("%U %S %e %M", command, folder)?;
    match answer.split(' ').collect::<Vec<_>>().as_slice() {
        [user, system, wall, resident] => Ok(Asked {
            processor: user.parse::<f64>()? + system.parse::<f64>()?,
            wall: wall.parse()?,
            resident: resident.parse()?,
        }),
        _ => Err(format!("GNU time says {answer}").into()),
    }
}

fn write(file: &Path, lines: usize) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    for number in 0..lines {
        out.write_all(workload::line(number).as_bytes())?;
    }
    Ok(out.flush()?)
}

/// Every envelope passes, and the predicates have the results that the lines were built for.
fn check(mut command: Command, lines: usize) -> Result<()> {
    let output = command.args(["--format", "json"]).output()?;
    let view: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let number = |pointer: &str| view.pointer(pointer).and_then(serde_json::Value::as_u64);
    let (status, tests) = (6, 5);
    let skipped = lines - lines.div_ceil(3);
    for (pointer, expected) in [
        ("/envelopes".to_owned(), lines),
        ("/passed".to_owned(), lines),
        (format!("/predicates/{status}/failed"), lines / workload::FAILS),
        (format!("/predicates/{tests}/skipped"), skipped),
        ("/predicates/9/passed".to_owned(), lines),
    ] {
        if number(&pointer) != u64::try_from(expected).ok() {
            let found = view.pointer(&pointer);
            return Err(format!("void: {pointer} is {found:?}, not {expected}").into());
        }
    }
    Ok(())
}

/// What the program beside it does: every line to a value, which must be an object.
pub fn parse_alone(file: &str, lines: &str) -> Result<()> {
    let mut reader = BufReader::with_capacity(256 * 1024, File::open(file)?);
    let mut line = String::new();
    let mut objects = 0_usize;
    while reader.read_line(&mut line)? > 0 {
        let value: serde_json::Value = serde_json::from_str(&line)?;
        objects += usize::from(std::hint::black_box(value).is_object());
        line.clear();
    }
    if objects == lines.parse::<usize>()? {
        Ok(())
    } else {
        Err(format!("void: serde_json finds {objects} objects, not {lines}").into())
    }
}

/// The middle of some figures.
pub(super) fn middle(figures: &[f64]) -> f64 {
    let [_, median, _] = quartiles(figures);
    median
}
