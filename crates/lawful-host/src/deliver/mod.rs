//! Delivery to harnesses: install, uninstall, status and hooks.

mod advice;
mod blame;
mod harnesses;
mod hook;
mod hook_status;
mod install;
mod operations;
mod prove;
mod restore;
mod site;
mod status;
mod uninstall;

pub use advice::NextStep;
pub(crate) use harnesses::did_you_mean_harness;
pub use harnesses::{HarnessView, HarnessesView, SurfaceView, harnesses};
pub use hook::{
    HookEventView, HookInstalled, HookRequest, HooksInstalled, TrustedBook, hook_harness,
    hook_harnesses,
};
pub use hook_status::{HookStatus, HookView, Hooks, HooksView};
pub use install::{Delivery, InstallRequest, MovedProject};
pub use operations::{OperationView, OperationsView, RoleView, diff};
pub use prove::{
    CoreArrival, HarnessProof, PersonaArrival, ProofProblem, ProofText, ProveRequest, Proven,
    RoleProof, prove_inside,
};
pub use restore::{KeptFileView, KeptFilesView, RestorePlan, RestoredView, VersionView};
pub use status::{FileView, InstallStatus, StatusRequest, StatusView};
pub use uninstall::UninstallRequest;

use lawful_deliver::Scope;

/// Whose files, with a value for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scopes {
    /// Of the user, for all their projects.
    User,
    /// Of the project, for everyone who works on it.
    Project,
    /// Both.
    All,
}

impl Scopes {
    /// Each of them.
    pub fn each(self) -> &'static [Scope] {
        match self {
            Self::User => &[Scope::User],
            Self::Project => &[Scope::Project],
            Self::All => &[Scope::Project, Scope::User],
        }
    }
}
