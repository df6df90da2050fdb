//! `lawful diff NAME [OTHER]`

use std::fmt::Write as _;

use lawful::syntax::escape;
use serde::Serialize;
use similar::{DiffTag, TextDiff, capture_diff_slices};

use crate::args::{Diff, Format};
use crate::context::context;
use crate::lawbook::{Failure, Report as _, workspace};
use crate::output::{Answer, print, print_json};
use crate::token_count::TokenCount;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    entered: Vec<String>,
    left: Vec<String>,
    moved: Vec<String>,
    /// Where a prompt cache stops being of use; null if the prompts are the same.
    first_different_byte: Option<usize>,
    tokens: Tokens,
    diff: String,
}

#[derive(Serialize)]
struct Tokens {
    before: usize,
    after: usize,
    method: &'static str,
}

pub(crate) fn run(args: &Diff) -> Answer {
    let tokens = TokenCount::new(args.exact);
    match compare(args, &tokens) {
        Ok(view) => {
            match args.format {
                Format::Human => print(&human(&view, &tokens)),
                Format::Json => print_json(&view),
            }
            let same = view.first_different_byte.is_none()
                && view.entered.is_empty()
                && view.left.is_empty()
                && view.moved.is_empty();
            if same { Answer::Yes } else { Answer::No }
        }
        Err(failure) => failure.report(args.format.is_json()),
    }
}

fn compare(args: &Diff, tokens: &TokenCount) -> Result<View, Failure> {
    let first = context(&args.context)?;
    let second = if args.against.is_empty() { first.clone() } else { context(&args.against)? };
    let loaded = workspace(args.book.as_deref()).compositions()?;
    let one = loaded.get(&args.name)?;
    let other = match &args.other {
        Some(name) => loaded.get(name)?,
        None => one,
    };
    let before = loaded.resolve(one, &first, &[], false);
    let after = loaded.resolve(other, &second, &[], false);
    let name = |id: &lawful::compose::FragmentId| loaded.compositions.name(*id).to_owned();
    let old: Vec<String> = before.order.iter().map(name).collect();
    let new: Vec<String> = after.order.iter().map(name).collect();
    let (old_text, new_text) = (&before.prompt.text, &after.prompt.text);
    Ok(View {
        entered: new.iter().filter(|id| !old.contains(id)).cloned().collect(),
        left: old.iter().filter(|id| !new.contains(id)).cloned().collect(),
        moved: moved(&old, &new),
        first_different_byte: first_difference(old_text, new_text),
        tokens: Tokens {
            before: tokens.of(old_text),
            after: tokens.of(new_text),
            method: tokens.method,
        },
        diff: unified(old_text, new_text),
    })
}

/// The ids in both whose place among the others changed.
fn moved(old: &[String], new: &[String]) -> Vec<String> {
    let both = |list: &[String], other: &[String]| -> Vec<String> {
        list.iter().filter(|id| other.contains(id)).cloned().collect()
    };
    let (old, new) = (both(old, new), both(new, old));
    let changes = capture_diff_slices(similar::Algorithm::Myers, &old, &new);
    let gone = changes.iter().filter(|change| change.tag() != DiffTag::Equal);
    gone.flat_map(|change| old.get(change.old_range()).unwrap_or_default().to_vec()).collect()
}

fn first_difference(old: &str, new: &str) -> Option<usize> {
    let common = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    (old != new).then_some(common)
}

fn unified(old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let end = |text: &str| format!("{text}\n");
    let (old, new) = (end(old), end(new));
    TextDiff::from_lines(&old, &new)
        .unified_diff()
        .context_radius(2)
        .header("before", "after")
        .to_string()
}

fn human(view: &View, tokens: &TokenCount) -> String {
    let mut out = String::new();
    for (what, ids) in [("entered", &view.entered), ("left", &view.left), ("moved", &view.moved)] {
        if !ids.is_empty() {
            let _ = writeln!(out, "{what:<8}{}", escape::line(&ids.join(", ")));
        }
    }
    let Some(byte) = view.first_different_byte else {
        let same = out.is_empty();
        out.push_str(if same { "the prompts are the same\n" } else { "the text is the same\n" });
        return out;
    };
    let (before, after) = (view.tokens.before, view.tokens.after);
    let _ = writeln!(out, "tokens  {} -> {}", tokens.shown(before), tokens.shown(after));
    let _ = writeln!(out, "cache   the first {byte} bytes are the same\n");
    for line in view.diff.lines() {
        out.push_str(&escape::line(line));
        out.push('\n');
    }
    out
}
