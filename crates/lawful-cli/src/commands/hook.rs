//! `lawful hook`

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;

use lawful::syntax::escape;
use lawful_deliver::Event;
use lawful_host::Failure;
use lawful_host::deliver::{HookInstalled, HookRequest, Hooks, hook_harness};
use lawful_host::live::LiveRequest;

use crate::args::{Format, Hook, HookAction, HookEvent, HookStatus};
use crate::output::{Answer, Report as _, print, print_bytes, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &Hook) -> Answer {
    let format = match &args.action {
        HookAction::Status(status) => return show_status(args, status),
        HookAction::SessionStart(event) => return answer(args, Event::SessionStart, event),
        HookAction::Prompt(event) => return answer(args, Event::Prompt, event),
        HookAction::ToolCall(event) => return answer(args, Event::ToolCall, event),
        HookAction::ToolResult(event) => return answer(args, Event::ToolResult, event),
        HookAction::AgentStart(event) => return answer(args, Event::AgentStart, event),
        HookAction::AgentStop(event) => return answer(args, Event::AgentStop, event),
        HookAction::Stop(event) => return answer(args, Event::Stop, event),
        HookAction::Compact(event) => return answer(args, Event::Compact, event),
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
        (Err(failure), format) => failure.report(format.is_json()),
    }
}

/// Answers an event of a harness.
fn answer(args: &Hook, event: Event, options: &HookEvent) -> Answer {
    let harness = match hook_harness(args.harness.as_deref()) {
        Ok(harness) => harness,
        // Every harness treats exit code 2 as a block.
        Err(failure) => return failure.report(false),
    };
    let request = LiveRequest { harness, event, undecided: options.undecided.into() };
    let sent = workspace(options.book.as_deref()).live(request, std::io::stdin().lock());
    let is_read = print_bytes(sent.stdout.as_bytes());
    // A harness that no longer reads its pipe has given up on the hook.
    let _ = std::io::stderr().write_all(sent.stderr.as_bytes());
    match (sent.code, is_read) {
        (0, ControlFlow::Continue(())) => Answer::Yes,
        (1, ControlFlow::Continue(())) => Answer::No,
        (_, _) => Answer::Undecided,
    }
}

fn act(args: &Hook) -> Result<Option<HookInstalled>, Failure> {
    let harness = hook_harness(args.harness.as_deref())?;
    match &args.action {
        HookAction::Install(args) => {
            let scope = args.scope.into();
            let (book, undecided) = (args.book.clone(), args.undecided.into());
            let request = HookRequest { harness, scope, book, undecided };
            workspace(None).install_hook(&request).map(Some)
        }
        HookAction::SessionStart(_)
        | HookAction::Prompt(_)
        | HookAction::ToolCall(_)
        | HookAction::ToolResult(_)
        | HookAction::AgentStart(_)
        | HookAction::AgentStop(_)
        | HookAction::Stop(_)
        | HookAction::Compact(_)
        | HookAction::Status(_) => Ok(None),
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
        if let Some(advice) = hook.advice() {
            let _ = writeln!(out, "         {}", escape::line(&advice));
        }
    }
    for notice in &hooks.notices {
        let _ = writeln!(out, "{}", escape::line(notice));
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
    let trusted = done.trusted.as_ref().map(|law| {
        format!("trusted the lawbook `{}` ({})\n", escape::line(&law.book), law.fingerprint)
    });
    let notices = done.notices.iter().map(|notice| format!("{}\n", escape::line(notice)));
    let notices = notices.collect::<String>();
    format!("{said} `{file}`\n{}{notices}", trusted.unwrap_or_default())
}
