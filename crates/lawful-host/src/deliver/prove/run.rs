//! One run of a client against the stub.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use lawful::syntax::escape;
use lawful_prove::{Client, Limits, Recorded, Script, Slots, Stub, with_members};
use serde::{Deserialize, Serialize};

use super::inside;
use crate::observe::process;
use crate::workspace::Workspace;

/// How long a client may take for its version.
const VERSION_LIMIT: Duration = Duration::from_secs(30);

/// How much of its output is kept.
const OUTPUT: usize = 256 << 10;

/// The variables of the user that a client gets: they hold no secret, and say how to print and where
/// programs are.
const KEPT: [&str; 7] = ["LANG", "LC_ALL", "LC_CTYPE", "USER", "LOGNAME", "SYSTEMROOT", "TZ"];

/// What to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    client: String,
    program: PathBuf,
    /// The folder to start in, below the project.
    below: PathBuf,
    /// The agents to start.
    agents: Vec<String>,
    variables: Vec<(String, String)>,
    limit: Duration,
}

/// What a client did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Recording {
    pub(super) version: Option<String>,
    pub(super) requests: Vec<Recorded>,
    pub(super) refused: Vec<String>,
    /// Whether only the loopback interface could be reached.
    pub(super) isolated: bool,
    problem: Option<String>,
    /// Its exit code; `None` if it reached the time limit or was killed.
    exit: Option<i32>,
    timed_out: bool,
    /// What it printed last.
    said: String,
}

impl Recording {
    /// Why there is no request of a conversation.
    pub(super) fn why_silent(&self, client: &Client, main: bool) -> String {
        let what = if self.requests.is_empty() {
            "it sent no request to its model".to_owned()
        } else if main {
            "it sent no request for the main conversation".to_owned()
        } else {
            format!("`{}` did not start the agent", client.programs.first().unwrap_or(&client.id))
        };
        let how = match (self.timed_out, self.exit, &self.problem) {
            (true, _, _) => "it was stopped at the time limit".to_owned(),
            (false, _, Some(problem)) => problem.clone(),
            (false, Some(code), None) => format!("it ended with exit code {code}"),
            (false, None, None) => "it was killed".to_owned(),
        };
        let said = escape::line(&self.said);
        if said.is_empty() { format!("{what}; {how}") } else { format!("{what}; {how}: {said}") }
    }
}

impl Job {
    pub(super) fn new(
        workspace: &Workspace,
        client: &Client,
        program: PathBuf,
        below: &Path,
        agents: Vec<String>,
        limit: Duration,
    ) -> Self {
        let text = |name: &str| workspace.variable(name).and_then(|value| value.into_string().ok());
        let mut variables: Vec<(String, String)> =
            KEPT.iter().filter_map(|name| Some(((*name).to_owned(), text(name)?))).collect();
        let path = workspace.variable("PATH").unwrap_or_default();
        let absolute = env::split_paths(&path).filter(|folder| folder.is_absolute());
        if let Some(path) = env::join_paths(absolute).ok().and_then(|path| path.into_string().ok())
        {
            variables.push(("PATH".to_owned(), path));
        }
        let (client, below) = (client.id.to_owned(), below.to_owned());
        Self { client, program, below, agents, variables, limit }
    }

    /// The time for everything, with some to make a namespace and to write the recording.
    pub(super) fn limit(&self) -> Duration {
        self.limit + Duration::from_secs(2)
    }
}

