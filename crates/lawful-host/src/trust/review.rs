//! `lawful trust`: compares a lawbook with what was trusted, and registers it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::Diagnostics;
use lawful::book::{Book, Bundle, HookLaw, Part};
use lawful::compose::Refusal;
use lawful::diff::UnifiedDiff;
use lawful::syntax::render::DiagnosticView;
use lawful::syntax::{Diagnostic, Span};
use serde::Serialize;

use super::fingerprint::Fingerprint;
use super::inventory::{PartKind, inventory};
use super::location::Location;
use super::pin::{Pin, VARIABLE};
use super::registry::{Entry, Registry};
use super::unprotected::unprotected_commands;
use super::vault::Vault;
use crate::codes;
use crate::failure::Failure;
use crate::lawbook::{self, OpenedBook};
use crate::roles::evaluated;
use crate::workspace::Workspace;

/// A lawbook without errors, compared with what this user trusted.
#[derive(Debug)]
pub struct Review {
    /// Its folder, as the user would write it.
    pub book: PathBuf,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// What this user trusted before.
    pub standing: Standing,
    /// The files that differ from the trusted copy, sorted by path.
    pub files: Vec<FileChange>,
    /// The parts that differ from the trusted copy, sorted by kind and name.
    pub parts: Vec<PartChange>,
    /// Warnings.
    pub warnings: Diagnostics,
    location: Location,
    content: Bundle,
    basis: Option<Bundle>,
    follow: bool,
}

/// What a user trusted before, compared with the content of a lawbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// This content is trusted here.
    Trusted,
    /// The environment of the harness or the administrator of the machine trusts this content.
    Pinned,
    /// The environment of the harness or the administrator of the machine trusts other content.
    Excluded,
    /// Other content is trusted here.
    Changed,
    /// Other content is trusted here, and this was before that.
    Older,
    /// Nothing is trusted here, but this content is in another folder.
    Elsewhere(PathBuf),
    /// Nothing is trusted here, and a newer version of this content is in another folder.
    OlderElsewhere(PathBuf),
    /// Nothing is trusted here.
    New,
}

/// How a file or a part changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is different.
    Modified,
}

impl ChangeKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Modified => "modified",
        }
    }

    fn of<T: PartialEq>(before: Option<&T>, now: Option<&T>) -> Option<Self> {
        match (before, now) {
            (None, Some(_)) => Some(Self::Added),
            (Some(_), None) => Some(Self::Removed),
            (Some(before), Some(now)) if before != now => Some(Self::Modified),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

/// A file that differs from the trusted copy: `{"path", "change", "diff"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileChange {
    /// Its path in the lawbook.
    pub path: String,
    /// How it changed.
    pub change: ChangeKind,
    /// The lines that differ, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<UnifiedDiff>,
}

/// A part that differs from the trusted copy.
#[derive(Clone, Debug)]
pub struct PartChange {
    /// Its kind.
    pub kind: PartKind,
    /// Its name.
    pub name: String,
    /// How it changed.
    pub change: ChangeKind,
    /// What it runs, for a command that is there.
    pub runs: Option<String>,
}

/// `{"book", "fingerprint", "trusted", "changed": […], "diagnostics"?: […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrustView {
    /// The lawbook folder.
    pub book: String,
    /// The fingerprint of its content, `sha256:…`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub fingerprint: Fingerprint,
    /// Whether this content is trusted.
    pub trusted: bool,
    /// The files that differ from the trusted copy.
    pub changed: Vec<FileChange>,
    /// Warnings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticView>,
}

