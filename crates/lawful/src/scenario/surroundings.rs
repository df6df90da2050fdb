//! What a scenario is played in: a project and a host that need not exist.
//!
//! There is no disk in a scenario. Paths are resolved by their text, in a project with a fixed
//! place, so a scenario has the same result on every machine.

use crate::live::{Host, LexicalPlaces, Moment};
use crate::value::Value;

/// The project of every scenario.
pub const PROJECT: &str = "/project";
/// The home folder of the user in every scenario.
pub const HOME: &str = "/users/me";

/// What a scenario is played in.
#[derive(Clone)]
pub struct Surroundings<'h> {
    /// What guards know of the host. Its paths are relative to [`PROJECT`], or absolute.
    pub host: Host,
    /// Reads events as harnesses send them.
    pub harnesses: &'h dyn Harnesses,
}

impl std::fmt::Debug for Surroundings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").field("host", &self.host).finish_non_exhaustive()
    }
}

/// No harness, and a host without settings or state.
impl Default for Surroundings<'static> {
    fn default() -> Self {
        Self { host: Self::plain_host(), harnesses: &NoHarnesses }
    }
}

impl Surroundings<'_> {
    /// A host without settings or state.
    pub fn plain_host() -> Host {
        let (project, home) = (Some(PROJECT.into()), Some(HOME.into()));
        // No expectation asks for the fingerprint, so it is not computed for every decision.
        Host { project, home, law: Some("scenario".into()), ..Host::default() }
    }
}

/// Reads events as harnesses send them to their hooks.
pub trait Harnesses: Sync {
    /// Reads an event.
    fn read(&self, harness: &str, event: &Value) -> Result<Reported, Unreadable>;
}

/// An event that a harness reports.
#[derive(Clone, Debug)]
pub struct Reported {
    /// What happens.
    pub moment: Moment,
    /// The project, if the event names it: an absolute path.
    pub project: Option<String>,
    /// The working folder of the agent, if the event names it: an absolute path.
    pub folder: Option<String>,
}

impl Reported {
    /// The project: what the event names, or else its working folder.
    pub(super) fn project(&self) -> &str {
        self.project.as_deref().or(self.folder.as_deref()).unwrap_or(PROJECT)
    }

    /// The places that its paths are resolved in.
    pub(super) fn places(&self) -> LexicalPlaces {
        let project = self.project();
        let places = LexicalPlaces::new(project).with_home(HOME);
        match &self.folder {
            Some(folder) => places.working_in(folder),
            None => places,
        }
    }
}

/// Why an event cannot be read.
#[derive(Clone, Debug)]
pub enum Unreadable {
    /// There is no such harness; the ids of those that there are.
    Harness(Vec<String>),
    /// The event is not one of this harness; why.
    Event(String),
}

/// A program that knows no harness.
#[derive(Clone, Copy, Debug)]
pub struct NoHarnesses;

impl Harnesses for NoHarnesses {
    fn read(&self, _: &str, _: &Value) -> Result<Reported, Unreadable> {
        Err(Unreadable::Harness(Vec::new()))
    }
}
