//! The decision on an event.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use lawful::live::{self, Host, Moment};
use lawful::react::{self, Session};
use lawful_deliver::{Event, HOOKS, Hook, Incoming, Scope, Settings};

use super::decided::{Decided, undecided_outcome};
use super::grant::{Grants, call_hash};
use super::law::{NoLaw, OpenLaw, project_root, trusted};
use super::logged::Masked;
use super::outcome::Outcome;
use super::places::HostPlaces;
use super::step::LiveEvent;
use super::{LiveRequest, canary};
use crate::decision_log::{DecisionKind, EnforcementMode};
use crate::failure::Failure;
use crate::stop::first_problem;
use crate::workspace::Workspace;

impl Workspace {
    /// Decides on an event.
    pub(super) fn decide(&self, call: LiveRequest, incoming: &Incoming) -> Decided {
        let mut decided = self.decided(call, incoming);
        let Some(hash) = call_hash_of(call, incoming) else { return decided };
        let refused = matches!(decided.outcome.decision, DecisionKind::Deny | DecisionKind::Ask);
        // Guards were asked with the grant in hand; what could not be decided was not.
        if refused
            && !decided.is_canary
            && let Ok(state) = self.state()
        {
            let overridden = Grants::of(&state).take(&hash, incoming.call.as_deref());
            if overridden.is_some() {
                decided.outcome = decided.outcome.allowed_by_person();
                decided.overrides = overridden;
            }
        }
        decided.call = Some(hash);
        decided
    }

    fn decided(&self, call: LiveRequest, incoming: &Incoming) -> Decided {
        let project = self.project_of(call, incoming);
        let trusted = trusted(self, &project);
        if canary::is_canary(incoming) {
            let law = trusted.and_then(|trusted| OpenLaw::open(self, trusted, None));
            return canary::answer(call, law.as_ref());
        }
        let trusted = match trusted {
            Ok(trusted) => trusted,
            Err(none) => return self.without_law(call, incoming, &none),
        };
        let root = project_root(&trusted.book, &project);
        let working = incoming.folder.as_deref().unwrap_or(&root);
        let places = HostPlaces::new(&root, working, self.variable("HOME"));
        let event = live::Event::read(&incoming.moment, &places);
        let law = match OpenLaw::open(self, trusted, Some(&event)) {
            Ok(law) => law,
            Err(none) => return self.without_law(call, incoming, &none),
        };
        let state = self.state().ok();
        let host = self.host(&law.trusted.book, &law.fingerprint, (&project, &places));
        let mut decided = Decided {
            outcome: Outcome::default(),
            law: Some(law.fingerprint.clone()),
            mode: law.mode(),
            blocks: law.book.manifest().hooks.stop.blocks,
            mask: law.book.manifest().log.mask.iter().map(|(path, _)| path.clone()).collect(),
            event: Some(event.body().clone()),
            ..Decided::default()
        };
        let masked = Masked::of(&decided);
        let live = LiveEvent {
            call,
            incoming,
            law: &law,
            host: &host,
            event: &event,
            masked: &masked,
            state: state.as_ref(),
            grant: OnceCell::new(),
            changed: OnceCell::new(),
        };
        decided.outcome = match &law.broken {
            Some(why) => undecided_outcome(call.event, why, law.undecided()),
            None => live.outcome(self),
        };
        decided.overrides = live.grant.get().cloned().flatten();
        if call.event != Event::Stop {
            return self.counted(call, Some(incoming), decided);
        }
        let blocked = decided.outcome.decision == DecisionKind::Block;
        if !blocked && let Err(failure) = live.complete_turn(&mut decided.outcome) {
            let why = format!("the session cannot be used: {}", first(&failure));
            decided.outcome = undecided_outcome(call.event, &why, law.undecided());
        }
        let mut decided = self.counted(call, Some(incoming), decided);
        let let_go = decided.outcome.decision != DecisionKind::Block
            || decided.mode == EnforcementMode::Shadow;
        // The agent stops in any case, so a failure can only be told.
        if blocked
            && let_go
            && let Err(failure) = live.complete_turn(&mut decided.outcome)
        {
            decided.outcome.messages.push(first(&failure));
        }
        decided
    }

