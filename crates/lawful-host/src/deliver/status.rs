//! Comparing installed files with what was written and with the lawbook.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lawful::Diagnostics;
use lawful::code::NO_LAWBOOK;
use lawful::syntax::render::DiagnosticView;
use lawful::syntax::{Diagnostic, Span, escape};
use lawful_deliver::{
    self as deliver, Arrives, Asked, FileState, FileStatus, Finding, HARNESSES, Harness, Installed,
    OsDisk, Prompts, Scope,
};
use serde::Serialize;

use super::Scopes;
use super::advice::{NextStep, next_steps};
use super::hook_status::{HookStatus, HookView, in_scope};
use super::site::{Site, diagnostics, named, prompts, settled};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::trust::LawView;
use crate::workspace::Workspace;

/// What to report on: what was installed from the lawbook of the workspace if it names one,
/// otherwise everything in the ledgers.
#[derive(Clone, Debug, Default)]
pub struct StatusRequest {
    /// Only these harnesses; all if empty.
    pub harnesses: Vec<String>,
    /// Whose files; default: both the project's and the user's.
    pub scope: Option<Scopes>,
    /// The project root; default: the root of the repository.
    pub project: Option<PathBuf>,
}

/// The state of every installed file and hook.
#[derive(Debug)]
pub struct InstallStatus {
    /// The files.
    pub files: Vec<FileStatus>,
    /// The hooks in the settings of harnesses.
    pub hooks: Vec<HookStatus>,
    /// Lawbooks that cannot be read, and other failures.
    pub failures: Vec<Failure>,
    /// Whether the hooks, if there are any, judge by the lawbook as it is.
    pub is_trusted: bool,
    /// The lawbook that judges, if there is one.
    pub law: Option<LawView>,
    /// Warnings.
    pub warnings: Diagnostics,
    /// What to run so that everything becomes clean.
    pub next: Vec<NextStep>,
}

/// `{"files": […], "hooks": […], "law"?: {…}, "next"?: […], "diagnostics"?: […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusView {
    /// The files.
    pub files: Vec<FileView>,
    /// The hooks in the settings of harnesses.
    pub hooks: Vec<HookView>,
    /// The lawbook that judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<LawView>,
    /// What to run so that everything becomes clean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextStep>,
    /// The diagnostics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticView>,
}

/// `{"harness", "path", "state", "core", "arrives"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileView {
    /// The harness that reads it.
    pub harness: String,
    /// The file.
    pub path: String,
    /// Its state.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["clean", "inactive", "stale", "drifted", "both", "missing", "foreign"])))]
    pub state: &'static str,
    /// Whether the text on disk keeps the core contract. A stale text has the core that it was
    /// written with.
    pub core: bool,
    /// How often the text reaches the model.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["once", "twice", "no", "changed"])))]
    pub arrives: &'static str,
}

impl InstallStatus {
    /// Whether a file is equal to what would be written now, and reaches the model once.
    pub fn is_clean(file: &FileStatus) -> bool {
        file.state == FileState::Clean && file.core && file.arrives == Arrives::Once
    }

    /// `Yes` if every file and hook is clean and the hooks judge by the lawbook as it is, `Undecided` if something could not be read.
    pub fn answer(&self) -> Answer {
        if self.failures.iter().any(|failure| failure.answer == Answer::Undecided) {
            return Answer::Undecided;
        }
        let all_clean =
            self.files.iter().all(Self::is_clean) && self.hooks.iter().all(HookStatus::is_clean);
        let is_valid = self.warnings.errors() == 0;
        Answer::of(self.failures.is_empty() && self.is_trusted && all_clean && is_valid)
    }

    /// The JSON form.
    pub fn view(&self) -> StatusView {
        let files = self.files.iter().map(|file| FileView {
            harness: file.harness.clone(),
            path: file.path.clone(),
            state: file.state.name(),
            core: file.core,
            arrives: file.arrives.name(),
        });
        let failures = self.failures.iter().flat_map(Failure::views);
        let diagnostics = failures.chain(self.warnings.views()).collect();
        let hooks = self.hooks.iter().map(HookStatus::view).collect();
        let (law, next) = (self.law.clone(), self.next.clone());
        StatusView { files: files.collect(), hooks, law, next, diagnostics }
    }
}

impl Workspace {
    /// Compares installed files with what was written and with the lawbook.
    pub fn status(&self, request: &StatusRequest) -> InstallStatus {
        let (mut failures, mut findings) = (Vec::new(), Vec::new());
        let files = match files(self, request, &mut failures, &mut findings) {
            Ok(files) => files,
            Err(last) => {
                failures.push(last);
                Vec::new()
            }
        };
        let hooks = hooks(self, request).unwrap_or_default();
        let project = request.project.clone().unwrap_or_else(|| self.start().to_owned());
        let trust = if hooks.is_empty() { None } else { self.trust_problem(&project) };
        let (mut warnings, sources) = diagnostics(&findings).into_parts();
        let is_trusted = trust.is_none();
        warnings.extend(trust);
        let warnings = Diagnostics::in_order(warnings, sources);
        let law = self.law(&project).view();
        let next = Vec::new();
        let mut status = InstallStatus { files, hooks, failures, is_trusted, law, warnings, next };
        status.next = next_steps(&status, request.project.as_deref());
        status
    }
}

