//! `lawful install`, `lawful uninstall` and `lawful status`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_deliver::{FileState, Op, Operation};
use lawful_host::Failure;
use lawful_host::deliver::{
    Delivery, InstallRequest, InstallStatus, OperationsView, StatusRequest, UninstallRequest, diff,
};

use crate::args::{Install, Status, Uninstall};
use crate::output::{Answer, Report as _, print, print_error, print_json, print_problems};
use crate::workspace::workspace;

pub(crate) fn install(args: &Install) -> Answer {
    let request = InstallRequest {
        harnesses: args.harness.clone(),
        all: args.all,
        detect: args.detect,
        scope: args.scope.into(),
        roles: args.role.clone(),
        project: args.root.clone(),
        dry_run: args.dry_run,
        activate: args.activate,
        overwrite: args.overwrite,
    };
    let json = args.output.is_json();
    let installed = workspace(args.book.dir()).install(&request);
    show(installed, args.dry_run, json, |delivery| match (delivery.conflict, args.dry_run) {
        (true, _) => "nothing was written\n".to_owned(),
        (false, true) => summary(&delivery.operations, "would be written"),
        (false, false) => summary(&delivery.operations, "written"),
    })
}

pub(crate) fn uninstall(args: &Uninstall) -> Answer {
    let request = UninstallRequest {
        harnesses: args.harness.clone(),
        scope: args.scope.into(),
        every_book: args.every_book,
        project: args.root.clone(),
        dry_run: args.dry_run,
    };
    let uninstalled = workspace(args.book.dir()).uninstall(&request);
    let done = if args.dry_run { "would be changed" } else { "changed" };
    let last_line = |delivery: &Delivery| summary(&delivery.operations, done);
    show(uninstalled, args.dry_run, args.output.is_json(), last_line)
}

fn show(
    delivery: Result<Delivery, Failure>,
    diffs: bool,
    json: bool,
    last_line: impl FnOnce(&Delivery) -> String,
) -> Answer {
    match delivery {
        Ok(delivery) if json => {
            print_json(&delivery.view(diffs));
            delivery.answer()
        }
        Ok(delivery) => {
            print_problems(&delivery.problems);
            print(&text(&delivery.operations, diffs));
            print(&last_line(&delivery));
            for note in &delivery.notes {
                print_error(&format!("note: {note}\n"));
            }
            delivery.answer()
        }
        Err(failure) if json => {
            print_json(&OperationsView::none(&failure));
            failure.answer
        }
        Err(failure) => failure.report(false),
    }
}

pub(crate) fn status(args: &Status) -> Answer {
    let held = &args.held;
    let request = StatusRequest {
        harnesses: held.harness.clone(),
        scope: held.scope.map(Into::into),
        project: held.root.clone(),
    };
    let status = workspace(held.book.as_deref()).status(&request);
    if held.output.is_json() {
        print_json(&status.view());
    } else {
        for failure in &status.failures {
            failure.report(false);
        }
        print_problems(&status.warnings);
        print(&status_text(&status));
    }
    status.answer()
}

fn status_text(status: &InstallStatus) -> String {
    let files = &status.files;
    let mut out = String::new();
    let width = files.iter().map(|file| file.harness.len()).max().unwrap_or(0);
    for file in files {
        let there = !matches!(file.state, FileState::Missing | FileState::Foreign);
        let broken = match (there && !file.core, file.unread) {
            (false, _) => "",
            (true, false) => "  (breaks the core contract)",
            (true, true) => "  (cannot read its lawbook)",
        };
        let (state, harness) = (file.state.name(), &file.harness);
        let _ = writeln!(out, "{state:8} {harness:width$} {}{broken}", escape::line(&file.path));
    }
    let clean = files.iter().filter(|file| InstallStatus::is_clean(file)).count();
    match (files.len(), status.failures.is_empty()) {
        (0, false) => {}
        (0, true) => out.push_str("nothing is installed\n"),
        (all, _) if clean == all => out.push_str("everything is clean\n"),
        (all, _) => {
            let _ = writeln!(out, "{clean} of {all} are clean");
        }
    }
    out
}

/// One line per operation, with diffs on request.
fn text(operations: &[Operation], diffs: bool) -> String {
    let width = operations.iter().map(|operation| operation.harness.len()).max().unwrap_or(0);
    let mut out = String::new();
    for operation in operations {
        let (op, harness) = (operation.op.name(), &operation.harness);
        let path = escape::line(&operation.path);
        let _ = writeln!(out, "{op:13} {harness:width$} {path}");
        if let Some(diff) = diff(operation).filter(|_| diffs) {
            for line in diff.lines() {
                out.push_str(&escape::line(line));
                out.push('\n');
            }
        }
    }
    out
}

/// The number of changed files, as text.
fn summary(operations: &[Operation], done: &str) -> String {
    let changed = |operation: &&Operation| match operation.op {
        Op::Create | Op::UpdateBlock | Op::ReplaceOwned | Op::SetKey | Op::Delete => true,
        Op::Skip | Op::Conflict => false,
    };
    match operations.iter().filter(changed).count() {
        0 if operations.iter().any(|operation| operation.op == Op::Conflict) => {
            format!("nothing {done}\n")
        }
        0 => "nothing to do\n".to_owned(),
        1 => format!("1 file {done}\n"),
        many => format!("{many} files {done}\n"),
    }
}
