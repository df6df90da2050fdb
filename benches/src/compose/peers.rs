//! The peers: two npm packages, installed under `target/` and given a project of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, npm};

/// A program beside which Lawful is timed.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// The npm package.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The command, as people write it.
    pub command: &'static str,
    arguments: &'static [&'static str],
    /// The folder with the rules.
    rules: &'static str,
    /// A file that configures it, with its text.
    configuration: (&'static str, &'static str),
    /// What it writes: files and folders.
    writes: &'static [&'static str],
}

/// The peers. Each writes for one harness only, which is the least they can be asked to do.
pub const PEERS: [Peer; 2] = [
    Peer {
        package: "rulesync",
        version: "17.0.0",
        command: "rulesync generate",
        arguments: &["generate"],
        rules: ".rulesync/rules",
        configuration: (
            "rulesync.jsonc",
            "{\"targets\": [\"claudecode\"], \"features\": [\"rules\"]}\n",
        ),
        writes: &["CLAUDE.md", ".claude"],
    },
    Peer {
        package: "@intellectronica/ruler",
        version: "0.3.44",
        command: "ruler apply",
        arguments: &["apply", "--local-only"],
        rules: ".ruler",
        configuration: (".ruler/ruler.toml", "default_agents = [\"claude\"]\n"),
        writes: &["CLAUDE.md", ".gitignore"],
    },
];

/// The same, each for twelve harnesses.
pub const FOR_TWELVE: [Peer; 2] = [
    Peer {
        configuration: (
            "rulesync.jsonc",
            "{\"targets\": [\"claudecode\", \"codexcli\", \"cursor\", \"copilot\", \"cline\", \"opencode\", \"qwencode\", \"goose\", \"agentsmd\", \"zed\", \"devin\", \"pi\"], \"features\": [\"rules\"]}\n",
        ),
        writes: &TWELVE,
        ..PEERS[0]
    },
    Peer {
        configuration: (
            ".ruler/ruler.toml",
            "default_agents = [\"claude\", \"codex\", \"cursor\", \"copilot\", \"cline\", \"opencode\", \"qwen\", \"goose\", \"agentsmd\", \"zed\", \"windsurf\", \"pi\"]\n",
        ),
        writes: &TWELVE,
        ..PEERS[1]
    },
];

/// What either of them writes for twelve harnesses.
const TWELVE: [&str; 27] = [
    "CLAUDE.md",
    "AGENTS.md",
    "AGENTS.md.bak",
    "QWEN.md",
    "CRUSH.md",
    ".rules",
    ".claude",
    ".codex",
    ".cursor",
    ".github",
    ".clinerules",
    ".cline",
    ".opencode",
    ".qwen",
    ".goosehints",
    ".goose",
    ".agents",
    ".zed",
    ".devin",
    ".windsurf",
    ".pi",
    ".gemini",
    ".agent",
    ".config",
    ".gitignore",
    "opencode.json",
    ".mcp.json",
];

impl Peer {
    /// Installs the package, unless it is there; the reason if it cannot be.
    pub fn install(&self) -> std::result::Result<(), String> {
        npm::install(self.package, self.version)
    }

    /// Makes a project with these rules. Each rule is one file.
    pub fn project(&self, root: &Path, rules: &[String]) -> Result<Project> {
        let folder = root.join(self.package.replace('/', "-"));
        fs::create_dir_all(folder.join(self.rules))?;
        fs::write(folder.join(self.configuration.0), self.configuration.1)?;
        for (at, text) in rules.iter().enumerate() {
            let front = format!("---\nroot: {}\ntargets: [\"*\"]\n---\n\n", at == 0);
            let text = format!("{front}{}\n\n{text}\n", marker(at));
            fs::write(folder.join(self.rules).join(format!("rule-{at:03}.md")), text)?;
        }
        Ok(Project { peer: *self, folder, rules: rules.len() })
    }
}

/// A project of a peer.
#[derive(Clone, Debug)]
pub struct Project {
    peer: Peer,
    folder: PathBuf,
    rules: usize,
}

impl Project {
    /// The command that writes the output.
    pub fn command(&self) -> Command {
        let mut command = Command::new("node");
        command
            .arg(npm::folder(self.peer.package).join("dist/cli/index.js"))
            .args(self.peer.arguments);
        // What the person at the machine has configured is no part of the comparison.
        command.current_dir(&self.folder).env("HOME", &self.folder);
        command
    }

    /// Removes what an earlier run wrote.
    pub fn clear(&self) -> Result<()> {
        for name in self.peer.writes {
            let path = self.folder.join(name);
            if path.is_dir() {
                fs::remove_dir_all(path)?;
            } else if path.exists() {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Whether every rule stands in what was written.
    pub fn check(&self) -> Result<()> {
        let mut written = String::new();
        for name in self.peer.writes {
            read(&self.folder.join(name), &mut written)?;
        }
        match (0..self.rules).find(|at| !written.contains(&marker(*at))) {
            None => Ok(()),
            Some(at) => {
                let command = self.peer.command;
                Err(format!("void: `{command}` did not write rule {at}").into())
            }
        }
    }
}

fn marker(at: usize) -> String {
    format!("# Rule {at:03} of the desk")
}

/// All text in a file or a folder.
fn read(path: &Path, out: &mut String) -> Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            read(&entry?.path(), out)?;
        }
    } else if path.exists() {
        out.push_str(&fs::read_to_string(path)?);
    }
    Ok(())
}
