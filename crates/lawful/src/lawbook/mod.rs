//! The main entry point: a lawbook and all of its verbs.
//!
//! A [`Lawbook`] is loaded once and then shared. Every verb takes `&self` and compiles what it
//! needs on first use. Results are typed, own their data and serialise to exactly the JSON that the
//! command line prints.
//!
//! **Invariant:** a verb returns a result only if no document that it needs has errors. One table,
//! [`policy`](crate::policy), defines which documents a verb needs.

mod align;
mod check;
mod compare;
mod compose;
mod coverage;
mod eval;
mod guard;
mod list;
mod live;
mod matrix;
mod mutate;
mod role;
mod step;
mod test;
mod verify;

use std::sync::{Arc, OnceLock};

use lawful_syntax::{Diagnostic, Sources, Span};

pub use self::compose::Compose;
pub use self::list::ListKind;
pub use self::live::{LiveLaw, LiveRules, LiveStep};
pub use self::matrix::PromptMatrix;
pub use self::role::ComposeRole;
pub use self::test::{Test, TestCase};
pub use self::verify::Verify;
use crate::book::{self, Book, LoadError, Manifest, Options, Part, Source};
use crate::code;
use crate::compose::{Compositions, ContextKeys, Evaluated};
use crate::cond::{Primitive, RegistrationError, Registry};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::guard::Guards;
use crate::limits::Limits;
use crate::policy::{Impact, Verb, impact};
use crate::react::Rules;
use crate::scenario::Scenarios;
use crate::verify::Rulespec;

/// A loaded lawbook, with everything compiled from it.
///
/// ```
/// use serde_json::json;
///
/// let source = lawful::book::MemorySource::new()
///     .with("lawful.yaml", "name: desk")
///     .with("fragments/hello.md", "---\nid: hello\n---\nGreet the user.")
///     .with("fragments/terse.md", "---\nid: terse\n---\nOne sentence.")
///     .with(
///         "compositions/reply.yaml",
///         "{name: reply, base: [hello], rules: [{when: {tone: terse}, add: [terse]}]}",
///     );
/// let book = lawful::Lawbook::load(&source)?;
/// let composed = book.compose("reply").context(json!({"tone": "terse"})).run()?;
/// assert_eq!(composed.order, ["terse", "hello"]);
/// # Ok::<(), lawful::Error>(())
/// ```
#[derive(Debug)]
pub struct Lawbook {
    book: Book,
    sources: Arc<Sources>,
    /// The problems that loading reported.
    problems: Vec<Diagnostic>,
    /// The values of the book's Nickel files, if the host evaluated them.
    nickel: Option<Evaluated>,
    compositions: OnceLock<Arc<Decoded<Compositions>>>,
    context_keys: OnceLock<ContextKeys>,
    rules: OnceLock<Arc<Decoded<Rules>>>,
    rulespec: OnceLock<Option<Arc<Decoded<Option<Rulespec>>>>>,
    guards: OnceLock<Arc<Decoded<Guards>>>,
    scenarios: OnceLock<Arc<Decoded<Scenarios>>>,
}

/// A decoded item and its problems.
type Decoded<T> = (T, Vec<Diagnostic>);

/// The documents that each surface is compiled from.
const OF_COMPOSITIONS: [Part; 4] =
    [Part::Manifest, Part::Conditions, Part::Fragment, Part::Composition];
const OF_RULES: [Part; 4] = [Part::Manifest, Part::Conditions, Part::Rules, Part::Entry];
const OF_GUARDS: [Part; 3] = [Part::Manifest, Part::Conditions, Part::Guards];
// A scenario may mean the only composition.
const OF_SCENARIOS: [Part; 5] =
    [Part::Manifest, Part::Conditions, Part::Composition, Part::Scenario, Part::Envelope];
const OF_RULESPEC: [Part; 3] = [Part::Manifest, Part::Conditions, Part::Rulespec];

/// Options of a host for its lawbooks: limits and primitives.
#[derive(Debug, Default)]
pub struct LawbookOptions {
    options: Options,
}

impl LawbookOptions {
    /// Sets the limits. A book may lower them.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Registers a primitive of the host. Conditions of the book may refer to it.
    pub fn primitive(mut self, primitive: Primitive) -> Result<Self, RegistrationError> {
        self.options.registry.primitive(primitive)?;
        Ok(self)
    }

    /// Loads a lawbook with these options.
    pub fn load(self, source: &dyn Source) -> Result<Lawbook, Error> {
        let (book, problems) = self.documents(source)?;
        Ok(Lawbook::new(book, problems))
    }

