//! clingo, a Python package: installed under `target/`, and given what the library prints for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lawful_datalog::{Program, parse};

use crate::Result;

/// The version.
pub const VERSION: &str = "5.8.2";

/// Where it is installed.
const INSTALLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/peers/clingo");

/// Runs a program a number of times: the processor time of each run in microseconds, from the text to
/// the model, then how many facts it shows, then the sum of all numbers in them.
const SCRIPT: &str = r#"
import sys, time
import clingo
text = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    control = clingo.Control(["--warn=none", "--models=0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    models = []
    control.solve(on_model=lambda model: models.append(model.symbols(shown=True)))
    print((time.process_time() - start) * 1e6)
assert len(models) == 1
print(len(models[0]))
print(sum(argument.number for symbol in models[0] for argument in symbol.arguments))
"#;

/// What clingo found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Microseconds of each run.
    pub times: Vec<f64>,
    /// How many facts of the answers there are, and the sum of their numbers.
    pub answer: (usize, i64),
}

/// Installs it, unless it is there; the reason if it cannot be.
pub fn install() -> std::result::Result<(), String> {
    let folder = Path::new(INSTALLED);
    if folder.join(format!("clingo-{VERSION}.dist-info")).is_dir() {
        return Ok(());
    }
    eprintln!("installing clingo {VERSION}");
    let status = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--upgrade", "--target", INSTALLED])
        .args(["--root-user-action=ignore", "--disable-pip-version-check"])
        .arg(format!("clingo=={VERSION}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("python3 cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("pip could not install clingo {VERSION}")) }
}

/// Runs the program of a text, which shows the relations that are asked for.
pub fn run(text: &str, asked: &[&str], times: usize, folder: &Path) -> Result<Found> {
    let mut program = Program::default();
    if let Some(problem) = parse(text, &mut program).first() {
        return Err(problem.message.clone().into());
    }
    for name in asked {
        let relation = program.find(name).ok_or("a relation that is asked for is missing")?;
        program.output(relation);
    }
    let file: PathBuf = folder.join("program.lp");
    let number = |number: i64| format!("clingo cannot hold {number}");
    fs::write(&file, program.to_clingo().map_err(number)?)?;
    let output = Command::new("python3")
        .env("PYTHONPATH", INSTALLED)
        .args(["-c", SCRIPT])
        .arg(&file)
        .arg(times.to_string())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let lines: Vec<&str> = text.lines().collect();
    match lines.as_slice() {
        [times @ .., count, sum] if output.status.success() => Ok(Found {
            times: times.iter().map(|time| time.parse()).collect::<std::result::Result<_, _>>()?,
            answer: (count.parse()?, sum.parse()?),
        }),
        _ => Err(format!("clingo failed: {}", output.status).into()),
    }
}
