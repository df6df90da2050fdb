//! Adding the hooks to the settings of a harness, and removing them.

use std::path::{Path, PathBuf};

use lawful::book::Undecided;
use lawful::code;
use lawful::syntax::{Diagnostic, Span, escape};
use lawful_deliver::{
    self as deliver, BookFolder, Done, EventInSettings, HOOKS, Hook as Harness, HookCommand,
    OsDisk, Scope, Settings, SettingsError, SettingsSnapshot, State,
};
use serde::Serialize;

use super::harnesses::did_you_mean_harness;
use super::site::Site;
use crate::failure::Failure;
use crate::lawbook::book_folder;
use crate::live;
use crate::stop::quote;
use crate::trust::{Fingerprint, Law, Review};
use crate::workspace::Workspace;

/// A hook to add to settings.
#[derive(Clone, Debug)]
pub struct HookRequest {
    /// The harnesses.
    pub harnesses: Vec<&'static Harness>,
    /// Whose settings.
    pub scope: Scope,
    /// The lawbook folder; default: the hook looks upward from the project.
    pub book: Option<PathBuf>,
    /// What the hook does if there is no lawbook.
    pub undecided: Undecided,
}

/// What `lawful hook install` and `uninstall` report: one object, or `{"hooks": […]}` unless
/// exactly one harness is named.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum HooksInstalled {
    /// The change to one settings file.
    One(HookInstalled),
    /// The change to each settings file.
    Many {
        /// One for each harness.
        hooks: Vec<HookInstalled>,
    },
}

/// The change to a settings file:
/// `{"harness", "file", "changed", "installed", "command"?, "trusted"?, "events"?, "notices"?, "limits"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookInstalled {
    /// The harness.
    pub harness: &'static str,
    /// The file.
    pub file: String,
    /// Whether it was changed.
    pub changed: bool,
    /// Whether it has the hook now.
    pub installed: bool,
    /// The command that the harness runs when an agent stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The lawbook that was trusted with the installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<TrustedBook>,
    /// The hook of each event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<HookEventView>,
    /// Notices for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// What the harness cannot do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
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

/// `{"event", "name", "state", "command"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookEventView {
    /// The event.
    pub event: &'static str,
    /// The name that the harness has for it.
    pub name: &'static str,
    /// Its state.
    pub state: &'static str,
    /// The command that the harness runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl HookEventView {
    /// The JSON form of an event.
    pub(super) fn of(event: &EventInSettings) -> Self {
        Self {
            event: event.event.name(),
            name: event.name,
            state: event.state.name(),
            command: event.command.clone(),
        }
    }
}

/// The harness with this name, if it has hooks.
pub fn hook_harness(name: Option<&str>) -> Result<&'static Harness, Failure> {
    let names = HOOKS.iter().map(|harness| harness.id);
    let Some(name) = name else {
        let names: Vec<&str> = names.collect();
        let help = format!("use one of {}", names.join(", "));
        return Err(Failure::usage("`--harness NAME` is missing", help));
    };
    deliver::find_hook(name).ok_or_else(|| {
        if deliver::find(name).is_some() {
            let names: Vec<&str> = names.collect();
            let help = format!("harnesses with hooks: {}", names.join(", "));
            return Failure::usage(format!("`{}` has no hooks", escape::name(name)), help);
        }
        let message = format!("unknown harness `{}`", escape::name(name));
        let names: Vec<&str> = names.collect();
        Failure::usage(message, did_you_mean_harness(name, &names))
    })
}

/// The harnesses with these names.
pub fn hook_harnesses(names: &[String]) -> Result<Vec<&'static Harness>, Failure> {
    let mut found: Vec<&'static Harness> = Vec::new();
    for name in names {
        let harness = hook_harness(Some(name))?;
        if !found.contains(&harness) {
            found.push(harness);
        }
    }
    Ok(found)
}

