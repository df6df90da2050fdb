//! Adding the hook to the settings of a harness, and removing it.

use std::path::{Path, PathBuf};

use lawful::book::Undecided;
use lawful::code;
use lawful::syntax::{Diagnostic, Span, did_you_mean, escape};
use lawful_deliver::{self as deliver, Done, HOOKS, Hook as Harness, Scope, Settings};
use serde::Serialize;

use super::site::{Site, ledger};
use crate::failure::Failure;
use crate::lawbook::book_folder;
use crate::stop::quote;
use crate::trust::{Fingerprint, Law, Review};
use crate::workspace::Workspace;

/// A hook to add to settings.
#[derive(Clone, Debug)]
pub struct HookRequest {
    /// The harness.
    pub harness: &'static Harness,
    /// Whose settings.
    pub scope: Scope,
    /// The lawbook folder; default: the hook looks upward from the project.
    pub book: Option<PathBuf>,
    /// What the hook does if there is no lawbook.
    pub undecided: Undecided,
}

/// The change to a settings file: `{"file", "changed", "installed", "command"?, "trusted"?, "notices"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookInstalled {
    /// The file.
    pub file: String,
    /// Whether it was changed.
    pub changed: bool,
    /// Whether it has the hook now.
    pub installed: bool,
    /// The command that the harness runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The lawbook that was trusted with the installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<TrustedBook>,
    /// Notices for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// A lawbook that is trusted: `{"book", "fingerprint"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrustedBook {
    /// Its folder.
    pub book: String,
    /// Its fingerprint, `sha256:…`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub fingerprint: Fingerprint,
}

/// The harness with this name, if it has a stop hook.
pub fn hook_harness(name: Option<&str>) -> Result<&'static Harness, Failure> {
    let names = HOOKS.iter().map(|harness| harness.id);
    let Some(name) = name else {
        let names: Vec<&str> = names.collect();
        let help = format!("use one of {}", names.join(", "));
        return Err(Failure::usage("`--harness NAME` is missing", help));
    };
    deliver::find_hook(name).ok_or_else(|| {
        let message = format!("unknown harness `{}`", escape::name(name));
        Failure::usage(message, did_you_mean("harness", name, names))
    })
}

impl Workspace {
    /// Adds the hook to the settings of a harness.
    pub fn install_hook(&self, request: &HookRequest) -> Result<HookInstalled, Failure> {
        install(self, request)
    }

    /// Removes the hook from the settings of a harness.
    pub fn uninstall_hook(
        &self,
        harness: &'static Harness,
        scope: Scope,
    ) -> Result<HookInstalled, Failure> {
        uninstall(self, harness, scope)
    }
}

fn install(workspace: &Workspace, request: &HookRequest) -> Result<HookInstalled, Failure> {
    let harness = request.harness;
    if !["claude-code", "codex", "gemini-cli"].contains(&harness.id) {
        let message = format!("the hooks of {} cannot be installed", harness.name);
        return Err(Failure::usage(message, "use claude-code, codex or gemini-cli"));
    }
    let settings = settings(workspace, harness, request.scope)?;
    let command = command(workspace, request)?;
    let consent = consent(workspace, request)?;
    let site = Site::new(workspace, None)?;
    let mut desk = site.desk(request.scope)?;
    // An installation of prompts may be writing to the same file.
    let _lock = site.begin(&mut desk)?;
    let prompts = ledger(&desk).unwrap_or_default();
    let made = |path: &Path| prompts.has_made(desk.scope, &site.places, path);
    let done = settings.install(harness, &command, &workspace.state()?, made);
    let done = done.map_err(|error| refused(&settings, &error))?;
    let mut notices = notices(workspace, harness);
    let trusted = match consent {
        Consent::Given(review) => {
            workspace.trust(&review)?;
            let book = review.book.display().to_string();
            Some(TrustedBook { book, fingerprint: review.fingerprint })
        }
        Consent::Needed(why) => {
            notices.push(why);
            None
        }
        Consent::Needless => None,
    };
    Ok(HookInstalled {
        file: settings.path.display().to_string(),
        changed: done == Done::Changed,
        installed: true,
        command: Some(command),
        trusted,
        notices,
    })
}

