//! `lawful install`, `lawful uninstall` and `lawful status`

use std::fmt::Write as _;
use std::path::Path;

use lawful::syntax::escape;
use lawful_deliver::{Arrives, Delivered, FileState, Op, Operation, RoleDelivery};
use lawful_host::deliver::{
    Delivery, InstallRequest, InstallStatus, OperationsView, StatusRequest, UninstallRequest, diff,
};
use lawful_host::{Failure, Workspace};

use crate::args::{Install, Scope, Scopes, Status, Uninstall};
use crate::output::{
    Answer, Report as _, ask, has_terminal, print, print_error, print_json, print_problems,
};
use crate::workspace::workspace;

pub(crate) fn install(args: &Install) -> Answer {
    let workspace = workspace(args.book.dir());
    let is_asked = args.scope == Scope::Project && !args.dry_run && !args.output.is_json();
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
        was_moved: was_moved(&workspace, args.root.as_deref(), args.yes, is_asked),
        may_hide: args.may_hide,
    };
    let json = args.output.is_json();
    let installed = workspace.install(&request);
    show(installed, args.dry_run, json, |delivery| match (delivery.conflict, args.dry_run) {
        (true, _) => "nothing was written\n".to_owned(),
        (false, true) => summary(&delivery.operations, "would be written"),
        (false, false) => summary(&delivery.operations, "written"),
    })
}

/// Whether a project was moved, if it may have been: as the flag says, or as the user answers.
fn was_moved(
    workspace: &Workspace,
    root: Option<&Path>,
    yes: bool,
    is_asked: bool,
) -> Option<bool> {
    if yes || !is_asked || !has_terminal() {
        return yes.then_some(true);
    }
    let moved = workspace.moved_project(root)?;
    let (from, to) = (moved.from.display().to_string(), moved.to.display().to_string());
    Some(ask(&format!(
        "Lawful knows this project at `{}`, which is gone. Was it moved to `{}`?",
        escape::name(&from),
        escape::name(&to)
    )))
}

pub(crate) fn uninstall(args: &Uninstall) -> Answer {
    let workspace = workspace(args.book.dir());
    let is_asked = args.scope != Scopes::User && !args.dry_run && !args.output.is_json();
    let request = UninstallRequest {
        harnesses: args.harness.clone(),
        scope: args.scope.into(),
        every_book: args.every_book,
        project: args.root.clone(),
        dry_run: args.dry_run,
        was_moved: was_moved(&workspace, args.root.as_deref(), args.yes, is_asked),
    };
    let uninstalled = workspace.uninstall(&request);
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
            print(&roles(&delivery.roles, diffs));
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
    let (files, hooks) = (&status.files, &status.hooks);
    let mut out = String::new();
    let names = files.iter().map(|file| &*file.harness);
    let names = names.chain(hooks.iter().map(|hook| hook.harness.id));
    let width = names.map(str::len).max().unwrap_or(0);
    for file in files {
        let remark = match (file.state, file.core, file.unread) {
            (FileState::Foreign, _, _) => match &file.advice {
                Some(advice) => format!("  ({})", escape::line(advice)),
                None => String::new(),
            },
            (FileState::Missing, _, _) => String::new(),
            (_, false, true) => "  (cannot read its lawbook)".to_owned(),
            (FileState::Inactive, _, _) => match &file.advice {
                Some(advice) => format!("  ({})", escape::line(advice)),
                None => "  (does not arrive)".to_owned(),
            },
            (FileState::Clean, _, _) if file.arrives == Arrives::Twice => {
                "  (arrives twice)".to_owned()
            }
            (FileState::Clean, _, _) if file.arrives == Arrives::Changed => {
                "  (arrives changed)".to_owned()
            }
            // The core may differ because the lawbook changed.
            (FileState::Stale | FileState::Both, _, _) | (_, true, _) => String::new(),
            (FileState::Clean | FileState::Drifted, false, false) => {
                "  (breaks the core contract)".to_owned()
            }
        };
        let (state, harness) = (file.state.name(), &file.harness);
        let _ = writeln!(out, "{state:8} {harness:width$} {}{remark}", escape::line(&file.path));
    }
    for hook in hooks {
        let (state, harness) = (hook.hook.state.name(), hook.harness.id);
        let _ = writeln!(out, "{state:8} {harness:width$} {}  (hook)", escape::line(&hook.path));
        if let Some(advice) = hook.advice() {
            let _ = writeln!(out, "         {}", escape::line(&advice));
        }
    }
    let clean = files.iter().filter(|file| InstallStatus::is_clean(file)).count()
        + hooks.iter().filter(|hook| hook.is_clean()).count();
    match (files.len() + hooks.len(), status.failures.is_empty()) {
        (0, false) => {}
        (0, true) => {
            out.push_str(
                "nothing is installed; `lawful install` writes the prompts of a lawbook\n",
            );
        }
        (all, _) if clean == all => out.push_str("everything is clean\n"),
        (all, _) => {
            let _ = writeln!(out, "{clean} of {all} are clean");
        }
    }
    if !status.next.is_empty() {
        out.push_str("to do:\n");
        let width = status.next.iter().map(|step| step.run.chars().count()).max().unwrap_or(0);
        for step in &status.next {
            let _ = writeln!(out, "  {:width$}  {}", escape::line(&step.run), step.why);
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
        // An edit that prevents an operation is always shown.
        if let Some(diff) = diff(operation).filter(|_| diffs || operation.edit.is_some()) {
            out.push_str(&diff.for_people());
        }
    }
    out
}

/// Which roles each harness gets, one line for each harness.
fn roles(deliveries: &[RoleDelivery], is_plan: bool) -> String {
    let width = deliveries.iter().map(|delivery| delivery.harness.len()).max().unwrap_or(0);
    let (gets, lacks) =
        if is_plan { ("would get", "would not get") } else { ("gets", "does not get") };
    let mut out = String::new();
    for of_harness in deliveries.chunk_by(|a, b| a.harness == b.harness) {
        let Some(harness) = of_harness.first().map(|first| &first.harness) else { continue };
        let in_state = |states: &[Delivered]| {
            let found = of_harness.iter().filter(|delivery| states.contains(&delivery.state));
            let name = |delivery: &RoleDelivery| match delivery.state {
                Delivered::Inactive => format!("{} (inactive)", escape::line(&delivery.role)),
                Delivered::Active | Delivered::NoSurface | Delivered::Unselected => {
                    escape::line(&delivery.role).into_owned()
                }
            };
            found.map(name).collect::<Vec<String>>().join(", ")
        };
        let parts = [
            (gets, in_state(&[Delivered::Active, Delivered::Inactive])),
            (lacks, in_state(&[Delivered::NoSurface])),
            ("not selected:", in_state(&[Delivered::Unselected])),
        ];
        let said = parts.iter().filter(|(_, roles)| !roles.is_empty());
        let said: Vec<String> = said.map(|(verb, roles)| format!("{verb} {roles}")).collect();
        let _ = writeln!(out, "{harness:width$} {}", said.join("; "));
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
