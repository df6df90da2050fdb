//! `lawful compose --role ROLE`

use std::path::{Path, PathBuf};

use lawful::book::{self, SourceError, read_file, read_from};
use lawful::code;
use lawful::compose::{Layer, project_record};
use lawful::syntax::render::view as to_view;
use lawful::syntax::{Diagnostic, Sources, Span, sort, text};
use lawful::view::{LayerView, LayersView, RoleView};
use lawful::{Limits, Value};

use super::compose::history;
use crate::args::{Compose, PromptFormat};
use crate::context::context;
use crate::input::one_stdin;
use crate::lawbook::Failure;
use crate::output::{Answer, diagnostics, print, print_error, print_json, stderr_style};
use crate::roles::{LoadedRoles, Refused, roles};
use crate::token_count::TokenCount;

pub(crate) fn run(args: &Compose, role: &str) -> Answer {
    match compose(args, role) {
        Ok(()) => Answer::Yes,
        Err(refused) => refused.report(args.format == PromptFormat::Json),
    }
}

fn compose(args: &Compose, role: &str) -> Result<(), Refused> {
    let contexts = args.context.iter().filter_map(|written| written.strip_prefix('@'));
    let contexts: Vec<PathBuf> = contexts.map(PathBuf::from).collect();
    if let Some(problem) = one_stdin(contexts.iter().chain(&args.state).chain(&args.task)) {
        return Err(Failure { sources: Sources::default(), problems: vec![problem] }.into());
    }
    let context = context(&args.context)?;
    let loaded = roles(args.book.as_deref(), &context, args.state.as_deref())?;
    let found = loaded.roles.get(role);
    let prompt = found
        .map_err(|unknown| Failure { sources: Sources::default(), problems: vec![*unknown] })?;
    let mut warnings = prompt.warnings.clone();
    let (project, task) = if args.layers {
        let project = project(&loaded, &context, &mut warnings)?;
        (project, args.task.as_deref().map(read).transpose()?)
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

/// What the repository of the book records, then the book's own fragments of that layer.
fn project(
    loaded: &LoadedRoles,
    context: &Value,
    warnings: &mut Vec<Diagnostic>,
) -> Result<String, Failure> {
    let record = match agents(&loaded.folder) {
        Some(path) => project_record(&read(&path)?),
        None => String::new(),
    };
    let (book, compositions) = (&loaded.book, &loaded.compositions);
    let own = compositions.layer(Layer::Project, context, &book.sources, warnings);
    let parts: Vec<&str> =
        [&*record, &*own.text].into_iter().filter(|part| !part.is_empty()).collect();
    Ok(parts.join("\n\n"))
}

/// The nearest `AGENTS.md` from the book up to the root of its repository, which is the book's own
/// folder where there is none. One that is a link out of it is passed over.
fn agents(folder: &Path) -> Option<PathBuf> {
    let start = folder.canonicalize().ok()?;
    let root = book::repository(&start).unwrap_or_else(|| start.clone());
    start
        .ancestors()
        .take_while(|folder| folder.starts_with(&root))
        .filter_map(|folder| folder.join("AGENTS.md").canonicalize().ok())
        .find(|file| file.is_file() && file.starts_with(&root))
}

/// A text file, trimmed. `-` is standard input.
fn read(path: &Path) -> Result<String, Failure> {
    let mut sources = Sources::default();
    let limits = Limits::default().document;
    let refuse =
        |problem: Diagnostic, sources: Sources| Failure { sources, problems: vec![problem] };
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_from(std::io::stdin().lock(), limits.bytes))
    } else {
        (path.display().to_string(), read_file(path, limits.bytes))
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(SourceError::TooLarge) => {
            let file = sources.add_unread(name);
            return Err(refuse(text::too_large(file, &limits), sources));
        }
        Err(error) => {
            let place = Span::start_of(sources.add_unread(name));
            let message = format!("the file cannot be read: {error}");
            return Err(refuse(Diagnostic::new(&code::UNREADABLE, place, message), sources));
        }
    };
    let (file, problem) = text::add(&mut sources, &name, &bytes);
    if let Some(problem) = problem {
        return Err(refuse(problem, sources));
    }
    Ok(sources.file(file).map_or("", |file| file.text()).trim().to_owned())
}
