//! `lawful session export SESSION`

use super::{ask, open, stored};
use crate::args::Export;
use crate::lawbook::Failure;
use crate::output::{Answer, print_json};

/// The answer is a JSON document in either format: it is for programs.
pub(super) fn run(args: &Export) -> Result<Answer, Failure> {
    let store = open(&args.place.db)?;
    let export = ask(&store, |store| store.export(&args.session))?;
    // Through a value, so that every text in it is written safely.
    print_json(&stored::value(&stored::json(&export)?)?);
    Ok(Answer::Yes)
}