impl Workspace {
    /// The harnesses that are in use here, with hooks or without.
    pub fn detect_harnesses(
        &self,
        scope: Scope,
    ) -> Result<Vec<&'static deliver::Harness>, Failure> {
        let site = Site::new(self, None)?;
        let ledger = site.desk(scope).and_then(|desk| site.ledger(&desk)).unwrap_or_default();
        let path = self.variable("PATH").unwrap_or_default();
        Ok(deliver::detect(&OsDisk, &site.places, &path, &ledger))
    }

    /// The harnesses with hooks that are in use here.
    pub fn detect_hook_harnesses(&self, scope: Scope) -> Result<Vec<&'static Harness>, Failure> {
        let found = self.detect_harnesses(scope)?;
        let found: Vec<&'static Harness> = found.iter().filter_map(|found| found.hook()).collect();
        if found.is_empty() {
            let names: Vec<&str> = HOOKS.iter().map(|harness| harness.id).collect();
            let help = format!("select harnesses with `--harness`: {}", names.join(", "));
            return Err(Failure::usage("no harness with hooks is in use here", help));
        }
        Ok(found)
    }

    /// Adds the hook to the settings of each harness. If one of them cannot be changed, none is.
    pub fn install_hooks(&self, request: &HookRequest) -> Result<Vec<HookInstalled>, Failure> {
        install(self, request)
    }

    /// Removes the hook from the settings of each harness. If one of them cannot be changed, none is.
    pub fn uninstall_hooks(
        &self,
        harnesses: &[&'static Harness],
        scope: Scope,
    ) -> Result<Vec<HookInstalled>, Failure> {
        uninstall(self, harnesses, scope)
    }
}

