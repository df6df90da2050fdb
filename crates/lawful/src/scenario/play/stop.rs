//! An agent that wants to stop.

use super::{Player, places};
use crate::book::{HookMode, Undecided};
use crate::error::Error;
use crate::live::Moment;
use crate::react::Input;
use crate::scenario::document::Submitted;
use crate::scenario::expect::Decided;
use crate::scenario::happened::Happened;
use crate::scenario::name::{UNDECIDED, VERIFY};
use crate::verify::Verdict;

impl Player<'_> {
    /// An agent wants to stop: guards decide, then its work is verified, and only an agent that may
    /// stop completes its turn.
    pub(super) fn stop(
        &mut self,
        message: Option<&str>,
        submitted: &Submitted,
        happened: &mut Happened,
    ) -> Result<(), Error> {
        let moment = Moment::Stop { message: message.map(Into::into) };
        let host = self.surroundings.host.clone();
        let mut decision = self.decide(&moment, (&places(), host), happened)?;
        if decision == Decided::None {
            decision = self.verify_stop(submitted, happened)?;
        }
        let decision = self.counted("", decision);
        let is_shadow = self.book.manifest().hooks.mode == HookMode::Shadow;
        if decision != Decided::Deny || is_shadow {
            let ai = message.map(Into::into);
            self.take_live(&Input::Turn { user: None, ai, writes: Vec::new() }, happened);
        }
        happened.decision = Some(decision);
        Ok(())
    }

    /// Whether an agent may stop that no guard keeps from it.
    fn verify_stop(
        &mut self,
        submitted: &Submitted,
        happened: &mut Happened,
    ) -> Result<Decided, Error> {
        let hook = self.book.manifest().hooks.stop.clone();
        let mut by = |who: &str, why: &str| {
            happened.by = vec![who.into()];
            happened.reason = Some(why.to_owned());
        };
        let undecided = match hook.undecided {
            Undecided::Block => Decided::Deny,
            Undecided::Allow => Decided::None,
        };
        let without_answer = if undecided == Decided::Deny { VERIFY } else { UNDECIDED };
        if !self.book.has_rulespec() {
            if self.book.book().only_acts_live() {
                return Ok(Decided::None);
            }
            by(without_answer, &format!("the lawbook has no `{}`", hook.rulespec()));
            return Ok(undecided);
        }
        let reads_envelope = self.book.ready_rulespec()?.reads_envelope();
        if reads_envelope && submitted.envelope.is_none() {
            by(VERIFY, "the agent wrote no envelope");
            return Ok(Decided::Deny);
        }
        self.envelope(submitted, happened)?;
        let mut by = |who: &str, why: &str| {
            happened.by = vec![who.into()];
            happened.reason = Some(why.to_owned());
        };
        Ok(match happened.verdict {
            Some(Verdict::Pass) | None => Decided::None,
            Some(Verdict::Fail) => {
                by(VERIFY, "the envelope fails");
                Decided::Deny
            }
            Some(Verdict::Undecided) => {
                by(without_answer, "the envelope is undecided");
                undecided
            }
        })
    }

    /// Counts the blocks of an agent. After too many in a row it may stop.
    pub(super) fn counted(&mut self, agent: &str, decision: Decided) -> Decided {
        let hooks = &self.book.manifest().hooks;
        let blocks = self.blocks.entry(agent.into()).or_default();
        if decision != Decided::Deny {
            *blocks = 0;
            return decision;
        }
        if hooks.mode == HookMode::Shadow {
            return decision;
        }
        if *blocks >= hooks.stop.blocks {
            *blocks = 0;
            return Decided::None;
        }
        *blocks += 1;
        decision
    }
}
