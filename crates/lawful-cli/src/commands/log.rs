//! `lawful log`

use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::time::SystemTime;

use lawful::syntax::{escape, render};
use lawful_host::Failure;
use lawful_host::decision_log::{
    DecisionFilter, DecisionLog, EnforcementMode, LoggedDecision, Since,
};

use crate::args;
use crate::output::{Answer, Report as _, print, print_bytes, print_error, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &args::DecisionLog) -> Answer {
    let json = args.output.is_json();
    show(args, json).unwrap_or_else(|failure| failure.report(json))
}

fn show(args: &args::DecisionLog, json: bool) -> Result<Answer, Failure> {
    let filter = filter(args)?;
    let log = DecisionLog::of(&workspace(None).state()?);
    if args.follow {
        // From the first line that is asked for to those that are not yet written.
        let follower = log.follow(filter.clone()).map_err(|error| unreadable(&error))?;
        if filter.since.is_some() {
            let found = log.read(&filter).map_err(|error| unreadable(&error))?;
            for decision in &found.decisions {
                if print_one(decision, json).is_break() {
                    return Ok(Answer::Yes);
                }
            }
        }
        follower.run(|decision| print_one(decision, json)).map_err(|error| unreadable(&error))?;
        return Ok(Answer::Yes);
    }
    let found = log.read(&filter).map_err(|error| unreadable(&error))?;
    if json {
        print_json(&found);
        return Ok(Answer::Yes);
    }
    let text: String = found.decisions.iter().map(line).collect();
    print(if text.is_empty() { "no decisions\n" } else { &text });
    if found.unreadable > 0 {
        let lines = if found.unreadable == 1 { "line" } else { "lines" };
        print_error(&format!("warning: {} {lines} of the log are unreadable\n", found.unreadable));
    }
    Ok(Answer::Yes)
}

fn filter(args: &args::DecisionLog) -> Result<DecisionFilter, Failure> {
    let since = match &args.since {
        None => None,
        Some(text) => Some(Since::parse(text, SystemTime::now()).ok_or_else(|| {
            let message = format!("`{}` is not a time or a duration", escape::name(text));
            Failure::usage(message, "write `2026-11-16`, `2026-11-16T04:15`, `30m`, `2h` or `7d`")
        })?),
    };
    Ok(DecisionFilter {
        session: args.session.clone(),
        decision: args.decision.map(Into::into),
        by: args.by.clone(),
        since,
    })
}

fn unreadable(error: &io::Error) -> Failure {
    let message = format!("cannot read the log of decisions: {error}");
    Failure::usage(message, "check the state folder: `$XDG_STATE_HOME/lawful/log`")
}

fn print_one(decision: &LoggedDecision, json: bool) -> ControlFlow<()> {
    let mut out = Vec::new();
    if !json {
        out = line(decision).into_bytes();
    } else if render::push_json_line(decision, &mut out).is_err() {
        return ControlFlow::Break(());
    }
    print_bytes(&out)
}

/// A decision as text: one line, and its reason on another.
pub(crate) fn line(decision: &LoggedDecision) -> String {
    let LoggedDecision { id, time, harness, session, agent, event, by, .. } = decision;
    let time = time.split('.').next().unwrap_or_default().replacen('T', " ", 1);
    let mut out =
        format!("{}  {:5}  {}", escape::line(&time), decision.decision.name(), escape::line(id));
    let session = escape::shorten(session, 12);
    let _ = write!(out, "  {} {}", escape::line(harness), escape::line(&session));
    if agent != "main" {
        let _ = write!(out, " {}", escape::line(agent));
    }
    let _ = write!(out, "  {}", escape::line(event));
    if let Some(tool) = &decision.tool {
        let _ = write!(out, " {}", escape::line(tool));
    }
    if let Some(about) = &decision.about {
        for value in about.values() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = write!(out, " `{}`", escape::line(&escape::shorten(&text, 80)));
        }
    }
    if !by.is_empty() {
        let _ = write!(out, "  by {}", escape::line(&by.join(", ")));
    }
    if decision.mode == EnforcementMode::Shadow {
        out.push_str("  (shadow)");
    }
    out.push('\n');
    if let Some(reason) = &decision.reason {
        let _ = writeln!(out, "    {}", escape::line(reason));
    }
    out
}
