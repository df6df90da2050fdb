//! One event of a harness in its session: the decision, the steps, and what the agent is given.
//!
//! The guards decide on the state before the event. Then the rules react to the event and to the
//! decision, in one step.

use std::cell::OnceCell;

use lawful::insertion::{Insertion, InsertionKind};
use lawful::live::{self, Moment};
use lawful::react::{self, Input, Session};
use lawful::{Map, Value};
use lawful_deliver::{Event, Incoming, State};

use super::LiveRequest;
use super::decide::call_hash_of;
use super::grant::{Grants, hash};
use super::law::OpenLaw;
use super::logged::Masked;
use super::outcome::Outcome;
use super::progress::Progress;
use super::sessions::{self, LiveSession, LiveSessions, Memory};
use crate::decision_log::{DecisionKind, EnforcementMode};
use crate::failure::Failure;

/// How often to retry because another hook was faster.
const TRIES: usize = 100;

/// An event of a harness, and the lawbook that decides on it.
pub(super) struct LiveEvent<'a> {
    pub(super) call: LiveRequest,
    pub(super) incoming: &'a Incoming,
    pub(super) law: &'a OpenLaw,
    pub(super) host: &'a live::Host,
    pub(super) event: &'a live::Event,
    pub(super) masked: &'a Masked,
    pub(super) state: Option<&'a State>,
    /// The decision that a person overrode for this call, looked up once.
    pub(super) grant: OnceCell<Option<String>>,
    /// What is said about a lawbook that was edited, looked up once.
    pub(super) changed: OnceCell<Option<String>>,
}

