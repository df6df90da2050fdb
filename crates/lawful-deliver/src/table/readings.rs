//! How harnesses read: their settings in the order of precedence, and what changes or hides a text.

use super::surface::{CLAUDE, CODEX, PI, at};
use crate::harness::Base::{Config, Home, Project, Start, System as Machine};
use crate::harness::Place;
use crate::reading::{EnvFiles, Hidden, NameSetting, Reading, Trust, TrustForm};

/// The settings of Claude Code, the one that decides first. Those of a project are read only in the
/// folder that it is started in.
pub(super) const CLAUDE_SETTINGS: &[Place] = &[
    at(Machine, "etc/claude-code/managed-settings.json"),
    at(Machine, "Library/Application Support/ClaudeCode/managed-settings.json"),
    at(Start, ".claude/settings.local.json"),
    at(Start, ".claude/settings.json"),
    at(CLAUDE, "settings.json"),
];

/// The settings of opencode, the one that decides first.
pub(super) const OPENCODE_SETTINGS: &[Place] = &[
    at(Machine, "etc/opencode/opencode.jsonc"),
    at(Machine, "etc/opencode/opencode.json"),
    at(Home, ".opencode/opencode.jsonc"),
    at(Home, ".opencode/opencode.json"),
    at(Start, ".opencode/opencode.jsonc"),
    at(Start, ".opencode/opencode.json"),
    at(Project, ".opencode/opencode.jsonc"),
    at(Project, ".opencode/opencode.json"),
    at(Start, "opencode.jsonc"),
    at(Start, "opencode.json"),
    at(Project, "opencode.jsonc"),
    at(Project, "opencode.json"),
    at(Config, "opencode/opencode.jsonc"),
    at(Config, "opencode/opencode.json"),
    at(Config, "opencode/config.json"),
];

pub(super) const GEMINI_SETTINGS: &[Place] = &[
    at(Machine, "etc/gemini-cli/settings.json"),
    at(Start, ".gemini/settings.json"),
    at(Home, ".gemini/settings.json"),
];

pub(super) const QWEN_SETTINGS: &[Place] = &[
    at(Machine, "etc/qwen-code/settings.json"),
    at(Start, ".qwen/settings.json"),
    at(Home, ".qwen/settings.json"),
];

pub(super) const GEMINI: Reading = Reading {
    trust: Some(Trust {
        list: at(Home, ".gemini/trustedFolders.json"),
        form: TrustForm::Folders,
        variable: Some("GEMINI_CLI_TRUST_WORKSPACE"),
        is_default: true,
        settings: GEMINI_SETTINGS,
    }),
    names: Some(NameSetting {
        key: &["context", "fileName"],
        settings: GEMINI_SETTINGS,
        user: at(Home, ".gemini"),
        default: &["GEMINI.md"],
        keeps_default: true,
    }),
    env: Some(EnvFiles::First),
    hidden: &[],
};

pub(super) const QWEN: Reading = Reading {
    trust: Some(Trust {
        list: at(Home, ".qwen/trustedFolders.json"),
        form: TrustForm::Folders,
        variable: None,
        is_default: false,
        settings: QWEN_SETTINGS,
    }),
    names: Some(NameSetting {
        key: &["context", "fileName"],
        settings: QWEN_SETTINGS,
        user: at(Home, ".qwen"),
        default: &["QWEN.md", "AGENTS.md"],
        keeps_default: false,
    }),
    env: Some(EnvFiles::FirstAndHome),
    hidden: &[],
};

pub(super) const CODEX_TRUST: Reading = Reading {
    trust: Some(Trust {
        list: at(CODEX, "config.toml"),
        form: TrustForm::Projects,
        variable: None,
        is_default: true,
        settings: &[],
    }),
    ..Reading::PLAIN
};

pub(super) const OPENCODE: Reading = Reading {
    hidden: &[
        Hidden {
            by: at(Project, "AGENTS.md"),
            files: &[at(Project, "CLAUDE.md"), at(Project, "CONTEXT.md")],
        },
        Hidden { by: at(Config, "opencode/AGENTS.md"), files: &[at(CLAUDE, "CLAUDE.md")] },
    ],
    ..Reading::PLAIN
};

pub(super) const PI_READING: Reading = Reading {
    hidden: &[
        Hidden { by: at(Project, "AGENTS.md"), files: &[at(Project, "CLAUDE.md")] },
        Hidden { by: at(Project, ".pi/APPEND_SYSTEM.md"), files: &[at(PI, "APPEND_SYSTEM.md")] },
    ],
    ..Reading::PLAIN
};
