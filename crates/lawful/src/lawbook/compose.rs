//! `compose`: a prompt from a composition, a context and optionally a session.

use lawful_syntax::{Diagnostic, Span};
use serde::Serialize;

use super::Lawbook;
use crate::code;
use crate::compose::{Composition, ContextKeys, Resolution, replaced_by_session};
use crate::error::{Error, ErrorKind};
use crate::insertion::Insertions;
use crate::policy::Verb;
use crate::react::Session;
use crate::tokens::Tokenizer;
use crate::value::{Map, Value};
use crate::view::{Blame, Composed, Diff};

impl Lawbook {
    /// Composes a prompt. Call [`Compose::run`] to get the result.
    pub fn compose<'b>(&'b self, name: &str) -> Compose<'b> {
        Compose { book: self, name: name.to_owned(), setting: Setting::default() }
    }

    /// Checks a context against what the book declares and reads: unknown keys, and values that
    /// their axis does not have. All are warnings, and every verb that takes a context reports them.
    pub fn check_context(&self, context: &Value) -> Vec<Diagnostic> {
        let keys =
            self.context_keys.get_or_init(|| ContextKeys::of(&self.book, self.compositions()));
        keys.check(context, &self.book)
    }

    /// What a session inserts into the next prompt.
    pub fn insertions(&self, session: &Session) -> Result<Insertions, Error> {
        self.ready_for(Verb::Insert)?;
        Ok(self.rules().insertions(session))
    }
}

/// A prompt to compose.
#[derive(Debug)]
#[must_use = "nothing is composed before `run`"]
pub struct Compose<'b> {
    book: &'b Lawbook,
    name: String,
    setting: Setting<'b>,
}

/// The inputs of a composition.
#[derive(Debug, Default)]
pub(super) struct Setting<'b> {
    context: Option<Result<Value, Error>>,
    session: Option<&'b Session>,
    pub tokenizer: Tokenizer<'b>,
}

impl<'b> Setting<'b> {
    pub(super) fn set_context(&mut self, context: impl Serialize) {
        self.context = Some(Value::of(&context).and_then(as_context));
    }

    pub(super) fn set_session(&mut self, session: &'b Session) {
        self.session = Some(session);
    }

    /// The context and the insertions. With a session, its variables are in the context.
    pub(super) fn resolve(&mut self, book: &Lawbook) -> Result<(Value, Insertions), Error> {
        let mut context = self.context.take().unwrap_or_else(|| Ok(Value::Map(Map::new())))?;
        let Some(session) = self.session else { return Ok((context, Insertions::default())) };
        let mut insertions = book.insertions(session)?;
        if let Value::Map(context) = &mut context {
            for (key, value) in book.rules().context(session).iter() {
                if context.get(key).is_some() {
                    insertions.problems.push(replaced_by_session(key));
                }
                context.insert(key, value.clone());
            }
        }
        Ok((context, insertions))
    }
}

fn as_context(context: Value) -> Result<Value, Error> {
    match context {
        Value::Map(_) => Ok(context),
        Value::Null => Ok(Value::Map(Map::new())),
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            let kind = context.kind_name();
            let message = format!("a context must be a mapping, found {kind}");
            let problem = Diagnostic::new(&code::WRONG_TYPE, Span::NONE, message)
                .help("write `key: value` for each context key");
            Err(Error::without_place(ErrorKind::Input, problem))
        }
    }
}

/// A resolved composition.
pub(super) struct Resolved<'b> {
    pub book: &'b Lawbook,
    pub composition: &'b Composition,
    pub context: Value,
    pub insertions: Insertions,
    pub resolution: Resolution,
    pub tokenizer: Tokenizer<'b>,
}

impl<'b> Compose<'b> {
    /// Sets the context: anything that serialises to a mapping.
    pub fn context(mut self, context: impl Serialize) -> Self {
        self.setting.set_context(context);
        self
    }

    /// Adds what a session inserts: directives, entries and context messages.
    pub fn session(mut self, session: &'b Session) -> Self {
        self.setting.set_session(session);
        self
    }

    /// Counts tokens with a tokenizer of the host instead of estimating them.
    pub fn tokenizer(mut self, tokenizer: Tokenizer<'b>) -> Self {
        self.setting.tokenizer = tokenizer;
        self
    }

    /// Composes the prompt, with the trace that explains it.
    pub fn run(self) -> Result<Composed, Error> {
        let Resolved { book, composition, context, insertions, resolution, tokenizer } =
            self.resolve(true)?;
        let made = (resolution, &*insertions);
        let compositions = book.compositions();
        Ok(Composed::new(compositions, composition, context, made, &book.sources, tokenizer))
    }

    /// Composes only the text of the prompt, which is faster than [`run`](Self::run). It has no
    /// warnings, so the context is not checked.
    pub fn text(self) -> Result<String, Error> {
        Ok(self.resolve_unchecked(false)?.resolution.prompt.text)
    }

    /// Returns the origin of every line of the prompt.
    pub fn blame(self) -> Result<Blame, Error> {
        let resolved = self.resolve(false)?;
        let made = (&resolved.resolution, &*resolved.insertions);
        Ok(Blame::new(
            resolved.book.compositions(),
            resolved.composition,
            made,
            &resolved.book.sources,
        ))
    }

    /// Compares this prompt (before) with another (after).
    pub fn diff(self, after: Compose<'_>) -> Result<Diff, Error> {
        let tokenizer = self.setting.tokenizer;
        let (before, after) = (self.resolve(false)?, after.resolve(false)?);
        Ok(super::compare::diff(&before, &after, tokenizer))
    }

    /// Resolves the composition. The problems of the context come before the other warnings, which
    /// they may explain.
    pub(super) fn resolve(self, lists: bool) -> Result<Resolved<'b>, Error> {
        let mut resolved = self.resolve_unchecked(lists)?;
        let found = resolved.book.check_context(&resolved.context);
        resolved.resolution.trace.warnings.splice(0..0, found);
        Ok(resolved)
    }

    fn resolve_unchecked(mut self, lists: bool) -> Result<Resolved<'b>, Error> {
        let book = self.book;
        book.ready_for(Verb::Compose)?;
        let (context, insertions) = self.setting.resolve(book)?;
        let composition = book.compositions().get(&self.name);
        let composition =
            composition.map_err(|unknown| Error::without_place(ErrorKind::Input, *unknown))?;
        let sources = &book.book.sources;
        let mut resolution =
            book.compositions().resolve_with(composition, &context, &insertions, sources, lists);
        resolution.trace.warnings.extend(insertions.problems.iter().cloned());
        let tokenizer = self.setting.tokenizer;
        Ok(Resolved { book, composition, context, insertions, resolution, tokenizer })
    }
}