/// The state of every file. If a lawbook cannot be read, reports that and compares its files with
/// the ledger alone.
fn files(
    workspace: &Workspace,
    args: &StatusRequest,
    refused: &mut Vec<Failure>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<FileStatus>, Failure> {
    let asked = named(&args.harnesses)?;
    let site = Site::new(workspace, args.project.as_deref())?;
    let only = match workspace.named_book() {
        None => None,
        Some(folder) => Some(prompts(workspace, folder)?),
    };
    let looked_at: Vec<&'static Harness> =
        HARNESSES.iter().filter(|harness| is_asked(&asked, harness.id)).collect();
    let mut found = Vec::new();
    let scopes = scopes(args);
    for &scope in scopes {
        let desk = match (site.desk(scope), scope) {
            (Ok(desk), _) => desk,
            // Without a home there is nothing installed.
            (Err(_), Scope::User) => continue,
            (Err(failure), Scope::Project) => return Err(failure),
        };
        settled(&desk)?;
        let ledger = site.ledger(&desk)?;
        let is_meant = |known: &&Installed| match &only {
            None => true,
            Some((loaded, prompts)) => {
                prompts.id() == known.book || site.kept(scope, &loaded.folder) == known.source
            }
        };
        let rows = ledger.installed().iter().filter(|known| is_asked(&asked, &known.harness));
        let rows: Vec<&Installed> = rows.filter(is_meant).collect();
        let mut books: BTreeMap<&str, Option<Prompts>> = BTreeMap::new();
        for known in &rows {
            if only.is_some() || books.contains_key(&*known.source) {
                continue;
            }
            let found = match &*known.source {
                "" => Err(unknown_book(&known.book)),
                source => prompts(workspace, &site.source(source)),
            };
            let read = match found {
                Ok((_, prompts)) => Some(prompts),
                Err(why) => {
                    refused.push(why);
                    None
                }
            };
            books.insert(&known.source, read);
        }
        let mut subjects: Vec<Asked<'_>> = Vec::new();
        for known in &rows {
            let Some(harness) = deliver::find(&known.harness) else { continue };
            let prompts = match &only {
                Some((_, prompts)) => Some(prompts),
                None => books.get(&*known.source).and_then(Option::as_ref),
            };
            subjects.push(Asked { harness, prompts, installed: Some(known) });
        }
        // A harness that was asked for is reported even if nothing is installed for it.
        let fresh: Vec<&'static Harness> = asked
            .iter()
            .filter(|harness| !subjects.iter().any(|known| known.harness.id == harness.id))
            .filter(|_| scopes.first() == Some(&scope))
            .copied()
            .collect();
        let wanted = match (&only, fresh.is_empty()) {
            (Some((_, only)), _) => Some(only.clone()),
            (None, true) => None,
            (None, false) => {
                let folder = site.book(|| Ok(ledger.clone()))?;
                Some(prompts(workspace, &folder)?.1)
            }
        };
        for harness in fresh {
            subjects.push(Asked { harness, prompts: wanted.as_ref(), installed: None });
        }
        let id = only.as_ref().map(|(_, prompts)| prompts.id());
        let (files, warnings) = deliver::status(
            &subjects,
            &looked_at,
            id.as_deref(),
            &desk,
            &site.places,
            &ledger,
            &OsDisk,
        );
        found.extend(files);
        findings.extend(warnings);
    }
    Ok(found)
}

/// That a clone has files of a lawbook, and a lock does not say where that is.
fn unknown_book(id: &str) -> Failure {
    let message = format!(
        "files of the lawbook `{}` are installed here, and the project has no such lawbook",
        escape::name(id)
    );
    let problem = Diagnostic::new(&NO_LAWBOOK, Span::NONE, message);
    Failure::of(problem.help("pass its folder with `--book`"))
}

/// The hooks in the settings of the harnesses that were asked for.
fn hooks(workspace: &Workspace, args: &StatusRequest) -> Result<Vec<HookStatus>, Failure> {
    let asked = named(&args.harnesses)?;
    let site = Site::new(workspace, args.project.as_deref())?;
    let of_scope = |&scope| in_scope(workspace, &site, scope, |hook| is_asked(&asked, hook.id));
    Ok(scopes(args).iter().flat_map(of_scope).collect())
}

fn scopes(args: &StatusRequest) -> &'static [Scope] {
    match (args.scope, &args.project) {
        (Some(scopes), _) => scopes.each(),
        // A project given by path has no user.
        (None, Some(_)) => Scopes::Project.each(),
        (None, None) => Scopes::All.each(),
    }
}

fn is_asked(asked: &[&'static Harness], id: &str) -> bool {
    asked.is_empty() || asked.iter().any(|harness| harness.id == id)
}
