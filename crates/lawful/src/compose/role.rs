//! The roles of a book: a system prompt for each, or an error.
//!
//! **Invariant:** this crate returns [`Roles`] only if every role of the book satisfies the [core
//! contract](super::contract). If one role breaks it, there are no prompts, so that nobody installs
//! or prints only some of the roles.

mod breach;
mod composer;

use lawful_syntax::{Diagnostic, FileId, Span};

use self::breach::breach;
use self::composer::Composer;
use super::agent::AgentKeys;
use super::codes::NO_CONDITIONING;
use super::contract;
use super::fragment::{Fragment, FragmentId, Front};
use super::nickel::Evaluated;
use super::render::{Line, Prompt};
use super::resolve::Compositions;
use crate::book::{Book, Persona, Predicates, RoleSource, unknown_role};
use crate::insertion::Insertions;
use crate::value::Value;

/// The system prompts of a book, all of which satisfy the contract.
#[derive(Debug)]
pub struct Roles {
    /// The core, shared by all roles.
    pub core: Core,
    /// The role of the main conversation.
    pub main: Box<str>,
    /// A prompt for each role: in the order of the manifest, or sorted by name if they come from
    /// Nickel.
    pub prompts: Vec<RolePrompt>,
    /// All warnings, about the core and about any role.
    pub warnings: Vec<Diagnostic>,
}

/// The core of a book.
#[derive(Clone, Debug)]
pub struct Core {
    /// Its text, with the origin of each line.
    pub prompt: Prompt,
    /// The predicates it teaches.
    pub teaches: Predicates,
    /// Its file.
    pub file: FileId,
}

/// The system prompt of a role.
#[derive(Clone, Debug)]
pub struct RolePrompt {
    /// The name of the role.
    pub role: Box<str>,
    /// The core, a blank line and the persona, with the origin of each line.
    pub prompt: Prompt,
    /// The composition of the persona, if it has one.
    pub composition: Option<Box<str>>,
    /// Its fragments, in order; empty if the persona is a text.
    pub fragments: Vec<FragmentId>,
    /// The last rule that added each fragment.
    pub brought_by: Vec<(FragmentId, usize)>,
    /// The predicates that the persona teaches, if it is a text.
    pub teaches: Predicates,
    /// The keys for agent files, if the persona is a page.
    pub agent: AgentKeys,
    /// Where the manifest names the persona, or the Nickel record the role.
    pub span: Span,
    /// Warnings about the core and this persona.
    pub warnings: Vec<Diagnostic>,
    /// The start of the persona in the text; the end of the text if Nickel omitted it.
    persona_at: usize,
}

/// Why there are no prompts.
#[derive(Debug)]
pub enum Refusal {
    /// The prompts could not be composed.
    Undecided(Vec<Diagnostic>),
    /// Some role breaks the contract.
    Broken(Vec<Diagnostic>),
}

impl RolePrompt {
    /// The whole prompt.
    pub fn text(&self) -> &str {
        &self.prompt.text
    }

    /// The text after the core and the blank line.
    pub fn persona(&self) -> &str {
        self.prompt.text.get(self.persona_at..).unwrap_or_default()
    }

    /// Every line with its origin.
    pub fn lines(&self) -> Vec<Line<'_>> {
        self.prompt.lines()
    }

    /// The rule of the composition that added a fragment; `None` if it is in the base.
    pub fn rule_of(&self, id: FragmentId) -> Option<usize> {
        self.brought_by.iter().rev().find(|(known, _)| *known == id).map(|(_, rule)| *rule)
    }
}

impl Core {
    /// Its text.
    pub fn text(&self) -> &str {
        &self.prompt.text
    }
}

/// The pages of personas, whose placeholders are filled as those of fragments.
pub(crate) fn persona_pages(book: &Book) -> Vec<Fragment> {
    let roles = book.manifest.conditioning.as_ref().map(|conditioning| &conditioning.roles);
    let Some(RoleSource::Personas(personas)) = roles else { return Vec::new() };
    let page = |(role, persona): &(Box<str>, Persona)| {
        let Persona::File(path, _) = persona else { return None };
        let document = book.documents.iter().find(|document| document.path == *path)?;
        // Composing reports what is wrong with it.
        Fragment::persona(role, document, Front::default(), &book.sources, &mut Vec::new())
    };
    personas.iter().filter_map(page).collect()
}

impl Roles {
    /// Composes the system prompts of all roles in a context, with what a session inserts after the
    /// core.
    ///
    /// `nickel` has the values of the files that
    /// [`Conditioning::nickel_texts`](crate::book::Conditioning::nickel_texts) and
    /// [`Conditioning::nickel_record`](crate::book::Conditioning::nickel_record) name.
    pub fn compose(
        book: &Book,
        compositions: &Compositions,
        context: &Value,
        insertions: &Insertions,
        nickel: &Evaluated,
    ) -> Result<Self, Refusal> {
        match Self::unchecked(book, compositions, context, insertions, nickel) {
            Ok((roles, broken)) if broken.is_empty() => Ok(roles),
            Ok((_, broken)) => Err(Refusal::Broken(broken)),
            Err(problems) => Err(Refusal::Undecided(problems)),
        }
    }

    /// The same, but returns the prompts along with all breaches of the contract, for checks.
    pub(crate) fn unchecked(
        book: &Book,
        compositions: &Compositions,
        context: &Value,
        insertions: &Insertions,
        nickel: &Evaluated,
    ) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        match Composer::new(book, compositions, context, insertions, nickel) {
            Some(composer) => composer.run(),
            None => Err(vec![no_conditioning(book)]),
        }
    }

    /// The breaches of the contract in the roles that could be evaluated.
    pub fn breaches(book: &Book, nickel: &Evaluated) -> Vec<Diagnostic> {
        let (compositions, _) = Compositions::decode(book);
        let context = Compositions::first_context(&book.manifest);
        let none = Insertions::default();
        let composer = Composer::new(book, &compositions, &context, &none, nickel);
        composer.map(Composer::breaches).unwrap_or_default()
    }

    /// The breach of the contract in one prompt, if any.
    pub(crate) fn breach(&self, book: &Book, prompt: &RolePrompt) -> Option<Diagnostic> {
        breach(book, &self.core, prompt, &[])
    }

    /// The prompt of a role with another rendering of its persona, and its breach of the contract,
    /// if any.
    pub(crate) fn with_persona(
        &self,
        book: &Book,
        role: &RolePrompt,
        persona: Prompt,
    ) -> (RolePrompt, Option<Diagnostic>) {
        let prompt = contract::system(&self.core.prompt, persona);
        let made = RolePrompt { prompt, ..role.clone() };
        let broken = self.breach(book, &made);
        (made, broken)
    }

    /// The prompt of a role, or a diagnostic for an unknown role.
    pub fn get(&self, role: &str) -> Result<&RolePrompt, Box<Diagnostic>> {
        let found = self.prompts.iter().find(|prompt| &*prompt.role == role);
        let names = self.prompts.iter().map(|prompt| &*prompt.role);
        found.ok_or_else(|| Box::new(unknown_role(role, Span::NONE, names)))
    }
}

/// The diagnostic for a book without conditioning.
fn no_conditioning(book: &Book) -> Diagnostic {
    let place = book.documents.first().map_or(Span::NONE, |first| Span::start_of(first.file));
    let message = "the lawbook has no core and no personas";
    Diagnostic::new(&NO_CONDITIONING, place, message)
        .help("write `conditioning: {core: …, personas: {…}}` in `lawful.yaml`")
}

#[cfg(test)]
mod tests;
