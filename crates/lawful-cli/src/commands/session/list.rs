//! `lawful session list`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_store::Summary;
use serde::Serialize;

use super::{ask, open};
use crate::args::{Format, List};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};

#[derive(Serialize)]
struct View {
    sessions: Vec<Summary>,
}

pub(super) fn run(args: &List) -> Result<Answer, Failure> {
    let store = open(&args.place.db)?;
    let sessions = ask(&store, |store| store.list())?;
    match args.place.format {
        Format::Human => {
            let mut out = String::new();
            for session in &sessions {
                let Summary { version, turn, branch, pending, .. } = session;
                let name = escape::line(&session.session);
                let _ = write!(out, "{name}  version {version}, turn {turn}");
                let _ = writeln!(out, ", rewinds: {branch}, effects waiting: {pending}");
            }
            print(if sessions.is_empty() { "there are no sessions\n" } else { &out });
        }
        Format::Json => print_json(&View { sessions }),
    }
    Ok(Answer::Yes)
}
