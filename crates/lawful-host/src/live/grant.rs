//! Calls that a person lets through although they were denied.
//!
//! A grant is a small file whose name is the hash of one call: the harness, its session, the tool and
//! its input. It expires, and the first call that uses it takes it away.
//!
//! **Invariant:** a grant lets one call through. A hook that runs twice for that call has the same
//! answer twice, because a used grant keeps the id of the call.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lawful::Value;
use lawful_deliver::State;
use sha2::{Digest as _, Sha256};

use crate::decision_log::create_private;

/// How long a grant is valid.
pub(crate) const LIFETIME: Duration = Duration::from_mins(10);

/// The grants of a user.
pub(crate) struct Grants {
    folder: PathBuf,
}

impl Grants {
    pub(crate) fn of(state: &State) -> Self {
        Self { folder: state.folder().join("allow") }
    }

    /// Lets one call through. `decision` is the id of the decision that denied it.
    pub(crate) fn give(&self, call: &str, decision: &str) -> io::Result<SystemTime> {
        create_private(&self.folder)?;
        self.forget_old();
        let beside = self.folder.join(format!("{call}.new"));
        create(&beside)?.write_all(decision.as_bytes())?;
        fs::rename(&beside, self.unused(call))?;
        Ok(SystemTime::now() + LIFETIME)
    }

    /// Uses the grant of a call, if there is one. Returns the id of the decision that denied it.
    /// `invocation` is the harness's id of the call.
    pub(crate) fn take(&self, call: &str, invocation: Option<&str>) -> Option<String> {
        let used = invocation.map(|id| self.folder.join(format!("{call}.{}.used", hash(&[id]))));
        if let Some(used) = &used
            && let Some(decision) = valid(used)
        {
            return Some(decision);
        }
        let unused = self.unused(call);
        let decision = valid(&unused)?;
        // Of several processes that find it, one can take it away.
        let taken = match &used {
            Some(used) => fs::rename(&unused, used),
            None => fs::remove_file(&unused),
        };
        taken.ok().map(|()| decision)
    }

    fn unused(&self, call: &str) -> PathBuf {
        self.folder.join(format!("{call}.unused"))
    }

    /// Removes the grants that have expired.
    fn forget_old(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if age(&entry.path()).is_none_or(|age| age > LIFETIME) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// The hash of one call in a session: hexadecimal digits.
pub(crate) fn call_hash(harness: &str, session: &str, tool: &str, input: &Value) -> String {
    let input = serde_json::to_string(input).unwrap_or_default();
    hash(&[harness, session, tool, &input])
}

/// A hash of texts, which differs if any of them or their number differs.
pub(crate) fn hash(parts: &[&str]) -> String {
    use std::fmt::Write as _;

    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut out = String::with_capacity(32);
    for byte in hasher.finalize().iter().take(16) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// The content of a grant that has not expired.
fn valid(path: &Path) -> Option<String> {
    age(path).filter(|age| *age <= LIFETIME)?;
    fs::read_to_string(path).ok()
}

/// The age of a file; `None` if it does not exist or is from the future.
fn age(path: &Path) -> Option<Duration> {
    let modified = fs::metadata(path).and_then(|file| file.modified()).ok()?;
    SystemTime::now().duration_since(modified).ok()
}

#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "this is a test")]

    use super::*;

    fn check(name: &str, test: impl FnOnce(&Grants)) {
        let name = format!("lawful-grant-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        test(&Grants { folder: folder.clone() });
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_grant_is_for_one_call() {
        check("once", |grants| {
            assert_eq!(grants.take("c", Some("1")), None);
            grants.give("c", "d").unwrap();
            assert_eq!(grants.take("other", Some("1")), None);
            assert_eq!(grants.take("c", Some("1")).as_deref(), Some("d"));
            // The same call again is answered again, another one is not.
            assert_eq!(grants.take("c", Some("1")).as_deref(), Some("d"));
            assert_eq!(grants.take("c", Some("2")), None);
            assert_eq!(grants.take("c", None), None);
        });
    }

    #[test]
    fn a_grant_without_an_id_of_the_call_is_used_once() {
        check("no-id", |grants| {
            grants.give("c", "d").unwrap();
            assert_eq!(grants.take("c", None).as_deref(), Some("d"));
            assert_eq!(grants.take("c", None), None);
        });
    }

    #[test]
    fn a_grant_expires() {
        check("old", |grants| {
            grants.give("c", "d").unwrap();
            let file = File::options().write(true).open(grants.unused("c")).unwrap();
            file.set_modified(SystemTime::now() - LIFETIME - Duration::from_secs(1)).unwrap();
            assert_eq!(grants.take("c", None), None);
            grants.give("other", "d").unwrap();
            assert!(!grants.unused("c").exists());
        });
    }

    #[test]
    fn a_call_is_its_harness_session_tool_and_input() {
        let value = |text: &str| Value::Text(text.into());
        let call = call_hash("h", "s", "t", &value("i"));
        assert_eq!(call, call_hash("h", "s", "t", &value("i")));
        assert_ne!(call, call_hash("hs", "", "t", &value("i")));
        assert_ne!(call, call_hash("h", "s", "t", &value("j")));
    }
}