    /// What happens without a lawbook that decides.
    fn without_law(&self, call: LiveRequest, incoming: &Incoming, none: &NoLaw) -> Decided {
        let decided = if call.event == Event::Stop {
            // Verification says why itself.
            let (outcome, blocks) = self.verified(call, incoming, Outcome::default());
            Decided { outcome, blocks, ..Decided::default() }
        } else {
            Decided::undecided(call, &none.why, none.undecided(call.undecided))
        };
        self.counted(call, Some(incoming), decided)
    }

    /// What guards know of this machine.
    pub(super) fn host(
        &self,
        book: &Path,
        law: &str,
        (project, places): (&Path, &HostPlaces),
    ) -> Host {
        let written = |path: &Path| places.written(path).into();
        // A harness looks for its settings where it was started.
        let mut settings = self.hook_settings(places.project());
        if places.written(project) != "." {
            settings.extend(self.hook_settings(project));
        }
        Host {
            settings: settings.iter().map(|path| written(path)).collect(),
            state: self.state().iter().map(|state| written(state.folder())).collect(),
            book: Some(written(book)),
            project: places.project().to_str().map(Into::into),
            home: live::Places::home(places).map(Into::into),
            law: Some(law.into()),
        }
    }
}

impl Workspace {
    /// The files in which a harness finds its hooks, or that can switch them off.
    pub(crate) fn hook_settings(&self, project: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for harness in &HOOKS {
            files.extend(self.settings_of(harness, project));
        }
        files
    }

    /// The same for one harness.
    pub(crate) fn settings_of(&self, harness: &Hook, project: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for scope in [Scope::User, Scope::Project] {
            let located = Settings::locate(harness, scope, project, |name| self.variable(name));
            files.extend(located.ok().map(|settings| settings.path));
        }
        if harness.id == "claude-code" {
            // Settings of one person in a project take precedence, and can disable every hook.
            files.push(project.join(".claude/settings.local.json"));
        }
        files
    }
}

impl LiveEvent<'_> {
    /// What is decided, or what happens if that fails.
    fn outcome(&self, workspace: &Workspace) -> Outcome {
        let outcome = match self.take() {
            Ok(outcome) => outcome,
            Err(failure) => return self.without_session(&first(&failure)),
        };
        match self.call.event {
            Event::Stop if outcome.decision == DecisionKind::None => {
                workspace.verified(self.call, self.incoming, outcome).0
            }
            Event::Stop
            | Event::SessionStart
            | Event::Prompt
            | Event::ToolCall
            | Event::ToolResult
            | Event::AgentStart
            | Event::AgentStop
            | Event::Compact => outcome,
        }
    }

    /// The decision if the session cannot be read or stored. A guard that denies without it denies with
    /// it: anything else is undecided.
    fn without_session(&self, why: &str) -> Outcome {
        let (guarded, _) = self.guarded(&self.law.book.start());
        if matches!(guarded.decision, DecisionKind::Deny | DecisionKind::Block) {
            return guarded;
        }
        let why = format!("the session cannot be used: {why}");
        undecided_outcome(self.call.event, &why, self.law.undecided())
    }

    /// What the guards decide on a state, and the events that the decision raises.
    pub(super) fn decision(&self, state: &Session) -> (Outcome, Vec<react::Event>) {
        let decided = match self.law.book.guard(self.event, state, self.host) {
            Ok(decided) => decided,
            Err(error) => {
                let why = first(&error.into());
                let undecided = self.law.undecided();
                return (undecided_outcome(self.call.event, &why, undecided), Vec::new());
            }
        };
        let is_stop = matches!(self.call.event, Event::Stop | Event::AgentStop);
        let decision = match decided.decision {
            "deny" if is_stop => DecisionKind::Block,
            "deny" => DecisionKind::Deny,
            "ask" => DecisionKind::Ask,
            "allow" => DecisionKind::Allow,
            "none" => DecisionKind::None,
            _ => DecisionKind::Deny,
        };
        let raised = decided.events().to_vec();
        let reason = decided.reason.unwrap_or_default();
        (Outcome { decision, by: decided.by, reason, ..Outcome::default() }, raised)
    }
}

/// The hash of a tool call.
pub(super) fn call_hash_of(call: LiveRequest, incoming: &Incoming) -> Option<String> {
    let Moment::ToolCall(tool) = &incoming.moment else { return None };
    Some(call_hash(call.harness.id, &incoming.session, &tool.tool, &tool.input))
}

fn first(failure: &Failure) -> String {
    first_problem(&failure.problems, &failure.sources)
}
