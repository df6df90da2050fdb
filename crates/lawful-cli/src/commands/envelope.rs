//! `lawful envelope write` and `lawful envelope check`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, Span, parse, render, text};
use lawful::verify::{Envelope, NO_ENVELOPE, NOT_OBSERVED};
use lawful::view::CheckView;
use lawful::{Diagnostics, Value};

use super::verify::{clear_artifacts, write_artifacts, write_file};
use crate::args::{EnvelopeCheck, EnvelopeCommand, EnvelopeWrite};
use crate::input::document;
use crate::lawbook::{Failure, Report as _};
use crate::observe::{Place, gather, root};
use crate::output::{Answer, diagnostics, print, print_json, stdout_style};
use crate::verify::{Home, Law, Observed, Options, Sight, Verification, judge_file, load};

/// The folder of an envelope where neither a person nor a lawbook names one.
const FOLDER: &str = ".lawful";
const NAME: &str = "envelope.yaml";

pub(crate) fn run(command: &EnvelopeCommand) -> Answer {
    let (answer, json) = match command {
        EnvelopeCommand::Write(args) => (write(args), args.format.is_json()),
        EnvelopeCommand::Check(args) => (check(args), args.format.is_json()),
    };
    answer.unwrap_or_else(|failure| failure.report(json))
}

/// Where an envelope is written: where a hook looks for it, unless a person names another place.
fn folder_of(dir: Option<&Path>, law: &Law) -> PathBuf {
    match (dir, &law.home) {
        (Some(dir), _) => dir.to_owned(),
        (None, Some(home)) => home.envelope(),
        (None, None) => PathBuf::from(FOLDER),
    }
}

fn write(args: &EnvelopeWrite) -> Result<Answer, Failure> {
    let mut law = load(args.rulespec.as_deref(), args.book.as_deref())?;
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    let node = document(&args.facts, &mut sources, &mut problems);
    problems.retain(Diagnostic::is_error);
    let Some(node) = node.filter(|_| problems.is_empty()) else {
        return Err(Failure::new(sources, problems));
    };
    let envelope = match Envelope::decode_facts(&node) {
        Ok(envelope) => envelope,
        Err(problems) => return Err(Failure::new(sources, problems)),
    };
    let folder = folder_of(args.dir.as_deref(), &law);
    let file = folder.join(NAME);
    if args.dir.is_none() {
        keep_out_of_git(&folder)?;
    }
    clear_artifacts(&folder)?;
    write_file(&file, &envelope_text(&node, &sources, &envelope.facts))?;
    let sight = sight(&law, args.observed.as_deref(), args.observe)?;
    let judged = judge(&mut law, &file, sight)?;
    write_artifacts(&folder, &judged)?;
    show(&judged, args.format.is_json());
    if !args.format.is_json() && judged.at_fault {
        print("fix the work, then write the envelope again\n");
    }
    Ok(judged.answer())
}

/// An envelope is about the work and no part of it, so git is told to leave its folder alone.
fn keep_out_of_git(folder: &Path) -> Result<(), Failure> {
    let ignored = folder.join(".gitignore");
    if ignored.exists() { Ok(()) } else { write_file(&ignored, lawful_deliver::IGNORE) }
}

fn check(args: &EnvelopeCheck) -> Result<Answer, Failure> {
    let mut law = load(args.rulespec.as_deref(), args.book.as_deref())?;
    let file = folder_of(args.dir.as_deref(), &law).join(NAME);
    if !file.exists() {
        let mut sources = Sources::default();
        let place = Span::start_of(sources.add_unread(file.display().to_string()));
        let problem = Diagnostic::new(&NO_ENVELOPE, place, "no envelope was written")
            .help("write it with `lawful envelope write --facts FILE`");
        if args.format.is_json() {
            let problems = Diagnostics::in_order(vec![problem], Arc::new(sources));
            print_json(&CheckView::from(&problems));
        } else {
            print(&diagnostics(&[problem], &sources, stdout_style()));
        }
        return Ok(Answer::No);
    }
    let sight = sight(&law, args.observed.as_deref(), args.observe)?;
    let judged = judge(&mut law, &file, sight)?;
    show(&judged, args.format.is_json());
    Ok(judged.answer())
}

/// What the host saw: what was written down, or what is seen by looking where the hook looks.
fn sight<'a>(law: &Law, file: Option<&'a Path>, observe: bool) -> Result<Sight<'a>, Failure> {
    if !observe {
        return Ok(file.map_or(Sight::None, Sight::File));
    }
    let wanted = law.home.as_ref().map(|home| (home, &home.manifest.hooks.stop.observe));
    let Some((Home { folder, manifest, .. }, wanted)) = wanted.filter(|(_, it)| !it.is_empty())
    else {
        let message = "there is nothing to observe: the manifest has no `hooks.stop.observe`";
        return Err(Failure::usage(message, "name it there, or leave `--observe` out"));
    };
    let root = root(folder);
    let place = Place { root: &root, reports: &root, deadline: None };
    let seen = gather(wanted, Some(manifest), &place)?;
    Ok(Sight::Gathered(Observed { value: seen.facts, node: None }))
}

fn judge(law: &mut Law, file: &Path, sight: Sight<'_>) -> Result<Verification, Failure> {
    let blind = matches!(sight, Sight::None);
    let options = Options { deny_vacuous: false, explain: false };
    let mut judged = judge_file(law, file, sight, options)?;
    if let Some(place) = law.rulespec.observed_place().filter(|_| blind) {
        let message = "the rulespec asks for what the host saw, and nothing was observed here";
        let manifest = law.home.as_ref().map(|home| &home.manifest.hooks.stop.observe);
        let help = if manifest.is_some_and(|wanted| !wanted.is_empty()) {
            "the hook observes before it judges; `--observe` does the same here"
        } else {
            "name what `lawful observe` wrote with `--observed FILE`"
        };
        let note = Diagnostic::new(&NOT_OBSERVED, place, message).help(help);
        judged.view.diagnostics.push(render::view(&note, &law.sources));
        judged.text.push_str(&diagnostics(&[note], &law.sources, stdout_style()));
    }
    Ok(judged)
}

fn show(judged: &Verification, json: bool) {
    if json {
        print_json(&judged.view);
    } else {
        print(&judged.text);
    }
}

/// The text of the file: the author's own where that says the same, and written anew where it does
/// not, as for a text over several lines that must not be indented.
fn envelope_text(node: &Node, sources: &Sources, facts: &Value) -> String {
    let written = sources.file(node.span.file).map_or("", |file| file.text());
    let own = if node.get("facts").is_some() {
        written.to_owned()
    } else {
        // Marks that start and end a document cannot stand under a key.
        let marks = |line: &&str| !matches!(line.trim_end(), "---" | "...");
        let indented = written.lines().filter(marks).map(|line| {
            if line.trim().is_empty() { "\n".to_owned() } else { format!("  {line}\n") }
        });
        format!("facts:\n{}", indented.collect::<String>())
    };
    if facts_of(&own).as_ref() == Some(facts) {
        return own;
    }
    // JSON is YAML, and holds any value.
    format!("facts: {facts}\n")
}

fn facts_of(text: &str) -> Option<Value> {
    let mut sources = Sources::default();
    let (file, unreadable) = text::add(&mut sources, NAME, text.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
    let sound = unreadable.is_none() && !problems.iter().any(Diagnostic::is_error);
    Envelope::decode(&node.filter(|_| sound)?).ok().map(|envelope| envelope.facts)
}
