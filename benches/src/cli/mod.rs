//! Also measured: the program `lawful` as users start it.

mod generate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::Result;

/// The repository, seen from this package.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// How many times the small evaluation is started.
pub const STARTS: usize = 200;
/// How many times the lawbook is checked.
pub const CHECKS: usize = 20;
/// How many files the lawbook has.
pub const FILES: usize = 1000;
/// Mebibytes of data.
const SIZES: [usize; 3] = [1, 4, 15];

/// What was measured.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Bytes of the program.
    pub size: u64,
    /// Milliseconds to check the lawbook.
    pub check: Spread,
    /// The same on a processor, which a busy machine does not stretch; `None` without GNU time.
    pub check_on_processor: Option<f64>,
    /// Milliseconds from start to exit of a small evaluation.
    pub start: Spread,
    /// Milliseconds from start to exit of a program that does nothing.
    pub nothing: Spread,
    /// Peak memory; `None` where there is no GNU time to ask.
    pub memory: Option<Vec<Peak>>,
}

/// The middle and the far end of many measurements.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// One in a hundred took longer.
    pub p99: f64,
}

/// Peak memory of one evaluation.
#[derive(Clone, Debug)]
pub struct Peak {
    /// The format of the data.
    pub format: &'static str,
    /// Its size in bytes.
    pub data: usize,
    /// The most memory that was resident, in KiB.
    pub resident: u64,
    /// The same for data of a few bytes.
    pub resident_at_rest: u64,
    /// Milliseconds from start to exit.
    pub took: f64,
}

/// Builds the program and measures it.
pub fn measure() -> Result<Figures> {
    let program = build()?;
    let folder = Folder::new()?;
    let eval = Eval::new(&program, &folder.0)?;
    let book = folder.0.join("book");
    generate::lawbook(&book, FILES)?;
    let check = || {
        let mut command = Command::new(&program);
        command.arg("check").arg("--book").arg(&book);
        command
    };
    Ok(Figures {
        size: fs::metadata(&program)?.len(),
        check: spread(CHECKS, check)?,
        check_on_processor: on_processor(&folder.0, check)?,
        start: spread(STARTS, || eval.command(&eval.small))?,
        nothing: spread(STARTS, || Command::new("true"))?,
        memory: memory(&eval)?,
    })
}

/// The path of `lawful`, built like a release, with `lawful-nickel` beside it.
pub(crate) fn build() -> Result<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--package", "xtask", "--manifest-path"])
        .arg(Path::new(ROOT).join("Cargo.toml"))
        .args(["--", "release"])
        .stderr(Stdio::inherit())
        .output()?;
    match String::from_utf8_lossy(&output.stdout).lines().next() {
        Some(path) if output.status.success() => Ok(PathBuf::from(path)),
        Some(_) | None => Err("`lawful` does not build; `--skip-cli` leaves it out".into()),
    }
}

/// A small condition that holds, and the files it is asked of.
struct Eval<'p> {
    program: &'p Path,
    condition: PathBuf,
    small: PathBuf,
    folder: PathBuf,
}

impl<'p> Eval<'p> {
    fn new(program: &'p Path, folder: &Path) -> Result<Self> {
        let condition = folder.join("condition.yaml");
        fs::write(&condition, generate::CONDITION)?;
        let small = folder.join("small.json");
        fs::write(&small, generate::SMALL)?;
        Ok(Self { program, condition, small, folder: folder.to_owned() })
    }

    fn command(&self, data: &Path) -> Command {
        let mut command = Command::new(self.program);
        command.arg("eval").arg(&self.condition).arg("--data").arg(data);
        command.args(["--format", "json"]);
        command
    }
}

/// Runs a command again and again; each run must succeed.
pub(crate) fn spread(times: usize, command: impl Fn() -> Command) -> Result<Spread> {
    let mut took = Vec::new();
    for _ in 0..times {
        took.push(timed(command())?);
    }
    Ok(spread_of(took))
}

/// The middle and the far end of measurements.
pub(crate) fn spread_of(mut took: Vec<f64>) -> Spread {
    took.sort_by(f64::total_cmp);
    let at = |part: usize| took.get(took.len().saturating_sub(1) * part / 100).copied();
    Spread { median: at(50).unwrap_or(f64::NAN), p99: at(99).unwrap_or(f64::NAN) }
}

/// Milliseconds from start to exit.
pub(crate) fn timed(command: Command) -> Result<f64> {
    timed_with(command, Stdio::null())
}

/// The same for a command that reads.
pub(crate) fn timed_with(mut command: Command, input: Stdio) -> Result<f64> {
    command.stdin(input).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let took = start.elapsed().as_secs_f64() * 1e3;
    if status.success() { Ok(took) } else { Err(format!("{command:?} failed: {status}").into()) }
}

fn memory(eval: &Eval<'_>) -> Result<Option<Vec<Peak>>> {
    if !has_gnu_time() {
        return Ok(None);
    }
    let resident_at_rest = peak(eval, &eval.small)?;
    let mut peaks = Vec::new();
    for (format, records) in
        [("JSON", generate::json as fn(usize) -> String), ("YAML", generate::yaml)]
    {
        for size in SIZES {
            let text = records(size << 20);
            let data = eval.folder.join(format!("data.{}", format.to_lowercase()));
            fs::write(&data, &text)?;
            let resident = peak(eval, &data)?;
            let took = timed(eval.command(&data))?;
            peaks.push(Peak { format, data: text.len(), resident, resident_at_rest, took });
        }
    }
    Ok(Some(peaks))
}

/// GNU time knows the resident set of a child that has ended; a shell's own `time` does not.
const GNU_TIME: &str = "/usr/bin/time";

pub(crate) fn has_gnu_time() -> bool {
    let output = Command::new(GNU_TIME).args(["--format", "%M", "true"]).output();
    output.is_ok_and(|output| output.status.success())
}

/// What GNU time says of a command that succeeds.
pub(crate) fn ask_gnu_time(format: &str, inner: &Command, folder: &Path) -> Result<String> {
    let answer = folder.join("time.txt");
    let mut command = Command::new(GNU_TIME);
    command.args(["--format", format, "--output"]).arg(&answer);
    command.arg(inner.get_program()).args(inner.get_args());
    timed(command)?;
    Ok(fs::read_to_string(&answer)?.trim().to_owned())
}

/// The most memory that was resident, in KiB.
fn peak(eval: &Eval<'_>, data: &Path) -> Result<u64> {
    Ok(ask_gnu_time("%M", &eval.command(data), &eval.folder)?.parse()?)
}

/// The median of milliseconds on a processor, in user and system mode.
fn on_processor(folder: &Path, command: impl Fn() -> Command) -> Result<Option<f64>> {
    if !has_gnu_time() {
        return Ok(None);
    }
    let mut took = Vec::new();
    for _ in 0..5 {
        let answer = ask_gnu_time("%U %S", &command(), folder)?;
        let seconds: Vec<f64> = answer.split(' ').flat_map(str::parse).collect();
        took.push(seconds.iter().sum::<f64>() * 1e3);
    }
    took.sort_by(f64::total_cmp);
    Ok(took.get(took.len() / 2).copied())
}

/// A folder that goes when it is no longer needed.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lawful-bench-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the folder of temporary files does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
