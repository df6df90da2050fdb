//! Composes the prompts of all roles and checks each against the core contract.

use lawful_syntax::{Diagnostic, Page, Sources, Span, escape, sort};

use super::breach::breach;
use super::{Core, RolePrompt, Roles};
use crate::book::{
    Book, Conditioning, Document, Persona, Predicates, RoleSource, bad_role, same_but_for_case,
    unknown_role,
};
use crate::code;
use crate::compose::agent::AgentKeys;
use crate::compose::codes::{NICKEL_NOT_EVALUATED, NO_CONDITIONING};
use crate::compose::contract::{self, SEPARATOR};
use crate::compose::fragment::{Fragment, Front, Layer, PageOf};
use crate::compose::lint::layer_bleed;
use crate::compose::nickel::{Evaluated, RecordFields, Written};
use crate::compose::render::{Origin, Prompt, Section, render_page, render_text};
use crate::compose::resolve::Compositions;
use crate::insertion::Insertions;
use crate::value::Value;

/// The inputs of the prompts of a book.
pub(super) struct Composer<'b> {
    book: &'b Book,
    compositions: &'b Compositions,
    conditioning: &'b Conditioning,
    context: &'b Value,
    insertions: &'b Insertions,
    nickel: &'b Evaluated,
    written: Written<'b>,
    problems: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'b> Composer<'b> {
    /// For a book that has a core and personas.
    pub(super) fn new(
        book: &'b Book,
        compositions: &'b Compositions,
        context: &'b Value,
        insertions: &'b Insertions,
        nickel: &'b Evaluated,
    ) -> Option<Self> {
        Some(Self {
            book,
            compositions,
            conditioning: book.manifest.conditioning.as_ref()?,
            context,
            insertions,
            nickel,
            written: Written::of(book),
            problems: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// All prompts with their breaches of the contract, or why there are none.
    pub(super) fn run(mut self) -> Result<(Roles, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (core, prompts) = self.make();
        let main = self.main(&prompts);
        let (Some(core), Some(main), true) = (core, main, self.problems.is_empty()) else {
            sort(&mut self.problems, &self.book.sources);
            // Roles may share a file; report its problems once.
            self.problems.dedup();
            return Err(self.problems);
        };
        let broken = self.broken(&core, &prompts);
        sort(&mut self.warnings, &self.book.sources);
        self.warnings.dedup();
        Ok((Roles { core, main, prompts, warnings: self.warnings }, broken))
    }

    /// The breaches of the contract in the prompts that could be composed.
    pub(super) fn breaches(mut self) -> Vec<Diagnostic> {
        let (core, prompts) = self.make();
        core.map(|core| self.broken(&core, &prompts)).unwrap_or_default()
    }

    fn broken(&self, core: &Core, prompts: &[RolePrompt]) -> Vec<Diagnostic> {
        let breaches =
            prompts.iter().filter_map(|prompt| breach(self.book, core, prompt, self.insertions));
        let mut broken: Vec<Diagnostic> = breaches.collect();
        sort(&mut broken, &self.book.sources);
        // Report an empty core once, not for each role.
        broken.dedup();
        broken
    }

    /// The core, and a prompt for each role that could be composed.
    fn make(&mut self) -> (Option<Core>, Vec<RolePrompt>) {
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
        (core, prompts)
    }

    fn document(&mut self, path: &str, span: Span) -> Option<&'b Document> {
        let found = self.book.documents.iter().find(|document| document.path == path);
        if found.is_none() {
            let message = format!("the file `{}` could not be read", escape::name(path));
            self.problems.push(Diagnostic::new(&code::UNREADABLE, span, message));
        }
        found.map(|found| &**found)
    }

    /// The string that a Nickel file evaluated to.
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
                let front = self.front(PageOf::Core, document);
                self.warnings.extend(layer_bleed::page(front.layer, PageOf::Core.name()));
                teaches.extend(front.teaches);
                let body = law(page, &self.book.sources);
                let located = self.book.sources.locate(body);
                let body = self.book.sources.slice(body);
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
                // The prompts of a record contain the core verbatim.
                let text = match &self.conditioning.roles {
                    RoleSource::Personas(_) => text.trim_end(),
                    RoleSource::Nickel(..) => text,
                };
                let sections = self.written.sections(text, 0, Origin::Core, Some(file));
                Prompt { text: text.to_owned(), sections }
            }
        };
        Some(Core { prompt, teaches, file })
    }

    fn front(&mut self, of: PageOf, document: &Document) -> Front {
        let sources = &self.book.sources;
        Front::read(of, document, sources, &mut self.problems, &mut self.warnings)
    }

    fn persona(&mut self, core: &Core, role: &str, persona: &'b Persona) -> Option<RolePrompt> {
        let mut made = RolePrompt {
            role: role.into(),
            prompt: Prompt::default(),
            composition: None,
            fragments: Vec::new(),
            brought_by: Vec::new(),
            teaches: self.taught(role),
            agent: AgentKeys::default(),
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
                let layer = composition.layer.unwrap_or(Layer::System);
                let used = found.order.iter().filter_map(|id| {
                    let fragment = self.compositions.fragment(*id)?;
                    layer_bleed::between(fragment, composition.mention(*id)?, layer)
                });
                self.warnings.extend(used);
                self.warnings.extend(layer_bleed::persona(composition, *span));
                made.composition = Some(composition.name.clone());
                made.fragments = found.order;
                made.brought_by = found.trace.brought_by;
                found.prompt
            }
            Persona::File(path, span) => {
                let document = self.document(path, *span)?;
                if document.page.is_some() {
                    let mut front = self.front(PageOf::Persona, document);
                    self.warnings.extend(layer_bleed::page(front.layer, PageOf::Persona.name()));
                    made.agent = std::mem::take(&mut front.agent);
                    let sources = &self.book.sources;
                    let problems = &mut self.problems;
                    let page = Fragment::persona(role, document, front, sources, problems)?;
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

    /// The prompts of a Nickel record, which already contain the core.
    fn record(&mut self, core: &Core, path: &str, span: Span, prompts: &mut Vec<RolePrompt>) {
        if self.nickel.roles.is_empty() {
            self.problems.push(not_evaluated(path, span));
        }
        let found = self.book.documents.iter().find(|document| document.path == path);
        let fields = found.map(|found| RecordFields::of(&self.book.sources, found.file));
        let mut named = Vec::new();
        for (role, text) in &self.nickel.roles {
            let own = fields.as_ref().and_then(|fields| fields.get(role));
            let span = own.unwrap_or(span);
            self.problems.extend(bad_role(role, span));
            named.push((role.as_str(), span));
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
                // The contract will reject it; without the core, it cannot be split.
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
                agent: AgentKeys::default(),
                span,
                warnings: self.warnings.clone(),
                persona_at,
            });
        }
        self.problems.extend(same_but_for_case(&named));
        for (role, span, _) in &self.conditioning.teaches.personas {
            if !prompts.is_empty() && !self.nickel.roles.contains_key(&**role) {
                let names = self.nickel.roles.keys().map(String::as_str);
                self.problems.push(unknown_role(role, *span, names));
            }
        }
    }

    /// What the persona of a role teaches, according to the manifest.
    fn taught(&self, role: &str) -> Predicates {
        let all = &self.conditioning.teaches.personas;
        let own = all.iter().filter(|(named, ..)| &**named == role);
        own.flat_map(|(_, _, taught)| taught.iter().cloned()).collect()
    }

    fn main(&mut self, prompts: &[RolePrompt]) -> Option<Box<str>> {
        let Some(first) = prompts.first() else {
            if self.problems.is_empty() {
                let message = "the lawbook has no personas, so it has no roles";
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
}

/// The body of a core, without the blank lines after front matter.
fn law(page: &Page, sources: &Sources) -> Span {
    let whole = sources.slice(page.body);
    let body = whole.trim_end();
    let lead = match page.written {
        Some(_) => {
            let text = body.trim_start();
            body.get(..body.len() - text.len()).and_then(|blank| blank.rfind('\n'))
        }
        None => None,
    };
    let start = page.body.start as usize;
    Span::new(page.body.file, start + lead.map_or(0, |newline| newline + 1), start + body.len())
}

fn not_evaluated(path: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` was not evaluated", escape::name(path));
    Diagnostic::new(&NICKEL_NOT_EVALUATED, span, message)
        .help("evaluate it, and pass in the result")
}
