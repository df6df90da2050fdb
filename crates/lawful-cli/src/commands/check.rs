//! `lawful check [PATH…]`

use lawful::view::CheckView;
use lawful_host::Workspace;
use lawful_host::check::CheckedBook;

use crate::args::{Check, Deny, GraphLanguage, ReportFormat};
use crate::ci::{print_documents, print_github, print_sarif};
use crate::output::{Answer, print, print_json, print_problems, stdout_style};
use crate::watch::repeat;
use crate::workspace::workspace;

pub(crate) fn run(args: &Check) -> Answer {
    let workspace = workspace(args.book.dir());
    if args.watch.watch {
        let workspace = workspace.with_memory();
        return repeat(workspace.checked_folders(&args.paths), |_| check(args, &workspace));
    }
    check(args, &workspace)
}

fn check(args: &Check, workspace: &Workspace) -> Answer {
    let books = workspace.check(&args.paths);
    let mut view = CheckView::default();
    for book in &books {
        view.add(&book.problems);
    }
    let (errors, warnings) = (view.errors, view.warnings);
    let denies = args.deny.contains(&Deny::Warnings);
    let graphs: Option<Vec<Option<String>>> =
        args.graph.map(|language| books.iter().map(|book| graph(book, language)).collect());
    let graph = graphs.as_ref().map(|graphs| graphs.iter().flatten().cloned().collect::<String>());
    match args.output.format {
        ReportFormat::Human if graph.is_some() => {
            for book in &books {
                print_problems(&book.problems);
            }
            print(graph.as_deref().unwrap_or_default());
        }
        ReportFormat::Human => {
            for CheckedBook { problems, .. } in &books {
                print(&problems.render(stdout_style()));
            }
            let files: usize = books.iter().map(|book| book.files).sum();
            print(&summary(errors, warnings, files, &books));
        }
        ReportFormat::Json => {
            view.graph = graph;
            print_json(&view);
        }
        ReportFormat::Junit => print_documents(&view.diagnostics, denies),
        ReportFormat::Sarif => print_sarif(&view.diagnostics),
        ReportFormat::Github => print_github(&view.diagnostics),
    }
    let denied = denies && warnings > 0;
    let undrawn = graphs.is_some_and(|graphs| graphs.iter().any(Option::is_none));
    if undrawn || books.iter().any(|book| !book.readable) {
        Answer::Undecided
    } else {
        Answer::of(errors == 0 && !denied)
    }
}

fn graph(book: &CheckedBook, language: GraphLanguage) -> Option<String> {
    let graph = book.rules.as_ref()?.graph()?;
    Some(match language {
        GraphLanguage::Dot => graph.to_dot(),
        GraphLanguage::Mermaid => graph.to_mermaid(),
    })
}

fn summary(errors: usize, warnings: usize, files: usize, books: &[CheckedBook]) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let in_files = counted(files, "file");
    // A file with very many problems does not keep all of them.
    let count = |n: usize, what: &str| {
        let mut problems = books.iter().flat_map(|book| book.problems.iter());
        let more = problems.any(|one| one.stands_for_more() && one.severity.name() == what);
        if more { format!("more than {}", counted(n, what)) } else { counted(n, what) }
    };
    match (errors, warnings) {
        (0, 0) => format!("no problems in {in_files}\n"),
        (errors, 0) => format!("{} in {in_files}\n", count(errors, "error")),
        (0, warnings) => format!("{} in {in_files}\n", count(warnings, "warning")),
        (errors, warnings) => {
            format!("{} and {} in {in_files}\n", count(errors, "error"), count(warnings, "warning"))
        }
    }
}
