//! What a host knows and a lawbook does not.

/// What a decision needs to know of the host. All paths are as [`Places`](super::Places) resolves
/// them: relative to the project if they lie inside, absolute elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The settings of harnesses that hold hooks of Lawful.
    pub settings: Vec<Box<str>>,
    /// The folders in which Lawful keeps its state.
    pub state: Vec<Box<str>>,
    /// The folder of the lawbook, if it is on this machine.
    pub book: Option<Box<str>>,
    /// The root of the project, as an absolute path.
    pub project: Option<Box<str>>,
    /// The home folder of the user, as an absolute path.
    pub home: Option<Box<str>>,
    /// The fingerprint of the law that decides. `None`: that of the lawbook is computed.
    pub law: Option<Box<str>>,
}
