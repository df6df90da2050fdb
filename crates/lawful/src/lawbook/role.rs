//! `role`: the system prompt of a role, under the core contract.

use serde::Serialize;

use super::Lawbook;
use super::compose::Setting;
use crate::book::Conditioning;
use crate::code;
use crate::compose::{Compositions, Evaluated, Layer, Refusal, Roles};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::insertion::Insertions;
use crate::policy::Verb;
use crate::react::Session;
use crate::tokens::Tokenizer;
use crate::value::Value;
use crate::view::ComposedRole;
use lawful_syntax::Diagnostic;

impl Lawbook {
    /// Composes the system prompt of a role. Call [`ComposeRole::run`] to get the result.
    pub fn role<'b>(&'b self, role: &str) -> ComposeRole<'b> {
        ComposeRole { book: self, role: role.to_owned(), setting: Setting::default(), layers: None }
    }

    /// The system prompts of all roles, or an error if any of them is invalid.
    pub fn roles(&self, context: &Value, insertions: &Insertions) -> Result<Roles, Error> {
        self.ready_for(Verb::Roles)?;
        let nickel = self.evaluated()?;
        let compositions = self.compositions();
        Roles::compose(&self.book, compositions, context, insertions, &nickel).map_err(|refusal| {
            let (kind, problems) = match refusal {
                Refusal::Undecided(problems) => (ErrorKind::Undecided, problems),
                Refusal::Broken(problems) => (ErrorKind::Contract, problems),
            };
            Error::new(kind, Diagnostics::in_order(problems, self.sources.clone()))
        })
    }

    /// Whether the conditioning has Nickel files, which the host must evaluate.
    pub fn needs_nickel(&self) -> bool {
        let has_nickel = |conditioning: &Conditioning| {
            conditioning.nickel_record().is_some() || !conditioning.nickel_texts().is_empty()
        };
        self.book.manifest.conditioning.as_ref().is_some_and(has_nickel)
    }

    /// The values of the Nickel files; empty if there are no such files.
    pub(super) fn evaluated(&self) -> Result<Evaluated, Error> {
        match &self.nickel {
            Some(nickel) => Ok(nickel.clone()),
            None if !self.needs_nickel() => Ok(Evaluated::default()),
            None => Err(self.refuse(
                ErrorKind::Undecided,
                Diagnostic::new(
                    &code::NICKEL_FAILED,
                    lawful_syntax::Span::NONE,
                    "the conditioning is in Nickel and was not evaluated",
                )
                .help("evaluate it and pass the values to `Lawbook::with_nickel`"),
            )),
        }
    }
}

/// The system prompt of a role, to compose.
#[derive(Debug)]
#[must_use = "nothing is composed before `run`"]
pub struct ComposeRole<'b> {
    book: &'b Lawbook,
    role: String,
    setting: Setting<'b>,
    layers: Option<(String, String)>,
}

impl<'b> ComposeRole<'b> {
    /// Sets the context: anything that serialises to a mapping.
    pub fn context(mut self, context: impl Serialize) -> Self {
        self.setting.set_context(context);
        self
    }

    /// Adds what a session inserts after the core.
    pub fn session(mut self, session: &'b Session) -> Self {
        self.setting.set_session(session);
        self
    }

    /// Counts tokens with a tokenizer of the host instead of estimating them.
    pub fn tokenizer(mut self, tokenizer: Tokenizer<'b>) -> Self {
        self.setting.tokenizer = tokenizer;
        self
    }

    /// Adds the project and task layers: `record` is the project record of the repository, `task`
    /// the text of one task. The book's fragments of the project layer follow the record.
    pub fn layers(mut self, record: String, task: String) -> Self {
        self.layers = Some((record, task));
        self
    }

    /// Composes the prompt. All roles of the book must satisfy the core contract.
    pub fn run(mut self) -> Result<ComposedRole, Error> {
        let book = self.book;
        book.ready_for(Verb::Roles)?;
        let (context, insertions) = self.setting.resolve(book)?;
        let mut warnings = book.check_context(&context);
        let roles = book.roles(&context, &insertions)?;
        let prompt = roles.get(&self.role);
        let prompt = prompt.map_err(|unknown| Error::without_place(ErrorKind::Input, *unknown))?;
        let (compositions, sources) = (book.compositions(), &book.sources);
        let (made, tokenizer) = ((&roles, prompt), self.setting.tokenizer);
        let project = self.layers.map(|(record, task)| {
            let mut warnings = Vec::new();
            let values = (&context, &insertions);
            let text = project(compositions, &record, values, book, &mut warnings);
            (text, task, warnings)
        });
        let mut composed =
            ComposedRole::new(compositions, context, made, &insertions, sources, tokenizer);
        warnings.extend(insertions.problems.iter().cloned());
        warnings.extend(prompt.warnings.iter().cloned());
        if let Some((project, task, found)) = project {
            warnings.extend(found);
            composed.set_layers(project, task, tokenizer);
        }
        composed.warnings = Diagnostics::new(warnings, sources.clone());
        Ok(composed)
    }
}

/// The record of the repository, then the book's fragments of the project layer.
fn project(
    compositions: &Compositions,
    record: &str,
    values: (&Value, &Insertions),
    book: &Lawbook,
    warnings: &mut Vec<Diagnostic>,
) -> String {
    let own = compositions.layer(Layer::Project, values, &book.sources, warnings);
    let parts = [record, &*own.text].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n")
}
