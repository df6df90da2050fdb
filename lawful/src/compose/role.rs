//! The roles of a book: a system prompt for each, or none at all.
//!
//! **Invariant:** [`Roles`] exist only if every role of the book keeps the
//! [core contract](super::contract). One that breaks it takes all of them with it, so that nobody
//! installs or prints half a crew.

use lawful_syntax::{Diagnostic, FileId, Span, escape, sort};

use super::codes::{
    CORE_NOT_FIRST, CORE_REPEATED, EMPTY_CORE, NICKEL_NOT_EVALUATED, NO_CONDITIONING,
};
use super::contract::{self, Breach, SEPARATOR};
use super::fragment::{Fragment, FragmentId, Layer, front};
use super::lint::{in_prompt, layer_bleed};
use super::nickel::{Evaluated, Written};
use super::render::{Line, Origin, Prompt, Section, render_page, render_text};
use super::resolve::Compositions;
use crate::book::{
    Book, Conditioning, Document, Persona, Predicates, RoleSource, bad_role, unknown_role,
};
use crate::code;
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
    /// Where the manifest names the persona.
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
    /// `nickel` is what the files that [`Conditioning::nickel_texts`] and
    /// [`Conditioning::nickel_record`] name came to.
    pub fn compose(
        book: &Book,
        compositions: &Compositions,
        context: &Value,
        insertions: &[Insertion],
        nickel: &Evaluated,
    ) -> Result<Self, Refusal> {
        let Some(conditioning) = &book.manifest.conditioning else {
            return Err(Refusal::Undecided(vec![no_conditioning(book)]));
        };
        let written = Written::of(book);
        let composer = Composer {
            book,
            compositions,
            conditioning,
            context,
            insertions,
            nickel,
            written,
            problems: Vec::new(),
            warnings: Vec::new(),
        };
        composer.run()
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

struct Composer<'b> {
    book: &'b Book,
    compositions: &'b Compositions,
    conditioning: &'b Conditioning,
    context: &'b Value,
    insertions: &'b [Insertion],
    nickel: &'b Evaluated,
    written: Written<'b>,
    problems: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'b> Composer<'b> {
    fn run(mut self) -> Result<Roles, Refusal> {
        let core = self.core();
        let mut prompts = Vec::new();
        if let Some(core) = &core {
            let common = self.warnings.clone();
            match &self.conditioning.roles {
                RoleSource::Personas(personas) => {
                    for (role, persona) in personas {
                        let before = self.warnings.len();
                        if let Some(mut prompt) = self.persona(core, role, persona) {
                            let own = self.warnings.get(before..).unwrap_or_default();
                            prompt.warnings = common.iter().chain(own).cloned().collect();
                            sort(&mut prompt.warnings, &self.book.sources);
                            prompts.push(prompt);
                        }
                    }
                }
                RoleSource::Nickel(path, span) => self.record(core, path, *span, &mut prompts),
            }
        }
        let main = self.main(&prompts);
        let (Some(core), Some(main), true) = (core, main, self.problems.is_empty()) else {
            sort(&mut self.problems, &self.book.sources);
            return Err(Refusal::Undecided(self.problems));
        };
        let mut broken: Vec<Diagnostic> =
            prompts.iter().filter_map(|prompt| self.breach(&core, prompt)).collect();
        if !broken.is_empty() {
            sort(&mut broken, &self.book.sources);
            // An empty core is one problem, however many roles there are.
            broken.dedup();
            return Err(Refusal::Broken(broken));
        }
        sort(&mut self.warnings, &self.book.sources);
        self.warnings.dedup();
        Ok(Roles { core, main, prompts, warnings: self.warnings })
    }

    fn document(&mut self, path: &str, span: Span) -> Option<&'b Document> {
        let found = self.book.documents.iter().find(|document| document.path == path);
        if found.is_none() {
            let message = format!("the file `{}` could not be read", escape::name(path));
            self.problems.push(Diagnostic::new(&code::UNREADABLE, span, message));
        }
        found
    }

    /// The string that a Nickel file came to.
    fn string(&mut self, path: &str, span: Span) -> Option<&'b str> {
        let found = self.nickel.texts.get(path);
        if found.is_none() {
            self.problems.push(not_evaluated(path, span));
        }
        found.map(String::as_str)
    }

    fn core(&mut self) -> Option<Core> {
        let (path, span) = &self.conditioning.core;
        let document = self.document(path, *span)?;
        let file = document.file;
        let mut teaches = self.conditioning.teaches.core.clone();
        let prompt = match &document.page {
            Some(page) => {
                let (layer, taught) = front(page, &mut self.problems);
                self.warnings.extend(layer_bleed::page(layer, "the core"));
                teaches.extend(taught);
                let body = self.book.sources.slice(page.body).trim_end();
                let located = self.book.sources.locate(page.body);
                let section = Section {
                    origin: Origin::Core,
                    file: Some(file),
                    range: 0..body.len(),
                    first_line: located.map_or(1, |(_, position)| position.line),
                    lines: None,
                };
                Prompt { text: body.to_owned(), sections: vec![section] }
            }
            None => {
                let text = self.string(path, *span)?;
                let sections = self.written.sections(text, 0, Origin::Core, Some(file));
                Prompt { text: text.to_owned(), sections }
            }
        };
        Some(Core { prompt, teaches, file })
    }

    fn persona(&mut self, core: &Core, role: &str, persona: &'b Persona) -> Option<RolePrompt> {
        let mut made = RolePrompt {
            role: role.into(),
            prompt: Prompt::default(),
            composition: None,
            fragments: Vec::new(),
            brought_by: Vec::new(),
            teaches: self.taught(role),
            span: persona.span(),
            warnings: Vec::new(),
            persona_at: core.text().len() + SEPARATOR.len(),
        };
        let persona = match persona {
            Persona::Composition(name, span) => {
                let composition = match self.compositions.get(name) {
                    Ok(composition) => composition,
                    Err(unknown) => {
                        self.problems.push(Diagnostic { span: *span, ..*unknown });
                        return None;
                    }
                };
                let (context, sources) = (self.context, &self.book.sources);
                let found = self.compositions.resolve_with(
                    composition,
                    context,
                    self.insertions,
                    sources,
                    false,
                );
                self.warnings.extend(found.trace.warnings);
                let used = found.order.iter().filter_map(|id| {
                    let fragment = self.compositions.fragment(*id)?;
                    layer_bleed::between(fragment, composition.mention(*id)?, Layer::System)
                });
                self.warnings.extend(used);
                made.composition = Some(composition.name.clone());
                made.fragments = found.order;
                made.brought_by = found.trace.brought_by;
                found.prompt
            }
            Persona::File(path, span) => {
                let document = self.document(path, *span)?;
                if let Some(page) = &document.page {
                    let (layer, _) = front(page, &mut Vec::new());
                    self.warnings.extend(layer_bleed::page(layer, "a persona"));
                    let sources = &self.book.sources;
                    let page = Fragment::persona(role, document, sources, &mut self.problems)?;
                    made.teaches.extend(page.teaches.iter().cloned());
                    let warnings = &mut self.warnings;
                    render_page(&page, self.insertions, self.context, sources, warnings)
                } else {
                    let text = self.string(path, *span)?.trim();
                    let file = Some(document.file);
                    let trace = |at| self.written.sections(text, at, Origin::Persona, file);
                    render_text(text, self.insertions, trace)
                }
            }
        };
        made.prompt = contract::system(&core.prompt, persona);
        Some(made)
    }

    /// The prompts of a Nickel record, which are whole: they hold the core already.
    fn record(&mut self, core: &Core, path: &str, span: Span, prompts: &mut Vec<RolePrompt>) {
        if self.nickel.roles.is_empty() {
            self.problems.push(not_evaluated(path, span));
        }
        for (role, text) in &self.nickel.roles {
            self.problems.extend(bad_role(role, span));
            let law = core.text();
            let after = text.strip_prefix(law);
            let persona = after.map(|rest| rest.strip_prefix(SEPARATOR).unwrap_or(rest));
            let persona_at = persona.map_or(0, |persona| text.len() - persona.len());
            let prompt = match persona {
                Some(persona) if !self.insertions.is_empty() => {
                    let trace = |at| self.written.sections(persona, at, Origin::Persona, None);
                    let persona = render_text(persona, self.insertions, trace);
                    contract::system(&core.prompt, persona)
                }
                Some(persona) => {
                    let mut prompt = core.prompt.clone();
                    let found = self.written.sections(persona, persona_at, Origin::Persona, None);
                    prompt.sections.extend(found);
                    prompt.text.clone_from(text);
                    prompt
                }
                // Refused by the contract; there is no core in it to tell from the rest.
                None => Prompt {
                    text: text.clone(),
                    sections: self.written.sections(text, 0, Origin::Persona, None),
                },
            };
            prompts.push(RolePrompt {
                role: role.as_str().into(),
                prompt,
                composition: None,
                fragments: Vec::new(),
                brought_by: Vec::new(),
                teaches: self.taught(role),
                span,
                warnings: self.warnings.clone(),
                persona_at,
            });
        }
        for (role, span, _) in &self.conditioning.teaches.personas {
            if !prompts.is_empty() && !self.nickel.roles.contains_key(&**role) {
                let names = self.nickel.roles.keys().map(String::as_str);
                self.problems.push(unknown_role(role, *span, names));
            }
        }
    }

    /// What the manifest says that the persona of a role teaches.
    fn taught(&self, role: &str) -> Predicates {
        let all = &self.conditioning.teaches.personas;
        let own = all.iter().filter(|(named, ..)| &**named == role);
        own.flat_map(|(_, _, taught)| taught.iter().cloned()).collect()
    }

    fn main(&mut self, prompts: &[RolePrompt]) -> Option<Box<str>> {
        let Some(first) = prompts.first() else {
            if self.problems.is_empty() {
                let message = "there are no personas, so there is no role";
                self.problems.push(
                    Diagnostic::new(&NO_CONDITIONING, self.conditioning.span, message)
                        .help("write at least one persona"),
                );
            }
            return None;
        };
        let Some((main, span)) = &self.conditioning.main else { return Some(first.role.clone()) };
        if prompts.iter().any(|prompt| prompt.role == *main) {
            return Some(main.clone());
        }
        let names = prompts.iter().map(|prompt| &*prompt.role);
        self.problems.push(unknown_role(main, *span, names));
        None
    }

    /// How a prompt breaks the contract, if it does.
    fn breach(&self, core: &Core, prompt: &RolePrompt) -> Option<Diagnostic> {
        let role = escape::name(&prompt.role);
        Some(match contract::check(core.text(), prompt.text()).err()? {
            Breach::EmptyCore => {
                let place = Span::start_of(core.file);
                Diagnostic::new(&EMPTY_CORE, place, "the core is empty")
                    .help("write the law that every role is under")
            }
            Breach::NotFirst { agrees } => {
                let message =
                    format!("the prompt of the role `{role}` does not start with the core");
                let help = if agrees == 0 {
                    "begin it with the core, unchanged".to_owned()
                } else {
                    format!("it differs from the core after {agrees} bytes; take the core as it is")
                };
                Diagnostic::new(&CORE_NOT_FIRST, prompt.span, message)
                    .label(Span::start_of(core.file), "the core")
                    .help(help)
            }
            Breach::Repeated { at } => {
                let message = format!("the prompt of the role `{role}` has the core twice");
                let place = in_prompt(self.book, &prompt.prompt, at).unwrap_or(prompt.span);
                Diagnostic::new(&CORE_REPEATED, place, message)
                    .label(Span::start_of(core.file), "the core")
                    .help("take it out of the persona; every role has it already")
            }
        })
    }
}

fn not_evaluated(path: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` was not evaluated", escape::name(path));
    Diagnostic::new(&NICKEL_NOT_EVALUATED, span, message)
        .help("evaluate it, and hand in what it comes to")
}

#[cfg(test)]
mod tests;
