//! The harnesses whose stop can be held, and how they ask.

/// How a harness asks whether an agent may stop, and wants to be answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Hook {
    /// What it is called on the command line.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// The event that it raises when an agent wants to stop.
    pub(crate) event: &'static str,
    /// The word that keeps an agent from stopping.
    pub(crate) block: &'static str,
    /// Where its settings are.
    pub(crate) place: Place,
    /// The variable in which it tells its hooks where the project is.
    pub(crate) project: Option<&'static str>,
    /// How many units of its clock a second has.
    pub(crate) clock: u64,
    /// What one must do before a hook in its settings runs.
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

/// Every harness whose stop can be held. Confirmed in November 2026 against Claude Code 2.1.325,
/// Codex CLI 0.166.0 and Gemini CLI 0.61.0.
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

/// How the stop of a harness is held.
pub fn find_hook(id: &str) -> Option<&'static Hook> {
    HOOKS.iter().find(|hook| hook.id == id)
}

impl Hook {
    /// So many seconds a hook may take. A harness that waits no longer lets the agent stop, so this
    /// is more than a hook allows itself.
    pub const PATIENCE: u64 = 900;

    /// The variable in which it tells its hooks where the project is.
    pub fn project_variable(&self) -> Option<&'static str> {
        self.project
    }
}
