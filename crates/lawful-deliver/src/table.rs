//! The table of harnesses: the surfaces of each, from their documentation and sources.
//!
//! For each scope and audience, the strongest surface comes first, and the first usable one is
//! used. A surface that replaces the prompt of a harness removes its own instructions, and one that
//! needs a setting changes a file of the user, so both require `--activate`. How each harness reads
//! its files was taken from the sources of the versions that `cargo xtask e2e` installs.

mod readings;
mod surface;

use crate::harness::Audience::Main;
use crate::harness::Base::{Config, Home, Project, Start};
use crate::harness::Strength::{Message, Replaces, System};
use crate::harness::{Form, Harness, Limit, Surface, Used};
use crate::reading::Alteration::{BlankLines, Comments, Imports, PromptVariables, Variables};
use crate::reading::Reading;
use readings::{CODEX_TRUST, GEMINI, OPENCODE, PI_READING, QWEN};
use surface::{
    AGENT, ALWAYS_APPLIED, ALWAYS_ON, CLAUDE, CLAUDE_AGENT, CLINE_AGENT, CODEX, COPILOT,
    COPILOT_AGENT, CURSOR_AGENT, DEVIN_AGENT, GEMINI_AGENT, NONE, PI, QWEN_AGENT, SEEN, SUBAGENT,
    agents, also, at, block, by_hand, codex_agent, developer, in_system, primary, seen, shared,
    style, surface, system_md,
};

/// The harness with this id.
pub fn find(id: &str) -> Option<&'static Harness> {
    HARNESSES.iter().find(|harness| harness.id == id)
}

/// The harnesses that a word may mean: its id begins with the word, or its program or its name has it.
pub fn meant_by(word: &str) -> Vec<&'static Harness> {
    let word = word.to_lowercase();
    let is_it = |harness: &&Harness| {
        let name = harness.name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_alphanumeric());
        harness.id.strip_prefix(&*word).is_some_and(|rest| rest.starts_with('-'))
            || harness.programs.contains(&&*word)
            || words.any(|part| part == word)
    };
    if word.is_empty() { Vec::new() } else { HARNESSES.iter().filter(is_it).collect() }
}

