//! `lawful hook`

use std::path::Path;

use lawful::book::Undecided;
use lawful::code;
use lawful::syntax::{Diagnostic, Span, did_you_mean, escape};
use lawful_deliver::{self as deliver, Done, HOOKS, Hook as Harness, Settings, State};
use serde::Serialize;

use crate::args::{Format, Hook, HookAction, HookInstall, Scope, WhenUndecided};
use crate::deliver::{Site, ledger};
use crate::hook::{Told, quote, stop};
use crate::lawbook::{Failure, Report as _};
use crate::observe::root;
use crate::output::{Answer, print, print_json};

pub(crate) fn run(args: &Hook) -> Answer {
    let format = match &args.action {
        HookAction::Stop(_) => Format::Human,
        HookAction::Install(args) => args.format,
        HookAction::Uninstall(args) => args.format,
    };
    let done = harness(args.harness.as_deref()).and_then(|harness| match &args.action {
        HookAction::Stop(args) => {
            let undecided = match args.undecided {
                WhenUndecided::Block => Undecided::Block,
                WhenUndecided::Allow => Undecided::Allow,
            };
            print(&stop(&Told { harness, book: args.book.as_deref(), undecided }));
            Ok(None)
        }
        HookAction::Install(args) => install(harness, args).map(Some),
        HookAction::Uninstall(args) => uninstall(harness, args.scope).map(Some),
    });
    match (done, format) {
        (Ok(None), _) => Answer::Yes,
        (Ok(Some(view)), Format::Human) => {
            print(&view.text());
            Answer::Yes
        }
        (Ok(Some(view)), Format::Json) => {
            print_json(&view);
            Answer::Yes
        }
        // Every harness takes the exit code 2 for a block.
        (Err(failure), format) => failure.report(format.is_json()),
    }
}

fn harness(name: Option<&str>) -> Result<&'static Harness, Failure> {
    let names = HOOKS.iter().map(|harness| harness.id);
    let Some(name) = name else {
        let names: Vec<&str> = names.collect();
        let help = format!("one of {}", names.join(", "));
        return Err(Failure::usage("`--harness NAME` is missing", help));
    };
    deliver::find_hook(name).ok_or_else(|| {
        let message = format!("unknown harness `{}`", escape::name(name));
        Failure::usage(message, did_you_mean("harness", name, names))
    })
}

/// What was done to a settings file.
#[derive(Serialize)]
struct View {
    file: String,
    changed: bool,
    installed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

impl View {
    fn text(&self) -> String {
        let file = escape::line(&self.file);
        let done = match (self.installed, self.changed) {
            (true, true) => "the hook is in",
            (true, false) => "the hook was already in",
            (false, true) => "the hook is out of",
            (false, false) => "there is no hook in",
        };
        let notices = self.notices.iter().map(|notice| format!("{notice}\n"));
        format!("{done} `{file}`\n{}", notices.collect::<String>())
    }
}

fn install(harness: &'static Harness, args: &HookInstall) -> Result<View, Failure> {
    let settings = settings(harness, args.scope)?;
    let command = command(harness, args)?;
    let site = Site::new(None)?;
    let mut desk = site.desk(args.scope)?;
    // Prompts may be on their way into the same file.
    let _lock = site.begin(&mut desk)?;
    let prompts = ledger(&desk).unwrap_or_default();
    let made = |path: &Path| prompts.has_made(desk.scope, &site.places, path);
    let done = settings.install(harness, &command, &state()?, made);
    let done = done.map_err(|error| refused(&settings, &error))?;
    let mut notices: Vec<String> = harness.notice.map(ToOwned::to_owned).into_iter().collect();
    if !on_path("lawful") {
        notices.push("`lawful` is not on your PATH, where the harness will look for it".to_owned());
    }
    Ok(View {
        file: settings.path.display().to_string(),
        changed: done == Done::Changed,
        installed: true,
        command: Some(command),
        notices,
    })
}

fn uninstall(harness: &'static Harness, scope: Scope) -> Result<View, Failure> {
    let settings = settings(harness, scope)?;
    let site = Site::new(None)?;
    let _lock = site.begin(&mut site.desk(scope)?)?;
    let done = settings.uninstall(harness, &state()?);
    let done = done.map_err(|error| refused(&settings, &error))?;
    Ok(View {
        file: settings.path.display().to_string(),
        changed: done == Done::Changed,
        installed: false,
        command: None,
        notices: Vec::new(),
    })
}

/// The command that the harness will run. In a project it is the same for everybody.
fn command(harness: &Harness, args: &HookInstall) -> Result<String, Failure> {
    let mut command = format!("lawful hook --harness {} stop", harness.id);
    if let Some(book) = &args.book {
        let real = book.canonicalize().map_err(|error| {
            Failure::instead_of(book, |span| {
                let message = format!("there is no such lawbook: {error}");
                Diagnostic::new(&code::NO_LAWBOOK, span, message)
            })
        })?;
        let project = root(Path::new("."));
        let word = match (args.scope, real.strip_prefix(&project), harness.project_variable()) {
            (Scope::Project, Ok(inside), Some(variable)) if inside == Path::new("") => {
                format!("\"${variable}\"")
            }
            (Scope::Project, Ok(inside), Some(variable)) => {
                format!("\"${variable}\"/{}", quote(&inside.display().to_string()))
            }
            (Scope::Project, Ok(inside), None) => quote(&inside.display().to_string()),
            (Scope::Project, Err(_), _) | (Scope::User, _, _) => quote(&real.display().to_string()),
        };
        command.push_str(" --book ");
        command.push_str(&word);
    }
    if args.undecided == WhenUndecided::Allow {
        command.push_str(" --undecided allow");
    }
    Ok(command)
}

fn settings(harness: &Harness, scope: Scope) -> Result<Settings, Failure> {
    let scope = match scope {
        Scope::User => deliver::Scope::User,
        Scope::Project => deliver::Scope::Project,
    };
    let project = root(Path::new("."));
    Settings::locate(harness, scope, &project, |name| std::env::var_os(name))
        .map_err(|error| Failure::usage(error.to_string(), "set `HOME`"))
}

fn state() -> Result<State, Failure> {
    State::of_user(|name| std::env::var_os(name))
        .map_err(|error| Failure::usage(error.to_string(), "set `HOME` or `XDG_STATE_HOME`"))
}

fn refused(settings: &Settings, error: &deliver::SettingsError) -> Failure {
    Failure::instead_of(&settings.path, |span: Span| {
        let message = format!("the settings are left as they are: {error}");
        Diagnostic::new(&code::UNREADABLE, span, message).help("mend the file and try again")
    })
}

/// Whether a program would be found.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