    /// Loads the documents of a lawbook with these options, and compiles nothing. Also returns the
    /// problems that loading reported.
    pub fn documents(self, source: &dyn Source) -> Result<(Book, Vec<Diagnostic>), Error> {
        book::load(source, self.options).map_err(|error| not_loaded(&error, source))
    }

    /// As [`documents`](Self::documents), sharing what did not change with the documents of a
    /// previous load. The options are those of that load.
    pub fn documents_since(
        previous: &Book,
        source: &dyn Source,
    ) -> Result<(Book, Vec<Diagnostic>), Error> {
        book::reload(previous, source).map_err(|error| not_loaded(&error, source))
    }

    /// Opens the lawbook in a folder with these options.
    #[cfg(feature = "fs")]
    pub fn open(self, folder: impl AsRef<std::path::Path>) -> Result<Lawbook, Error> {
        self.load(&Lawbook::source(folder)?)
    }
}

/// The error for a book that could not be loaded.
fn not_loaded(error: &LoadError, source: &dyn Source) -> Error {
    let kind = ErrorKind::NoLawbook;
    match error {
        LoadError::NoManifest => Error::about(kind, source.shown(""), |span| {
            no_lawbook(span, "no `lawful.yaml` in this folder")
        }),
        LoadError::UnreadableManifest(_) => {
            Error::about(kind, source.shown("lawful.yaml"), |span| {
                Diagnostic::new(&code::UNREADABLE, span, error.to_string())
            })
        }
    }
}

fn no_lawbook(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&code::NO_LAWBOOK, span, message).help("create one with `lawful init`")
}

impl Lawbook {
    /// Opens the lawbook in a folder.
    ///
    /// Succeeds even if documents have errors: [`check`](Self::check) reports them, and a verb that
    /// needs a broken document returns them.
    #[cfg(feature = "fs")]
    pub fn open(folder: impl AsRef<std::path::Path>) -> Result<Self, Error> {
        Self::options().open(folder)
    }

    /// The source of a lawbook in a folder.
    #[cfg(feature = "fs")]
    pub fn source(folder: impl AsRef<std::path::Path>) -> Result<book::FolderSource, Error> {
        let folder = folder.as_ref();
        book::FolderSource::open(folder).map_err(|error| {
            let message = if error.kind() == std::io::ErrorKind::NotFound {
                "folder not found".to_owned()
            } else {
                format!("folder cannot be opened: {error}")
            };
            Error::about(ErrorKind::NoLawbook, folder.display().to_string(), |span| {
                no_lawbook(span, message)
            })
        })
    }

    /// Loads a lawbook from a source: a folder, memory, or a source of the host.
    pub fn load(source: &dyn Source) -> Result<Self, Error> {
        Self::options().load(source)
    }

    /// Options for opening or loading a lawbook.
    pub fn options() -> LawbookOptions {
        LawbookOptions::default()
    }

    /// Wraps a loaded book, with the problems that loading reported.
    pub fn new(book: Book, problems: Vec<Diagnostic>) -> Self {
        Self {
            sources: Arc::new(book.sources.clone()),
            book,
            problems,
            nickel: None,
            compositions: OnceLock::new(),
            context_keys: OnceLock::new(),
            rules: OnceLock::new(),
            rulespec: OnceLock::new(),
            guards: OnceLock::new(),
            scenarios: OnceLock::new(),
        }
    }

    /// Reloads the book with the same options and primitives.
    ///
    /// The new book shares everything that did not change: unchanged documents are not parsed
    /// again, and what is compiled from them is kept. Values of Nickel files are not kept.
    ///
    /// ```
    /// use lawful::book::MemorySource;
    ///
    /// let source = MemorySource::new().with("lawful.yaml", "name: desk");
    /// let book = lawful::Lawbook::load(&source)?;
    /// let source = source.with("conditions/a.yaml", "vip: {tier: vip}");
    /// let book = book.reload(&source)?;
    /// assert_eq!(book.book().documents.len(), 2);
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn reload(&self, source: &dyn Source) -> Result<Self, Error> {
        let (book, problems) = LawbookOptions::documents_since(&self.book, source)?;
        Ok(self.sharing(book, problems))
    }

