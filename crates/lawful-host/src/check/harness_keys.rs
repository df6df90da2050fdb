//! The keys of a persona for one harness: whether there is such a harness, and whether they are its
//! author's to set.

use lawful::book::Book;
use lawful::code::BAD_VALUE;
use lawful::compose::{AgentKeys, OwnKeys};
use lawful::syntax::{Diagnostic, escape};
use lawful_deliver::{BadKey, HARNESSES, bad_keys, find};

use crate::codes::UNKNOWN_HARNESS;
use crate::deliver::did_you_mean_harness;

/// The errors in the `harness` of every persona.
pub(crate) fn check(book: &Book) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (_, agent) in AgentKeys::of_book(book) {
        let bad = HARNESSES.iter().flat_map(|harness| bad_keys(harness, &agent));
        let bad = bad.map(|BadKey { span, message, help }| {
            Diagnostic::new(&BAD_VALUE, span, message).help(help)
        });
        for problem in agent.own.iter().filter_map(unknown).chain(bad) {
            // Two roles can have one persona.
            if !found.contains(&problem) {
                found.push(problem);
            }
        }
    }
    found
}

fn unknown(own: &OwnKeys) -> Option<Diagnostic> {
    if find(&own.harness).is_some() {
        return None;
    }
    let message = format!("unknown harness `{}`", escape::name(&own.harness));
    let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.id).collect();
    let help = did_you_mean_harness(&own.harness, &names);
    Some(Diagnostic::new(&UNKNOWN_HARNESS, own.span, message).help(help))
}
