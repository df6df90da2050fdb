//! `lawful replay SESSION`

use std::fmt::Write as _;

use lawful::Verb;
use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::session::Replayed;

use super::session::request_line;
use crate::args::{Format, Replay};
use crate::output::{Answer, Report as _, print, print_json, print_problems};
use crate::workspace::workspace;

pub(crate) fn run(args: &Replay) -> Answer {
    match replay(args) {
        Ok(replayed) => {
            match args.output.format {
                Format::Human => {
                    print_problems(&replayed.diagnostics);
                    print(&human(&replayed));
                }
                Format::Json => print_json(&replayed),
            }
            replayed.answer()
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

fn replay(args: &Replay) -> Result<Replayed, Failure> {
    let other = args.with.as_deref();
    let other = other.map(|folder| workspace(Some(folder)).lawbook_for(Verb::React)).transpose()?;
    let workspace = workspace(args.book.dir());
    let file = workspace.session_file(args.db.file())?;
    workspace.read_sessions(&file)?.replay(&args.session, other.as_ref())
}

fn human(view: &Replayed) -> String {
    let mut out = String::new();
    for step in &view.steps {
        let Some(differs) = &step.differs else { continue };
        let what =
            if step.version == 0 { "start".to_owned() } else { format!("turn {}", step.turn) };
        let _ = writeln!(out, "{what}, version {}", step.version);
        for (mark, rules) in [("-", &differs.fired.stored), ("+", &differs.fired.replayed)] {
            for rule in rules {
                let _ = writeln!(out, "  {mark} fired {}", escape::line(rule));
            }
        }
        for (mark, effects) in [("-", &differs.effects.stored), ("+", &differs.effects.replayed)] {
            for effect in effects {
                let _ = writeln!(out, "  {mark} effect {}", request_line(effect));
            }
        }
        for line in &differs.changes {
            let _ = writeln!(out, "  {line}");
        }
    }
    let steps = match view.steps.len().saturating_sub(1) {
        1 => "1 step".to_owned(),
        many => format!("{many} steps"),
    };
    let different = view.steps.iter().filter(|step| !step.same && step.version > 0).count();
    let _ = match (different, view.same) {
        (0, true) => writeln!(out, "replayed {steps}, no differences"),
        (0, false) => writeln!(out, "replayed {steps}, only the start differs"),
        (_, _) => writeln!(out, "replayed {steps}, different: {different}"),
    };
    out
}
