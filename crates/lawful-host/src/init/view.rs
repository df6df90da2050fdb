//! The JSON of `lawful init`.

use lawful::Diagnostics;
use serde::Serialize;

use super::detect::TestCommand;
use super::import::{Carried, NotCarried};
use super::plan::InitPlan;
use crate::answer::Answer;
use crate::deliver::HookInstalled;
use crate::doctor::Checkup;
use crate::failure::Failure;

/// What `lawful init` did, or would do:
/// `{"book", "template", "planned", "written", "found", "carried", "notCarried", "hook"?, "notices"?, "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitView {
    /// The folder of the lawbook.
    pub book: String,
    /// The template that it starts from.
    pub template: &'static str,
    /// The files of the lawbook.
    pub planned: Vec<String>,
    /// The files that were created.
    pub written: Vec<String>,
    /// What the project is.
    pub found: FoundView,
    /// What was carried over.
    pub carried: Vec<Carried>,
    /// What could not be carried over.
    pub not_carried: Vec<NotCarried>,
    /// The hooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<HookView>,
    /// What the user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Warnings of the lawbook, and why nothing was written.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub diagnostics: Diagnostics,
}

/// `{"languages", "testCommands", "harnesses"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FoundView {
    /// The languages of the project.
    pub languages: Vec<&'static str>,
    /// The commands that run its tests.
    pub test_commands: Vec<TestCommand>,
    /// The harnesses in use.
    pub harnesses: Vec<&'static str>,
}

/// `{"harnesses", "installed", "doctor"?}`
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookView {
    /// The harnesses that the hooks are for.
    pub harnesses: Vec<&'static str>,
    /// The settings that have the hooks now; empty if they were not installed.
    pub installed: Vec<HookInstalled>,
    /// What `lawful hook doctor` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doctor: Option<Checkup>,
}

impl InitView {
    /// The plan, of which nothing is done yet.
    pub fn planned(plan: &InitPlan) -> Self {
        let hook = HookView {
            harnesses: plan.hooks.iter().map(|hook| hook.id).collect(),
            ..HookView::default()
        };
        Self {
            book: plan.book().display().to_string(),
            template: plan.template.name(),
            planned: plan.paths().iter().map(|path| path.display().to_string()).collect(),
            written: Vec::new(),
            found: FoundView {
                languages: plan.languages.clone(),
                test_commands: plan.tests.clone(),
                harnesses: plan.harnesses.iter().map(|harness| harness.id).collect(),
            },
            carried: plan.carried.clone(),
            not_carried: plan.not_carried.clone(),
            hook: (!plan.hooks.is_empty()).then_some(hook),
            notices: plan.notices.clone(),
            diagnostics: plan.warnings.clone(),
        }
    }

    /// Adds that the files were created.
    pub fn set_written(&mut self) {
        self.written.clone_from(&self.planned);
    }

    /// Adds why something was not done.
    #[must_use]
    pub fn failed(mut self, failure: &Failure) -> Self {
        self.diagnostics = failure.diagnostics();
        self
    }

    /// `No` if a hook does not work.
    pub fn answer(&self) -> Answer {
        let doctor = self.hook.as_ref().and_then(|hook| hook.doctor.as_ref());
        doctor.map_or(Answer::Yes, Checkup::answer)
    }
}
