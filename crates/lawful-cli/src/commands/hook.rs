//! `lawful hook`

use std::fmt::Write as _;

use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::deliver::{HookInstalled, HookRequest, Hooks, hook_harness};
use lawful_host::stop::StopRequest;

use crate::args::{Format, Hook, HookAction, HookStatus};
use crate::output::{Answer, Report as _, print, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &Hook) -> Answer {
    let format = match &args.action {
        HookAction::Status(status) => return show_status(args, status),
        HookAction::Stop(_) => Format::Human,
        HookAction::Install(args) => args.output.format,
        HookAction::Uninstall(args) => args.output.format,
    };
    match (act(args), format) {
        (Ok(None), _) => Answer::Yes,
        (Ok(Some(done)), Format::Human) => {
            print(&text(&done));
            Answer::Yes
        }
        (Ok(Some(done)), Format::Json) => {
            print_json(&done);
            Answer::Yes
        }
        // Every harness treats exit code 2 as a block.
        (Err(failure), format) => failure.report(format.is_json()),
    }
}

fn act(args: &Hook) -> Result<Option<HookInstalled>, Failure> {
    let harness = hook_harness(args.harness.as_deref())?;
    match &args.action {
        HookAction::Stop(args) => {
            let request = StopRequest { harness, undecided: args.undecided.into() };
            let event = std::io::stdin().lock();
            let answer = workspace(args.book.as_deref()).stop(request, event);
            print(&harness.answer(&answer));
            Ok(None)
        }
        HookAction::Install(args) => {
            let scope = args.scope.into();
            let (book, undecided) = (args.book.clone(), args.undecided.into());
            let request = HookRequest { harness, scope, book, undecided };
            workspace(None).install_hook(&request).map(Some)
        }
        HookAction::Status(_) => Ok(None),
        HookAction::Uninstall(args) => {
            workspace(None).uninstall_hook(harness, args.scope.into()).map(Some)
        }
    }
}

fn show_status(args: &Hook, status: &HookStatus) -> Answer {
    let json = status.output.is_json();
    let harness = args.harness.as_deref().map(|name| hook_harness(Some(name))).transpose();
    let scopes = status.scope.map(Into::into);
    match harness.and_then(|harness| workspace(None).hook_status(harness, scopes)) {
        Ok(hooks) => {
            if json {
                print_json(&hooks.view());
            } else {
                print(&status_text(&hooks));
            }
            hooks.answer()
        }
        Err(failure) => failure.report(json),
    }
}

fn status_text(hooks: &Hooks) -> String {
    if hooks.hooks.is_empty() {
        return "no hook is installed\n".to_owned();
    }
    let mut out = String::new();
    let width = hooks.hooks.iter().map(|hook| hook.harness.id.len()).max().unwrap_or(0);
    for hook in &hooks.hooks {
        let (state, harness) = (hook.hook.state.name(), hook.harness.id);
        let _ = writeln!(out, "{state:8} {harness:width$} {}", escape::line(&hook.path));
        if let Some(command) = &hook.hook.command {
            let _ = writeln!(out, "         runs `{}`", escape::line(command));
        }
    }
    for notice in &hooks.notices {
        let _ = writeln!(out, "{notice}");
    }
    out
}

fn text(done: &HookInstalled) -> String {
    let file = escape::line(&done.file);
    let said = match (done.installed, done.changed) {
        (true, true) => "added the hook to",
        (true, false) => "the hook is already in",
        (false, true) => "removed the hook from",
        (false, false) => "there is no hook in",
    };
    let notices = done.notices.iter().map(|notice| format!("{notice}\n"));
    format!("{said} `{file}`\n{}", notices.collect::<String>())
}
