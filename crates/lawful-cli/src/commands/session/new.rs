//! `lawful session new [SESSION]`

use lawful::syntax::escape;
use lawful::syntax::render::DiagnosticView;
use lawful::view::StateView;
use lawful_store::NewSession;
use serde::Serialize;

use super::{ask, create, law, stored};
use crate::args::{Format, New};
use crate::lawbook::{Failure, LoadedRules, rules};
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};

#[derive(Serialize)]
struct View {
    session: String,
    version: u64,
    /// What is wrong with rules that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticView>,
}

pub(super) fn run(args: &New) -> Result<Answer, Failure> {
    let LoadedRules { book, rules, problems } = rules(args.place.book.as_deref())?;
    let start = rules.start();
    let session = NewSession {
        name: args.session.clone(),
        book: law::pack(&book)?,
        turn: start.turn,
        snapshot: stored::json(&StateView::new(&start))?,
    };
    let store = create(&args.place.db)?;
    let created = ask(&store, |store| store.create(session))?;
    match args.place.format {
        Format::Human => {
            print_error(&diagnostics(&problems, &book.sources, stderr_style()));
            let name = escape::line(&created.session);
            print(&format!("session {name}, version {}\n", created.version));
        }
        Format::Json => print_json(&View {
            session: created.session,
            version: created.version,
            diagnostics: stored::diagnostics(&problems, &book.sources),
        }),
    }
    Ok(Answer::Yes)
}
