//! `lawful compose NAME`; `--role` is in [`super::role`].

use std::fmt::Write as _;

use lawful::insertion::{Insertion, Role};
use lawful::syntax::escape;
use lawful::view::ComposeView;
use lawful_host::state_file::insertions;

use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::explain_table::draw;
use crate::lawbook::{Failure, Report as _, workspace};
use crate::output::{
    Answer, diagnostics, print, print_error, print_json, stderr_style, stdout_width,
};
use crate::token_count::TokenCount;

pub(crate) fn run(args: &Compose) -> Answer {
    let name = match (&args.role, &args.name) {
        (Some(role), _) => return super::role::run(args, role),
        (None, name) => name.as_deref().unwrap_or_default(),
    };
    match compose(args, name) {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.format == PromptFormat::Json),
    }
}

fn compose(args: &Compose, name: &str) -> Result<(), Failure> {
    let context = context(&args.context)?;
    let mut loaded = workspace(args.book.as_deref()).compositions()?;
    let insertions = insertions(args.state.as_deref(), &mut loaded.book)?;
    let composition = loaded.get(name)?;
    let lists = args.explain.is_some() || args.format == PromptFormat::Json;
    let resolution = loaded.resolve(composition, &context, &insertions, lists);
    let tokens = TokenCount::new(args.exact);
    let sources = &loaded.book.sources;
    if !lists {
        print_error(&diagnostics(&resolution.trace.warnings, sources, stderr_style()));
        print(&resolution.prompt.text);
        print("\n");
        print(&history(&insertions));
        return Ok(());
    }
    let count = |text: &str| tokens.of(text);
    let counter = (&count as &dyn Fn(&str) -> usize, tokens.method);
    let view = ComposeView::new(
        &loaded.compositions,
        composition,
        &context,
        (&resolution, &insertions),
        sources,
        counter,
    );
    match (args.format, args.explain) {
        (PromptFormat::Json, _) => print_json(&view),
        (PromptFormat::Text, detail) => {
            let detail = detail.unwrap_or(crate::args::Detail::Notes);
            print_error(&diagnostics(&resolution.trace.warnings, sources, stderr_style()));
            print(&draw(&view, detail, &tokens.shown(view.tokens.total), stdout_width()));
        }
    }
    Ok(())
}

/// The messages that go into the history, each under a line that says where and by whom.
pub(super) fn history(insertions: &[Insertion]) -> String {
    let mut out = String::new();
    for insertion in insertions {
        let Some(depth) = insertion.position.depth() else { continue };
        let role = insertion.role.map_or("system", Role::name);
        let (kind, id) = (insertion.kind.name(), escape::line(&insertion.id));
        let _ = writeln!(out, "\n[message at depth {depth}, {role}: {kind} {id}]");
        let _ = writeln!(out, "{}", insertion.text);
    }
    out
}