/// The program of a client: the first on the `PATH`, in absolute folders only.
pub(super) fn find_program(client: &Client, path: &OsStr) -> Option<PathBuf> {
    let folders = || env::split_paths(path).filter(|folder| folder.is_absolute());
    let programs = client.programs.iter();
    let mut found = programs.flat_map(|name| {
        let name = format!("{name}{}", env::consts::EXE_SUFFIX);
        folders().map(move |folder| folder.join(&name))
    });
    found.find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|kind| kind.is_file() && kind.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Runs a job in a folder, isolated if the system can do it and `program` is given.
pub(super) fn play(job: &Job, folder: &Path, program: Option<&Path>) -> Result<Recording, String> {
    if let Some(program) = program
        && let Some(recording) = inside::isolated(job, folder, program)
    {
        return recording;
    }
    run(job, folder)
}

/// Runs a job here.
pub(super) fn run(job: &Job, folder: &Path) -> Result<Recording, String> {
    let client = lawful_prove::find(&job.client).ok_or("there is no such client")?;
    let mut script = Script::new(client.wire, client.delegation, job.agents.clone());
    let stub = Stub::start(Limits::default(), move |request| script.answer(request));
    let stub = stub.map_err(|error| format!("cannot listen on the loopback interface: {error}"))?;
    let (home, project) = (folder.join("home"), folder.join("project"));
    let slots = Slots {
        port: stub.port(),
        home: &home.to_string_lossy(),
        project: &project.to_string_lossy(),
    };
    let start_in = project.join(&job.below);
    let prepared = fs::create_dir_all(&start_in).and_then(|()| write(client, slots, &home));
    prepared.map_err(|error| format!("cannot prepare the temporary folder: {error}"))?;
    let command = |words: &[String]| {
        let mut command = Command::new(&job.program);
        command.args(words).current_dir(&start_in).env_clear();
        command.envs(job.variables.iter().map(|(name, value)| (name, value)));
        command.env("HOME", &home).env("TMPDIR", folder.join("tmp"));
        command.env("TERM", "dumb").env("NO_COLOR", "1");
        let proxy = format!("http://127.0.0.1:{}", stub.port());
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, &proxy).env(name.to_lowercase(), &proxy);
        }
        command.env("NO_PROXY", "127.0.0.1,localhost").env("no_proxy", "127.0.0.1,localhost");
        command.envs(client.variables(slots));
        command
    };
    let not_started = |error: std::io::Error| {
        let program = job.program.to_string_lossy();
        format!("`{}` did not start: {error}", escape::name(&program))
    };
    let start = Instant::now();
    let limit = job.limit.min(VERSION_LIMIT);
    let version = process::print(command(&["--version".to_owned()]), limit, OUTPUT);
    let version = version.map_err(not_started)?;
    let left = job.limit.saturating_sub(start.elapsed());
    if left.is_zero() {
        return Err("it did not print its version within the time limit".to_owned());
    }
    let version = version.output.as_deref().and_then(version_in);
    let printed = process::print(command(&client.arguments(slots)), left, OUTPUT);
    let printed = printed.map_err(not_started)?;
    let output = printed.output.unwrap_or_default();
    let said = if printed.error.is_empty() {
        String::from_utf8_lossy(&output).trim().to_owned()
    } else {
        printed.error
    };
    let status = printed.ended.status;
    Ok(Recording {
        version,
        requests: stub.requests(),
        refused: stub.refused(),
        isolated: false,
        problem: stub.problem(),
        exit: status.and_then(|status| status.code()),
        timed_out: status.is_none(),
        said: last(&said, 600),
    })
}

/// Writes the files that point a client at the stub.
fn write(client: &Client, slots: Slots<'_>, home: &Path) -> std::io::Result<()> {
    for (path, text) in client.files(slots) {
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        let there = fs::read_to_string(&path).unwrap_or_default();
        let text = match serde_json::from_str(&text) {
            Ok(added) => with_members(&there, &added),
            Err(_) => text,
        };
        fs::write(path, text)?;
    }
    Ok(())
}

/// The first word that looks like a version.
fn version_in(output: &[u8]) -> Option<String> {
    let output = String::from_utf8_lossy(output);
    let is_version = |word: &&str| {
        let mut parts = word.split('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        parts.next().is_some_and(is_number) && parts.next().is_some()
    };
    let trim = |word| str::trim_start_matches(word, 'v').trim_end_matches([',', '.', ')']);
    let version = output.split_whitespace().map(trim).find(is_version)?;
    Some(escape::shorten(version, 40).into_owned())
}

/// The end of a text.
fn last(text: &str, most: usize) -> String {
    let count = text.chars().count();
    text.chars().skip(count.saturating_sub(most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_among_other_words() {
        let check = |output: &str, expected: Option<&str>| {
            assert_eq!(version_in(output.as_bytes()).as_deref(), expected, "{output}");
        };
        check("2.1.325 (Claude Code)\n", Some("2.1.325"));
        check("codex-cli 0.166.0\n", Some("0.166.0"));
        check("GitHub Copilot CLI 1.0.102.\nCommit: abc\n", Some("1.0.102"));
        check("v0.24.4-nightly.1\n", Some("0.24.4-nightly.1"));
        check("no version\n", None);
    }
}
