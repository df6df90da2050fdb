//! The answers and the content of a store, in the form of the model.

use proptest::prelude::*;

use super::session::{Answer, Line, Session};
use super::{Checked, book, failed};
use crate::{Effect, Error, Outcome, Rewound, Store};

/// The content of a session. Every way to read its log must return the same.
pub(super) fn held(store: &dyn Store, name: &str) -> Checked<Session> {
    let export = store.export(name).map_err(failed)?;
    let books = [(*book()?).clone()];
    prop_assert_eq!(&*export.books, &books);
    let text = store.book(&books[0].hash).map_err(failed)?;
    prop_assert_eq!(text.as_ref(), Some(&books[0].text));
    let mut log = store.log(name, None, 2).map_err(failed)?;
    while let Some(last) = log.last().map(|entry| entry.version) {
        let more = store.log(name, Some(last), 2).map_err(failed)?;
        if more.is_empty() {
            break;
        }
        prop_assert!(more.len() <= 2, "more entries than were asked for");
        log.extend(more);
    }
    prop_assert_eq!(&log, &export.entries);
    let lines = export.entries.iter().map(Line::of).collect::<Checked<_>>()?;
    Ok(Session {
        name: export.session,
        version: export.version,
        head: export.head,
        branch: export.branch,
        lines,
    })
}

pub(super) fn told(outcome: Result<Outcome, Error>) -> Checked<Answer> {
    Ok(match outcome.map_err(failed)? {
        Outcome::Committed(done) => {
            let effect = |effect: Effect| {
                let body = effect.body.text().parse().map_err(failed)?;
                Ok((effect.id, body, effect.status))
            };
            let effects = done.effects.into_iter().map(effect).collect::<Checked<_>>()?;
            Answer::Committed { version: done.version, effects }
        }
        Outcome::Duplicate(again) => {
            Answer::Duplicate { line: Line::of(&again.entry)?, same_input: again.same_input }
        }
        Outcome::Conflict(head) => Answer::Conflict { version: head.version },
    })
}

pub(super) fn told_of_rewind(outcome: Result<Rewound, Error>) -> Checked<Answer> {
    match outcome {
        Ok(Rewound::Done { head, abandoned, withdrawn, delivered }) => {
            Ok(Answer::Rewound { version: head.version, abandoned, withdrawn, delivered })
        }
        Ok(Rewound::Conflict(head)) => Ok(Answer::Conflict { version: head.version }),
        Err(Error::NoTurn { .. } | Error::NotOnBranch { .. }) => Ok(Answer::NoTarget),
        Err(error) => Err(failed(error)),
    }
}
