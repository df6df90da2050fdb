//! The clients: how each is started once, without a person, against the stub.
//!
//! A row has the arguments, the variables and the files that point the client at the stub. It has no
//! code: `{base}` stands for the address of the stub, `{prompt}` for the message, `{home}` and
//! `{project}` for the folders of the copy.

use lawful_deliver::{Base, Place};

use crate::script::PROMPT;
use crate::wire::Wire;

/// The client of a harness.
#[derive(Debug)]
pub struct Client {
    /// The harness.
    pub id: &'static str,
    /// The names of its program on the `PATH`.
    pub programs: &'static [&'static str],
    /// The protocol of its model.
    pub wire: Wire,
    /// The arguments of one run.
    arguments: &'static [&'static str],
    /// The variables of one run.
    variables: &'static [(&'static str, &'static str)],
    /// Files to write into the home; JSON is merged into what is there.
    files: &'static [(&'static str, &'static str)],
    /// Files that decide what it reads, beyond those of the harness table.
    pub reads: &'static [Place],
    /// Folders whose files it reads as well, with the end of their names.
    pub folders: &'static [(Place, &'static str)],
    /// Its folder in the home, if it includes the files that `@path` in a text names.
    pub includes: Option<&'static str>,
    /// The paths of its settings that run, load, connect or identify, with `*` for any name.
    pub forbidden: &'static [&'static str],
    /// What a person must do before it starts an agent.
    pub agents_need: Option<&'static str>,
    /// How its model starts an agent, if it can.
    pub delegation: Option<&'static Delegation>,
}

/// How a model asks its client to start an agent.
#[derive(Debug)]
pub struct Delegation {
    /// The names of the tool; the first one that a request offers is used. `{agent}` stands for the
    /// name of the agent, with underscores, and `/` is between a namespace and a name.
    tools: &'static [&'static str],
    /// Whether the client answers before the agent has asked its model.
    pub(crate) in_background: bool,
    /// The arguments, as JSON with `{agent}` and `{task}` for strings.
    input: &'static str,
}

impl Delegation {
    /// The tool for an agent among those that are offered.
    pub(crate) fn tool(&self, agent: &str, offered: &[String]) -> Option<String> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let agent: String = agent.chars().map(plain).collect();
        let mut names = self.tools.iter().map(|name| name.replace("{agent}", &agent));
        names.find(|name| offered.contains(name))
    }

    /// The arguments of the tool.
    pub(crate) fn input(&self, agent: &str, task: &str) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        self.input.replace("{agent}", &quoted(agent)).replace("{task}", &quoted(task))
    }
}

/// The values of one run.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a> {
    /// The port of the stub.
    pub port: u16,
    /// The home of the copy.
    pub home: &'a str,
    /// The project of the copy.
    pub project: &'a str,
}

impl Slots<'_> {
    fn fill(&self, template: &str) -> String {
        template
            .replace("{base}", &format!("http://127.0.0.1:{}", self.port))
            .replace("{prompt}", PROMPT)
            .replace("{home}", self.home)
            .replace("{project}", self.project)
    }
}

impl Client {
    /// The arguments of one run.
    pub fn arguments(&self, slots: Slots<'_>) -> Vec<String> {
        self.arguments.iter().map(|word| slots.fill(word)).collect()
    }

    /// The variables of one run.
    pub fn variables(&self, slots: Slots<'_>) -> Vec<(&'static str, String)> {
        self.variables.iter().map(|(name, value)| (*name, slots.fill(value))).collect()
    }

    /// The files to write, relative to the home. JSON is merged into a file that is there.
    pub fn files(&self, slots: Slots<'_>) -> Vec<(&'static str, String)> {
        self.files.iter().map(|(path, text)| (*path, slots.fill(text))).collect()
    }
}

/// The client of a harness, if Lawful can start it.
pub fn find(id: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.id == id)
}

const fn project(path: &'static str) -> Place {
    Place { base: Base::Project, path }
}

const fn home(path: &'static str) -> Place {
    Place { base: Base::Home, path }
}

const CLAUDE: Base = Base::Moved("CLAUDE_CONFIG_DIR", ".claude");
const CODEX: Base = Base::Moved("CODEX_HOME", ".codex");
const COPILOT: Base = Base::Moved("COPILOT_HOME", ".copilot");

const fn below(base: Base, path: &'static str) -> Place {
    Place { base, path }
}

