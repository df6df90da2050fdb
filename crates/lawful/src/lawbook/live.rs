//! A lawbook as hooks use it: the whole of it, or the part that an event can reach.
//!
//! **Invariant:** a part answers as the whole lawbook does.

use std::ops::Deref;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Span};

use super::{Decoded, Lawbook};
use crate::book::{BookPart, Bundle, Manifest, PackedRules, Selection, Trees};
use crate::code;
use crate::error::{Error, ErrorKind};
use crate::guard::Guards;
use crate::insertion::Insertions;
use crate::live::{Event, Host};
use crate::policy::Verb;
use crate::react::{Input, Rules, Session, Step};
use crate::view::GuardDecision;

/// A lawbook that decides on one live event, and takes the steps that follow from it.
///
/// A process that decides on a single event can use a [part](Self::reaching) of the lawbook, which
/// costs what the event reaches and gives the same answers.
#[derive(Debug)]
pub struct LiveLaw {
    book: Lawbook,
    part: Option<Part>,
}

/// What a part has instead of the rules of its book.
#[derive(Debug)]
struct Part {
    rules: PackedRules,
    reads_state: bool,
}

/// A step, and the rules that took part in it.
#[derive(Debug)]
pub struct LiveStep {
    /// The rules that the numbers in the trace refer to.
    pub rules: LiveRules,
    /// The step.
    pub step: Step,
}

/// The rules of a step.
#[derive(Clone, Debug)]
pub struct LiveRules(Arc<Decoded<Rules>>);

impl Deref for LiveRules {
    type Target = Rules;

    fn deref(&self) -> &Rules {
        &self.0.0
    }
}

impl LiveLaw {
    /// The whole lawbook.
    pub fn whole(book: Lawbook) -> Self {
        Self { book, part: None }
    }

    /// The part of a lawbook that an event can reach, from what was kept of its bundle. `None` if only
    /// the whole lawbook can decide, because it has errors. A part has no primitives of the host.
    pub fn reaching(bundle: &Bundle, trees: &Trees, event: &Event) -> Option<Self> {
        let BookPart { book, rules, reads_state, has_shell } = BookPart::of(bundle, trees, event)?;
        let none = rules.decode(&book, &Selection::default())?;
        let (guards, problems) = Guards::decode(&book);
        let book = Lawbook::new(book, Vec::new());
        book.guards.get_or_init(|| Arc::new((guards.of_whole(has_shell), problems)));
        book.rules.get_or_init(|| Arc::new((none, Vec::new())));
        Some(Self { book, part: Some(Part { rules, reads_state }) })
    }

    /// Whether it is only a part of the lawbook.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The manifest, `lawful.yaml`.
    pub fn manifest(&self) -> &Manifest {
        self.book.manifest()
    }

    /// Returns an error if the lawbook cannot decide.
    pub fn ready(&self) -> Result<(), Error> {
        self.book.ready_for(Verb::Guard)
    }

    /// Decides on the event; see [`Lawbook::guard`].
    pub fn guard(
        &self,
        event: &Event,
        session: &Session,
        host: &Host,
    ) -> Result<GuardDecision, Error> {
        self.book.guard(event, session, host)
    }

    /// Whether a decision or a step depends on the session.
    pub fn needs_session(&self) -> bool {
        match &self.part {
            Some(part) => !part.rules.is_empty() || part.reads_state,
            None => self.book.rules().all().next().is_some() || self.book.guards().reads_state(),
        }
    }

    /// A new session, with the variables of the lawbook.
    pub fn start(&self) -> Session {
        self.book.start()
    }

    /// What a session inserts into the prompt of its next turn.
    pub fn insertions(&self, session: &Session) -> Insertions {
        self.book.rules().insertions(session)
    }

    /// Takes one step of a session.
    pub fn step(&self, session: &Session, input: &Input) -> Result<LiveStep, Error> {
        let mut rules = LiveRules(Arc::clone(self.book.decoded_rules()));
        let mut selected = Selection::default();
        loop {
            let step = rules.step(session.clone(), input);
            let Some(part) = &self.part else { return Ok(LiveStep { rules, step }) };
            // A step is a pure function, so it is taken again with the rules that its events reach,
            // until they reach no other.
            let events = step.trace.waves.iter().flat_map(|wave| &wave.events);
            match part.rules.select(&mut selected, &events) {
                Some(false) => return Ok(LiveStep { rules, step }),
                Some(true) => {
                    let grown = part.rules.decode(self.book.book(), &selected);
                    rules = LiveRules(Arc::new((grown.ok_or_else(unreadable)?, Vec::new())));
                }
                None => return Err(unreadable()),
            }
        }
    }
}

fn unreadable() -> Error {
    let message = "the rules that were kept cannot be read";
    let problem = Diagnostic::new(&code::UNREADABLE, Span::NONE, message);
    Error::without_place(ErrorKind::Lawbook, problem)
}

#[cfg(test)]
mod tests;
