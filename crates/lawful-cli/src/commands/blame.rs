//! `lawful blame NAME` and `lawful blame --installed FILE`

use lawful::compose::Origin;
use lawful::syntax::escape;
use serde::Serialize;

use super::blame_installed;
use super::compose::{find, resolve};
use crate::args::{Blame, Format};
use crate::context::context;
use crate::lawbook::{Failure, workspace};
use crate::output::{Answer, print, print_json};
use crate::roles::Refused;
use crate::session_file::insertions;

#[derive(Serialize)]
struct View {
    lines: Vec<LineView>,
}

/// A line of the prompt; the empty line between two fragments belongs to none.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LineView {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) fragment: Option<String>,
    /// What the session inserts, if the line comes from there: `directive mood`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) insertion: Option<String>,
    pub(super) file: Option<String>,
    pub(super) file_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<usize>,
    /// Of a line of an installed file: the role, the layer and the part of it that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) part: Option<&'static str>,
}

pub(crate) fn run(args: &Blame) -> Answer {
    let lines = match &args.installed {
        Some(file) => blame_installed::lines(file).map(|lines| View { lines }),
        None => lines(args).map_err(Refused::from),
    };
    match lines {
        Ok(view) => {
            match args.format {
                Format::Human => print(&table(&view)),
                Format::Json => print_json(&view),
            }
            Answer::Yes
        }
        Err(refused) => refused.report(args.format.is_json()),
    }
}

fn lines(args: &Blame) -> Result<View, Failure> {
    let context = context(&args.context)?;
    let mut loaded = workspace(args.book.as_deref()).compositions()?;
    let insertions = insertions(args.state.as_deref(), &mut loaded.book)?;
    let composition = find(&loaded, args.name.as_deref().unwrap_or_default())?;
    let resolution = resolve(&loaded, composition, &context, &insertions, false);
    let brought = &resolution.trace.brought_by;
    let lines = resolution.prompt.lines().into_iter().enumerate().map(|(at, line)| {
        let (id, insertion) = match line.origin {
            None | Some(Origin::Core | Origin::Persona) => (None, None),
            Some(Origin::Fragment(id)) => (Some(id), None),
            Some(Origin::Insertion(at)) => (None, insertions.get(at)),
        };
        let file = line.place.and_then(|(file, _)| loaded.book.sources.file(file));
        LineView {
            line: at + 1,
            text: line.text.to_owned(),
            fragment: id.map(|id| loaded.compositions.name(id).to_owned()),
            insertion: insertion
                .map(|insertion| format!("{} {}", insertion.kind.name(), insertion.id)),
            file: file.map(|file| file.name().to_owned()),
            file_line: line.place.map(|(_, number)| number),
            rule: id.and_then(|id| {
                brought.iter().rev().find(|(known, _)| *known == id).map(|(_, rule)| *rule)
            }),
            ..LineView::default()
        }
    });
    Ok(View { lines: lines.collect() })
}

fn table(view: &View) -> String {
    let origin = |line: &LineView| match (&line.file, line.file_line) {
        (Some(file), Some(number)) => format!("{}:{number}", escape::line(file)),
        (_, _) => String::new(),
    };
    let origin_of = |line: &LineView| match (line.layer, line.part) {
        (Some(layer), Some(part)) => format!("{layer} {part} "),
        (_, _) => String::new(),
    };
    let brought = |line: &LineView| match (line.rule, &line.fragment, &line.insertion) {
        (Some(rule), _, _) => format!("rule {rule}"),
        (None, Some(_), _) => "base".to_owned(),
        (None, None, Some(insertion)) => escape::line(insertion).into_owned(),
        (None, None, None) => String::new(),
    };
    let by =
        |line: &LineView| format!("{}{}", origin_of(line), brought(line)).trim_end().to_owned();
    let width = |of: &dyn Fn(&LineView) -> String| {
        view.lines.iter().map(|line| of(line).chars().count()).max().unwrap_or(0)
    };
    let (first, second) = (width(&origin), width(&by));
    let mut out = String::new();
    for line in &view.lines {
        let shown = format!(
            "{:first$}  {:second$}  | {}",
            origin(line),
            by(line),
            escape::line(&line.text)
        );
        out.push_str(shown.trim_end());
        out.push('\n');
    }
    out
}
