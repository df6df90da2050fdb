//! `lawful restore`

use std::fmt::Write as _;
use std::path::Path;

use lawful::syntax::escape;
use lawful_host::Failure;
use lawful_host::deliver::{KeptFilesView, VersionView};

use crate::args::Restore;
use crate::output::{Answer, Report as _, ask, has_terminal, print, print_json};
use crate::workspace::workspace;

pub(crate) fn run(args: &Restore) -> Answer {
    let json = args.output.is_json();
    let done = match &args.file {
        Some(file) if !args.list => restore(args, file),
        file => list(args, file.as_deref()),
    };
    done.unwrap_or_else(|failure| failure.report(json))
}

fn list(args: &Restore, file: Option<&Path>) -> Result<Answer, Failure> {
    let found = workspace(None).kept_texts(file)?;
    if args.output.is_json() {
        print_json(&found);
    } else {
        print(&listed(&found));
    }
    Ok(Answer::of(file.is_none() || !found.files.is_empty()))
}

fn listed(found: &KeptFilesView) -> String {
    if found.files.is_empty() {
        return "no earlier text is kept\n".to_owned();
    }
    let mut out = String::new();
    for file in &found.files {
        let _ = writeln!(out, "{}", escape::line(&file.path));
        for version in &file.versions {
            let _ = writeln!(out, "  {:2}  {}", version.number, described(version));
        }
    }
    out
}

fn described(version: &VersionView) -> String {
    let (time, by) = (&version.time, version.by);
    let size = escape::bytes(version.bytes);
    let key = version.key.as_ref().map(|key| format!(", `{}` only", escape::line(key)));
    format!("{time}  {size}, replaced by `{by}`{}", key.unwrap_or_default())
}

fn restore(args: &Restore, file: &Path) -> Result<Answer, Failure> {
    let json = args.output.is_json();
    let workspace = workspace(None);
    let plan = workspace.plan_restore(file, args.number)?;
    let shown = escape::line(&file.display().to_string()).into_owned();
    let say = |text: &str| {
        if !json {
            print(text);
        }
    };
    if plan.is_done() {
        say(&format!("`{shown}` has this text already\n"));
        if json {
            print_json(&plan.view(false));
        }
        return Ok(Answer::Yes);
    }
    if !args.yes || args.dry_run {
        say(&plan.diff().for_people());
    }
    if args.dry_run {
        if json {
            print_json(&plan.view(false));
        }
        return Ok(Answer::Yes);
    }
    if !args.yes && !has_terminal() {
        let message = "there is no terminal to ask on, and nothing was written";
        return Err(Failure::usage(message, "look at the difference, then pass `--yes`"));
    }
    if !args.yes && !ask("Restore this version?") {
        say("nothing was written\n");
        if json {
            print_json(&plan.view(false));
        }
        return Ok(Answer::No);
    }
    workspace.restore(&plan)?;
    say(&format!("restored `{shown}`; what it replaced is kept too\n"));
    if json {
        print_json(&plan.view(true));
    }
    Ok(Answer::Yes)
}
