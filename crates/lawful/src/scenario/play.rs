//! Plays a scenario: a session with its history, driven by the functions that a host calls.
//!
//! A live event is decided by the guards first, on the session before it. Then the rules react to
//! the event and to the decision, in one step. This is what hooks do while an agent works, without a
//! store and without a disk.
//!
//! **Invariant:** nothing here decides anything. Every decision comes from a verb of [`Lawbook`].

mod prompt;
mod stop;
mod touch;

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Span, did_you_mean, escape};

use super::codes::{BAD_SCENARIO, UNKNOWN_NAME};
use super::compare::{Failure, compare, refused_write};
use super::document::{Act, Live, PromptOf, Scenario, Step, Submitted, Target, undecided_event};
use super::expect::Decided;
use super::happened::{Happened, Prompted};
use super::surroundings::{HOME, PROJECT, Surroundings, Unreadable};
use super::touched::Touched;
use crate::error::Error;
use crate::guard::decode::DECIDED;
use crate::lawbook::Lawbook;
use crate::live::{Event, Host, LexicalPlaces, Moment};
use crate::react::{Input, Rules, Session};
use crate::value::{Map, Value};
use crate::verify::{Envelope, Strictness};

/// A scenario that was played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The expectations that do not hold.
    pub failures: Vec<Failure>,
    /// Why it could not be played to its end.
    pub problems: Vec<Diagnostic>,
    /// What happened in each step.
    pub steps: Vec<Happened>,
    /// What it touched, if that was collected.
    pub touched: Touched,
}

/// The result of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TestOutcome {
    /// Every expectation holds.
    Pass,
    /// Some expectation does not hold.
    Fail,
    /// The scenario has errors, or could not be played to its end.
    Error,
}

impl Played {
    /// The result.
    pub fn result(&self) -> TestOutcome {
        if !self.problems.is_empty() {
            TestOutcome::Error
        } else if self.failures.is_empty() {
            TestOutcome::Pass
        } else {
            TestOutcome::Fail
        }
    }
}

/// Whether to collect what a scenario touches, which takes a second look at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collect {
    /// Yes, for coverage.
    Touched,
    /// No.
    Nothing,
    /// No, and end with the first step that is not as expected.
    FirstFailure,
}

/// Plays a scenario on a book.
pub(crate) fn play(
    book: &Lawbook,
    scenario: &Scenario,
    surroundings: &Surroundings<'_>,
    collect: Collect,
) -> Played {
    let mut played = Played::default();
    let session = match start(book.rules(), scenario) {
        Ok(session) => session,
        Err(problems) => {
            played.problems = problems;
            return played;
        }
    };
    let mut player = Player {
        book,
        scenario,
        surroundings,
        collect,
        history: vec![(0, session.clone())],
        session,
        version: 0,
        blocks: BTreeMap::new(),
        touched: Touched::default(),
    };
    for (at, step) in scenario.steps.iter().enumerate() {
        match player.step(step) {
            Ok(happened) => {
                played.failures.extend(refused_write(at + 1, step, &happened));
                match player.compare(at + 1, step, &happened) {
                    Ok(failures) => played.failures.extend(failures),
                    Err(problems) => played.problems.extend(problems),
                }
                played.steps.push(happened);
            }
            Err(problems) => played.problems.extend(problems),
        }
        // What follows has no meaning without the step.
        let decided = collect == Collect::FirstFailure && !played.failures.is_empty();
        if decided || !played.problems.is_empty() {
            break;
        }
    }
    played.touched = player.touched;
    played
}

/// The session that a scenario starts with, or the variables that cannot have their given values.
pub(super) fn start(rules: &Rules, scenario: &Scenario) -> Result<Session, Problems> {
    let (session, problems) = rules.start_with(&scenario.given.state);
    if problems.is_empty() {
        return Ok(session);
    }
    let span = scenario.given.state_span.unwrap_or(Span::start_of(scenario.file));
    let refused = problems.iter().map(|problem| {
        let message = format!("a given variable cannot be used: {}", problem.message);
        Diagnostic::new(&BAD_SCENARIO, span, message)
    });
    Err(refused.collect())
}

struct Player<'p> {
    book: &'p Lawbook,
    scenario: &'p Scenario,
    surroundings: &'p Surroundings<'p>,
    collect: Collect,
    session: Session,
    /// The states that can be gone back to, by version.
    history: Vec<(u64, Session)>,
    version: u64,
    /// How often in a row each agent was kept from stopping.
    blocks: BTreeMap<Box<str>, u64>,
    touched: Touched,
}

/// Why a step could not be played.
type Problems = Vec<Diagnostic>;

