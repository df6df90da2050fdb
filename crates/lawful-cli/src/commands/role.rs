//! `lawful compose --role ROLE`

use std::path::PathBuf;

use lawful::syntax::render::view as to_view;
use lawful::syntax::sort;
use lawful::view::{LayerView, LayersView, RoleView};
use lawful_host::Failure;
use lawful_host::input::text;

use super::compose::history;
use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::input::one_stdin;
use crate::lawbook::workspace;
use crate::output::{
    Answer, Report as _, diagnostics, print, print_error, print_json, stderr_style,
};
use crate::token_count::TokenCount;

pub(crate) fn run(args: &Compose, role: &str) -> Answer {
    match compose(args, role) {
        Ok(()) => Answer::Yes,
        Err(failure) => failure.report(args.format == PromptFormat::Json),
    }
}

fn compose(args: &Compose, role: &str) -> Result<(), Failure> {
    let contexts = args.context.iter().filter_map(|written| written.strip_prefix('@'));
    let contexts: Vec<PathBuf> = contexts.map(PathBuf::from).collect();
    if let Some(problem) = one_stdin(contexts.iter().chain(&args.state).chain(&args.task)) {
        return Err(Failure::of(problem));
    }
    let context = context(&args.context)?;
    let workspace = workspace(args.book.as_deref());
    let loaded = workspace.roles(&context, args.state.as_deref())?;
    let prompt = loaded.roles.get(role).map_err(|unknown| Failure::of(*unknown))?;
    let mut warnings = prompt.warnings.clone();
    let (project, task) = if args.layers {
        let project = loaded.project_layer(&context, &mut warnings)?;
        (project, args.task.as_deref().map(text).transpose()?)
    } else {
        (String::new(), None)
    };
    let task = task.unwrap_or_default();
    let sources = &loaded.book.sources;
    sort(&mut warnings, sources);
    match args.format {
        PromptFormat::Text => {
            print_error(&diagnostics(&warnings, sources, stderr_style()));
            if args.layers {
                print(&layers(&[
                    ("system", prompt.text()),
                    ("project", &project),
                    ("task", &task),
                ]));
            } else {
                print(prompt.text());
                print("\n");
            }
            print(&history(&loaded.insertions));
        }
        PromptFormat::Json => {
            let tokens = TokenCount::new(args.exact);
            let count = |text: &str| tokens.of(text);
            let counter = (&count as &dyn Fn(&str) -> usize, tokens.method);
            let mut view = RoleView::new(
                &loaded.compositions,
                &context,
                (&loaded.roles, prompt),
                &loaded.insertions,
                sources,
                counter,
            );
            view.warnings = warnings.iter().map(|warning| to_view(warning, sources)).collect();
            if args.layers {
                let layer = |text| LayerView { text, tokens: count(text) };
                let (system, project, task) = (layer(prompt.text()), layer(&project), layer(&task));
                view.layers = Some(LayersView { system, project, task });
            }
            print_json(&view);
        }
    }
    Ok(())
}

/// The layers, each under a line with its name.
fn layers(layers: &[(&str, &str)]) -> String {
    let shown = |(name, text): &(&str, &str)| match text.trim_end() {
        "" => format!("[{name}]\n"),
        text => format!("[{name}]\n{text}\n"),
    };
    layers.iter().map(shown).collect::<Vec<_>>().join("\n")
}