/// Every client that can be started without a person and pointed at another model.
pub static CLIENTS: [Client; 8] = [
    Client {
        id: "claude-code",
        programs: &["claude"],
        wire: Wire::Messages,
        arguments: &["--print", "{prompt}", "--allowed-tools", "Agent,Task"],
        variables: &[
            ("ANTHROPIC_BASE_URL", "{base}"),
            ("ANTHROPIC_API_KEY", "stub"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ],
        files: &[],
        reads: &[
            project(".claude/settings.local.json"),
            project(".claude/CLAUDE.md"),
            project("CLAUDE.local.md"),
        ],
        folders: &[
            (project(".claude/rules"), ".md"),
            (below(CLAUDE, "rules"), ".md"),
            (project(".claude/agents"), ".md"),
            (below(CLAUDE, "agents"), ".md"),
            (project(".claude/output-styles"), ".md"),
            (below(CLAUDE, "output-styles"), ".md"),
        ],
        includes: Some(".claude"),
        forbidden: &[
            "apiKeyHelper",
            "awsAuthRefresh",
            "awsCredentialExport",
            "enabledPlugins",
            "env",
            "extraKnownMarketplaces",
            "fileSuggestion",
            "forceLoginMethod",
            "forceLoginOrgUUID",
            "gcpAuthRefresh",
            "hooks",
            "mcpServers",
            "otelHeadersHelper",
            "sandbox",
            "sshConfigs",
            "statusLine",
            "subagentStatusLine",
            "worktree",
        ],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["Agent", "Task"],
            in_background: false,
            input: r#"{"description":"a task","prompt":{task},"subagent_type":{agent},"run_in_background":false}"#,
        }),
    },
    Client {
        id: "codex",
        programs: &["codex"],
        wire: Wire::Responses,
        arguments: &[
            "exec",
            "--skip-git-repo-check",
            "--sandbox",
            "read-only",
            "-c",
            "model=\"stub\"",
            "-c",
            "model_provider=\"stub\"",
            "-c",
            "model_providers.stub={name=\"stub\",base_url=\"{base}/v1\",wire_api=\"responses\",requires_openai_auth=false,supports_websockets=false}",
            "-c",
            "check_for_update_on_startup=false",
            "-c",
            "analytics.enabled=false",
            "{prompt}",
        ],
        variables: &[],
        files: &[],
        reads: &[],
        folders: &[(project(".codex/agents"), ".toml"), (below(CODEX, "agents"), ".toml")],
        includes: None,
        forbidden: &[
            "chatgpt_base_url",
            "hooks",
            "marketplaces",
            "mcp_servers",
            "model_catalog_json",
            "model_provider",
            "model_providers",
            "notify",
            "otel",
            "plugins",
            "profiles.*.model_provider",
            "shell_environment_policy",
        ],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["multi_agent_v1/spawn_agent", "spawn_agent"],
            in_background: true,
            input: r#"{"agent_type":{agent},"message":{task}}"#,
        }),
    },
    Client {
        id: "gemini-cli",
        programs: &["gemini"],
        wire: Wire::Gemini,
        arguments: &[
            "--approval-mode",
            "yolo",
            "--model",
            "gemini-2.5-flash",
            "--prompt",
            "{prompt}",
        ],
        variables: &[
            ("GEMINI_API_KEY", "stub"),
            ("GOOGLE_GEMINI_BASE_URL", "{base}"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
        files: &[(
            ".gemini/settings.json",
            r#"{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false,"enableAutoUpdateNotification":false}}"#,
        )],
        reads: &[
            project(".gemini/settings.json"),
            home(".gemini/settings.json"),
            // The agents of projects that a person accepted.
            home(".gemini/acknowledgments/agents.json"),
        ],
        folders: &[(project(".gemini/agents"), ".md"), (home(".gemini/agents"), ".md")],
        includes: Some(".gemini"),
        forbidden: &[
            "extensions",
            "hooks",
            "mcp",
            "mcpServers",
            "security.auth",
            "telemetry",
            "tools.callCommand",
            "tools.discoveryCommand",
            "tools.sandbox",
        ],
        agents_need: Some("start Gemini CLI in this project once and accept its new agents"),
        delegation: Some(&Delegation {
            tools: &["invoke_agent"],
            in_background: false,
            input: r#"{"agent_name":{agent},"prompt":{task}}"#,
        }),
    },
    Client {
        id: "opencode",
        programs: &["opencode"],
        wire: Wire::Chat,
        arguments: &["run", "{prompt}"],
        variables: &[
            (
                "OPENCODE_CONFIG_CONTENT",
                r#"{"model":"stub/stub","small_model":"stub/stub","autoupdate":false,"share":"disabled","provider":{"stub":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"{base}/v1","apiKey":"stub"},"models":{"stub":{}}}}}"#,
            ),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            // It installs the types of plugins from npm, and would try for a minute.
            ("npm_config_offline", "true"),
            ("npm_config_fetch_retries", "0"),
        ],
        files: &[],
        reads: &[project("CLAUDE.md"), home(".claude/CLAUDE.md")],
        folders: &[
            (project(".opencode/agent"), ".md"),
            (project(".opencode/agents"), ".md"),
            (below(Base::Config, "opencode/agent"), ".md"),
            (below(Base::Config, "opencode/agents"), ".md"),
        ],
        includes: None,
        forbidden: &[
            "agent.*.model",
            "command",
            "experimental.hook",
            "formatter",
            "lsp",
            "mcp",
            "mode.*.model",
            "model",
            "plugin",
            "provider",
            "server",
            "shell",
            "small_model",
        ],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["task"],
            in_background: false,
            input: r#"{"description":"a task","prompt":{task},"subagent_type":{agent}}"#,
        }),
    },
    Client {
        id: "qwen",
        programs: &["qwen"],
        wire: Wire::Chat,
        arguments: &["--approval-mode", "yolo", "--auth-type", "openai", "--prompt", "{prompt}"],
        variables: &[
            ("OPENAI_API_KEY", "stub"),
            ("OPENAI_MODEL", "stub"),
            ("OPENAI_BASE_URL", "{base}/v1"),
        ],
        files: &[],
        reads: &[project(".qwen/settings.json"), home(".qwen/settings.json")],
        folders: &[(project(".qwen/agents"), ".md"), (home(".qwen/agents"), ".md")],
        includes: Some(".qwen"),
        forbidden: &[
            "env",
            "extensions",
            "hooks",
            "mcp",
            "mcpServers",
            "modelProviders",
            "security.auth",
            "telemetry",
            "tools.callCommand",
            "tools.discoveryCommand",
            "tools.sandbox",
        ],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["agent", "task"],
            in_background: false,
            input: r#"{"description":"a task","prompt":{task},"subagent_type":{agent},"run_in_background":false}"#,
        }),
    },
    Client {
        id: "copilot",
        programs: &["copilot"],
        wire: Wire::Chat,
        arguments: &["--allow-all-tools", "--prompt", "{prompt}"],
        variables: &[
            ("COPILOT_PROVIDER_BASE_URL", "{base}/v1"),
            ("COPILOT_PROVIDER_TYPE", "openai"),
            ("COPILOT_PROVIDER_API_KEY", "stub"),
            ("COPILOT_MODEL", "stub"),
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
        ],
        files: &[],
        reads: &[],
        folders: &[
            (project(".github/agents"), ".md"),
            (below(COPILOT, "agents"), ".md"),
            (project(".github/instructions"), ".instructions.md"),
        ],
        includes: None,
        forbidden: &["hooks", "mcpServers"],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["task"],
            in_background: false,
            input: r#"{"description":"a task","name":"prove","prompt":{task},"agent_type":{agent},"mode":"sync"}"#,
        }),
    },
    Client {
        id: "cline",
        programs: &["cline"],
        wire: Wire::Chat,
        arguments: &[
            "--provider",
            "openai-compatible",
            "--key",
            "stub",
            "--model",
            "stub",
            "--auto-approve",
            "true",
            "{prompt}",
        ],
        variables: &[],
        files: &[(
            ".cline/data/settings/providers.json",
            r#"{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"stub","model":"stub","baseUrl":"{base}/v1"},"updatedAt":"2026-01-01T00:00:00.000Z","tokenSource":"manual"}}}"#,
        )],
        reads: &[],
        folders: &[(project(".clinerules"), ".md"), (project(".cline/agents"), ".yaml")],
        includes: None,
        forbidden: &["hooks", "mcpServers"],
        agents_need: None,
        delegation: Some(&Delegation {
            tools: &["subagent_{agent}"],
            in_background: false,
            input: r#"{"prompt":{task}}"#,
        }),
    },
    Client {
        id: "pi",
        programs: &["pi"],
        wire: Wire::Chat,
        arguments: &["--print", "--approve", "--provider", "stub", "--model", "stub", "{prompt}"],
        variables: &[("PI_OFFLINE", "1"), ("PI_SKIP_VERSION_CHECK", "1")],
        files: &[(
            ".pi/agent/models.json",
            r#"{"providers":{"stub":{"baseUrl":"{base}/v1","api":"openai-completions","apiKey":"stub","models":[{"id":"stub"}]}}}"#,
        )],
        reads: &[project("CLAUDE.md")],
        folders: &[],
        includes: None,
        forbidden: &[
            "defaultModel",
            "defaultProvider",
            "extensions",
            "npmCommand",
            "packages",
            "shellCommandPrefix",
            "shellPath",
        ],
        agents_need: None,
        delegation: None,
    },
];

#[cfg(test)]
mod tests;
