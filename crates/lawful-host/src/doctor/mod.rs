//! `lawful hook doctor`: do the hooks of a harness work?
//!
//! The very command that stands in the settings is run, with an event that every lawbook denies. So a
//! program that was moved, a setting that was edited, or a lawbook that nobody trusts is found before
//! an agent goes on unchecked.
//!
//! **Invariant:** a check is passed only if an answer was seen that the harness understands.

mod canary;
mod run;

use std::path::PathBuf;

use lawful_deliver::{Event, HOOKS, Hook, HookState};
use serde::Serialize;

use crate::answer::Answer;
use crate::deliver::HookStatus;
use crate::failure::Failure;
use crate::live::CanaryAnswer;
use crate::workspace::Workspace;

/// `{"harnesses"}`: the result of `lawful hook doctor`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Checkup {
    /// Each harness that was named, or that has hooks.
    pub harnesses: Vec<HarnessCheckup>,
}

/// `{"id", "checks"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HarnessCheckup {
    /// The harness.
    pub id: &'static str,
    /// Its checks. If there is no hook, the others are left out.
    pub checks: Vec<HookCheck>,
}

/// `{"check", "ok", "detail"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookCheck {
    /// What is checked.
    pub check: CheckKind,
    /// Whether it is as it should be.
    pub ok: bool,
    /// What was found, and what to do.
    pub detail: String,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// The settings have the hooks as they were installed, and nothing disables them.
    Installed,
    /// The command runs and answers.
    Starts,
    /// A tool call is denied.
    Denies,
    /// A stop is blocked.
    Blocks,
    /// A tool call of a sub-agent is denied.
    Subagent,
    /// One hook answers each event.
    Once,
    /// A trusted lawbook decides.
    Trusted,
}

impl CheckKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::Starts => "starts",
            Self::Denies => "denies",
            Self::Blocks => "blocks",
            Self::Subagent => "subagent",
            Self::Once => "once",
            Self::Trusted => "trusted",
        }
    }
}

impl Checkup {
    /// `No` if a check fails, or if there is no hook at all.
    pub fn answer(&self) -> Answer {
        let mut checks = self.harnesses.iter().flat_map(|harness| &harness.checks);
        Answer::of(!self.harnesses.is_empty() && checks.all(|check| check.ok))
    }
}

impl Workspace {
    /// Checks the hooks of harnesses; of all that have some if none is named.
    pub fn hook_doctor(&self, named: &[&'static Hook]) -> Result<Checkup, Failure> {
        let mut harnesses = Vec::new();
        for harness in &HOOKS {
            if !named.is_empty() && !named.iter().any(|one| one.id == harness.id) {
                continue;
            }
            let found = self.hook_status(&[harness], None)?.hooks;
            if !found.is_empty() || !named.is_empty() {
                let patient =
                    Patient { workspace: self, harness, project: self.real_project(), found };
                harnesses.push(HarnessCheckup { id: harness.id, checks: patient.checks()? });
            }
        }
        Ok(Checkup { harnesses })
    }

    /// The root of the project, as a harness would name it.
    fn real_project(&self) -> PathBuf {
        let project = self.project();
        project.canonicalize().unwrap_or(project)
    }
}

/// A harness and the hooks in its settings.
struct Patient<'w> {
    workspace: &'w Workspace,
    harness: &'static Hook,
    project: PathBuf,
    found: Vec<HookStatus>,
}

