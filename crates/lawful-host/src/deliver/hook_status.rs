//! The hooks in the settings of harnesses, and their state.

use std::path::PathBuf;

use lawful_deliver::{
    HOOKS, Hook as Harness, HookInSettings, HookState, Scope, Settings, disabled_by,
};
use serde::Serialize;

use super::Scopes;
use super::hook::{HookEventView, notices, twice};
use super::site::Site;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::live;
use crate::workspace::Workspace;

/// A hook in the settings of a harness.
#[derive(Clone, Debug)]
pub struct HookStatus {
    /// The harness.
    pub harness: &'static Harness,
    /// Whose settings.
    pub scope: Scope,
    /// The settings file, as shown to the user.
    pub path: String,
    /// The hook in it.
    pub hook: HookInSettings,
    /// The settings file that turns all hooks of the harness off, as shown to the user.
    pub disabled_by: Option<String>,
}

impl HookStatus {
    /// Whether the hook is as it was installed.
    pub fn is_clean(&self) -> bool {
        self.hook.state == HookState::Clean
    }

    /// What to do about a hook that is turned off.
    pub fn advice(&self) -> Option<String> {
        let file = self.disabled_by.as_ref()?;
        let name = self.harness.name;
        Some(format!("{name} runs no hook: remove `disableAllHooks` from `{file}`"))
    }

    /// The JSON form.
    pub fn view(&self) -> HookView {
        HookView {
            harness: self.harness.id,
            scope: match self.scope {
                Scope::User => "user",
                Scope::Project => "project",
            },
            path: self.path.clone(),
            event: self.harness.event(),
            state: self.hook.state.name(),
            command: self.hook.command.clone(),
            disabled_by: self.disabled_by.clone(),
            events: self.hook.events.iter().map(HookEventView::of).collect(),
        }
    }
}

/// `{"harness", "scope", "path", "event", "state", "command"?, "disabledBy"?, "events"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookView {
    /// The harness.
    pub harness: &'static str,
    /// `user` or `project`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["user", "project"])))]
    pub scope: &'static str,
    /// The settings file.
    pub path: String,
    /// The event of the harness for an agent that wants to stop.
    pub event: &'static str,
    /// The worst state of an event.
    pub state: &'static str,
    /// The command that the harness runs when an agent stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The settings file that turns all hooks of the harness off.
    #[serde(rename = "disabledBy", skip_serializing_if = "Option::is_none")]
    pub disabled_by: Option<String>,
    /// The hook of each event.
    pub events: Vec<HookEventView>,
}

/// The hooks of a project and of a user.
#[derive(Clone, Debug)]
pub struct Hooks {
    /// The hooks that are installed, or were and are gone.
    pub hooks: Vec<HookStatus>,
    /// Whether they judge by the lawbook as it is.
    pub is_trusted: bool,
    /// Notices for the user.
    pub notices: Vec<String>,
}

/// `{"hooks": […], "notices"?: […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HooksView {
    /// The hooks.
    pub hooks: Vec<HookView>,
    /// Notices for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

impl Hooks {
    /// `Yes` if there is a hook, every hook is as it was installed, and they judge by the lawbook as
    /// it is.
    pub fn answer(&self) -> Answer {
        let all_clean = !self.hooks.is_empty() && self.hooks.iter().all(HookStatus::is_clean);
        Answer::of(self.is_trusted && all_clean)
    }

    /// The JSON form.
    pub fn view(&self) -> HooksView {
        let hooks = self.hooks.iter().map(HookStatus::view).collect();
        HooksView { hooks, notices: self.notices.clone() }
    }
}

impl Workspace {
    /// The hooks in the settings of some harnesses, or of all if none is named.
    pub fn hook_status(
        &self,
        harnesses: &[&'static Harness],
        scopes: Option<Scopes>,
    ) -> Result<Hooks, Failure> {
        let site = Site::new(self, None)?;
        let is_asked = |hook: &Harness| {
            harnesses.is_empty() || harnesses.iter().any(|asked| asked.id == hook.id)
        };
        let mut hooks = Vec::new();
        for &scope in scopes.unwrap_or(Scopes::All).each() {
            hooks.extend(in_scope(self, &site, scope, is_asked));
        }
        let mut said: Vec<String> = Vec::new();
        let notices = |hook: &HookStatus| {
            notices(self, hook.harness).into_iter().chain(twice(self, hook.harness))
        };
        for notice in hooks.iter().flat_map(notices) {
            if !said.contains(&notice) {
                said.push(notice);
            }
        }
        let trust = if hooks.is_empty() { None } else { self.trust_problem(self.start()) };
        let is_trusted = trust.is_none();
        said.extend(trust.map(|problem| format!("{}: {}", problem.code.name, problem.message)));
        Ok(Hooks { hooks, is_trusted, notices: said })
    }
}

/// The hooks in the settings of a scope.
pub(super) fn in_scope(
    workspace: &Workspace,
    site: &Site<'_>,
    scope: Scope,
    is_asked: impl Fn(&Harness) -> bool,
) -> Vec<HookStatus> {
    let state = workspace.state().ok();
    let project = site.places.project();
    let of_harness = |harness: &'static Harness| {
        // Without a home there are no settings of a user.
        let settings =
            Settings::locate(harness, scope, project, |name| workspace.variable(name)).ok()?;
        let mut hook = settings.hook(harness, live::DECIDED, state.as_ref())?;
        let path = site.places.shown(scope, &settings.path);
        let switch = || disabled_by(harness, project, |name| workspace.variable(name));
        let switch = hook.command.as_ref().and_then(|_| switch());
        if switch.is_some() {
            hook.state = HookState::Disabled;
        }
        let shown = |file: PathBuf| match file.strip_prefix(project) {
            Ok(inside) => inside.display().to_string(),
            Err(_) => file.display().to_string(),
        };
        Some(HookStatus { harness, scope, path, hook, disabled_by: switch.map(shown) })
    };
    HOOKS.iter().filter(|harness| is_asked(harness)).filter_map(of_harness).collect()
}
