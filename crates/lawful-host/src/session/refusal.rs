//! The errors of the store as diagnostics.

use lawful::code;
use lawful::syntax::{Code, Diagnostic, Span, did_you_mean, escape};
use lawful_store::{Error, Failure, Store};

use crate::codes;
use crate::failure;

/// The failure for an error of the store.
pub(crate) fn refused(error: &Error, store: Option<&dyn Store>) -> failure::Failure {
    let (code, help) = meaning(error, store);
    let problem = Diagnostic::new(code, Span::NONE, escape::line(&message(error)));
    failure::Failure::of(match help {
        Some(help) => problem.help(help),
        None => problem,
    })
}

/// The message of the store; here, the store is always a file.
fn message(error: &Error) -> String {
    if let Error::Store { location, failure: Failure::Missing } = error {
        return format!("session file `{location}` not found");
    }
    error.to_string()
}

fn meaning(error: &Error, store: Option<&dyn Store>) -> (&'static Code, Option<String>) {
    let help = |text: &str| Some(text.to_owned());
    match error {
        Error::Store { failure, .. } => {
            let (code, text) = of_file(failure);
            (code, text.map(str::to_owned))
        }
        Error::NoSession { session } => (&codes::UNKNOWN_SESSION, near(session, store)),
        Error::SessionExists { .. } => (&codes::SESSION_EXISTS, help("choose another name")),
        Error::NoTurn { .. } => (&codes::UNKNOWN_TURN, help("see `lawful session log`")),
        Error::NoVersion { .. } => (&codes::UNKNOWN_VERSION, help("see `lawful session log`")),
        Error::NotOnBranch { .. } => {
            let text = "see `lawful session log`; `lawful session fork --at` brings an abandoned step back";
            (&codes::UNKNOWN_VERSION, help(text))
        }
        Error::Damaged { .. } => {
            let text = "restore the file from a backup, or return to an earlier version with \
                        `lawful session rewind --to-version`, or copy the session up to one with \
                        `lawful session fork --at`";
            (&codes::SESSION_DAMAGED, help(text))
        }
        Error::BadExport { .. } => {
            (&codes::SESSION_IMPORT, help("pass a document that `lawful session export` printed"))
        }
        Error::NoEffect { .. } | Error::BadEffectId { .. } => {
            (&codes::UNKNOWN_EFFECT, help("see `lawful session effects`"))
        }
        Error::BadName { .. } => (&code::USAGE, help("choose another name")),
        Error::Closed => (&codes::SESSION_FILE, None),
    }
}

fn of_file(failure: &Failure) -> (&'static Code, Option<&'static str>) {
    match failure {
        Failure::Missing => (&codes::SESSION_FILE, Some("`lawful session new` creates the file")),
        Failure::CannotOpen { .. } | Failure::ReadOnly { .. } => {
            (&codes::SESSION_FILE, Some("pass a file in a writable folder to `--db`"))
        }
        Failure::Foreign { .. } => {
            (&codes::SESSION_FILE, Some("the file was left unchanged; use another file"))
        }
        Failure::Older { .. } => {
            (&codes::SESSION_FILE, Some("open it once with write access, such as a copy of it"))
        }
        Failure::Newer { .. } => (&codes::SESSION_FILE, Some("use the newer version of Lawful")),
        Failure::Damaged { .. } => (&codes::SESSION_FILE, Some("restore it from a backup")),
        Failure::Failed { .. } => (&codes::SESSION_FILE, None),
        Failure::Busy => (&codes::SESSION_BUSY, Some("try again; nothing was written or lost")),
        Failure::Full { .. } => {
            (&codes::SESSION_FULL, Some("free some space and try again; nothing was written"))
        }
    }
}

fn near(written: &str, store: Option<&dyn Store>) -> Option<String> {
    let sessions = store?.list().ok()?;
    let names = sessions.iter().map(|session| session.session.as_str());
    Some(did_you_mean("session", written, names))
}
