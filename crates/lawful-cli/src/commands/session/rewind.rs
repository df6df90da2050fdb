//! `lawful session rewind SESSION --to TURN`

use std::fmt::Write as _;

use lawful::Value;
use lawful_store::{EffectId, Head, Rewound};
use serde::Serialize;

use super::{ask, open, show, stored};
use crate::args::{Format, Rewind};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};

#[derive(Serialize)]
struct View {
    result: &'static str,
    session: String,
    version: u64,
    state: Value,
    /// The versions that are no longer part of the present.
    abandoned: Vec<u64>,
    /// Effects that the host need not do any more.
    withdrawn: Vec<EffectId>,
    /// Effects of abandoned turns that the host has done.
    delivered: Vec<EffectId>,
}

impl View {
    fn new(result: &'static str, head: &Head) -> Result<Self, Failure> {
        Ok(Self {
            result,
            session: head.session.clone(),
            version: head.version,
            state: stored::state_value(&head.snapshot)?,
            abandoned: Vec::new(),
            withdrawn: Vec::new(),
            delivered: Vec::new(),
        })
    }
}

pub(super) fn run(args: &Rewind) -> Result<Answer, Failure> {
    let store = open(&args.place.db)?;
    let Rewind { session, to, expect, .. } = args;
    let request = lawful_store::Rewind { session: session.clone(), to: *to, expect: *expect };
    match ask(&store, |store| store.rewind(request))? {
        Rewound::Done { head, abandoned, withdrawn, delivered } => {
            let view = View { abandoned, withdrawn, delivered, ..View::new("rewound", &head)? };
            match args.place.format {
                Format::Human => print(&(human(&view) + &show::human(&head)?)),
                Format::Json => print_json(&view),
            }
            Ok(Answer::Yes)
        }
        Rewound::Conflict(head) => {
            match args.place.format {
                Format::Human => print(&conflict(&head, *expect)),
                Format::Json => print_json(&View::new("conflict", &head)?),
            }
            Ok(Answer::No)
        }
    }
}

fn human(view: &View) -> String {
    let mut out = match view.abandoned.len() {
        0 => "it stood there already\n".to_owned(),
        1 => "1 step is abandoned\n".to_owned(),
        many => format!("{many} steps are abandoned\n"),
    };
    for (what, ids) in [("withdrawn", &view.withdrawn), ("done already", &view.delivered)] {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            let _ = writeln!(out, "effects {what}: {}", ids.join(", "));
        }
    }
    out
}

/// What to say when a session is not where it was expected.
pub(super) fn conflict(head: &Head, expected: Option<u64>) -> String {
    let name = lawful::syntax::escape::line(&head.session);
    let expected = expected.map_or_else(String::new, |version| format!(", not {version}"));
    format!("conflict: session {name} is at version {}{expected}; nothing was done\n", head.version)
}
