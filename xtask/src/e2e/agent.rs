//! The harnesses: package, settings and command of each.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use lawful_prove::Wire;

use super::stub::{Model, Turn};
use super::tools::Tools;
use crate::node::Node;
use crate::workspace::{Result, failed, run as run_command, target_folder};

/// A harness from npm.
pub(super) struct Agent {
    /// Its id in Lawful.
    pub(super) id: &'static str,
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    /// Its program.
    program: Program,
    /// How its hooks are tested; `None` if they are not.
    pub(super) hooks: Option<HookTest>,
}

/// Where the program of a package is.
enum Program {
    /// A script for Node.
    Script(&'static str),
    /// A program in a platform-specific package: the start of the name of the package, and the path.
    Native(&'static str, &'static str),
}

/// How the hooks of a harness are tested.
pub(super) struct HookTest {
    pub(super) tools: Tools,
    /// The scope of its hooks.
    pub(super) scope: &'static str,
    /// Whether its stop hook runs before it ends.
    pub(super) stops: bool,
    /// The sub-agent that it delegates to, if one is tested.
    pub(super) delegate: Option<SubAgent>,
}

/// A sub-agent of a harness.
pub(super) struct SubAgent {
    /// Its type, as the log of decisions names it.
    pub(super) kind: &'static str,
    /// Whether it gets directives when it starts.
    pub(super) is_told: bool,
}

/// Every harness that can run unattended.
pub(super) const AGENTS: [Agent; 8] = [
    Agent {
        id: "gemini-cli",
        package: "@google/gemini-cli",
        version: "0.61.0",
        program: Program::Script("bundle/gemini.js"),
        hooks: Some(HookTest {
            tools: Tools::GeminiCli,
            scope: "project",
            stops: true,
            delegate: None,
        }),
    },
    Agent {
        id: "codex",
        package: "@openai/codex",
        version: "0.166.0",
        program: Program::Script("bin/codex.js"),
        hooks: Some(HookTest { tools: Tools::Codex, scope: "user", stops: true, delegate: None }),
    },
    Agent {
        id: "claude-code",
        package: "@anthropic-ai/claude-code",
        version: "2.1.325",
        // Its wrapper requires a newer Node than necessary; the program itself requires none.
        program: Program::Native("@anthropic-ai/claude-code", "claude"),
        hooks: Some(HookTest {
            tools: Tools::ClaudeCode,
            scope: "project",
            stops: true,
            delegate: Some(SubAgent { kind: "general-purpose", is_told: true }),
        }),
    },
    Agent {
        id: "opencode",
        package: "opencode-ai",
        version: "1.18.33",
        program: Program::Native("opencode", "bin/opencode"),
        hooks: Some(HookTest {
            tools: Tools::OpenCode,
            scope: "project",
            stops: false,
            delegate: Some(SubAgent { kind: "general", is_told: true }),
        }),
    },
    Agent {
        id: "qwen",
        package: "@qwen-code/qwen-code",
        version: "0.24.4",
        program: Program::Script("cli.js"),
        hooks: Some(HookTest {
            tools: Tools::GeminiCli,
            scope: "project",
            stops: false,
            delegate: Some(SubAgent { kind: "unknown", is_told: false }),
        }),
    },
    Agent {
        id: "copilot",
        package: "@github/copilot",
        version: "1.0.102",
        program: Program::Native("@github/copilot", "copilot"),
        hooks: None,
    },
    Agent {
        id: "cline",
        package: "cline",
        version: "3.0.65",
        program: Program::Native("@cline/cli", "bin/cline"),
        hooks: None,
    },
    Agent {
        id: "pi",
        package: "@earendil-works/pi-coding-agent",
        version: "0.87.1",
        program: Program::Script("dist/bundle/cli.js"),
        hooks: None,
    },
];

const PROMPT: &str = "Please write the note.";

impl Agent {
    /// Its model protocol.
    fn wire(&self) -> Wire {
        lawful_prove::find(self.id).map_or(Wire::Chat, |client| client.wire)
    }

    /// Installs the package, unless this version is already there.
    pub(super) fn install(&self) -> Result<Installed<'_>> {
        let installed = Installed {
            agent: self,
            folder: target_folder().join("e2e").join(self.id),
            node: Node::find()?,
        };
        let folder = &installed.folder;
        let manifest = folder.join("node_modules").join(self.package).join("package.json");
        let version = format!("\"version\": \"{}\"", self.version);
        if fs::read_to_string(&manifest).is_ok_and(|text| text.contains(&version)) {
            return Ok(installed);
        }
        fs::create_dir_all(folder).map_err(|error| failed(folder.display(), error))?;
        let mut npm = installed.node.npm();
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        npm.arg(folder).arg(format!("{}@{}", self.package, self.version)).stdin(Stdio::null());
        run_command(npm)?;
        Ok(installed)
    }