impl Workspace {
    /// Checks the lawbook and compares it with what this user trusted. Fails with all errors of a
    /// lawbook that has some. Its Nickel is evaluated.
    pub fn review(&self) -> Result<Review, Failure> {
        let folder = self.folder()?;
        let OpenedBook { mut book, problems, .. } = lawbook::open(&folder)?;
        let content = Bundle::of(&book).shown_in(&folder.display().to_string());
        stop_at_errors(&mut book, problems, &content)?;
        let location = Location::of(&folder).ok_or_else(|| {
            Failure::usage("the path of the lawbook is not UTF-8", "move it to another folder")
        })?;
        let vault = Vault::of(&self.state()?);
        let registry = vault.registry().map_err(|error| unusable(&error))?;
        let fingerprint = Fingerprint::of(&content);
        let (mut standing, entry) = standing(&registry, &location, &fingerprint);
        match Pin::of(self) {
            Pin::Free => {}
            pin if pin.allows(&fingerprint) => standing = Standing::Pinned,
            Pin::Only(_) | Pin::Unusable(_) => standing = Standing::Excluded,
        }
        // Without its copy, everything is shown as new.
        let before = entry.and_then(Entry::fingerprint);
        let basis = before.and_then(|before| vault.copy(&before).ok().flatten());
        let warnings =
            unprotected_commands(&book, &location.root, self.variable("HOME").as_deref());
        Ok(Review {
            files: files(basis.as_ref(), &content),
            parts: parts(basis.as_ref(), &book, &folder),
            warnings: Diagnostics::new(warnings, Arc::new(book.sources)),
            follow: book.manifest.hooks.law == HookLaw::Follow,
            book: folder,
            fingerprint,
            standing,
            location,
            content,
            basis,
        })
    }

    /// Registers a lawbook that was reviewed. What is registered is what was reviewed, whatever the
    /// files are by now.
    pub fn trust(&self, review: &Review) -> Result<(), Failure> {
        if review.standing == Standing::Excluded {
            let message =
                format!("`{VARIABLE}` or the administrator of this machine trusts other content");
            return Err(Failure::of(
                Diagnostic::new(&codes::UNTRUSTED_LAW, Span::NONE, message)
                    .help("hooks would not judge by this lawbook even if you trusted it"),
            ));
        }
        let vault = Vault::of(&self.state()?);
        let (location, follow) = (review.location.clone(), review.follow);
        let register = |registry: &mut Registry| {
            registry.register(location, &review.fingerprint, follow);
        };
        vault.change(Some(&review.content), register).map_err(|error| unusable(&error))
    }

    /// Removes what processes left behind that were killed while they trusted this lawbook. Nothing
    /// depends on it, so nothing is reported.
    pub fn collect_trust(&self, review: &Review) {
        if review.standing == Standing::Trusted {
            let _ = self.trust(review);
        }
    }

    /// Removes the registration of the lawbook, which need not exist any more; says whether there was
    /// one.
    pub fn revoke_trust(&self) -> Result<bool, Failure> {
        let folder = match self.named_book() {
            Some(book) => book.to_owned(),
            None => self.folder()?,
        };
        let Some(location) = Location::of(&folder) else { return Ok(false) };
        let vault = Vault::of(&self.state()?);
        let registry = vault.registry().map_err(|error| unusable(&error))?;
        if registry.of_book(&location).is_none() {
            return Ok(false);
        }
        vault.change(None, |registry| registry.revoke(&location)).map_err(|error| unusable(&error))
    }
}

impl Review {
    /// Whether this content is trusted here.
    pub fn is_trusted(&self) -> bool {
        matches!(self.standing, Standing::Trusted | Standing::Pinned)
    }

    /// The differences of a file.
    pub fn diff(&self, path: &str) -> UnifiedDiff {
        /// The number of lines around each change.
        const AROUND: usize = 3;
        let basis = self.basis.as_ref().and_then(|basis| basis.file(path)).unwrap_or_default();
        let now = self.content.file(path).unwrap_or_default();
        let (basis, now) = (String::from_utf8_lossy(basis), String::from_utf8_lossy(now));
        let (before, after) = (format!("trusted/{path}"), format!("folder/{path}"));
        UnifiedDiff::new((&before, &basis), (&after, &now), AROUND)
    }

    /// The JSON form, with the lines that differ on request. `trusted` says whether the content is
    /// trusted by now.
    pub fn view(&self, trusted: bool, diffs: bool) -> TrustView {
        let changed = self.files.iter().map(|file| {
            let diff = diffs.then(|| self.diff(&file.path));
            FileChange { diff, ..file.clone() }
        });
        TrustView {
            book: self.book.display().to_string(),
            fingerprint: self.fingerprint.clone(),
            trusted,
            changed: changed.collect(),
            diagnostics: self.warnings.views(),
        }
    }
}