impl LiveEvent<'_> {
    /// Decides on the event and takes its steps.
    pub(super) fn take(&self) -> Result<Outcome, Failure> {
        if !self.needs_session() {
            let mut outcome = self.guarded(&self.law.book.start()).0;
            outcome.messages.extend(self.law_changed());
            return Ok(outcome);
        }
        self.stored(|before| {
            let mut progress = Progress::from(before, self.law, self.masked);
            self.begin(&mut progress);
            let (mut outcome, raised) = self.guarded(&progress.state);
            let before = progress.state.clone();
            progress.step(&Input::live(self.event, &raised), self.written(&raised))?;
            self.give(&before, &mut progress, &mut outcome);
            Ok((outcome, progress))
        })
    }

    /// Takes the turn of an agent that may stop.
    pub(super) fn complete_turn(&self, outcome: &mut Outcome) -> Result<(), Failure> {
        if !self.needs_session() {
            return Ok(());
        }
        let completed = self.stored(|before| {
            let mut progress = Progress::from(before, self.law, self.masked);
            self.begin(&mut progress);
            let insertions = self.law.book.insertions(&progress.state);
            progress.memory.given.end_turn(&insertions);
            let message = self.incoming.last_message();
            let written = Value::of(&serde_json::json!({ "ai": message }))?;
            progress.step(&Input::from_value(&written)?, written)?;
            let mut outcome = Outcome::default();
            self.tell(&mut progress, &mut outcome);
            Ok((outcome, progress))
        })?;
        outcome.messages.extend(completed.messages);
        Ok(())
    }

    /// What the guards decide on a state, and a person after them.
    pub(super) fn guarded(&self, state: &Session) -> (Outcome, Vec<react::Event>) {
        let (outcome, raised) = self.decision(state);
        let refused = matches!(outcome.decision, DecisionKind::Deny | DecisionKind::Ask);
        if !refused || self.granted().is_none() {
            return (outcome, raised);
        }
        (outcome.allowed_by_person(), Vec::new())
    }

    /// The input of the step, as the log of the session shows it.
    fn written(&self, raised: &[react::Event]) -> Value {
        let events = raised.iter().map(react::Event::body).cloned();
        let events = std::iter::once(self.event.body().clone()).chain(events);
        let mut input = Map::new();
        input.insert("live", Value::List(events.collect()));
        Value::Map(input)
    }

    /// The decision that a person overrode for this call.
    pub(super) fn granted(&self) -> Option<&str> {
        let take = || {
            let grants = Grants::of(self.state?);
            grants.take(&call_hash_of(self.call, self.incoming)?, self.incoming.call.as_deref())
        };
        self.grant.get_or_init(take).as_deref()
    }

    /// Whether this event has a part in a session.
    fn needs_session(&self) -> bool {
        // Frequent events of a lawbook without rules cost no access to a file.
        self.law.book.needs_session()
    }

    /// Computes from the stored session, and stores what changed.
    fn stored<'s>(
        &'s self,
        compute: impl Fn(Option<&LiveSession>) -> Result<(Outcome, Progress<'s>), Failure>,
    ) -> Result<Outcome, Failure> {
        let state = self.state.ok_or_else(|| {
            Failure::usage("there is no home folder", "set `HOME` or `XDG_STATE_HOME`")
        })?;
        let name = sessions::name(self.call.harness.id, &self.incoming.session);
        let key = self.key();
        for _ in 0..TRIES {
            // Opened anew: the file may have been empty before.
            let sessions = LiveSessions::of(state);
            let before = sessions.read(&name)?;
            let known = before.as_ref().zip(key.as_deref());
            if let Some(answer) = known.and_then(|(before, key)| before.memory.answer(key)) {
                return Ok(answer.clone());
            }
            let (outcome, progress) = compute(before.as_ref())?;
            let Some((steps, mut memory)) = progress.finish()? else { return Ok(outcome) };
            if let Some(key) = &key {
                memory.keep_answer(key, &outcome);
            }
            if sessions.write(self.law, (&name, before.as_ref()), steps, &memory)? {
                return Ok(outcome);
            }
        }
        Err(Failure::usage("the session changes too often", "try again"))
    }

    /// The idempotency key of the event, if the harness has ids for calls. Another input is another
    /// call, whatever its id.
    fn key(&self) -> Option<String> {
        let id = self.incoming.call.as_deref()?;
        let call = match &self.incoming.moment {
            Moment::ToolCall(call) | Moment::ToolResult { call, .. } => call,
            Moment::SessionStart { .. }
            | Moment::Prompt { .. }
            | Moment::AgentStart { .. }
            | Moment::AgentStop { .. }
            | Moment::Stop { .. }
            | Moment::Compact { .. } => return None,
        };
        let input = serde_json::to_string(&call.input).ok()?;
        Some(hash(&[self.call.event.name(), id, &call.tool, &input]))
    }

    /// What the user is told once a session if the folder differs from what was trusted.
    fn law_changed(&self) -> Option<String> {
        let (harness, session) = (self.call.harness.id, &self.incoming.session);
        // Asked once: a step that is retried must not lose what is said only once.
        let said = || self.law.trusted.changed_notice(harness, session, self.state);
        self.changed.get_or_init(said).clone()
    }

    /// What the first event of a session does, and what an event does to the conversation.
    fn begin(&self, progress: &mut Progress<'_>) {
        progress.notices.extend(self.law_changed());
        if self.drops_conversation() {
            progress.memory.given.forget();
        }
    }

    /// Whether the harness drops what the agent was given before.
    fn drops_conversation(&self) -> bool {
        match &self.incoming.moment {
            Moment::Compact { .. } => true,
            Moment::SessionStart { source, .. } => ["compact", "clear"].contains(&&**source),
            Moment::Prompt { .. }
            | Moment::ToolCall(_)
            | Moment::ToolResult { .. }
            | Moment::AgentStart { .. }
            | Moment::AgentStop { .. }
            | Moment::Stop { .. } => false,
        }
    }

    /// Puts what the rules injected into the answer, if there is a place for it.
    fn give(&self, before: &Session, progress: &mut Progress<'_>, outcome: &mut Outcome) {
        self.tell(progress, outcome);
        // A refused prompt takes its context with it.
        let refused = self.call.event == Event::Prompt && outcome.decision == DecisionKind::Deny;
        if refused || !self.can_give(outcome) {
            return;
        }
        let insertions = self.law.book.insertions(&progress.state);
        if &*self.incoming.agent == "main" {
            outcome.context = progress.memory.given.pending(&insertions);
            progress.memory.given.give(&insertions);
        } else {
            // A sub-agent has a conversation of its own, and what it is given the main agent still
            // lacks.
            let known = match self.call.event {
                Event::AgentStart => Vec::new(),
                Event::SessionStart
                | Event::Prompt
                | Event::ToolCall
                | Event::ToolResult
                | Event::AgentStop
                | Event::Stop
                | Event::Compact => self.law.book.insertions(before).list,
            };
            let is_new = |one: &&Insertion| {
                one.kind != InsertionKind::Entry
                    && !known.iter().any(|old| old.id == one.id && old.text == one.text)
            };
            outcome.context =
                insertions.iter().filter(is_new).map(|one| one.text.to_string()).collect();
        }
    }

    /// Tells the user what there is to tell, if there is a place for it.
    fn tell(&self, progress: &mut Progress<'_>, outcome: &mut Outcome) {
        let Progress { memory: Memory { untold, .. }, notices, .. } = progress;
        untold.append(notices);
        if self.call.harness.honours(self.call.event).message && !self.is_shadow() {
            outcome.messages.append(untold);
        }
        let surplus = untold.len().saturating_sub(MOST_UNTOLD);
        untold.drain(..surplus);
    }

    fn can_give(&self, outcome: &Outcome) -> bool {
        let decision = outcome.reply().decision;
        self.call.harness.gives_context(self.call.event, decision) && !self.is_shadow()
    }

    fn is_shadow(&self) -> bool {
        self.law.mode() == EnforcementMode::Shadow
    }
}

/// The maximal number of messages that are kept for a later answer.
const MOST_UNTOLD: usize = 16;