/// Whether an installation trusts its lawbook.
enum Consent {
    /// Yes: nothing that judges there was trusted before.
    Given(Box<Review>),
    /// No: it would replace what a person trusted, so a person must look at it.
    Needed(String),
    /// There is no lawbook, or it is trusted already.
    Needless,
}

/// Whoever installs a hook trusts the lawbook it is installed for. A lawbook in the place of another
/// one, or changed since it was trusted, is left to `lawful trust`.
fn consent(workspace: &Workspace, request: &HookRequest) -> Result<Consent, Failure> {
    let folder = match (&request.book, request.scope) {
        (Some(book), _) => book_folder(book),
        (None, Scope::Project) => match workspace.folder() {
            Ok(folder) => folder,
            Err(_) => return Ok(Consent::Needless),
        },
        // The hook is for every project of the user.
        (None, Scope::User) => return Ok(Consent::Needless),
    };
    let named = workspace.clone().with_book(Some(&folder));
    let review = named.review()?;
    if review.is_trusted() {
        return Ok(Consent::Needless);
    }
    match workspace.clone().with_book(None).law(&folder) {
        Law::Untrusted { .. } | Law::None => Ok(Consent::Given(Box::new(review))),
        Law::Trusted(_) | Law::Unknown { .. } => {
            let book = review.book.display().to_string();
            let why = format!(
                "the lawbook `{}` is not what is trusted here: run `lawful trust {}`",
                escape::name(&book),
                quote(&book)
            );
            Ok(Consent::Needed(why))
        }
    }
}

fn uninstall(
    workspace: &Workspace,
    harness: &'static Harness,
    scope: Scope,
) -> Result<HookInstalled, Failure> {
    let settings = settings(workspace, harness, scope)?;
    let site = Site::new(workspace, None)?;
    let _lock = site.begin(&mut site.desk(scope)?)?;
    let done = settings.uninstall(harness, &workspace.state()?);
    let done = done.map_err(|error| refused(&settings, &error))?;
    Ok(HookInstalled {
        file: settings.path.display().to_string(),
        changed: done == Done::Changed,
        installed: false,
        command: None,
        trusted: None,
        notices: Vec::new(),
    })
}

/// The command that the harness runs. In a project it is the same for everyone.
fn command(workspace: &Workspace, request: &HookRequest) -> Result<String, Failure> {
    let harness = request.harness;
    let mut command = format!("lawful hook --harness {} stop", harness.id);
    if let Some(book) = &request.book {
        let real = book.canonicalize().map_err(|error| {
            Failure::instead_of(book, |span| {
                let message = format!("cannot find the lawbook: {error}");
                Diagnostic::new(&code::NO_LAWBOOK, span, message)
            })
        })?;
        let project = workspace.project();
        let word = match (request.scope, real.strip_prefix(&project), harness.project_variable()) {
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
    match request.undecided {
        Undecided::Block => {}
        Undecided::Allow => command.push_str(" --undecided allow"),
    }
    Ok(command)
}

fn settings(workspace: &Workspace, harness: &Harness, scope: Scope) -> Result<Settings, Failure> {
    let project = workspace.project();
    Settings::locate(harness, scope, &project, |name| workspace.variable(name))
        .map_err(|error| Failure::usage(error.to_string(), "set `HOME`"))
}

fn refused(settings: &Settings, error: &deliver::SettingsError) -> Failure {
    Failure::instead_of(&settings.path, |span: Span| {
        let message = format!("the settings were left unchanged: {error}");
        Diagnostic::new(&code::UNREADABLE, span, message).help("fix the file and try again")
    })
}

/// What the user must know before the harness runs the hook.
pub(super) fn notices(workspace: &Workspace, harness: &Harness) -> Vec<String> {
    let mut notices: Vec<String> = harness.notice.map(ToOwned::to_owned).into_iter().collect();
    if !on_path(workspace, "lawful") {
        notices.push("`lawful` is not on your PATH, so the harness will not find it".to_owned());
    }
    notices
}

/// Whether a program is on the `PATH`.
fn on_path(workspace: &Workspace, program: &str) -> bool {
    let path = workspace.variable("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
