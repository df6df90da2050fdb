//! The commands of the manifest: their exit codes and durations.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use lawful::book::{Observation, Run};
use lawful::syntax::{Diagnostic, escape};
use lawful::{Map, Number, Value};

use super::{failed, process};

/// Runs a command in its folder. Its output goes to standard error.
pub(super) fn run(
    observation: &Observation,
    root: &Path,
    deadline: Option<Instant>,
) -> Result<Value, Diagnostic> {
    let name = escape::name(&observation.name);
    let folder = root.join(&observation.folder);
    // A link in the project must not redirect the command.
    let folder = folder.canonicalize().ok().filter(|real| real.starts_with(root) && real.is_dir());
    let Some(folder) = folder else {
        let message = format!(
            "the command `{name}` cannot run in `{}`, which is not a folder of the project",
            escape::name(&observation.folder)
        );
        return Err(failed(message, "`cwd` is relative to the root of the repository"));
    };
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let own = Duration::from_secs(observation.timeout);
    let limit = left.map_or(own, |left| own.min(left));
    let ended = process::run(command(&observation.run, &folder), limit).map_err(|error| {
        let why = error.to_string();
        let why = why.split(" (os error").next().unwrap_or_default().to_lowercase();
        failed(
            format!("cannot start the command `{name}`: {why}"),
            "see `observe` in `lawful.yaml`",
        )
    })?;
    let mut facts = Map::new();
    match ended.status {
        Some(status) => {
            facts.insert("exit", status.code().map_or(Value::Null, |code| i64::from(code).into()));
            if let Some(signal) = signal(status) {
                facts.insert("signal", i64::from(signal).into());
            }
        }
        None => {
            facts.insert("exit", Value::Null);
            facts.insert("timeout", true.into());
        }
    }
    facts.insert("seconds", seconds(ended.took));
    Ok(Value::Map(facts))
}

fn command(run: &Run, folder: &Path) -> Command {
    let mut command = match run {
        Run::Words(words) => {
            let mut words = words.iter().map(|word| &**word);
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words);
            command
        }
        Run::Shell(line) => {
            let mut command = Command::new("sh");
            command.args(["-c", &**line]);
            command
        }
    };
    command.current_dir(folder);
    command
}

/// Seconds with three decimals.
fn seconds(took: Duration) -> Value {
    let milliseconds = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
    let number = Number::from_float(f64::from(milliseconds) / 1000.0);
    number.map_or(Value::Null, Value::Number)
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal()
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}
