//! Commands from start to exit, as users and harnesses start them.

use std::process::Command;

use super::{hook, workload};
use crate::Result;
use crate::cli::{Folder, Spread, build, spread};

/// A command that was started again and again.
#[derive(Clone, Debug)]
pub struct Start {
    /// The command, as people write it.
    pub command: String,
    /// Milliseconds from start to exit.
    pub took: Spread,
}

/// Starts `lawful verify` on one envelope, and a program that does nothing, so many times each.
pub fn measure(starts: usize) -> Result<Vec<Start>> {
    let program = build()?;
    let folder = Folder::new()?;
    let rulespec = folder.0.join("rulespec.yaml");
    let envelope = folder.0.join("envelope.json");
    std::fs::write(&rulespec, workload::TEN)?;
    std::fs::write(&envelope, workload::line(0))?;
    let verify = || {
        let mut command = Command::new(&program);
        command.arg("verify").arg("--rulespec").arg(&rulespec).arg(&envelope);
        command
    };
    let start = |command: &str, took: Spread| Start { command: command.to_owned(), took };
    let hook = hook::measure(starts)?;
    Ok(vec![
        start("`lawful verify --rulespec FILE ENVELOPE`", spread(starts, verify)?),
        start("`lawful hook … stop`, the envelope passes", hook.pass),
        start("`lawful hook … stop`, the envelope fails", hook.block),
        start("`lawful hook … stop`, after `git` was asked what changed", hook.git),
        start("`true`", spread(starts, || Command::new("true"))?),
    ])
}
