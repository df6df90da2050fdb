//! `lawful blame NAME` and `lawful blame --installed FILE`

use lawful::syntax::escape;
use lawful::view::{Blame as Lines, LineView};
use lawful_host::Failure;

use crate::args::{Blame, Format};
use crate::context::context;
use crate::output::{Answer, Report as _, print, print_json, print_warnings};
use crate::workspace::workspace;

pub(crate) fn run(args: &Blame) -> Answer {
    match blame(args) {
        Ok(view) => {
            match args.output.format {
                Format::Human => {
                    print_warnings(&view.diagnostics);
                    print(&table(&view));
                }
                Format::Json => print_json(&view),
            }
            Answer::Yes
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

fn blame(args: &Blame) -> Result<Lines, Failure> {
    let workspace = workspace(args.book.dir());
    match &args.installed {
        Some(file) => workspace.blame_installed(file),
        None => {
            let context = context(&args.context.values)?;
            let book = workspace.lawbook()?;
            let session = args.session.read(&workspace, &book)?;
            let mut request = book.compose(args.name.as_deref().unwrap_or_default());
            if let Some(session) = &session {
                request = request.session(session);
            }
            Ok(request.context(context).blame()?)
        }
    }
}

fn table(view: &Lines) -> String {
    let origin = |line: &LineView| match (&line.file, line.file_line) {
        (Some(file), Some(number)) => format!("{}:{number}", escape::line(file)),
        (_, _) => String::new(),
    };
    let origin_of = |line: &LineView| match (line.layer, line.part) {
        (Some(layer), Some(part)) => format!("{layer} {part} "),
        (_, _) => String::new(),
    };
    let brought = |line: &LineView| match (line.rule, &line.fragment, &line.insertion) {
        (Some(rule), _, _) => match &line.rule_id {
            Some(id) => format!("rule {rule} {}", escape::line(id)),
            None => format!("rule {rule}"),
        },
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
