//! `lawful list [KIND]`

use lawful::ListKind;
use lawful::syntax::escape;
use lawful::view::{AxisView, ListView, ListedRole, PlaceholderView};

use crate::args::{Format, ListBook};
use crate::output::{Answer, Report as _, print, print_json, print_problems};
use crate::workspace::workspace;

pub(crate) fn run(args: &ListBook) -> Answer {
    let kinds = args.kind.map_or(ListKind::ALL.to_vec(), |kind| vec![kind.into()]);
    match workspace(args.book.dir()).list(&kinds) {
        Ok(list) => {
            match args.output.format {
                Format::Human => {
                    print_problems(&list.diagnostics);
                    print(&human(&list));
                }
                Format::Json => print_json(&list),
            }
            if list.is_complete() { Answer::Yes } else { Answer::Undecided }
        }
        Err(failure) => failure.report(args.output.is_json()),
    }
}

/// A table for each kind, under its name.
fn human(list: &ListView) -> String {
    let tables = [
        list.compositions.as_ref().map(|all| {
            let rows = all.iter().map(|one| {
                let context = context(&one.axes, &one.reads, &one.placeholders);
                vec![one.name.clone(), place(one.file.as_ref(), one.line), context]
            });
            table(ListKind::Compositions, rows.collect())
        }),
        list.fragments.as_ref().map(|all| {
            let rows = all.iter().map(|one| {
                let layer = one.layer.map(|layer| format!("layer {layer}"));
                let tags = (!one.tags.is_empty()).then(|| format!("tags {}", one.tags.join(", ")));
                let kind = one.kind.as_ref().map(|kind| format!("kind {kind}"));
                let about = [one.title.clone(), kind, tags, layer];
                let about: Vec<String> = about.into_iter().flatten().collect();
                vec![one.id.clone(), place(one.file.as_ref(), None), about.join("; ")]
            });
            table(ListKind::Fragments, rows.collect())
        }),
        list.rules.as_ref().map(|all| {
            let rows = all.iter().map(|one| {
                let name = match (&one.composition, &one.id) {
                    (Some(composition), Some(id)) => format!("{composition} {} {id}", one.index),
                    (Some(composition), None) => format!("{composition} {}", one.index),
                    (None, id) => id.clone().unwrap_or_default(),
                };
                vec![name, place(one.file.as_ref(), one.line), one.kind.to_owned()]
            });
            table(ListKind::Rules, rows.collect())
        }),
        list.roles.as_ref().map(|all| {
            let rows = all
                .iter()
                .map(|one| vec![one.name.clone(), place(one.file.as_ref(), None), about_role(one)]);
            table(ListKind::Roles, rows.collect())
        }),
        list.conditions.as_ref().map(|all| {
            let rows = all.iter().map(|one| {
                let reads = format!("reads {}", one.reads.join(", "));
                vec![one.id.clone(), place(one.file.as_ref(), one.line), reads]
            });
            table(ListKind::Conditions, rows.collect())
        }),
        list.guards.as_ref().map(|all| {
            let rows = all.iter().map(|one| {
                let actions = one.actions.join(", ");
                let on = if actions.is_empty() { one.event.to_owned() } else { actions };
                let about = format!("{} {on}", one.decision);
                vec![one.id.clone(), place(one.file.as_ref(), one.line), about]
            });
            table(ListKind::Guards, rows.collect())
        }),
    ];
    tables.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn about_role(role: &ListedRole) -> String {
    let main = role.main.then(|| "main".to_owned());
    let composition = role.composition.as_ref().map(|name| format!("composition {name}"));
    let context = Some(context(&role.axes, &role.reads, &role.placeholders));
    let context = context.filter(|context| !context.is_empty());
    [main, composition, context].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The context that something reads: axes with their values, other paths, and placeholders.
fn context(axes: &[AxisView], reads: &[String], placeholders: &[PlaceholderView]) -> String {
    let axis = |axis: &AxisView| {
        let values = axis.values.iter();
        let values = values.map(|value| value.as_text().map_or(value.to_string(), str::to_owned));
        let values: Vec<String> = values.collect();
        format!("{}={}", axis.path, escape::shorten(&values.join("|"), 60))
    };
    let mut paths: Vec<&str> = Vec::new();
    for placeholder in placeholders {
        if !paths.contains(&&*placeholder.path) {
            paths.push(&placeholder.path);
        }
    }
    let axes = axes.iter().map(axis);
    let paths = paths.iter().map(|path| format!("${{{path}}}"));
    axes.chain(reads.iter().cloned()).chain(paths).collect::<Vec<_>>().join(" ")
}

fn place(file: Option<&String>, line: Option<usize>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => String::new(),
    }
}

/// Rows with aligned columns, under the name of their kind and their number.
fn table(kind: ListKind, rows: Vec<Vec<String>>) -> String {
    let mut out = format!("{} ({})\n", kind.name(), rows.len());
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.iter().map(|cell| escape::line(cell).into_owned()).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..3).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = format!("  {}", cells.collect::<Vec<_>>().join("  "));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
