//! `lawful blame NAME`

use lawful::compose::Origin;
use lawful::syntax::escape;
use serde::Serialize;

use super::compose::{find, resolve};
use crate::args::{Blame, Format};
use crate::context::context;
use crate::lawbook::{Failure, compositions};
use crate::output::{Answer, print, print_json};
use crate::session_file::insertions;

#[derive(Serialize)]
struct View {
    lines: Vec<LineView>,
}

/// A line of the prompt; the empty line between two fragments belongs to none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineView {
    line: usize,
    text: String,
    fragment: Option<String>,
    /// What the session inserts, if the line comes from there: `directive mood`.
    #[serde(skip_serializing_if = "Option::is_none")]
    insertion: Option<String>,
    file: Option<String>,
    file_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<usize>,
}

pub(crate) fn run(args: &Blame) -> Answer {
    match lines(args) {
        Ok(view) => {
            match args.format {
                Format::Human => print(&table(&view)),
                Format::Json => print_json(&view),
            }
            Answer::Yes
        }
        Err(failure) => failure.report(args.format.is_json()),
    }
}

fn lines(args: &Blame) -> Result<View, Failure> {
    let context = context(&args.context)?;
    let mut loaded = compositions(args.book.as_deref())?;
    let insertions = insertions(args.state.as_deref(), &mut loaded.book)?;
    let composition = find(&loaded, &args.name)?;
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
        }
    });
    Ok(View { lines: lines.collect() })
}

fn table(view: &View) -> String {
    let origin = |line: &LineView| match (&line.file, line.file_line) {
        (Some(file), Some(number)) => format!("{}:{number}", escape::line(file)),
        (_, _) => String::new(),
    };
    let by = |line: &LineView| match (line.rule, &line.fragment, &line.insertion) {
        (Some(rule), _, _) => format!("rule {rule}"),
        (None, Some(_), _) => "base".to_owned(),
        (None, None, Some(insertion)) => escape::line(insertion).into_owned(),
        (None, None, None) => String::new(),
    };
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
