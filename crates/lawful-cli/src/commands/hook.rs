//! `lawful hook`

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;

use lawful::syntax::escape;
use lawful_deliver::Event;
use lawful_host::Failure;
use lawful_host::deliver::{
    HookInstalled, HookRequest, Hooks, HooksInstalled, hook_harness, hook_harnesses,
};
use lawful_host::live::LiveRequest;

use crate::args::{Format, Hook, HookAction, HookEvent, HookStatus};
use crate::output::{Answer, Report as _, print, print_bytes, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &Hook) -> Answer {
    let format = match &args.action {
        HookAction::Status(status) => return show_status(args, status),
        HookAction::Doctor(doctor) => return super::doctor::run(&args.harness, doctor),
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
        (Ok(done), Format::Human) => {
            print(&done.iter().map(text).collect::<String>());
            Answer::Yes
        }
        (Ok(mut done), Format::Json) => {
            match (args.harness.len(), done.pop()) {
                (1, Some(one)) => print_json(&HooksInstalled::One(one)),
                (_, last) => {
                    done.extend(last);
                    print_json(&HooksInstalled::Many { hooks: done });
                }
            }
            Answer::Yes
        }
        (Err(failure), format) => failure.report(format.is_json()),
    }
}

/// Answers an event of a harness.
fn answer(args: &Hook, event: Event, options: &HookEvent) -> Answer {
    let harness = match args.harness.as_slice() {
        [] => hook_harness(None),
        [name] => hook_harness(Some(name)),
        [_, ..] => Err(Failure::usage("an event is of one harness", "give `--harness` once")),
    };
    let harness = match harness {
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

/// Installs or uninstalls the hooks of each harness.
fn act(args: &Hook) -> Result<Vec<HookInstalled>, Failure> {
    let named = hook_harnesses(&args.harness)?;
    let workspace = workspace(None);
    match &args.action {
        HookAction::Install(args) => {
            let scope = args.scope.into();
            let harnesses =
                if named.is_empty() { workspace.detect_hook_harnesses(scope)? } else { named };
            let (book, undecided) = (args.book.clone(), args.undecided.into());
            workspace.install_hooks(&HookRequest { harnesses, scope, book, undecided })
        }
        HookAction::Uninstall(args) => {
            let scope: lawful_deliver::Scope = args.scope.into();
            let harnesses: Vec<_> = if named.is_empty() {
                let found = workspace.hook_status(&[], None)?.hooks;
                let found = found.iter().filter(|hook| hook.scope == scope);
                found.map(|hook| hook.harness).collect()
            } else {
                named
            };
            workspace.uninstall_hooks(&harnesses, scope)
        }
        HookAction::SessionStart(_)
        | HookAction::Prompt(_)
        | HookAction::ToolCall(_)
        | HookAction::ToolResult(_)
        | HookAction::AgentStart(_)
        | HookAction::AgentStop(_)
        | HookAction::Stop(_)
        | HookAction::Compact(_)
        | HookAction::Status(_)
        | HookAction::Doctor(_) => Ok(Vec::new()),
    }
}

fn show_status(args: &Hook, status: &HookStatus) -> Answer {
    let json = status.output.is_json();
    let scopes = status.scope.map(Into::into);
    let harnesses = hook_harnesses(&args.harness);
    match harnesses.and_then(|harnesses| workspace(None).hook_status(&harnesses, scopes)) {
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
        for event in &hook.hook.events {
            let (state, name, theirs) = (event.state.name(), event.event.name(), event.name);
            let _ = writeln!(out, "  {state:8} {name} ({theirs})");
            if let Some(command) = &event.command {
                let _ = writeln!(out, "           runs `{}`", escape::line(command));
            }
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

pub(super) fn text(done: &HookInstalled) -> String {
    let file = escape::line(&done.file);
    let said = match (done.installed, done.changed) {
        (true, true) => "added the hook to",
        (true, false) => "the hook is already in",
        (false, true) => "removed the hook from",
        (false, false) => "there is no hook in",
    };
    let mut out = format!("{said} `{file}`\n");
    if let Some(law) = &done.trusted {
        let book = escape::line(&law.book);
        let _ = writeln!(out, "trusted the lawbook `{book}` ({})", law.fingerprint);
    }
    for notice in &done.notices {
        let _ = writeln!(out, "{}", escape::line(notice));
    }
    if !done.limits.is_empty() {
        let _ = writeln!(out, "limits of {}:", done.harness);
    }
    for limit in &done.limits {
        let _ = writeln!(out, "  - {limit}");
    }
    out
}
