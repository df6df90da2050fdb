//! `lawful session effects SESSION [--ack ID]`

use std::fmt::Write as _;

use lawful::Value;
use lawful_store::{Acknowledged, EffectId};
use serde::Serialize;

use super::{ask, open, refused, stored};
use crate::args::{Effects, Format};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};

#[derive(Serialize)]
struct View {
    session: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acknowledged: Vec<Done>,
    effects: Vec<Value>,
}

#[derive(Serialize)]
struct Done {
    id: String,
    result: Acknowledged,
}

pub(super) fn run(args: &Effects) -> Result<Answer, Failure> {
    let ids: Result<Vec<EffectId>, _> = args.ack.iter().map(|id| id.parse()).collect();
    let ids = ids.map_err(|error| refused(&error, None))?;
    let store = open(&args.place.db)?;
    let results = if ids.is_empty() {
        Vec::new()
    } else {
        ask(&store, |store| store.acknowledge_all(&args.session, &ids))?
    };
    let done = ids.iter().zip(results).map(|(id, result)| Done { id: id.to_string(), result });
    let acknowledged: Vec<Done> = done.collect();
    let pending = ask(&store, |store| store.pending(&args.session))?;
    match args.place.format {
        Format::Human => {
            let mut out = String::new();
            for Done { id, result } in &acknowledged {
                let said = match result {
                    Acknowledged::Now => "acknowledged",
                    Acknowledged::Before => "had been acknowledged before",
                    Acknowledged::Late => "had been withdrawn; that it was done is remembered",
                };
                let _ = writeln!(out, "{id} {said}");
            }
            for effect in &pending {
                let _ = writeln!(out, "{}", stored::effect_line(effect)?);
            }
            print(if out.is_empty() { "no effects wait\n" } else { &out });
        }
        Format::Json => print_json(&View {
            session: args.session.clone(),
            acknowledged,
            effects: pending.iter().map(stored::effect).collect::<Result<_, _>>()?,
        }),
    }
    Ok(Answer::Yes)
}