    /// Wraps a book that follows from this one, with what is compiled from documents that they
    /// share.
    fn sharing(&self, book: Book, problems: Vec<Diagnostic>) -> Self {
        let mut following = Self::new(book, problems);
        if following.book.shares(&self.book, &OF_COMPOSITIONS) {
            following.compositions = self.compositions.clone();
        }
        if following.book.shares(&self.book, &OF_RULES) {
            following.rules = self.rules.clone();
        }
        if following.book.shares(&self.book, &OF_RULESPEC) {
            following.rulespec = self.rulespec.clone();
        }
        if following.book.shares(&self.book, &OF_SCENARIOS) {
            following.scenarios = self.scenarios.clone();
        }
        // Guards also know which files the book has.
        let paths = |book: &Book| -> Vec<String> {
            book.documents.iter().map(|document| document.path.clone()).collect()
        };
        if following.book.shares(&self.book, &OF_GUARDS)
            && paths(&following.book) == paths(&self.book)
        {
            following.guards = self.guards.clone();
        }
        following
    }

    /// Adds the values of the book's Nickel files, which only a host can evaluate.
    #[must_use]
    pub fn with_nickel(mut self, nickel: Evaluated) -> Self {
        self.nickel = Some(nickel);
        self
    }

    /// The documents of the book.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// The manifest, `lawful.yaml`.
    pub fn manifest(&self) -> &Manifest {
        &self.book.manifest
    }

    /// The primitives and saved conditions of this book.
    pub fn registry(&self) -> &Registry {
        &self.book.registry
    }

    /// The texts that diagnostics point into.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// The fragments and compositions.
    pub fn compositions(&self) -> &Compositions {
        &self.decoded_compositions().0
    }

    /// The rules, reactions and entries, without those that have errors.
    pub fn rules(&self) -> &Rules {
        &self.decoded_rules().0
    }

    /// The rulespec that envelopes are judged by, if it exists and has no errors.
    pub fn rulespec(&self) -> Option<&Rulespec> {
        self.decoded_rulespec()?.0.as_ref()
    }

    /// The guards, and what the manifest protects.
    pub fn guards(&self) -> &Guards {
        &self.decoded_guards().0
    }

    /// Whether the book has the rulespec that its manifest names, with errors or without.
    pub fn has_rulespec(&self) -> bool {
        self.decoded_rulespec().is_some()
    }

    /// Returns an error with all problems that block a verb, if there are any.
    pub fn ready_for(&self, verb: Verb) -> Result<(), Error> {
        let blocking = self.with_impact(verb, Impact::Blocks);
        if blocking.is_empty() {
            return Ok(());
        }
        // Also include the problems that would not block the verb.
        let mut all = blocking;
        all.extend(self.with_impact(verb, Impact::Reported));
        Err(Error::new(ErrorKind::Lawbook, Diagnostics::new(all, self.sources.clone())))
    }

    /// The problems of the book that a verb reports without failing.
    pub fn reported_by(&self, verb: Verb) -> Vec<Diagnostic> {
        self.with_impact(verb, Impact::Reported)
    }

    fn with_impact(&self, verb: Verb, wanted: Impact) -> Vec<Diagnostic> {
        let decoded: &[Diagnostic] = match verb {
            Verb::Compose | Verb::Roles => &self.decoded_compositions().1,
            Verb::React | Verb::Insert => &self.decoded_rules().1,
            Verb::Guard => &self.decoded_guards().1,
            Verb::Verify => self.decoded_rulespec().map_or(&[], |(_, problems)| problems),
            Verb::Check | Verb::List | Verb::Replay | Verb::VerifyWith => &[],
            Verb::Observe | Verb::Stop | Verb::Uninstall => &[],
        };
        let found = self.problems.iter().chain(decoded);
        found.filter(|problem| impact(verb, &self.book, problem) == wanted).cloned().collect()
    }

    fn decoded_compositions(&self) -> &Decoded<Compositions> {
        self.compositions.get_or_init(|| Arc::new(Compositions::decode(&self.book)))
    }

    fn decoded_rules(&self) -> &Arc<Decoded<Rules>> {
        self.rules.get_or_init(|| Arc::new(Rules::decode(&self.book)))
    }

    fn decoded_guards(&self) -> &Decoded<Guards> {
        self.guards.get_or_init(|| Arc::new(Guards::decode(&self.book)))
    }

    fn decoded_scenarios(&self) -> &Decoded<Scenarios> {
        self.scenarios.get_or_init(|| Arc::new(Scenarios::decode(&self.book)))
    }

    fn decoded_rulespec(&self) -> Option<&Decoded<Option<Rulespec>>> {
        let rulespec = || crate::check::rulespec(&self.book).map(Arc::new);
        self.rulespec.get_or_init(rulespec).as_deref()
    }

    /// An error about the book with one diagnostic.
    fn refuse(&self, kind: ErrorKind, problem: Diagnostic) -> Error {
        Error::new(kind, Diagnostics::in_order(vec![problem], self.sources.clone()))
    }
}
