//! What is delivered: the prompts of a book.

/// The prompts of all roles of a book, as the contract of its core let them pass.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolePrompt {
    /// The role.
    pub role: String,
    /// The whole prompt.
    pub text: String,
}

impl Prompts {
    /// The book as it is known in files: its name where that is a plain word, and otherwise a plain
    /// word that is like it and like no other.
    pub fn id(&self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !self.book.is_empty() && self.book.len() <= 64 && self.book.chars().all(plain) {
            return self.book.clone();
        }
        let like: String =
            self.book.chars().take(40).map(|c| if plain(c) { c } else { '-' }).collect();
        let hash = crate::text::short_hash(&self.book);
        format!("{like}.{hash}")
    }
}

/// Whether a text starts with a core and has it once; the line ends may be either.
pub fn holds_core(text: &str, core: &str) -> bool {
    let text = crate::text::with_plain_lines(text);
    !core.is_empty() && text.starts_with(core) && text.matches(core).count() == 1
}

/// What a role must be called to become a part of the name of a file.
pub(crate) fn is_plain_role(role: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let starts_well = role.starts_with(|c: char| c.is_ascii_alphanumeric());
    starts_well && role.len() <= 64 && role.chars().all(plain) && !role.ends_with('.')
}
