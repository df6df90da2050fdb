//! The errors of the store as diagnostics.

use lawful::code;
use lawful::syntax::{Code, Diagnostic, Span, did_you_mean, escape};
use lawful_store::{Error, Store};

use super::failure;
use crate::lawbook::Failure;

/// What to say when the store refuses.
pub(crate) fn refused(error: &Error, store: Option<&dyn Store>) -> Failure {
    let (code, help) = meaning(error, store);
    let problem = Diagnostic::new(code, Span::NONE, escape::line(&error.to_string()));
    failure(match help {
        Some(help) => problem.help(help),
        None => problem,
    })
}

fn meaning(error: &Error, store: Option<&dyn Store>) -> (&'static Code, Option<String>) {
    let help = |text: &str| Some(text.to_owned());
    match error {
        Error::NoFile { .. } => {
            (&code::SESSION_FILE, help("`lawful session new` creates the file"))
        }
        Error::CannotOpen { .. } | Error::ReadOnly { .. } => {
            (&code::SESSION_FILE, help("name a file in a folder that can be written"))
        }
        Error::NotADatabase { .. } | Error::NotOurs { .. } => {
            (&code::SESSION_FILE, help("it was left as it is; name another file"))
        }
        Error::Newer { .. } => (&code::SESSION_FILE, help("use the newer version of Lawful")),
        Error::Damaged { .. } => (&code::SESSION_FILE, help("restore it from a copy")),
        Error::Failed { .. } | Error::Closed => (&code::SESSION_FILE, None),
        Error::Busy { .. } => {
            (&code::SESSION_BUSY, help("try again; nothing was written and nothing is lost"))
        }
        Error::Full { .. } => {
            (&code::SESSION_FULL, help("make room and try again; nothing was written"))
        }
        Error::NoSession { session } => (&code::UNKNOWN_SESSION, near(session, store)),
        Error::SessionExists { .. } => (&code::SESSION_EXISTS, help("choose another name")),
        Error::NoTurn { .. } => (&code::UNKNOWN_TURN, help("see `lawful session log`")),
        Error::NoEffect { .. } | Error::BadEffectId { .. } => {
            (&code::UNKNOWN_EFFECT, help("see `lawful session effects`"))
        }
        Error::BadName { .. } => (&code::USAGE, help("choose another name")),
    }
}

fn near(written: &str, store: Option<&dyn Store>) -> Option<String> {
    let sessions = store?.list().ok()?;
    let names = sessions.iter().map(|session| session.session.as_str());
    Some(did_you_mean("session", written, names))
}
