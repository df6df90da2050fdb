//! `lawful compose NAME`

use lawful::Value;
use lawful::compose::{Composition, Resolution};
use lawful::view::ComposeView;

use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::explain_table::draw;
use crate::lawbook::{Failure, Loaded, compositions};
use crate::output::{
    Answer, diagnostics, print, print_error, print_json, stderr_style, stdout_width,
};
use crate::token_count::TokenCount;

pub(crate) fn run(args: &Compose) -> Answer {
    match compose(args) {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.format == PromptFormat::Json),
    }
}

fn compose(args: &Compose) -> Result<(), Failure> {
    let context = context(&args.context)?;
    let loaded = compositions(args.book.as_deref())?;
    let composition = find(&loaded, &args.name)?;
    let lists = args.explain.is_some() || args.format == PromptFormat::Json;
    let resolution = resolve(&loaded, composition, &context, lists);
    let tokens = TokenCount::new(args.exact);
    let sources = &loaded.book.sources;
    if !lists {
        print_error(&diagnostics(&resolution.trace.warnings, sources, stderr_style()));
        print(&resolution.prompt.text);
        print("\n");
        return Ok(());
    }
    let count = |text: &str| tokens.of(text);
    let counter = (&count as &dyn Fn(&str) -> usize, tokens.method);
    let view = ComposeView::new(
        &loaded.compositions,
        composition,
        &context,
        &resolution,
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

/// A composition by its name.
pub(super) fn find<'l>(loaded: &'l Loaded, name: &str) -> Result<&'l Composition, Failure> {
    let sources = lawful::syntax::Sources::default;
    let found = loaded.compositions.get(name);
    found.map_err(|unknown| Failure { sources: sources(), problems: vec![*unknown] })
}

pub(super) fn resolve(
    loaded: &Loaded,
    composition: &Composition,
    context: &Value,
    lists: bool,
) -> Resolution {
    loaded.compositions.resolve(composition, context, &loaded.book.sources, lists)
}