/// A state folder that cannot be used.
pub(super) fn unusable(error: &std::io::Error) -> Failure {
    let message = format!("cannot use what is trusted: {error}");
    Failure::of(
        Diagnostic::new(&codes::TRUST_STATE, Span::NONE, message)
            .help("the folder is `$XDG_STATE_HOME/lawful/trust`, or `~/.local/state/lawful/trust`"),
    )
}

/// Fails if a lawbook has errors. Nickel sees only what the copy will have.
fn stop_at_errors(
    book: &mut Book,
    mut problems: Vec<Diagnostic>,
    content: &Bundle,
) -> Result<(), Failure> {
    problems.extend(match evaluated(book, content) {
        Ok(nickel) => lawful::check_evaluated(book, &nickel),
        Err(Refusal::Undecided(found) | Refusal::Broken(found)) => {
            let mut all = lawful::check(book);
            all.extend(found);
            all
        }
    });
    // Scenarios judge nobody: they are not part of what is trusted.
    let is_of_tests = |problem: &Diagnostic| {
        let document = book.documents.iter().find(|document| document.file == problem.span.file);
        document.is_some_and(|document| matches!(document.part, Part::Scenario | Part::Envelope))
    };
    problems.retain(|problem| problem.is_error() && !is_of_tests(problem));
    if problems.is_empty() && book.complete {
        return Ok(());
    }
    Err(Failure::sorted(problems, book.sources.clone()))
}

/// What a user trusted before, and the entry to compare with.
fn standing<'r>(
    registry: &'r Registry,
    location: &Location,
    fingerprint: &Fingerprint,
) -> (Standing, Option<&'r Entry>) {
    let is = |entry: &Entry| entry.fingerprint().as_ref() == Some(fingerprint);
    if let Some(entry) = registry.of_book(location) {
        let standing = if is(entry) {
            Standing::Trusted
        } else if entry.was(fingerprint) {
            Standing::Older
        } else {
            Standing::Changed
        };
        return (standing, Some(entry));
    }
    let folder = |entry: &Entry| entry.folder().unwrap_or_default();
    let entries = || registry.entries().iter();
    if let Some(entry) = entries().find(|entry| is(entry)) {
        return (Standing::Elsewhere(folder(entry)), Some(entry));
    }
    match entries().find(|entry| entry.was(fingerprint)) {
        Some(entry) => (Standing::OlderElsewhere(folder(entry)), Some(entry)),
        None => (Standing::New, None),
    }
}

fn files(basis: Option<&Bundle>, content: &Bundle) -> Vec<FileChange> {
    let before = basis.into_iter().flat_map(Bundle::files);
    let paths: BTreeSet<&str> = before.chain(content.files()).map(|(path, _)| path).collect();
    let change = |path: &str| {
        let before = basis.and_then(|basis| basis.file(path));
        let change = ChangeKind::of(before.as_ref(), content.file(path).as_ref())?;
        Some(FileChange { path: path.to_owned(), change, diff: None })
    };
    paths.into_iter().filter_map(change).collect()
}

fn parts(basis: Option<&Bundle>, book: &Book, folder: &Path) -> Vec<PartChange> {
    let before = basis.and_then(|basis| lawbook::open_from(basis.clone(), folder).ok());
    let before = before.map(|opened| inventory(&opened.book)).unwrap_or_default();
    let now = inventory(book);
    let names: BTreeSet<&(PartKind, String)> = before.keys().chain(now.keys()).collect();
    let change = |name: &(PartKind, String)| {
        let change = ChangeKind::of(before.get(name), now.get(name))?;
        let runs = now.get(name).filter(|_| name.0 == PartKind::Command).cloned();
        Some(PartChange { kind: name.0, name: name.1.clone(), change, runs })
    };
    names.into_iter().filter_map(change).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
