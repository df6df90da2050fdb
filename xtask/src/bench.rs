//! Runs a benchmark of `benches/`, which is a separate workspace.

use crate::workspace::{Failure, Result, cargo, root, run as run_command, rust_files_in};

/// Runs the benchmark named by the first argument, with the other arguments.
pub(crate) fn run(words: &[String]) -> Result {
    let known = rust_files_in(&root().join("benches/src/bin"));
    let Some((name, arguments)) = words.split_first() else {
        if known.is_empty() {
            println!("no benchmarks in benches/src/bin");
        }
        for name in known {
            println!("{name}");
        }
        return Ok(());
    };
    if !known.contains(name) {
        let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Failure::Failed(format!(
            "unknown benchmark `{name}`; the benchmarks are: {list}"
        )));
    }
    let mut command =
        cargo(&["run", "--release", "--manifest-path", "benches/Cargo.toml", "--bin", name, "--"]);
    command.args(arguments);
    run_command(command)
}
