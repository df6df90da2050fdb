//! Verdicts checked by clingo: installed into `target/`, then asked by a test that nothing else runs.

use std::path::Path;
use std::process::Command;

use crate::workspace::{Result, cargo, run as run_command, target_folder};

const VERSION: &str = "5.8.2";

/// Installs clingo if it is not there, and runs the test that asks it.
pub(crate) fn run() -> Result {
    let folder = target_folder().join("clingo").join(VERSION);
    if !folder.join("clingo").is_dir() {
        install(&folder)?;
    }
    let mut test =
        cargo(&["test", "--package", "lawful", "--lib", "--locked", "--", "--ignored", "clingo"]);
    test.env("PYTHONPATH", &folder);
    run_command(test)
}

fn install(folder: &Path) -> Result {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--root-user-action", "ignore", "--target"]).arg(folder);
    pip.arg(format!("clingo=={VERSION}"));
    run_command(pip)
}