impl Player<'_> {
    fn step(&mut self, step: &Step) -> Result<Happened, Problems> {
        let before = self.session.clone();
        let mut happened = Happened::new(step.kind);
        let done = match &step.act {
            Act::Input(input) => self.input(input, &mut happened),
            Act::Live(live) => self.live(live, step, &mut happened),
            Act::Envelope(submitted) => self.envelope(submitted, &mut happened),
            Act::Stop { message, submitted } => {
                self.stop(message.as_deref(), submitted, &mut happened)
            }
            Act::Rewind(target) => return self.rewind(*target, step, happened),
            Act::Compose(composing) => {
                let mut context = self.scenario.given.context.clone();
                for (key, value) in composing.context.iter() {
                    context.insert(key, value.clone());
                }
                self.prompt(&composing.of, context).map(|prompted| {
                    let fired = prompted.rules.iter().filter(|rule| rule.fired);
                    let ids = fired.filter_map(|rule| rule.id.as_deref().map(Into::into));
                    happened.fired = ids.collect();
                    happened.diagnostics.extend(prompted.warnings.iter().cloned());
                    happened.prompt = Some(prompted);
                })
            }
        };
        done.map_err(|error| self.placed(error, step.span))?;
        happened.end(&before, &self.session);
        Ok(happened)
    }

    /// The failures of the expectations of a step.
    fn compare(
        &mut self,
        number: usize,
        step: &Step,
        happened: &Happened,
    ) -> Result<Vec<Failure>, Problems> {
        let Some(expect) = &step.expect else { return Ok(Vec::new()) };
        let other = match expect.prompt.as_ref().and_then(|test| test.of.as_ref()) {
            None => None,
            Some((of, span)) => {
                let context = self.scenario.given.context.clone();
                Some(self.prompt(of, context).map_err(|error| self.placed(error, *span))?)
            }
        };
        let prompt = other.as_ref().or(happened.prompt.as_ref());
        Ok(compare(self.book, number, (expect, happened), prompt))
    }

    /// An input that a host sends to its session.
    fn input(&mut self, input: &Input, happened: &mut Happened) -> Result<(), Error> {
        self.book.all_rules_ready()?;
        self.take(input, happened);
        self.keep();
        Ok(())
    }

    /// Takes a step of the session. The state before it is returned.
    fn take(&mut self, input: &Input, happened: &mut Happened) -> Session {
        let before = self.session.clone();
        let stepped = self.book.step(before.clone(), input);
        if self.collect == Collect::Touched {
            self.touch_step(&before, input, &stepped);
        }
        happened.fired.extend(stepped.trace.fired.iter().map(|firing| firing.rule.as_str().into()));
        let effects = stepped.effects.iter().filter_map(|effect| Value::of(effect).ok());
        happened.effects.extend(effects);
        happened.diagnostics.extend(stepped.diagnostics.iter().cloned());
        happened.taken.push((before.clone(), input.clone()));
        self.session = stepped.session;
        before
    }

    /// Takes the step of a live event. One that changes nothing leaves no trace in the session.
    fn take_live(&mut self, input: &Input, happened: &mut Happened) {
        let effects = happened.effects.len();
        let before = self.take(input, happened);
        if happened.effects.len() == effects && self.session.same_but_for_step(&before) {
            self.session = before;
        } else {
            self.keep();
        }
    }

    /// Makes the session a version that can be gone back to.
    fn keep(&mut self) {
        self.version += 1;
        self.history.push((self.version, self.session.clone()));
    }

    fn live(&mut self, live: &Live, step: &Step, happened: &mut Happened) -> Result<(), Error> {
        let mut host = self.surroundings.host.clone();
        let (moment, places) = match live {
            Live::Moment(moment) => ((**moment).clone(), places()),
            Live::Sent { harness: (harness, place), event, span: sent } => {
                let reported = self.surroundings.harnesses.read(harness, event);
                let reported = reported
                    .map_err(|why| self.refuse(unreadable(harness, *place, *sent, &why)))?;
                let places = reported.places();
                host.project = Some(reported.project().into());
                (reported.moment, places)
            }
        };
        if matches!(moment, Moment::Stop { .. }) {
            let message = "a stop is not a tool call";
            let problem = Diagnostic::new(&BAD_SCENARIO, step.span, message);
            return Err(self.refuse(problem.help("write the step as `stop: {…}`")));
        }
        if let Some(problem) = undecided_event(&moment, step) {
            return Err(self.refuse(problem));
        }
        let decision = self.decide(&moment, (&places, host), happened)?;
        let decision = match &moment {
            Moment::AgentStop { agent, .. } => self.counted(agent, decision),
            Moment::SessionStart { .. }
            | Moment::Prompt { .. }
            | Moment::ToolCall(_)
            | Moment::ToolResult { .. }
            | Moment::AgentStart { .. }
            | Moment::Stop { .. }
            | Moment::Compact { .. } => decision,
        };
        happened.decision = Some(decision).filter(|_| DECIDED.contains(&moment.kind()));
        Ok(())
    }

    /// Lets the guards decide on an event, and the rules react to it and to the decision.
    fn decide(
        &mut self,
        moment: &Moment,
        (places, host): (&LexicalPlaces, Host),
        happened: &mut Happened,
    ) -> Result<Decided, Error> {
        self.book.all_rules_ready()?;
        let event = Event::read(moment, places);
        let decided = self.book.guard(&event, &self.session, &host)?;
        if self.collect == Collect::Touched {
            self.touch_guards(&event, &host);
        }
        happened.by = decided.by.iter().map(|id| id.as_str().into()).collect();
        happened.reason.clone_from(&decided.reason);
        happened.diagnostics.extend(decided.diagnostics.iter().cloned());
        happened.decided = Some(Box::new((event.clone(), self.session.clone(), host)));
        self.take_live(&Input::live(&event, decided.events()), happened);
        let names = Decided::NAMES.iter().find(|(name, _)| *name == decided.decision);
        // An unknown decision could only be stricter.
        Ok(names.map_or(Decided::Deny, |(_, decision)| *decision))
    }

    fn envelope(&mut self, submitted: &Submitted, happened: &mut Happened) -> Result<(), Error> {
        let none = Envelope::of(Value::Map(Map::new()));
        let envelope = submitted.envelope.as_deref().unwrap_or(&none);
        let observed = submitted.observed.as_ref().map(|(value, node)| (value, Some(node)));
        let verification = self.book.judge(envelope, observed, Strictness::default())?;
        if self.collect == Collect::Touched {
            self.touch_rulespec(envelope, submitted, &verification);
        }
        happened.judged(verification);
        Ok(())
    }

    fn rewind(
        &mut self,
        target: Target,
        step: &Step,
        mut happened: Happened,
    ) -> Result<Happened, Problems> {
        let meant = |(version, session): &(u64, Session)| match target {
            Target::Turn(turn) => session.turn == turn,
            Target::Version(wanted) => *version == wanted,
        };
        let Some(at) = self.history.iter().rposition(meant) else {
            let (message, help) = match target {
                Target::Turn(turn) => (
                    format!("there is no turn {turn} to go back to"),
                    format!("the session is at turn {}", self.session.turn),
                ),
                Target::Version(version) => (
                    format!("there is no version {version} to go back to"),
                    format!("the session is at version {}", self.version),
                ),
            };
            return Err(vec![Diagnostic::new(&BAD_SCENARIO, step.span, message).help(help)]);
        };
        let before = self.session.clone();
        if at + 1 < self.history.len() {
            self.history.truncate(at + 1);
            // A version is never used twice.
            self.version += 1;
        }
        if let Some((_, session)) = self.history.last() {
            self.session = session.clone();
        }
        happened.end(&before, &self.session);
        Ok(happened)
    }

    fn prompt(&mut self, of: &PromptOf, context: Map) -> Result<Prompted, Error> {
        let prompted = prompt::prompted(self.book, of, context, &self.session)?;
        if self.collect == Collect::Touched {
            self.touch_prompt(&prompted);
        }
        Ok(prompted)
    }

    fn refuse(&self, problem: Diagnostic) -> Error {
        let problems = vec![problem];
        let sources = Arc::clone(self.book.sources());
        let problems = crate::diagnostics::Diagnostics::in_order(problems, sources);
        Error::new(crate::error::ErrorKind::Input, problems)
    }

    /// The problems of an error, each with a place in the book.
    fn placed(&self, error: Error, span: Span) -> Problems {
        let (mut problems, sources) = error.into_diagnostics().into_parts();
        let is_own = Arc::ptr_eq(&sources, self.book.sources());
        for problem in problems.iter_mut().filter(|one| !is_own || one.span == Span::NONE) {
            problem.span = span;
            problem.labels.clear();
        }
        problems
    }
}

/// The places of an agent that works in the root of the project.
fn places() -> LexicalPlaces {
    LexicalPlaces::new(PROJECT).with_home(HOME)
}

/// The problem with an event that cannot be read.
pub(super) fn unreadable(harness: &str, place: Span, sent: Span, why: &Unreadable) -> Diagnostic {
    match why {
        Unreadable::Harness(known) => {
            let message = format!("unknown harness `{}`", escape::name(harness));
            let help = did_you_mean("harness", harness, known.iter().map(String::as_str));
            Diagnostic::new(&UNKNOWN_NAME, place, message).help(help)
        }
        Unreadable::Event(why) => {
            let message = format!("the event cannot be read: {why}");
            Diagnostic::new(&BAD_SCENARIO, sent, message)
                .help("write the event as the harness sends it to its hook")
        }
    }
}
