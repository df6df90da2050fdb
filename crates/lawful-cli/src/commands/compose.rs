//! `lawful compose NAME`; `--role` is in [`super::role`].

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful::view::InsertionView;
use lawful_host::{Failure, Workspace};

use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::explain_table::draw;
use crate::output::{Answer, Report as _, print, print_json, print_warnings, stdout_width};
use crate::token_count::TokenCount;
use crate::watch::repeat;
use crate::workspace::workspace;

pub(crate) fn run(args: &Compose) -> Answer {
    let workspace = workspace(args.book.dir());
    if args.watch.watch {
        let workspace = workspace.with_memory();
        let folders = workspace.folder().map(|folder| vec![folder]);
        return repeat(folders, |_| compose(args, &workspace));
    }
    compose(args, &workspace)
}

fn compose(args: &Compose, workspace: &Workspace) -> Answer {
    let printed = match (&args.role, &args.name) {
        (Some(role), _) => super::role::compose(args, role, workspace),
        (None, name) => composition(args, name.as_deref().unwrap_or_default(), workspace),
    };
    match printed {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.format == PromptFormat::Json),
    }
}

fn composition(args: &Compose, name: &str, workspace: &Workspace) -> Result<(), Failure> {
    let context = context(&args.context.values)?;
    let book = workspace.lawbook()?;
    let session = args.session.read(workspace, &book)?;
    let tokens = TokenCount::new(args.exact);
    let request = book.compose(name).context(context).tokenizer(tokens.tokenizer());
    let request = match &session {
        Some(session) => request.session(session),
        None => request,
    };
    let composed = request.run()?;
    if args.format == PromptFormat::Json {
        print_json(&composed);
        return Ok(());
    }
    print_warnings(&composed.trace.warnings);
    match args.explain {
        Some(detail) => {
            let total = tokens.shown(composed.tokens.total);
            print(&draw(&composed, detail, &total, stdout_width()));
        }
        None => {
            print(&composed.text);
            print("\n");
            print(&history(&composed.insertions));
        }
    }
    Ok(())
}

/// The messages for the history, each under a line with its depth and role.
pub(super) fn history(insertions: &[InsertionView]) -> String {
    let mut out = String::new();
    for insertion in insertions {
        let Some(depth) = insertion.depth else { continue };
        let role = insertion.role.unwrap_or("system");
        let (kind, id) = (insertion.kind, escape::line(&insertion.id));
        let _ = writeln!(out, "\n[message at depth {depth}, {role}: {kind} {id}]");
        let _ = writeln!(out, "{}", insertion.text);
    }
    out
}
