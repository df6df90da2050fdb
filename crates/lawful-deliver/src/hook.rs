//! The harnesses with a stop hook, and its protocol.

/// How a harness asks whether an agent may stop, and how it expects the answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Hook {
    /// Its id on the command line.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// Its event for an agent that wants to stop.
    pub(crate) event: &'static str,
    /// The word that blocks the stop.
    pub(crate) block: &'static str,
    /// Where its settings are.
    pub(crate) place: Place,
    /// The variable that gives its hooks the path of the project.
    pub(crate) project: Option<&'static str>,
    /// The units of its timeout per second.
    pub(crate) clock: u64,
    /// What the user must do before a hook in its settings runs.
    pub notice: Option<&'static str>,
}

/// Where the settings of a harness are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The variable that moves the folder of the user.
    pub(crate) moved_by: Option<&'static str>,
    /// The folder in the home of the user, and in a project.
    pub(crate) folder: &'static str,
    /// The file in it.
    pub(crate) file: &'static str,
}

/// Every harness with a stop hook. Confirmed in November 2026 against Claude Code 2.1.325, Codex
/// CLI 0.166.0 and Gemini CLI 0.61.0.
pub static HOOKS: [Hook; 3] = [
    Hook {
        id: "claude-code",
        name: "Claude Code",
        event: "Stop",
        block: "block",
        place: Place {
            moved_by: Some("CLAUDE_CONFIG_DIR"),
            folder: ".claude",
            file: "settings.json",
        },
        project: Some("CLAUDE_PROJECT_DIR"),
        clock: 1,
        notice: None,
    },
    Hook {
        id: "codex",
        name: "Codex CLI",
        event: "Stop",
        block: "block",
        place: Place { moved_by: Some("CODEX_HOME"), folder: ".codex", file: "hooks.json" },
        project: None,
        clock: 1,
        notice: Some("Codex runs a hook only after you have trusted it: see `/hooks` in Codex"),
    },
    Hook {
        id: "gemini-cli",
        name: "Gemini CLI",
        event: "AfterAgent",
        block: "deny",
        place: Place { moved_by: None, folder: ".gemini", file: "settings.json" },
        project: Some("GEMINI_PROJECT_DIR"),
        clock: 1000,
        notice: None,
    },
];

/// The stop hook of a harness.
pub fn find_hook(id: &str) -> Option<&'static Hook> {
    HOOKS.iter().find(|hook| hook.id == id)
}

impl Hook {
    /// The timeout of a hook in seconds. A harness lets the agent stop after it, so it is longer
    /// than the time limit of the hook itself.
    pub const PATIENCE: u64 = 900;

    /// Its event for an agent that wants to stop.
    pub fn event(&self) -> &'static str {
        self.event
    }

    /// The variable that gives its hooks the path of the project.
    pub fn project_variable(&self) -> Option<&'static str> {
        self.project
    }
}
