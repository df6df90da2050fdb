//! Lawbooks that the environment of the harness or the administrator of the machine trusts, by their
//! fingerprints. Where there is such a list, only what is on it counts.

use std::fs;
use std::path::Path;

use lawful::book::read_from;

use super::fingerprint::Fingerprint;
use crate::workspace::Workspace;

/// What the environment or the administrator trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pin {
    /// Nothing is said: the registry decides.
    Free,
    /// Only these.
    Only(Vec<Fingerprint>),
    /// Something is said, but it cannot be used.
    Unusable(String),
}

/// The variable in the environment of a harness.
pub(crate) const VARIABLE: &str = "LAWFUL_LAW";

impl Pin {
    /// The list of the administrator, otherwise that of the environment.
    pub(crate) fn of(workspace: &Workspace) -> Self {
        match of_system(workspace.system_trust()) {
            Self::Free => of_environment(workspace),
            pinned @ (Self::Only(_) | Self::Unusable(_)) => pinned,
        }
    }

    /// Whether a fingerprint is on the list.
    pub(crate) fn allows(&self, fingerprint: &Fingerprint) -> bool {
        match self {
            Self::Only(list) => list.contains(fingerprint),
            Self::Free | Self::Unusable(_) => false,
        }
    }
}

fn of_environment(workspace: &Workspace) -> Pin {
    let Some(value) = workspace.variable(VARIABLE).filter(|value| !value.is_empty()) else {
        return Pin::Free;
    };
    match value.to_str().and_then(Fingerprint::parse) {
        Some(fingerprint) => Pin::Only(vec![fingerprint]),
        None => Pin::Unusable(format!("`{VARIABLE}` is not a fingerprint such as `sha256:…`")),
    }
}

/// One fingerprint on each line; `#` starts a comment.
fn of_system(path: &Path) -> Pin {
    /// The maximal size of the list.
    const LARGEST: usize = 1024 * 1024;
    let unusable = |why: &str| Pin::Unusable(format!("`{}` {why}", path.display()));
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_nothing(&error) => return Pin::Free,
        Err(error) => return unusable(&format!("cannot be read: {error}")),
    };
    if !metadata.is_file() {
        return unusable("is not a file");
    }
    let folder = path.parent().and_then(|folder| fs::metadata(folder).ok());
    if ![Some(metadata), folder].iter().all(|known| known.as_ref().is_some_and(is_of_root)) {
        return unusable("does not belong to root alone");
    }
    let bytes = fs::File::open(path).map_err(|error| error.to_string());
    let bytes = bytes.and_then(|file| read_from(file, LARGEST).map_err(|error| error.to_string()));
    let text = match bytes.map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return unusable("is not UTF-8"),
        Err(error) => return unusable(&format!("cannot be read: {error}")),
    };
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let listed: Option<Vec<Fingerprint>> =
        lines.filter(|line| !line.is_empty()).map(Fingerprint::parse).collect();
    listed.map_or_else(|| unusable("has a line that is not a fingerprint"), Pin::Only)
}

fn is_nothing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// Whether only root can change a file.
#[cfg(unix)]
fn is_of_root(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.uid() == 0 && metadata.mode() & 0o022 == 0
}

#[cfg(not(unix))]
fn is_of_root(_metadata: &fs::Metadata) -> bool {
    false
}