/// The settings of several harnesses: all of them are changed, or none.
struct Batch {
    state: State,
    files: Vec<(&'static Harness, Settings)>,
    /// The files and their records before the first change.
    before: Vec<SettingsSnapshot>,
}

impl Batch {
    fn new(
        workspace: &Workspace,
        harnesses: &[&'static Harness],
        scope: Scope,
    ) -> Result<Self, Failure> {
        let state = workspace.state()?;
        let (mut files, mut before) = (Vec::new(), Vec::new());
        for harness in harnesses {
            let file = settings(workspace, harness, scope)?;
            before.push(file.snapshot(&state).map_err(|error| refused(&file, &error))?);
            files.push((*harness, file));
        }
        Ok(Self { state, files, before })
    }

    /// Changes every file, or restores those that were changed before one could not be.
    fn change(
        &self,
        mut change: impl FnMut(&'static Harness, &Settings, &State) -> Result<Done, SettingsError>,
    ) -> Result<Vec<Done>, Failure> {
        let mut done = Vec::new();
        for (harness, file) in &self.files {
            match change(harness, file, &self.state) {
                Ok(one) => done.push(one),
                Err(error) => return Err(self.undo(refused(file, &error))),
            }
        }
        Ok(done)
    }

    /// Restores every file, and returns the failure because of which that is needed.
    fn undo(&self, mut failure: Failure) -> Failure {
        for ((_, file), before) in self.files.iter().zip(&self.before).rev() {
            if let Err(error) = before.restore(&self.state) {
                let message = format!("cannot be restored: {error}");
                let span =
                    Span::start_of(failure.sources.add_unread(file.path.display().to_string()));
                let help = "remove the hook with `lawful hook uninstall`";
                failure.problems.push(Diagnostic::new(&code::UNREADABLE, span, message).help(help));
            }
        }
        failure
    }
}

fn install(workspace: &Workspace, request: &HookRequest) -> Result<Vec<HookInstalled>, Failure> {
    let command = command(workspace, request)?;
    let consent = consent(workspace, request)?;
    let site = Site::new(workspace, None)?;
    let mut desk = site.desk(request.scope)?;
    // An installation of prompts may be writing to the same file.
    let _lock = site.begin(&mut desk)?;
    let prompts = site.ledger(&desk).unwrap_or_default();
    let made = |path: &Path| prompts.has_made(desk.scope, &site.places, path);
    let batch = Batch::new(workspace, &request.harnesses, request.scope)?;
    let unkept: Vec<Vec<String>> = batch.files.iter().map(|(_, file)| file.unkept()).collect();
    let done = batch.change(|harness, settings, state| {
        settings.install(harness, live::DECIDED, &command, state, made)
    })?;
    let (mut trusted, mut notice) = (None, None);
    match consent {
        Consent::Given(review) => {
            workspace.trust(&review).map_err(|failure| batch.undo(failure))?;
            let book = review.book.display().to_string();
            trusted = Some(TrustedBook { book, fingerprint: review.fingerprint });
        }
        Consent::Needed(why) => notice = Some(why),
        Consent::Needless => {}
    }
    // A line on two harnesses is said with the first.
    let mut said: Vec<String> = Vec::new();
    let files = batch.files.iter().zip(unkept);
    let reports = files.zip(done).map(|(((harness, settings), unkept), done)| {
        let mut notices = notices(workspace, harness);
        notices.extend(notice.clone());
        notices.extend(not_kept(&unkept, done));
        let found = settings.hook(harness, live::DECIDED, Some(&batch.state));
        for line in twice(workspace, harness) {
            if !said.contains(&line) {
                said.push(line.clone());
                notices.push(line);
            }
        }
        HookInstalled {
            harness: harness.id,
            file: settings.path.display().to_string(),
            changed: done == Done::Changed,
            installed: true,
            // All of them are for one lawbook.
            trusted: trusted.take(),
            command: found.as_ref().and_then(|found| found.command.clone()),
            events: found.iter().flat_map(|found| &found.events).map(HookEventView::of).collect(),
            notices,
            limits: harness.cannot(),
        }
    });
    Ok(reports.collect())
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
    harnesses: &[&'static Harness],
    scope: Scope,
) -> Result<Vec<HookInstalled>, Failure> {
    let site = Site::new(workspace, None)?;
    let _lock = site.begin(&mut site.desk(scope)?)?;
    let batch = Batch::new(workspace, harnesses, scope)?;
    let unkept: Vec<Vec<String>> = batch.files.iter().map(|(_, file)| file.unkept()).collect();
    let done = batch.change(|harness, settings, state| settings.uninstall(harness, state))?;
    let files = batch.files.iter().zip(unkept);
    let reports = files.zip(done).map(|(((harness, settings), unkept), done)| HookInstalled {
        harness: harness.id,
        file: settings.path.display().to_string(),
        changed: done == Done::Changed,
        installed: false,
        command: None,
        trusted: None,
        events: Vec::new(),
        notices: not_kept(&unkept, done).into_iter().collect(),
        limits: Vec::new(),
    });
    Ok(reports.collect())
}

/// What the replacement of a settings file did not keep.
fn not_kept(unkept: &[String], done: Done) -> Option<String> {
    let is_lost = done == Done::Changed && !unkept.is_empty();
    is_lost.then(|| format!("the replaced file did not keep {}", unkept.join(", ")))
}

/// The options of the command. In a project they are the same for everyone.
fn command(workspace: &Workspace, request: &HookRequest) -> Result<HookCommand, Failure> {
    let mut command = HookCommand::default();
    if let Some(book) = &request.book {
        let real = book.canonicalize().map_err(|error| {
            Failure::instead_of(book, |span| {
                let message = format!("cannot find the lawbook: {error}");
                Diagnostic::new(&code::NO_LAWBOOK, span, message)
            })
        })?;
        command.book = Some(match (request.scope, real.strip_prefix(workspace.project())) {
            (Scope::Project, Ok(inside)) => BookFolder::InProject(inside.display().to_string()),
            (Scope::Project, Err(_)) | (Scope::User, _) => {
                BookFolder::At(real.display().to_string())
            }
        });
    }
    command.allow_undecided = match request.undecided {
        Undecided::Block => false,
        Undecided::Allow => true,
    };
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

/// Hooks that would run twice, because a harness also reads the settings of another one.
pub(super) fn twice(workspace: &Workspace, harness: &'static Harness) -> Vec<String> {
    let state = workspace.state().ok();
    let is_installed = |other: &'static Harness| {
        [Scope::Project, Scope::User].into_iter().any(|scope| {
            let settings = settings(workspace, other, scope).ok();
            settings
                .and_then(|found| found.hook(other, live::DECIDED, state.as_ref()))
                .is_some_and(|hook| hook.events.iter().any(|event| event.command.is_some()))
        })
    };
    let pairs = HOOKS.iter().flat_map(|reader| {
        reader.also_reads.iter().filter_map(move |id| Some((reader, deliver::find_hook(id)?)))
    });
    pairs
        .filter(|(reader, read)| reader.id == harness.id || read.id == harness.id)
        .filter(|(reader, read)| is_installed(reader) && is_installed(read))
        .map(|(reader, read)| {
            let (reader, read) = (reader.name, read.name);
            format!("{reader} also reads the settings of {read}, so it runs the hooks twice: uninstall one of them")
        })
        .collect()
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
