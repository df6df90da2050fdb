//! `lawful init`

use std::fmt::Write as _;
use std::path::Path;

use lawful::book::Undecided;
use lawful::syntax::escape;
use lawful_deliver::Scope;
use lawful_host::deliver::{HookRequest, hook_harnesses};
use lawful_host::init::{InitPlan, InitRequest, InitView};
use lawful_host::{Failure, Workspace};

use crate::args::Init;
use crate::output::{Answer, Report as _, ask, has_terminal, print, print_json, print_problems};

pub(crate) fn run(args: &Init) -> Answer {
    let json = args.output.is_json();
    let workspace = Workspace::at(args.dir.as_deref().unwrap_or(Path::new(".")));
    let plan = match plan(args, &workspace) {
        Ok(plan) => plan,
        Err(failure) => return failure.report(json),
    };
    if !json {
        print(&plan_text(&plan));
        print_problems(&plan.warnings);
    }
    let mut view = InitView::planned(&plan);
    match carry_out(args, &workspace, &plan, &mut view) {
        Ok(answer) => {
            if json {
                print_json(&view);
            }
            answer
        }
        // Also says what was done before.
        Err(failure) if json => {
            print_json(&view.failed(&failure));
            failure.answer
        }
        Err(failure) => failure.report(false),
    }
}

fn plan(args: &Init, workspace: &Workspace) -> Result<InitPlan, Failure> {
    let request = InitRequest {
        template: args.template.into(),
        harnesses: hook_harnesses(&args.harness)?,
        from: args.from.clone(),
    };
    workspace.plan_init(&request)
}

/// Writes the lawbook, and installs and checks the hooks, as far as the user wants it.
fn carry_out(
    args: &Init,
    workspace: &Workspace,
    plan: &InitPlan,
    view: &mut InitView,
) -> Result<Answer, Failure> {
    let json = args.output.is_json();
    let say = |text: &str| {
        if !json {
            print(text);
        }
    };
    if !args.yes && !has_terminal() {
        let message = "there is no terminal to ask on, and nothing was written";
        return Err(Failure::usage(message, "look at the plan, then pass `--yes`"));
    }
    if !args.yes && !ask("Write these files?") {
        say("nothing was written\n");
        return Ok(Answer::No);
    }
    plan.write()?;
    view.set_written();
    say(&format!("wrote {}\n", escape::count(view.written.len(), "file")));
    let names = view.hook.as_ref().map(|hook| hook.harnesses.join(", ")).unwrap_or_default();
    let question = format!("Install the hooks of {names}, and check them?");
    let Some(hook) = &mut view.hook else {
        say(&next_steps(plan, false));
        return Ok(Answer::Yes);
    };
    if !args.yes && !ask(&question) {
        say(&next_steps(plan, false));
        return Ok(Answer::Yes);
    }
    let (harnesses, scope) = (plan.hooks.clone(), Scope::Project);
    let undecided = Undecided::Block;
    let request = HookRequest { harnesses, scope, book: None, undecided };
    for done in workspace.install_hooks(&request)? {
        say(&super::hook::text(&done));
        hook.installed.push(done);
    }
    let checkup = workspace.hook_doctor(&plan.hooks)?;
    say(&super::doctor::text(&checkup));
    hook.doctor = Some(checkup);
    say(&next_steps(plan, true));
    Ok(view.answer())
}

/// What will be done.
fn plan_text(plan: &InitPlan) -> String {
    let mut out = String::new();
    let or_none = |text: String| if text.is_empty() { "none found".to_owned() } else { text };
    let ids: Vec<&str> = plan.harnesses.iter().map(|harness| harness.id).collect();
    let tests: Vec<String> = plan.tests.iter().map(|test| test.run.join(" ")).collect();
    let _ = writeln!(out, "languages  {}", or_none(plan.languages.join(", ")));
    let _ = writeln!(out, "tests      {}", or_none(tests.join(", ")));
    let _ = writeln!(out, "harnesses  {}", or_none(ids.join(", ")));
    for carried in &plan.carried {
        let _ = writeln!(
            out,
            "carried    {}: {}",
            escape::line(&carried.file),
            escape::line(&carried.what)
        );
    }
    for lost in &plan.not_carried {
        let line = lost.line.map(|line| format!(":{line}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "not        {}{line}: {} ({})",
            escape::line(&lost.file),
            escape::line(&lost.what),
            escape::line(&lost.why)
        );
    }
    for path in plan.paths() {
        let _ = writeln!(out, "create     {}", escape::line(&path.display().to_string()));
    }
    for hook in &plan.hooks {
        let _ = writeln!(out, "hooks      {}", hook.id);
    }
    for notice in &plan.notices {
        let _ = writeln!(out, "{}", escape::line(notice));
    }
    out
}

/// What to do next.
fn next_steps(plan: &InitPlan, is_installed: bool) -> String {
    let book = plan.book().display().to_string();
    let mut out = if plan.project == Path::new(".") {
        "\nnext:\n".to_owned()
    } else {
        format!("\nnext, in `{}`:\n", escape::line(&plan.project.display().to_string()))
    };
    let _ = writeln!(out, "  lawful check         checks the lawbook `{}`", escape::line(&book));
    out.push_str("  lawful test          runs its scenarios\n");
    if is_installed {
        out.push_str("  lawful trust         accepts an edit of it: hooks use the trusted copy\n");
        out.push_str("  lawful log           shows what the hooks decided\n");
    } else {
        out.push_str("  lawful hook install  lets it decide in a harness: `--harness NAME`\n");
    }
    out
}
