//! A run in its own network and process namespace, where the system allows users to make them.
//!
//! The program starts itself through `unshare`. Inside, only the loopback interface exists, and every
//! process ends with the first one. A system that does not allow it says so before the client starts,
//! and the client then runs without a namespace.

use std::path::Path;

#[cfg(target_os = "linux")]
use super::run;
use super::run::{Job, Recording};
use crate::answer::Answer;

/// The files of a run in its folder: what to do, that the namespace works, and the result.
#[cfg(target_os = "linux")]
const JOB: &str = "job.json";
#[cfg(target_os = "linux")]
const READY: &str = "ready";
#[cfg(target_os = "linux")]
const RECORDING: &str = "recording.json";

/// Runs a job in a namespace; `None` if there can be none.
#[cfg(target_os = "linux")]
pub(super) fn isolated(
    job: &Job,
    folder: &Path,
    program: &Path,
) -> Option<Result<Recording, String>> {
    use std::fs;
    use std::process::Command;

    use crate::observe::process;

    fs::write(folder.join(JOB), serde_json::to_vec(job).ok()?).ok()?;
    let unshare = ["/usr/bin/unshare", "/bin/unshare"];
    let unshare = unshare.iter().find(|program| Path::new(program).exists())?;
    let mut command = Command::new(unshare);
    command.args(["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--"]);
    command.arg(program).arg("prove-inside").arg(folder).env_clear().current_dir(folder);
    let printed = process::print(command, job.limit(), 4096).ok()?;
    if !folder.join(READY).exists() {
        return None;
    }
    let recording = fs::read(folder.join(RECORDING)).ok();
    let recording = recording.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let recording: Option<Result<Recording, String>> = recording;
    Some(match recording {
        Some(Ok(mut recording)) => {
            recording.isolated = true;
            Ok(recording)
        }
        Some(Err(why)) => Err(why),
        None => Err(format!("the isolated run was ended: {}", printed.error)),
    })
}

/// Other systems have no such namespaces.
#[cfg(not(target_os = "linux"))]
pub(super) fn isolated(_: &Job, _: &Path, _: &Path) -> Option<Result<Recording, String>> {
    None
}

/// Runs the job of a folder, inside a namespace that was made for it.
#[cfg(target_os = "linux")]
pub fn prove_inside(folder: &Path) -> Answer {
    use std::fs;

    let run = || -> Option<()> {
        let job: Job = serde_json::from_slice(&fs::read(folder.join(JOB)).ok()?).ok()?;
        lawful_prove::bring_up().ok()?;
        fs::write(folder.join(READY), "").ok()?;
        let recording: Result<Recording, String> = run::run(&job, folder);
        fs::write(folder.join(RECORDING), serde_json::to_vec(&recording).ok()?).ok()
    };
    if run().is_some() { Answer::Yes } else { Answer::Undecided }
}

/// Other systems have no such namespaces.
#[cfg(not(target_os = "linux"))]
pub fn prove_inside(_: &Path) -> Answer {
    Answer::Undecided
}
