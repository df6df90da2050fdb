//! Bringing back a text that an installation replaced.

use std::path::{Path, PathBuf};

use lawful::diff::UnifiedDiff;
use lawful::syntax::Diagnostic;
use lawful_deliver::codes;
use lawful_deliver::{KeptFile, KeptText, KeptTexts, Restoration, RestoreError};
use serde::Serialize;

use crate::answer::Answer;
use crate::decision_log::written_time;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// A version of a file to restore.
#[derive(Clone, Debug)]
pub struct RestorePlan {
    /// The file, as the user wrote it.
    pub file: PathBuf,
    /// The number of the version, from 1 for the newest.
    pub number: usize,
    /// The version.
    pub version: KeptText,
    /// What it does to the file.
    pub restoration: Restoration,
}

impl RestorePlan {
    /// Whether the file already has this text.
    pub fn is_done(&self) -> bool {
        self.restoration.before.as_ref() == Some(&self.restoration.after)
    }

    /// The change of the file. Of a settings file only the value is shown, because the rest may
    /// contain secrets.
    pub fn diff(&self) -> UnifiedDiff {
        let file = self.file.display();
        let (now, kept) = (format!("{file} (now)"), format!("{file} (kept)"));
        let (before, after) = self.restoration.shown();
        UnifiedDiff::new((&now, before), (&kept, after), 3)
    }

    /// The JSON form.
    pub fn view(&self, restored: bool) -> RestoredView {
        let path = self.file.display().to_string();
        let version = VersionView::of(self.number, &self.version);
        RestoredView { path, restored, version, diff: self.diff() }
    }
}

/// `{"path", "restored", "version", "diff"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RestoredView {
    /// The file.
    pub path: String,
    /// Whether it was written.
    pub restored: bool,
    /// The version that it has, or would have.
    pub version: VersionView,
    /// A unified diff.
    pub diff: UnifiedDiff,
}

/// `{"files": [{"path", "versions": […]}]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptFilesView {
    /// The files that have versions.
    pub files: Vec<KeptFileView>,
}

/// `{"path", "versions": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptFileView {
    /// The file.
    pub path: String,
    /// Its versions, the newest first.
    pub versions: Vec<VersionView>,
}

/// `{"number", "time", "by", "bytes", "key"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VersionView {
    /// Its number, from 1 for the newest.
    pub number: usize,
    /// When it was replaced.
    pub time: String,
    /// The command that replaced it.
    pub by: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The key of a settings file, of which only the value is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl VersionView {
    fn of(number: usize, version: &KeptText) -> Self {
        Self {
            number,
            time: written_time(version.time()),
            by: version.by.name(),
            bytes: version.part.size(),
            key: version.part.key().map(ToOwned::to_owned),
        }
    }
}

impl KeptFilesView {
    fn of(files: &[KeptFile]) -> Self {
        let versions = |versions: &[KeptText]| {
            let numbered = versions.iter().enumerate();
            numbered.map(|(at, version)| VersionView::of(at + 1, version)).collect()
        };
        let file = |file: &KeptFile| KeptFileView {
            path: file.path.display().to_string(),
            versions: versions(&file.versions),
        };
        Self { files: files.iter().map(file).collect() }
    }
}

impl Workspace {
    /// What is kept of a file, or of every file.
    pub fn kept_texts(&self, file: Option<&Path>) -> Result<KeptFilesView, Failure> {
        let state = self.state()?;
        let kept = KeptTexts::of(&state);
        let files = match file {
            None => kept.all().map_err(|error| cannot_read(state.folder(), &error))?,
            Some(file) => {
                let path = real(file);
                let versions = kept.versions(&path);
                let versions = versions.map_err(|error| cannot_read(file, &error))?;
                if versions.is_empty() { Vec::new() } else { vec![KeptFile { path, versions }] }
            }
        };
        Ok(KeptFilesView::of(&files))
    }

    /// What restoring a version of a file would do; the newest has the number 1.
    pub fn plan_restore(&self, file: &Path, number: usize) -> Result<RestorePlan, Failure> {
        let state = self.state()?;
        let kept = KeptTexts::of(&state);
        let path = real(file);
        let versions = kept.versions(&path).map_err(|error| cannot_read(file, &error))?;
        let count = versions.len();
        let at = number.checked_sub(1);
        let Some(version) = at.and_then(|at| versions.into_iter().nth(at)) else {
            return Err(nothing_kept(file, number, count));
        };
        let planned = kept.plan(&path, &version);
        let restoration = planned.map_err(|error| cannot_restore(file, &error))?;
        Ok(RestorePlan { file: file.to_owned(), number, version, restoration })
    }

    /// Restores a version of a file. What it replaces is kept in turn.
    pub fn restore(&self, plan: &RestorePlan) -> Result<(), Failure> {
        let state = self.state()?;
        let done = KeptTexts::of(&state).restore(&plan.restoration);
        done.map_err(|error| cannot_restore(&plan.file, &error))
    }
}

/// The real path of a file, which need not exist.
fn real(file: &Path) -> PathBuf {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    if let Ok(real) = whole.canonicalize() {
        return real;
    }
    // The file may be gone, with its folders.
    for above in whole.ancestors().skip(1) {
        if let (Ok(real), Ok(rest)) = (above.canonicalize(), whole.strip_prefix(above)) {
            return real.join(rest);
        }
    }
    whole
}

fn nothing_kept(file: &Path, number: usize, count: usize) -> Failure {
    let failure = Failure::instead_of(file, |span| {
        let (message, help) = match count {
            0 => (
                "no earlier text of this file is kept".to_owned(),
                "`lawful restore --list` lists the files that have one",
            ),
            count => (
                format!("there is no version {number}; the oldest is {count}"),
                "`lawful restore FILE --list` lists the versions of a file",
            ),
        };
        Diagnostic::new(&codes::NOTHING_KEPT, span, message).help(help)
    });
    Failure { answer: Answer::No, ..failure }
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::instead_of(path, |span| {
        let message = format!("cannot read what is kept of it: {error}");
        Diagnostic::new(&codes::CANNOT_DELIVER, span, message)
    })
}

fn cannot_restore(path: &Path, error: &RestoreError) -> Failure {
    Failure::instead_of(path, |span| {
        let message = format!("the file was left unchanged: {error}");
        Diagnostic::new(&codes::CANNOT_DELIVER, span, message).help("fix the cause, and try again")
    })
}