impl Patient<'_> {
    fn checks(&self) -> Result<Vec<HookCheck>, Failure> {
        let mut checks = vec![self.installed()];
        if self.commands(Event::ToolCall).is_empty() {
            return Ok(checks);
        }
        let call = self.refused(Event::ToolCall, false);
        checks.push(starts(&call));
        checks.push(denies(CheckKind::Denies, "a tool call is denied", &call));
        if !self.commands(Event::Stop).is_empty() {
            let stop = self.refused(Event::Stop, false);
            checks.push(denies(CheckKind::Blocks, "a stop is blocked", &stop));
        }
        let sub_agent = self.refused(Event::ToolCall, true);
        checks.push(denies(
            CheckKind::Subagent,
            "a tool call of a sub-agent is denied",
            &sub_agent,
        ));
        checks.push(self.once()?);
        checks.push(trusted(&call));
        Ok(checks)
    }

    /// The commands for an event, each with its settings file.
    fn commands(&self, event: Event) -> Vec<(&str, &str)> {
        let mut commands = Vec::new();
        for status in &self.found {
            for row in status.hook.events.iter().filter(|row| row.event == event) {
                commands.extend(row.command.as_deref().map(|command| (command, &*status.path)));
            }
        }
        commands
    }

    fn installed(&self) -> HookCheck {
        let id = self.harness.id;
        let again = format!("run `lawful hook install --harness {id}`");
        let check =
            |ok: bool, detail: String| HookCheck { check: CheckKind::Installed, ok, detail };
        if self.found.is_empty() {
            return check(false, format!("no hook is installed; {again}"));
        }
        if let Some(advice) = self.found.iter().find_map(HookStatus::advice) {
            return check(false, advice);
        }
        let mut open = Vec::new();
        for status in &self.found {
            for row in &status.hook.events {
                if row.state != HookState::Clean {
                    let (event, state) = (row.event.name(), row.state.name());
                    open.push(format!("`{event}` in `{}` is {state}", status.path));
                }
            }
        }
        if self.commands(Event::ToolCall).is_empty() && open.is_empty() {
            open.push("there is no hook for tool calls".to_owned());
        }
        if !open.is_empty() {
            return check(false, format!("{}; {again}", open.join(", ")));
        }
        let files: Vec<String> =
            self.found.iter().map(|status| format!("`{}`", status.path)).collect();
        check(true, format!("the hooks are in {}", files.join(" and ")))
    }

    /// What the harness understands of the answers to a canary: of every command, the first that
    /// does not refuse it.
    fn refused(&self, event: Event, sub_agent: bool) -> Result<CanaryAnswer, String> {
        let project = &self.project;
        let sent = canary::event(self.harness, event, project, sub_agent);
        let sent = sent.ok_or_else(|| "the harness has no such event".to_owned())?;
        let mut answers = Vec::new();
        for (command, _) in self.commands(event) {
            let answer = run::answer(self.workspace, self.harness, (command, project), &sent)?;
            let reason = canary::refusal(self.harness, event, &answer).ok_or_else(|| {
                format!("the answer of `{command}` does not stop the agent: {answer}")
            })?;
            let found = CanaryAnswer::read(&reason).ok_or_else(|| {
                format!("`{command}` is not answered by `lawful`, but by its fallback: {reason}")
            })?;
            answers.push(found);
        }
        answers.pop().ok_or_else(|| "there is no hook".to_owned())
    }

    fn once(&self) -> Result<HookCheck, Failure> {
        let mut places: Vec<String> =
            self.commands(Event::ToolCall).iter().map(|(_, file)| format!("`{file}`")).collect();
        for other in HOOKS.iter().filter(|other| self.harness.also_reads.contains(&other.id)) {
            for status in self.workspace.hook_status(&[other], None)?.hooks {
                let answers = |row: &lawful_deliver::EventInSettings| {
                    row.event == Event::ToolCall && row.command.is_some()
                };
                if status.hook.events.iter().any(answers) {
                    places.push(format!("`{}`", status.path));
                }
            }
        }
        let ok = places.len() == 1;
        let detail = if ok {
            "one hook answers each event".to_owned()
        } else {
            format!(
                "each event is answered by the hooks in {}; uninstall all but one",
                places.join(" and ")
            )
        };
        Ok(HookCheck { check: CheckKind::Once, ok, detail })
    }
}

fn trusted(call: &Result<CanaryAnswer, String>) -> HookCheck {
    let (ok, detail) = match call {
        Ok(answer) if answer.trusted => (true, format!("the lawbook is {}", answer.detail)),
        Ok(answer) => (false, answer.detail.clone()),
        Err(why) => (false, format!("unknown: {why}")),
    };
    HookCheck { check: CheckKind::Trusted, ok, detail }
}

fn starts(call: &Result<CanaryAnswer, String>) -> HookCheck {
    let (ok, detail) = match call {
        Ok(_) => (true, "the command of the settings answers".to_owned()),
        Err(why) => (false, format!("{why} (is `lawful` on the PATH of the harness?)")),
    };
    HookCheck { check: CheckKind::Starts, ok, detail }
}

fn denies(check: CheckKind, what: &str, answer: &Result<CanaryAnswer, String>) -> HookCheck {
    let (ok, detail) = match answer {
        Ok(answer) if answer.shadow => {
            let detail =
                "the lawbook has `hooks: {mode: shadow}`: decisions are logged and not enforced";
            (false, detail.to_owned())
        }
        Ok(_) => (true, what.to_owned()),
        Err(why) => (false, why.clone()),
    };
    HookCheck { check, ok, detail }
}
