//! Runs one benchmark of `benches/`, which is a workspace of its own.

use crate::workspace::{Failure, Result, cargo, root, run as run_command, rust_files_in};

/// Runs the benchmark that the first word names, with the other words as its arguments.
pub(crate) fn run(words: &[String]) -> Result {
    let known = rust_files_in(&root().join("benches/src/bin"));
    let Some((name, arguments)) = words.split_first() else {
        if known.is_empty() {
            println!("there are no benchmarks in benches/src/bin");
        }
        for name in known {
            println!("{name}");
        }
        return Ok(());
    };
    if !known.contains(name) {
        let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(Failure::Failed(format!("there is no benchmark `{name}`; there are: {list}")));
    }
    let mut command =
        cargo(&["run", "--release", "--manifest-path", "benches/Cargo.toml", "--bin", name, "--"]);
    command.args(arguments);
    run_command(command)
}
