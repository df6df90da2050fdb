//! The prompts of a lawbook, for delivery.

use lawful::compose::{AgentKeys, contract};

/// The prompts of all roles of a lawbook that keeps its core contract.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompts {
    /// The name of the book.
    pub book: String,
    /// The core, which every prompt starts with.
    pub core: String,
    /// The role of the main conversation.
    pub main: String,
    /// Every role.
    pub roles: Vec<RolePrompt>,
}

/// The prompt of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct RolePrompt {
    /// The role.
    pub role: String,
    /// The whole prompt.
    pub text: String,
    /// The keys of its persona for the agent.
    pub agent: AgentKeys,
}

impl RolePrompt {
    /// The text after the core and the blank line; `None` without a blank line or without a persona.
    pub(crate) fn persona(&self, core: &str) -> Option<&str> {
        let persona = self.text.strip_prefix(core)?.strip_prefix(contract::SEPARATOR)?;
        let persona = persona.trim_start_matches('\n');
        (!persona.trim().is_empty()).then_some(persona)
    }

    /// Whether the text after the core continues its last paragraph.
    pub(crate) fn runs_on(&self, core: &str) -> bool {
        let rest = self.text.strip_prefix(core).unwrap_or_default();
        !rest.trim().is_empty() && !rest.starts_with(contract::SEPARATOR)
    }
}

impl Prompts {
    /// The id of the lawbook in files: its name if that is a plain word, otherwise a similar plain
    /// word that is unique.
    pub fn id(&self) -> String {
        book_id(&self.book)
    }
}

/// The id of a book by its name.
pub fn book_id(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.is_empty() && name.len() <= 64 && name.chars().all(plain) {
        return name.to_owned();
    }
    let like: String = name.chars().take(40).map(|c| if plain(c) { c } else { '-' }).collect();
    let hash = crate::text::short_hash(name);
    format!("{like}.{hash}")
}

/// Whether a text starts with a core and has it once, with either kind of line end.
pub fn holds_core(text: &str, core: &str) -> bool {
    contract::check(core, &crate::text::with_plain_lines(text)).is_ok()
}

/// Whether a role can be part of a file name.
pub(crate) fn is_plain_role(role: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let starts_well = role.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts_well && role.len() <= 64 && role.chars().all(plain) && !role.ends_with('.')
}
