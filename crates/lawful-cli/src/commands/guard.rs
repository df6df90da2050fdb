//! `lawful guard`

use std::fmt::Write as _;
use std::fs::File;
use std::io;

use lawful::book::read_from;
use lawful::view::GuardDecision;
use lawful_deliver::LONGEST_EVENT;
use lawful_host::Failure;
use lawful_host::deliver::hook_harness;
use lawful_host::live::{GuardPreview, GuardRequest};

use crate::args::Guard;
use crate::output::{Answer, Report as _, one_line, print, print_json, print_problems};
use crate::workspace::workspace;

pub(crate) fn run(args: &Guard) -> Answer {
    let json = args.output.is_json();
    decide(args, json).unwrap_or_else(|failure| failure.report(json))
}

fn decide(args: &Guard, json: bool) -> Result<Answer, Failure> {
    let harness = hook_harness(args.harness.as_deref())?;
    let read = if args.event.as_os_str() == "-" {
        read_from(io::stdin().lock(), LONGEST_EVENT).map_err(|error| error.to_string())
    } else {
        let file = File::open(&args.event).map_err(|error| error.to_string());
        file.and_then(|file| read_from(file, LONGEST_EVENT).map_err(|error| error.to_string()))
    };
    let event = read.map_err(|error| {
        let message = format!("cannot read `{}`: {error}", args.event.display());
        Failure::usage(message, "pass the event as a file, or `-` for standard input")
    })?;
    let request = GuardRequest { harness, event: &event, explain: args.explain };
    let preview = workspace(args.book.dir()).preview_guard(request)?;
    match (&preview, json) {
        (GuardPreview::Decided(decision), true) => print_json(decision),
        (GuardPreview::Decided(decision), false) => {
            print_problems(&decision.diagnostics);
            print(&text(decision));
        }
        (GuardPreview::Unreadable(event), true) => print_json(event),
        (GuardPreview::Unreadable(event), false) => {
            print(&format!("deny\n  {}\n", one_line(&event.reason)));
        }
    }
    Ok(preview.answer())
}

fn text(decision: &GuardDecision) -> String {
    let mut out = decision.decision.to_owned();
    if !decision.by.is_empty() {
        let _ = write!(out, " by {}", one_line(&decision.by.join(", ")));
    }
    out.push('\n');
    for line in decision.reason.iter().flat_map(|reason| reason.lines()) {
        let _ = writeln!(out, "  {}", one_line(line));
    }
    for row in decision.guards.iter().flatten() {
        let thing = row
            .thing
            .as_ref()
            .map_or_else(String::new, |thing| format!(" on `{}`", one_line(thing)));
        let result = match row.result {
            lawful::guard::GuardResult::Acted => "acted",
            lawful::guard::GuardResult::NotAsked => "does not apply",
            lawful::guard::GuardResult::DidNotAct => "did not act",
            lawful::guard::GuardResult::Undecided => "could not be evaluated",
            lawful::guard::GuardResult::Invalid => "has errors",
        };
        let _ = writeln!(
            out,
            "{} ({}) {result}{thing}: {}",
            one_line(&row.id),
            row.decision,
            one_line(&row.why)
        );
    }
    out
}
