//! `guard`: decides on what an agent is about to do.

use super::Lawbook;
use crate::diagnostics::Diagnostics;
use crate::error::Error;
use crate::live::{Event, Host};
use crate::policy::Verb;
use crate::react::Session;
use crate::view::GuardDecision;

impl Lawbook {
    /// Decides on a live event by the guards of the book, and by what its manifest protects.
    ///
    /// Only guards, saved conditions and the manifest are needed, so errors elsewhere do not
    /// matter. A guard with errors denies what it could apply to. If the manifest or a whole
    /// document of guards cannot be read, the result is an error, which a host must treat as
    /// undecided.
    ///
    /// ```
    /// use lawful::live::{Action, Event, Host, LexicalPlaces, Moment, Target, ToolUse};
    ///
    /// let source = lawful::book::MemorySource::new().with("lawful.yaml", "name: desk").with(
    ///     "guards/git.yaml",
    ///     "- {id: no-force, on: {action: shell}, deny: Push without --force.,\n   \
    ///        when: {path: event.line, op: matches, value: '^git push .*--force'}}",
    /// );
    /// let book = lawful::Lawbook::load(&source)?;
    /// let command = "cd web && git push origin --force";
    /// let call = ToolUse {
    ///     action: Action::Shell,
    ///     tool: "Bash".into(),
    ///     agent: "main".into(),
    ///     input: lawful::Value::Null,
    ///     target: Target::Shell { command: command.into(), folder: None },
    /// };
    /// let event = Event::read(&Moment::ToolCall(call), &LexicalPlaces::new("/srv/shop"));
    /// let decision = book.guard(&event, &book.start(), &Host::default())?;
    /// assert_eq!((decision.decision, &*decision.by[0]), ("deny", "no-force"));
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn guard(
        &self,
        event: &Event,
        session: &Session,
        host: &Host,
    ) -> Result<GuardDecision, Error> {
        self.ready_for(Verb::Guard)?;
        let decided = self.guards().decide(event, session, host);
        Ok(self.decision(event, host, &decided))
    }

    /// Decides, and explains for every guard why it acted or did not.
    pub fn guard_explained(
        &self,
        event: &Event,
        session: &Session,
        host: &Host,
    ) -> Result<GuardDecision, Error> {
        self.ready_for(Verb::Guard)?;
        let guards = self.guards();
        let decided = guards.decide(event, session, host);
        let mut decision = self.decision(event, host, &decided);
        decision.guards = Some(guards.explain(event, session, &decided));
        Ok(decision)
    }

    fn decision(
        &self,
        event: &Event,
        host: &Host,
        decided: &crate::guard::Decided,
    ) -> GuardDecision {
        let mut problems = decided.diagnostics.clone();
        problems.extend(self.guards().left_out());
        let law = host
            .law
            .as_deref()
            .map_or_else(|| format!("sha256:{}", self.book.fingerprint()), str::to_owned);
        let problems = Diagnostics::new(problems, self.sources.clone());
        GuardDecision::new(event, decided, law, problems)
    }
}