    /// Writes the settings to run unattended and offline.
    pub(super) fn configure(&self, home: &Path, port: u16) -> io::Result<()> {
        let (path, text) = match self.wire() {
            Wire::Gemini => (
                ".gemini/settings.json",
                r#"{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
}
"#
                .to_owned(),
            ),
            Wire::Responses => (
                ".codex/config.toml",
                format!(
                    "model = \"stub\"\nmodel_provider = \"stub\"\ncheck_for_update_on_startup = false\n\
                     [model_providers.stub]\nname = \"stub\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n\
                     wire_api = \"responses\"\nrequires_openai_auth = false\nsupports_websockets = false\n\
                     [analytics]\nenabled = false\n"
                ),
            ),
            Wire::Messages => (".claude/settings.json", "{}\n".to_owned()),
            Wire::Chat if self.id == "opencode" => (
                ".config/opencode/opencode.json",
                format!(
                    r#"{{
  // The stub as the model.
  "model": "stub/stub",
  "autoupdate": false,
  "share": "disabled",
  "provider": {{
    "stub": {{
      "npm": "@ai-sdk/openai-compatible",
      "options": {{"baseURL": "http://127.0.0.1:{port}/v1", "apiKey": "stub"}},
      "models": {{"stub": {{}}}},
    }},
  }},
}}
"#
                ),
            ),
            Wire::Chat => (
                ".qwen/settings.json",
                r#"{
  "security": {"auth": {"selectedType": "openai"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"disableAutoUpdate": true}
}
"#
                .to_owned(),
            ),
        };
        let path = home.join(path);
        fs::create_dir_all(path.parent().unwrap_or(home))?;
        fs::write(path, text)
    }
}

/// A harness that can be run.
pub(super) struct Installed<'a> {
    pub(super) agent: &'a Agent,
    folder: PathBuf,
    node: Node,
}

impl Installed<'_> {
    /// A model for it.
    pub(super) fn model(&self, tools: Tools, script: &'static [Turn], project: &Path) -> Model {
        Model {
            wire: self.agent.wire(),
            tools,
            script,
            project: project.to_owned(),
            requests: self.folder.join("requests"),
        }
    }

    /// A folder with its program, under the name that users have on their `PATH`.
    pub(super) fn bin(&self) -> Result<PathBuf> {
        let folder = self.folder.join("bin");
        let client = lawful_prove::find(self.agent.id);
        let name = client.and_then(|client| client.programs.first()).unwrap_or(&self.agent.id);
        let script = format!(
            "#!/bin/sh
exec {} \"$@\"
",
            spell_path(&self.program())
        );
        let program = folder.join(name);
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&program, script))
            .and_then(|()| fs::set_permissions(&program, fs::Permissions::from_mode(0o755)))
            .map_err(|error| failed(program.display(), error))?;
        Ok(folder)
    }

    /// Its program, ready for arguments.
    fn program(&self) -> Command {
        match self.agent.program {
            Program::Script(path) => {
                let package = self.folder.join("node_modules").join(self.agent.package);
                self.node.script(&package.join(path))
            }
            Program::Native(package, path) => Command::new(self.native(package, path)),
        }
    }

    /// The command that runs one prompt to its end, with every tool allowed: it does only what the
    /// stub says.
    pub(super) fn command(&self, port: u16) -> Command {
        let base = format!("http://127.0.0.1:{port}");
        let mut command = match self.agent.wire() {
            Wire::Gemini => {
                let mut command = self.program();
                command.args(["--approval-mode", "yolo", "--model", "gemini-2.5-flash"]);
                command.args(["--prompt", PROMPT]);
                command.env("GEMINI_API_KEY", "stub").env("GOOGLE_GEMINI_BASE_URL", &base);
                command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
                command
            }
            Wire::Responses => {
                let mut command = self.program();
                command.args(["exec", "--dangerously-bypass-approvals-and-sandbox"]);
                // A user would review the hook and trust it.
                command.args(["--dangerously-bypass-hook-trust", PROMPT]);
                command
            }
            Wire::Messages => {
                let mut command = self.program();
                command.args([
                    "--print",
                    PROMPT,
                    "--allowed-tools",
                    "Bash,Read,Write,Agent",
                    "--verbose",
                ]);
                command.args(["--output-format", "stream-json"]);
                command.env("ANTHROPIC_BASE_URL", &base).env("ANTHROPIC_API_KEY", "stub");
                command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
                command
            }
            Wire::Chat if self.agent.id == "opencode" => {
                let mut command = self.program();
                command.args(["run", PROMPT]).env("OPENCODE_DISABLE_MODELS_FETCH", "1");
                // It installs the types of plugins from npm, and would try for a minute.
                command.env("npm_config_offline", "true").env("npm_config_fetch_retries", "0");
                command
            }
            Wire::Chat => {
                let mut command = self.program();
                command.args(["--approval-mode", "yolo", "--prompt", PROMPT]);
                command.env("OPENAI_API_KEY", "stub").env("OPENAI_MODEL", "stub");
                command.env("OPENAI_BASE_URL", format!("{base}/v1"));
                command
            }
        };
        command.env("NO_COLOR", "1").env("TERM", "dumb");
        command
    }

    /// A program in a platform-specific package.
    fn native(&self, package: &str, path: &str) -> PathBuf {
        let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let package = format!("{package}-{}-{machine}", std::env::consts::OS);
        self.folder.join("node_modules").join(package).join(path)
    }
}

/// A program and its arguments as a line of a shell. The paths are those of this repository.
fn spell_path(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| format!("'{}'", word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