/// Every harness.
pub static HARNESSES: [Harness; 14] = [
    Harness {
        id: "claude-code",
        name: "Claude Code",
        surfaces: &[
            style(Project, ".claude/output-styles/lawful-{role}.md", ".claude/settings.json"),
            style(CLAUDE, "output-styles/lawful-{role}.md", "settings.json"),
            seen(&agents(Project, ".claude/agents/lawful-{role}.md", CLAUDE_AGENT)),
            seen(&agents(CLAUDE, "agents/lawful-{role}.md", CLAUDE_AGENT)),
            Surface { alters: &[Comments], ..shared(Project, "CLAUDE.md") },
            Surface { alters: &[Comments], ..shared(CLAUDE, "CLAUDE.md") },
            by_hand(Message, at(Project, ".claude/CLAUDE.md"), "in addition to `CLAUDE.md`"),
            by_hand(Message, at(Project, "CLAUDE.local.md"), "in addition to `CLAUDE.md`"),
        ],
        also_reads: &[],
        reading: Reading::PLAIN,
        project_signs: &[".claude", "CLAUDE.md"],
        user_signs: &[at(CLAUDE, "")],
        programs: &["claude"],
    },
    Harness {
        id: "agy",
        name: "Antigravity",
        surfaces: &[
            Surface { strength: System, ..block(Home, ".gemini/GEMINI.md") },
            block(Project, "AGENTS.md"),
            agents(Project, ".agents/agents/lawful-{role}.md", AGENT),
            by_hand(Message, at(Project, "GEMINI.md"), "instead of `AGENTS.md`"),
        ],
        also_reads: &["GEMINI.md"],
        reading: Reading::PLAIN,
        project_signs: &[".agents", ".antigravity"],
        user_signs: &[at(Home, ".gemini/antigravity"), at(Home, ".antigravity")],
        programs: &["agy", "antigravity"],
    },
    Harness {
        id: "gemini-cli",
        name: "Gemini CLI",
        surfaces: &[
            Surface {
                alters: &[PromptVariables, BlankLines],
                ..system_md(Project, ".gemini/system.md", ".gemini/.env", "GEMINI_SYSTEM_MD")
            },
            Surface {
                alters: &[PromptVariables, BlankLines],
                ..system_md(Home, ".gemini/system.md", ".gemini/.env", "GEMINI_SYSTEM_MD")
            },
            Surface {
                trusted: true,
                alters: &[Imports],
                confirmed: SEEN,
                ..shared(Project, "GEMINI.md")
            },
            Surface {
                strength: System,
                alters: &[Imports, BlankLines],
                confirmed: SEEN,
                ..shared(Home, ".gemini/GEMINI.md")
            },
            Surface {
                trusted: true,
                at_start: true,
                alters: &[Variables],
                ..seen(&agents(Project, ".gemini/agents/lawful-{role}.md", GEMINI_AGENT))
            },
            Surface {
                alters: &[Variables],
                ..seen(&agents(Home, ".gemini/agents/lawful-{role}.md", GEMINI_AGENT))
            },
        ],
        also_reads: &[],
        reading: GEMINI,
        project_signs: &[".gemini", "GEMINI.md"],
        user_signs: &[at(Home, ".gemini")],
        programs: &["gemini"],
    },
    Harness {
        id: "codex",
        name: "Codex CLI",
        surfaces: &[
            Surface {
                note: "read only in trusted projects",
                ..seen(&developer(Project, ".codex/config.toml"))
            },
            Surface { confirmed: SEEN, ..developer(CODEX, "config.toml") },
            Surface {
                limit: Some(Limit::BytesInAll(32 * 1024)),
                shadowed_by: &[at(Project, "AGENTS.override.md")],
                confirmed: SEEN,
                note: "limit for all project documents together; the rest is dropped",
                ..shared(Project, "AGENTS.md")
            },
            Surface {
                shadowed_by: &[at(CODEX, "AGENTS.override.md")],
                confirmed: SEEN,
                ..shared(CODEX, "AGENTS.md")
            },
            Surface {
                note: "read only in trusted projects",
                ..seen(&codex_agent(Project, ".codex/agents/lawful-{role}.toml"))
            },
            seen(&codex_agent(CODEX, "agents/lawful-{role}.toml")),
        ],
        also_reads: &["AGENTS.md"],
        reading: CODEX_TRUST,
        project_signs: &[".codex"],
        user_signs: &[at(CODEX, "")],
        programs: &["codex"],
    },
    Harness {
        id: "cursor",
        name: "Cursor",
        surfaces: &[
            Surface {
                note: "plain `.md` is not read there",
                ..surface(
                    Main,
                    Message,
                    at(Project, ".cursor/rules/lawful.mdc"),
                    Form::Owned(ALWAYS_APPLIED),
                )
            },
            agents(Project, ".cursor/agents/lawful-{role}.md", CURSOR_AGENT),
            agents(Home, ".cursor/agents/lawful-{role}.md", CURSOR_AGENT),
            also("AGENTS.md", false),
        ],
        also_reads: &["AGENTS.md"],
        reading: Reading::PLAIN,
        project_signs: &[".cursor", ".cursorrules"],
        user_signs: &[at(Home, ".cursor")],
        programs: &["cursor", "cursor-agent"],
    },
    Harness {
        id: "copilot",
        name: "GitHub Copilot",
        surfaces: &[
            in_system(&block(Project, ".github/copilot-instructions.md")),
            in_system(&block(COPILOT, "copilot-instructions.md")),
            seen(&agents(Project, ".github/agents/lawful-{role}.agent.md", COPILOT_AGENT)),
            seen(&agents(COPILOT, "agents/lawful-{role}.agent.md", COPILOT_AGENT)),
            by_hand(
                Message,
                at(Project, ".github/instructions/*.instructions.md"),
                "`applyTo` selects the files",
            ),
            also("AGENTS.md", false),
            also("CLAUDE.md", false),
            also("GEMINI.md", false),
        ],
        also_reads: &["AGENTS.md", "CLAUDE.md", "GEMINI.md"],
        reading: Reading::PLAIN,
        project_signs: &[".github/copilot-instructions.md", ".github/instructions"],
        user_signs: &[at(COPILOT, "")],
        programs: &["copilot"],
    },
    Harness {
        id: "devin",
        name: "Devin (Windsurf)",
        surfaces: &[
            Surface {
                limit: Some(Limit::Characters(12_000)),
                note: "older versions read `.windsurf/rules`",
                ..surface(
                    Main,
                    Message,
                    at(Project, ".devin/rules/lawful.md"),
                    Form::Owned(ALWAYS_ON),
                )
            },
            block(Config, "devin/AGENTS.md"),
            agents(Project, ".devin/agents/lawful-{role}/AGENT.md", DEVIN_AGENT),
            also("AGENTS.md", false),
        ],
        also_reads: &["AGENTS.md"],
        reading: Reading::PLAIN,
        project_signs: &[".devin", ".windsurf", ".windsurfrules"],
        user_signs: &[at(Config, "devin"), at(Home, ".codeium/windsurf")],
        programs: &["devin", "windsurf"],
    },
    Harness {
        id: "cline",
        name: "Cline",
        surfaces: &[
            Surface {
                reaches_agents: true,
                ..in_system(&surface(
                    Main,
                    Message,
                    at(Project, ".clinerules/lawful.md"),
                    Form::Owned(ALWAYS_APPLIED),
                ))
            },
            Surface {
                reaches_agents: true,
                ..in_system(&surface(
                    Main,
                    Message,
                    at(Home, "Documents/Cline/Rules/lawful.md"),
                    Form::Owned(ALWAYS_APPLIED),
                ))
            },
            seen(&agents(Project, ".cline/agents/lawful-{role}.yaml", CLINE_AGENT)),
            also("AGENTS.md", true),
        ],
        also_reads: &["AGENTS.md"],
        reading: Reading::PLAIN,
        project_signs: &[".clinerules", ".cline"],
        user_signs: &[at(Home, "Documents/Cline"), at(Home, ".cline")],
        programs: &["cline"],
    },
    Harness {
        id: "zed",
        name: "Zed",
        surfaces: &[
            Surface {
                shadowed_by: &[
                    at(Project, ".rules"),
                    at(Project, ".cursorrules"),
                    at(Project, ".windsurfrules"),
                    at(Project, ".clinerules"),
                    at(Project, ".github/copilot-instructions.md"),
                    at(Project, "AGENT.md"),
                ],
                note: "only the first file that matches is read",
                ..block(Project, "AGENTS.md")
            },
            block(Config, "zed/AGENTS.md"),
        ],
        also_reads: &[],
        reading: Reading::PLAIN,
        project_signs: &[".zed", ".rules"],
        user_signs: &[at(Config, "zed")],
        programs: &["zed", "zeditor"],
    },
    Harness {
        id: "opencode",
        name: "opencode",
        surfaces: &[
            primary(Project, ".opencode/agents/lawful-{role}.md", "opencode.json"),
            primary(Config, "opencode/agents/lawful-{role}.md", "opencode/opencode.json"),
            in_system(&shared(Project, "AGENTS.md")),
            Surface {
                shadowed_by: &[at(Project, "AGENTS.md")],
                note: "instead of `AGENTS.md`, where that would hide your `CLAUDE.md`",
                strength: System,
                ..shared(Project, "CLAUDE.md")
            },
            in_system(&shared(Config, "opencode/AGENTS.md")),
            Surface {
                shadowed_by: &[at(Config, "opencode/AGENTS.md")],
                note: "instead of its own `AGENTS.md`, where that would hide your `CLAUDE.md`",
                strength: System,
                ..shared(CLAUDE, "CLAUDE.md")
            },
            seen(&agents(Project, ".opencode/agents/lawful-{role}.md", SUBAGENT)),
            seen(&agents(Config, "opencode/agents/lawful-{role}.md", SUBAGENT)),
            by_hand(Message, at(Project, "opencode.json"), "`instructions` lists more files"),
        ],
        also_reads: &["AGENTS.md"],
        reading: OPENCODE,
        project_signs: &[".opencode", "opencode.json", "opencode.jsonc"],
        user_signs: &[at(Config, "opencode")],
        programs: &["opencode"],
    },
    Harness {
        id: "goose",
        name: "goose",
        surfaces: &[
            Surface {
                used: Used::Activated,
                note: "replaces the harness's own instructions",
                ..surface(Main, Replaces, at(Config, "goose/prompts/system.md"), NONE)
            },
            block(Project, "AGENTS.md"),
            block(Config, "goose/.goosehints"),
            Surface {
                limit: Some(Limit::Bytes(64 * 1024)),
                ..by_hand(
                    Message,
                    at(Config, "goose/lawful.md"),
                    "set by `GOOSE_MOIM_MESSAGE_FILE`, and repeated in every turn",
                )
            },
            by_hand(Message, at(Project, ".goosehints"), "in addition to `AGENTS.md`"),
        ],
        also_reads: &["AGENTS.md"],
        reading: Reading::PLAIN,
        project_signs: &[".goosehints", ".goose"],
        user_signs: &[at(Config, "goose")],
        programs: &["goose"],
    },
    Harness {
        id: "qwen",
        name: "Qwen Code",
        surfaces: &[
            system_md(Project, ".qwen/system.md", ".qwen/.env", "QWEN_SYSTEM_MD"),
            system_md(Home, ".qwen/system.md", ".qwen/.env", "QWEN_SYSTEM_MD"),
            Surface {
                trusted: true,
                alters: &[Imports],
                ..in_system(&shared(Project, "AGENTS.md"))
            },
            Surface {
                trusted: true,
                alters: &[Imports],
                note: "if the settings name it and not `AGENTS.md`",
                strength: System,
                ..shared(Project, "QWEN.md")
            },
            Surface { alters: &[Imports], ..in_system(&shared(Home, ".qwen/QWEN.md")) },
            Surface {
                trusted: true,
                at_start: true,
                alters: &[Variables],
                ..seen(&agents(Project, ".qwen/agents/lawful-{role}.md", QWEN_AGENT))
            },
            Surface {
                alters: &[Variables],
                ..seen(&agents(Home, ".qwen/agents/lawful-{role}.md", QWEN_AGENT))
            },
        ],
        also_reads: &[],
        reading: QWEN,
        project_signs: &[".qwen", "QWEN.md"],
        user_signs: &[at(Home, ".qwen")],
        programs: &["qwen"],
    },
    Harness {
        id: "pi",
        name: "pi",
        surfaces: &[
            Surface {
                strength: System,
                at_start: true,
                note: "in projects that you trust",
                ..seen(&block(Project, ".pi/APPEND_SYSTEM.md"))
            },
            Surface {
                strength: System,
                shadowed_by: &[at(Start, ".pi/APPEND_SYSTEM.md")],
                ..seen(&block(PI, "APPEND_SYSTEM.md"))
            },
            also("AGENTS.md", false),
        ],
        also_reads: &["AGENTS.md"],
        reading: PI_READING,
        project_signs: &[".pi"],
        user_signs: &[at(PI, "")],
        programs: &["pi"],
    },
    Harness {
        id: "agents-md",
        name: "any other",
        surfaces: &[block(Project, "AGENTS.md")],
        also_reads: &[],
        reading: Reading::PLAIN,
        project_signs: &["AGENTS.md"],
        user_signs: &[],
        programs: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_rows_were_seen_with_a_real_client() {
        let rows = HARNESSES.iter().flat_map(|harness| harness.surfaces);
        let rows: Vec<&Surface> = rows.filter(|row| row.used != Used::ByHand).collect();
        let seen = rows.iter().filter(|row| row.confirmed.is_some()).count();
        assert!(seen >= 30, "{seen} of {}", rows.len());
    }
}
