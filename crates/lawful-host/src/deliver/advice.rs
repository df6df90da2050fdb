//! What to run so that a status becomes clean.
//!
//! There is one step for each command, in the order in which they are best run, however many files it
//! is about.

use std::path::Path;

use lawful_deliver::{FileState, HookState, Scope};
use serde::Serialize;

use super::status::InstallStatus;
use crate::stop::quote;

/// A command to run: `{"run", "why"}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextStep {
    /// The command.
    pub run: String,
    /// What it does.
    pub why: &'static str,
}

/// The steps for a status. `root` is the project that was asked about, if it was named.
pub(super) fn next_steps(status: &InstallStatus, root: Option<&Path>) -> Vec<NextStep> {
    let mut steps: Vec<NextStep> = Vec::new();
    let mut add = |run: String, why: &'static str| {
        if !steps.iter().any(|step| step.run == run) {
            steps.push(NextStep { run, why });
        }
    };
    let command = |words: &str, scope: Scope| match (scope, root) {
        (Scope::User, _) => format!("lawful {words} --scope user"),
        (Scope::Project, Some(root)) => {
            format!("lawful {words} --root {}", quote(&root.display().to_string()))
        }
        (Scope::Project, None) => format!("lawful {words}"),
    };
    for file in &status.files {
        // The files of a user are shown with their whole path.
        let is_of_user = Path::new(&file.path).is_absolute();
        let scope = if is_of_user { Scope::User } else { Scope::Project };
        match file.state {
            FileState::Clean => {}
            FileState::Stale | FileState::Missing => {
                add(command("install", scope), "writes what is stale or missing");
            }
            FileState::Inactive => {
                let words = format!("install --harness {} --activate", file.harness);
                add(command(&words, scope), "enables what is inactive");
            }
            FileState::Drifted | FileState::Both => {
                add(command("install --dry-run", scope), "shows the edits");
                let why = "overwrites them; `lawful restore FILE` brings them back";
                add(command("install --overwrite", scope), why);
            }
            FileState::Foreign if file.advice.is_some() => {
                let why = "removes what no ledger lists; `lawful install --activate` takes it over instead";
                add(command("uninstall", scope), why);
            }
            FileState::Foreign => {
                let words = format!("install --harness {} --dry-run", file.harness);
                add(command(&words, scope), "shows the conflict");
            }
        }
    }
    for hook in &status.hooks {
        let words = format!("hook install --harness {}", hook.harness.id);
        let run = match hook.scope {
            Scope::User => format!("lawful {words} --scope user"),
            Scope::Project => format!("lawful {words}"),
        };
        match hook.hook.state {
            HookState::Outdated | HookState::Drifted | HookState::Missing => {
                add(run, "installs the hooks again");
            }
            // The first has no command; the others have advice of their own.
            HookState::Clean | HookState::Foreign | HookState::Disabled => {}
        }
    }
    steps
}
