//! `lawful session show SESSION`

use std::fmt::Write as _;

use lawful::Value;
use lawful::react::Session;
use lawful::syntax::escape;
use lawful::view::state_diff;
use lawful_store::Head;
use serde::Serialize;

use super::{ask, open, stored};
use crate::args::{Format, Show};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};

#[derive(Serialize)]
struct View {
    session: String,
    version: u64,
    state: Value,
}

pub(super) fn run(args: &Show) -> Result<Answer, Failure> {
    let store = open(&args.place.db)?;
    let head = ask(&store, |store| store.head(&args.session))?;
    match args.place.format {
        Format::Human => print(&human(&head)?),
        Format::Json => {
            let state = stored::state_value(&head.snapshot)?;
            print_json(&View { session: head.session, version: head.version, state });
        }
    }
    Ok(Answer::Yes)
}

/// Where a session stands: a line, and its state as what it has beyond an empty one.
pub(super) fn human(head: &Head) -> Result<String, Failure> {
    let state = stored::state(&head.snapshot)?;
    let name = escape::line(&head.session);
    let mut out = format!(
        "session {name}, version {}, turn {}, step {}\n",
        head.version, state.turn, state.step
    );
    for line in state_diff(&Session::new(), &state) {
        // Against nothing everything is new, and the mark says nothing.
        let _ = writeln!(out, "  {}", line.strip_prefix("+ ").unwrap_or(&line));
    }
    Ok(out)
}
