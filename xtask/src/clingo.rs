//! Checks verdicts with clingo: installs it into `target/` and runs a test that only this command
//! runs.

use crate::workspace::{Result, cargo, pip_install, run as run_command, target_folder};

const VERSION: &str = "5.8.2";

/// Installs clingo if needed, and runs its test.
pub(crate) fn run() -> Result {
    let folder = target_folder().join("clingo").join(VERSION);
    if !folder.join("clingo").is_dir() {
        pip_install(&folder, &format!("clingo=={VERSION}"))?;
    }
    let mut test =
        cargo(&["test", "--package", "lawful", "--lib", "--locked", "--", "--ignored", "clingo"]);
    test.env("PYTHONPATH", &folder);
    run_command(test)
}
