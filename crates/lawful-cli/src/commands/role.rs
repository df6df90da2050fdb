//! `lawful compose --role ROLE`

use std::path::PathBuf;

use lawful::view::{LayerView, LayersView};
use lawful_host::input::text;
use lawful_host::roles::project_record_of;
use lawful_host::{Failure, Workspace};

use super::compose::history;
use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::input::one_stdin;
use crate::output::{print, print_json, print_warnings};
use crate::token_count::TokenCount;

pub(super) fn compose(args: &Compose, role: &str, workspace: &Workspace) -> Result<(), Failure> {
    let contexts = args.context.values.iter().filter_map(|written| written.strip_prefix('@'));
    let contexts: Vec<PathBuf> = contexts.map(PathBuf::from).collect();
    if let Some(problem) = one_stdin(contexts.iter().chain(&args.session.state).chain(&args.task)) {
        return Err(Failure::of(problem));
    }
    let context = context(&args.context.values)?;
    let (folder, book) = workspace.lawbook_with_nickel()?;
    let session = args.session.read(workspace, &book)?;
    let tokens = TokenCount::new(args.exact && args.format == PromptFormat::Json);
    let mut request = book.role(role).context(context).tokenizer(tokens.tokenizer());
    if let Some(session) = &session {
        request = request.session(session);
    }
    if args.layers {
        let task = args.task.as_deref().map(text).transpose()?.unwrap_or_default();
        request = request.layers(project_record_of(&folder)?, task);
    }
    let composed = request.run()?;
    match args.format {
        PromptFormat::Text => {
            print_warnings(&composed.warnings);
            match &composed.layers {
                Some(layers) => print(&layers_text(layers)),
                None => print(&format!("{}\n", composed.text)),
            }
            print(&history(&composed.insertions));
        }
        PromptFormat::Json => print_json(&composed),
    }
    Ok(())
}

/// The layers, each under a line with its name.
fn layers_text(layers: &LayersView) -> String {
    let shown = |(name, layer): (&str, &LayerView)| match layer.text.trim_end() {
        "" => format!("[{name}]\n"),
        text => format!("[{name}]\n{text}\n"),
    };
    let layers = [("system", &layers.system), ("project", &layers.project), ("task", &layers.task)];
    layers.map(shown).join("\n")
}
