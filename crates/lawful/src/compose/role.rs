//! The roles of a book: a system prompt for each, or none at all.
//!
//! **Invariant:** [`Roles`] leave this crate only if every role of the book keeps the
//! [core contract](super::contract). One that breaks it takes all of them with it, so that nobody
//! installs or prints half a crew.

mod breach;
mod composer;

use lawful_syntax::{Diagnostic, FileId, Span};

use self::breach::breach;
use self::composer::Composer;
use super::agent::AgentKeys;
use super::codes::NO_CONDITIONING;
use super::contract;
use super::fragment::FragmentId;
use super::nickel::Evaluated;
use super::render::{Line, Prompt};
use super::resolve::Compositions;
use crate::book::{Book, Predicates, unknown_role};
use crate::insertion::Insertion;
use crate::value::Value;

/// The system prompts of a book, all of which keep the contract.
#[derive(Debug)]
pub struct Roles {
    /// The law of every role.
    pub core: Core,
    /// The role of the main conversation.
    pub main: Box<str>,
    /// A prompt for each role: in the order of the manifest, or by name where Nickel made them.
    pub prompts: Vec<RolePrompt>,
    /// Everything that did not fit and did not break anything, in the core and in any role.
    pub warnings: Vec<Diagnostic>,
}

/// The core of a book.
#[derive(Clone, Debug)]
pub struct Core {
    /// Its text and where its lines are written.
    pub prompt: Prompt,
    /// The predicates it teaches every role.
    pub teaches: Predicates,
    /// Its file.
    pub file: FileId,
}

/// The system prompt of a role.
#[derive(Clone, Debug)]
pub struct RolePrompt {
    /// The name of the role.
    pub role: Box<str>,
    /// The core, a blank line and the persona, with where every line of them is written.
    pub prompt: Prompt,
    /// The composition that the persona is, if it is one.
    pub composition: Option<Box<str>>,
    /// The fragments it is made of, in order; none where the persona is a text.
    pub fragments: Vec<FragmentId>,
    /// The rule that brought each fragment in; the last one counts.
    pub brought_by: Vec<(FragmentId, usize)>,
    /// The predicates that the persona teaches, if it is a text.
    pub teaches: Predicates,
    /// What the persona says of the agent that takes it on, if it is a page.
    pub agent: AgentKeys,
    /// Where the manifest names the persona, or a Nickel record has the role.
    pub span: Span,
    /// What did not fit in the core and in this persona.
    pub warnings: Vec<Diagnostic>,
    /// Where the persona starts in the text; the end of the text if Nickel left it out.
    persona_at: usize,
}

/// Why there are no prompts.
#[derive(Debug)]
pub enum Refusal {
    /// The book does not say enough to tell: could not decide.
    Undecided(Vec<Diagnostic>),
    /// Some role breaks the contract: no.
    Broken(Vec<Diagnostic>),
}

impl RolePrompt {
    /// The whole prompt.
    pub fn text(&self) -> &str {
        &self.prompt.text
    }

    /// What follows the core and the blank line after it.
    pub fn persona(&self) -> &str {
        self.prompt.text.get(self.persona_at..).unwrap_or_default()
    }

    /// Every line with where it came from.
    pub fn lines(&self) -> Vec<Line<'_>> {
        self.prompt.lines()
    }

    /// The rule of the composition that brought a fragment in; `None` if its base did.
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

impl Roles {
    /// The system prompts of all roles in a context, with what a session inserts after the core.
    ///
    /// `nickel` is what the files that [`Conditioning::nickel_texts`](crate::book::Conditioning::nickel_texts) and
    /// [`Conditioning::nickel_record`](crate::book::Conditioning::nickel_record) name came to.
    pub fn compose(
        book: &Book,
        compositions: &Compositions,
        context: &Value,
        insertions: &[Insertion],
        nickel: &Evaluated,
    ) -> Result<Self, Refusal> {
        match Self::unchecked(book, compositions, context, insertions, nickel) {
            Ok((roles, broken)) if broken.is_empty() => Ok(roles),
            Ok((_, broken)) => Err(Refusal::Broken(broken)),
            Err(problems) => Err(Refusal::Undecided(problems)),
        }
    }

    /// The same, with how the prompts break the contract beside them: for checks, which look on.
    pub(crate) fn unchecked(
        book: &Book,
        compositions: &Compositions,
        context: &Value,
        insertions: &[Insertion],
        nickel: &Evaluated,
    ) -> Result<(Self, Vec<Diagnostic>), Vec<Diagnostic>> {
        match Composer::new(book, compositions, context, insertions, nickel) {
            Some(composer) => composer.run(),
            None => Err(vec![no_conditioning(book)]),
        }
    }

    /// How the roles that could be evaluated break the contract, where others could not be.
    pub fn breaches(book: &Book, nickel: &Evaluated) -> Vec<Diagnostic> {
        let (compositions, _) = Compositions::decode(book);
        let context = Compositions::first_context(&book.manifest);
        let composer = Composer::new(book, &compositions, &context, &[], nickel);
        composer.map(Composer::breaches).unwrap_or_default()
    }

    /// How one of these prompts breaks the contract, if it does.
    pub(crate) fn breach(&self, book: &Book, prompt: &RolePrompt) -> Option<Diagnostic> {
        breach(book, &self.core, prompt, &[])
    }

    /// The prompt of a role whose persona came out otherwise, and how it breaks the contract.
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

    /// The prompt of a role, or the diagnostic that there is no such role.
    pub fn get(&self, role: &str) -> Result<&RolePrompt, Box<Diagnostic>> {
        let found = self.prompts.iter().find(|prompt| &*prompt.role == role);
        let names = self.prompts.iter().map(|prompt| &*prompt.role);
        found.ok_or_else(|| Box::new(unknown_role(role, Span::NONE, names)))
    }
}

/// The diagnostic for a book without core and personas.
fn no_conditioning(book: &Book) -> Diagnostic {
    let place = book.documents.first().map_or(Span::NONE, |first| Span::start_of(first.file));
    let message = "the lawbook has no core and no personas";
    Diagnostic::new(&NO_CONDITIONING, place, message)
        .help("write `conditioning: {core: …, personas: {…}}` in `lawful.yaml`")
}

#[cfg(test)]
mod tests;
