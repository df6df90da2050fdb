//! `lawful session log SESSION`

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful::Value;
use lawful::react::Session;
use lawful::syntax::escape;
use lawful_store::{Entry, Status};
use serde::Serialize;

use super::stored::{self, Trace};
use super::{ask, open};
use crate::args::{Format, Log};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};

/// How many characters of an input a line shows; `--format json` has all of it.
const LONGEST_INPUT: usize = 200;

#[derive(Serialize)]
struct View {
    session: String,
    entries: Vec<Line>,
}

/// One step, or the start, which has no input.
#[derive(Serialize)]
struct Line {
    version: u64,
    parent: Option<u64>,
    turn: u64,
    branch: u64,
    /// The version of the rewind that abandoned it.
    abandoned: Option<u64>,
    key: Option<String>,
    book: String,
    input: Value,
    state: Value,
    effects: Vec<Outgoing>,
    trace: Option<Trace>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Value>,
}

#[derive(Serialize)]
struct Outgoing {
    status: Status,
    effect: Value,
}

pub(super) fn run(args: &Log) -> Result<Answer, Failure> {
    let store = open(&args.place.db)?;
    let entries = ask(&store, |store| store.log(&args.session, None, usize::MAX))?;
    match args.place.format {
        Format::Human => print(&human(&entries)?),
        Format::Json => {
            let entries = entries.iter().map(line).collect::<Result<_, _>>()?;
            print_json(&View { session: args.session.clone(), entries });
        }
    }
    Ok(Answer::Yes)
}

fn line(entry: &Entry) -> Result<Line, Failure> {
    let effects = entry
        .effects
        .iter()
        .map(|effect| Ok(Outgoing { status: effect.status, effect: stored::effect(effect)? }));
    let kept = stored::value(&entry.record.result)?;
    Ok(Line {
        version: entry.version,
        parent: entry.parent,
        turn: entry.turn,
        branch: entry.branch,
        abandoned: entry.abandoned,
        key: entry.key.clone(),
        book: entry.book.clone(),
        input: stored::value(&entry.record.input)?,
        state: stored::state_value(&entry.snapshot)?,
        effects: effects.collect::<Result<_, Failure>>()?,
        trace: entry.parent.map(|_| Trace::of(&entry.record)).transpose()?,
        diagnostics: stored::items(kept.get("diagnostics")).to_vec(),
    })
}

fn human(entries: &[Entry]) -> Result<String, Failure> {
    let mut states: BTreeMap<u64, Session> = BTreeMap::new();
    let mut out = String::new();
    for entry in entries {
        let after = stored::state(&entry.snapshot)?;
        let _ = write!(out, "version {}", entry.version);
        if let Some(key) = &entry.key {
            let _ = write!(out, ", key {}", escape::line(key));
        }
        if let Some(version) = entry.abandoned {
            let _ = write!(out, ", abandoned by version {version}");
        }
        out.push('\n');
        match entry.parent.map(|parent| states.get(&parent).cloned().unwrap_or_default()) {
            None => out.push_str("the start\n"),
            Some(before) => {
                let input = stored::value(&entry.record.input)?.to_string();
                let input = escape::shorten(&input, LONGEST_INPUT);
                let _ = writeln!(out, "input {}", escape::line(&input));
                let trace = Trace::of(&entry.record)?;
                out.push_str(&stored::told(&before, &entry.snapshot, &trace, &entry.effects)?);
            }
        }
        out.push('\n');
        states.insert(entry.version, after);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Ok(out)
}
