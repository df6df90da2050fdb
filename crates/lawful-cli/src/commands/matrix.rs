//! `lawful matrix NAME`

use std::path::Path;

use lawful::Value;
use lawful::compose::{Composition, Compositions, Matrix as Found, MatrixClass};
use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::lawbook::LoadedCompositions;
use serde::Serialize;
use similar::TextDiff;

use crate::args::{Format, Matrix};
use crate::input::not_stdout;
use crate::output::{Answer, Report as _, print, print_json};
use crate::token_count::TokenCount;
use crate::workspace::workspace;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    composition: String,
    classes: Vec<ClassView>,
    never_fire: Vec<usize>,
    unused_fragments: Vec<String>,
    always_forbidden: Vec<String>,
    superseded_orders: Vec<usize>,
    largest: Option<usize>,
    tokens: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<String>,
}

#[derive(Serialize)]
struct ClassView {
    order: Vec<String>,
    contexts: Option<u128>,
    witness: Option<Value>,
    tokens: usize,
}

pub(crate) fn run(args: &Matrix) -> Answer {
    match answer(args) {
        Ok((view, answer)) => {
            match args.format {
                Format::Human => print(&human(&view)),
                Format::Json => print_json(&view),
            }
            answer
        }
        Err(failure) => failure.report(args.format.is_json()),
    }
}

fn answer(args: &Matrix) -> Result<(View, Answer), Failure> {
    let loaded = workspace(args.book.as_deref()).compositions()?;
    let composition = loaded.get(&args.name)?;
    let found = match loaded.compositions.matrix(composition, &loaded.book.manifest) {
        Ok(found) => found,
        Err(problem) => {
            let sources = loaded.book.sources.clone();
            return Err(Failure::new(sources, vec![*problem]));
        }
    };
    let tokens = TokenCount::new(args.exact);
    let mut view = view(&loaded, composition, &found, &tokens);
    if args.snapshot.is_some() || args.check.is_some() {
        let now = snapshot(&loaded, composition, &found)?;
        if let Some(file) = &args.snapshot {
            write_snapshot(file, &now)?;
        }
        if let Some(file) = &args.check {
            view.changed = changes(file, &now, &Compositions::snapshot_title(composition))?;
        }
    }
    let answer = if view.changed.is_empty() { Answer::Yes } else { Answer::No };
    Ok((view, answer))
}

fn view(
    loaded: &LoadedCompositions,
    composition: &Composition,
    found: &Found,
    tokens: &TokenCount,
) -> View {
    let compositions = &loaded.compositions;
    let name = |id: &lawful::compose::FragmentId| compositions.name(*id).to_owned();
    let class = |class: &MatrixClass| {
        let first = || Compositions::first_context(&loaded.book.manifest);
        let context = class.witness.clone().unwrap_or_else(first);
        let prompt = compositions.prompt(composition, &class.order, &context, &loaded.book.sources);
        ClassView {
            order: class.order.iter().map(name).collect(),
            contexts: class.contexts,
            witness: class.witness.clone(),
            tokens: tokens.of(&prompt.text),
        }
    };
    let classes: Vec<ClassView> = found.classes.iter().map(class).collect();
    let largest =
        classes.iter().enumerate().max_by_key(|(at, class)| (class.tokens, usize::MAX - at));
    View {
        composition: composition.name.to_string(),
        never_fire: found.never_fire.clone(),
        unused_fragments: found.unused.iter().map(name).collect(),
        always_forbidden: found.always_forbidden.iter().map(name).collect(),
        superseded_orders: found.superseded.clone(),
        largest: largest.map(|(at, _)| at),
        tokens: tokens.method,
        changed: Vec::new(),
        classes,
    }
}

fn snapshot(
    loaded: &LoadedCompositions,
    composition: &Composition,
    found: &Found,
) -> Result<String, Failure> {
    let LoadedCompositions { book, compositions, .. } = loaded;
    compositions
        .snapshot(composition, &book.manifest, found, &book.sources)
        .map_err(|problem| Failure::new(book.sources.clone(), vec![*problem]))
}

fn write_snapshot(file: &Path, now: &str) -> Result<(), Failure> {
    not_stdout(file, "--snapshot", "name a file")?;
    lawful_deliver::write_atomically(file, now.as_bytes()).map_err(|error| {
        Failure::usage(
            format!("`{}` cannot be written: {error}", file.display()),
            "choose another file",
        )
    })
}

/// What differs from a snapshot that was kept. One without the title of a snapshot of this composition
/// cannot be compared: an earlier form did not say exactly which contexts lead to a prompt.
fn changes(file: &Path, now: &str, title: &str) -> Result<Vec<String>, Failure> {
    let kept = std::fs::read_to_string(file).map_err(|error| {
        Failure::usage(
            format!("`{}` cannot be read: {error}", file.display()),
            "write it with `--snapshot`",
        )
    })?;
    let kept = kept.replace("\r\n", "\n");
    if kept.lines().next() != Some(title) {
        let message = format!(
            "`{}` is no snapshot of this composition, or one of an earlier form",
            file.display()
        );
        return Err(Failure::usage(message, "look at the prompts, and write it with `--snapshot`"));
    }
    if kept == now {
        return Ok(Vec::new());
    }
    let diff = TextDiff::from_lines(kept.as_str(), now);
    let shown = diff.unified_diff().context_radius(2).header("kept", "now").to_string();
    Ok(shown.lines().map(str::to_owned).collect())
}

fn human(view: &View) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&escape::line(&text));
        out.push('\n');
    };
    let about = if view.tokens == "estimate" { "about " } else { "" };
    let noun = if view.classes.len() == 1 { "prompt" } else { "prompts" };
    line(format!(
        "{} distinct {noun} of {}, placeholders aside",
        view.classes.len(),
        view.composition
    ));
    for (at, class) in view.classes.iter().enumerate() {
        let contexts = class.contexts.map_or("?".to_owned(), |count| count.to_string());
        let largest = if view.largest == Some(at) { ", the largest" } else { "" };
        let noun = if class.contexts == Some(1) { "context" } else { "contexts" };
        line(format!("  {contexts} {noun}, {about}{} tokens{largest}", class.tokens));
        line(format!("    {}", class.order.join(", ")));
        if let Some(witness) = &class.witness {
            line(format!("    such as {witness}"));
        }
    }
    let numbers =
        |list: &[usize]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    for (what, list) in [
        ("rules that never fire", numbers(&view.never_fire)),
        ("fragments never used", view.unused_fragments.join(", ")),
        ("adds always forbidden", view.always_forbidden.join(", ")),
        ("orders always superseded", numbers(&view.superseded_orders)),
    ] {
        if !list.is_empty() {
            line(format!("{what}: {list}"));
        }
    }
    for change in &view.changed {
        line(change.clone());
    }
    out
}
