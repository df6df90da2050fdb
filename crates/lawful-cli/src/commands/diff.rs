//! `lawful diff NAME [OTHER]`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful::view::Diff as Compared;
use lawful_host::Failure;

use crate::args::{Diff, Format};
use crate::context::{changed, context};
use crate::output::{Answer, Report as _, print, print_json, print_warnings};
use crate::token_count::TokenCount;
use crate::workspace::workspace;

pub(crate) fn run(args: &Diff) -> Answer {
    let tokens = TokenCount::new(args.exact);
    match compare(args, &tokens) {
        Ok(compared) => {
            match args.output.format {
                Format::Human => {
                    print_warnings(&compared.diagnostics);
                    print(&human(&compared, &tokens));
                }
                Format::Json => print_json(&compared),
            }
            if compared.is_same() { Answer::Yes } else { Answer::No }
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

fn compare(args: &Diff, tokens: &TokenCount) -> Result<Compared, Failure> {
    let first = context(&args.context.values)?;
    let second = match args.against_only.as_slice() {
        [] => changed(first.clone(), &args.against)?,
        only => context(only)?,
    };
    let workspace = workspace(args.book.dir());
    let book = workspace.lawbook()?;
    let session = args.session.read(&workspace, &book)?;
    let mut before = book.compose(&args.name).context(first).tokenizer(tokens.tokenizer());
    let mut after = book.compose(args.other.as_deref().unwrap_or(&args.name)).context(second);
    if let Some(session) = &session {
        before = before.session(session);
        after = after.session(session);
    }
    Ok(before.diff(after)?)
}

fn human(view: &Compared, tokens: &TokenCount) -> String {
    let mut out = String::new();
    for (what, ids) in [("entered", &view.entered), ("left", &view.left), ("moved", &view.moved)] {
        if !ids.is_empty() {
            let _ = writeln!(out, "{what:<8}{}", escape::line(&ids.join(", ")));
        }
    }
    let Some(byte) = view.first_different_byte else {
        let same = out.is_empty();
        out.push_str(if same { "the prompts are identical\n" } else { "the text is identical\n" });
        return out;
    };
    let (before, after) = (view.tokens.before, view.tokens.after);
    let _ = writeln!(out, "tokens  {} -> {}", tokens.shown(before), tokens.shown(after));
    let _ = writeln!(
        out,
        "cache   {} identical\n",
        if byte == 1 {
            "the first byte is".to_owned()
        } else {
            format!("the first {byte} bytes are")
        }
    );
    out.push_str(&view.diff.for_people());
    out
}
