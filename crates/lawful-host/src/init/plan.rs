//! The plan of a new lawbook: what is found, which files are written, and what is carried over.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use lawful::book::{BOOK_FOLDER, MANIFEST, MemorySource};
use lawful::code;
use lawful::syntax::{Diagnostic, Severity};
use lawful::{Diagnostics, Lawbook};
use lawful_deliver::{Harness, Hook, Scope};

use super::detect::{TestCommand, languages};
use super::import::{self, Carried, Imported, NotCarried};
use super::manifest::ManifestText;
use super::needless::{Needless, expecting};
use super::stop::{self, RULESPEC};
use super::template::Template;
use super::{write, yaml};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// A lawbook to create.
#[derive(Clone, Debug, Default)]
pub struct InitRequest {
    /// What to start from.
    pub template: Template,
    /// The harnesses to install hooks for; if there are none, those in use.
    pub harnesses: Vec<&'static Hook>,
    /// Files and folders to carry over.
    pub from: Vec<PathBuf>,
}

/// A file of a planned lawbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedFile {
    /// Its path in the lawbook.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
}

/// A lawbook that can be created.
#[derive(Clone, Debug)]
pub struct InitPlan {
    /// The folder of the project, as the user wrote it.
    pub project: PathBuf,
    /// What it starts from.
    pub template: Template,
    /// The languages of the project.
    pub languages: Vec<&'static str>,
    /// The commands that run its tests.
    pub tests: Vec<TestCommand>,
    /// The harnesses in use.
    pub harnesses: Vec<&'static Harness>,
    /// The harnesses to install hooks for.
    pub hooks: Vec<&'static Hook>,
    /// What is carried over.
    pub carried: Vec<Carried>,
    /// What could not be carried over.
    pub not_carried: Vec<NotCarried>,
    /// What the user should know.
    pub notices: Vec<String>,
    /// The warnings of the lawbook.
    pub warnings: Diagnostics,
    pub(super) files: Vec<PlannedFile>,
}

impl InitPlan {
    /// The folder of the lawbook, as the user would write it.
    pub fn book(&self) -> PathBuf {
        self.shown(&[])
    }

    /// The files that are created, as the user would write them.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| self.shown(&[&file.path])).collect()
    }

    /// Creates the lawbook. Nothing is written if anything is there by now.
    pub fn write(&self) -> Result<(), Failure> {
        write::create(&self.project, &self.files)
    }

    fn shown(&self, inside: &[&str]) -> PathBuf {
        let project = if self.project == Path::new(".") { Path::new("") } else { &self.project };
        let mut path = project.join(BOOK_FOLDER);
        path.extend(inside);
        path
    }
}

impl Workspace {
    /// Plans a lawbook for the folder of the workspace, which need not exist yet. Writes nothing, and
    /// fails if anything would be overwritten.
    pub fn plan_init(&self, request: &InitRequest) -> Result<InitPlan, Failure> {
        let project = self.start();
        if project.exists() && !project.is_dir() {
            return Err(Failure::instead_of(project, |span| {
                Diagnostic::new(&code::UNREADABLE, span, "this is not a folder")
                    .help("name the folder of the project")
            }));
        }
        let (languages, found) = languages(project);
        let imported = import::gather(&request.from)?;
        let draft = Draft {
            template: request.template,
            name: yaml::scalar(&name_of(project)),
            tests: match request.template {
                Template::Guard => found.clone(),
                Template::Crew | Template::Desk | Template::Story => Vec::new(),
            },
        };
        let (files, imported, warnings) = draft.settled(imported)?;
        write::conflicts(project, &files)?;
        let harnesses = self.detect_harnesses(Scope::Project).unwrap_or_default();
        let mut notices = self.notices(&draft.tests);
        let hooks = if request.harnesses.is_empty() {
            let found: Vec<&'static Hook> =
                harnesses.iter().filter_map(|harness| harness.hook()).collect();
            answered_once(&found, &mut notices)
        } else {
            request.harnesses.clone()
        };
        Ok(InitPlan {
            project: project.to_owned(),
            template: request.template,
            notices,
            tests: found,
            carried: imported.carried,
            not_carried: imported.not_carried,
            languages,
            harnesses,
            hooks,
            warnings,
            files,
        })
    }

    /// Test commands whose program is not on the `PATH`: the stop hook could not decide.
    fn notices(&self, tests: &[TestCommand]) -> Vec<String> {
        let path = self.variable("PATH").unwrap_or_default();
        let is_missing = |program: &&String| {
            let is_there = |folder: PathBuf| folder.join(program).is_file();
            !program.contains('/') && !std::env::split_paths(&path).any(is_there)
        };
        let programs = tests.iter().filter_map(|command| command.run.first());
        let notice = |program: &String| {
            format!(
                "`{program}` is not on your PATH; without it the stop hook cannot decide, and blocks"
            )
        };
        programs.filter(is_missing).map(notice).collect()
    }
}

/// The harnesses without those that run the hooks of another one as well: they would run twice.
fn answered_once(found: &[&'static Hook], notices: &mut Vec<String>) -> Vec<&'static Hook> {
    let mut once = Vec::new();
    for hook in found {
        match found.iter().find(|other| hook.also_reads.contains(&other.id)) {
            Some(other) => notices.push(format!(
                "{} also runs the hooks in the settings of {}, so it gets none of its own",
                hook.name, other.name
            )),
            None => once.push(*hook),
        }
    }
    once
}

/// The name of a project: that of its folder.
fn name_of(project: &Path) -> String {
    let real = project.canonicalize().or_else(|_| std::path::absolute(project));
    let name = real.ok().and_then(|path| path.file_name().map(OsStr::to_owned));
    name.and_then(|name| name.into_string().ok()).unwrap_or_else(|| "my-project".to_owned())
}

/// What a lawbook is made from.
struct Draft {
    template: Template,
    /// Its name, as a YAML scalar.
    name: String,
    tests: Vec<TestCommand>,
}

/// The page that lists what was carried over.
const RECORD: &str = "IMPORTED.md";

impl Draft {
    /// The files of the lawbook, without imported documents that have errors. The errors are listed
    /// with what could not be carried over.
    fn settled(
        &self,
        mut imported: Imported,
    ) -> Result<(Vec<PlannedFile>, Imported, Diagnostics), Failure> {
        let mut needless = Needless::default();
        loop {
            let files = needless.taken_from(self.files(&mut imported));
            let problems = check(&files)?;
            let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
            let errors: Vec<&Diagnostic> = errors.collect();
            // One at a time: two guards can include each other.
            let mut useless = problems.iter();
            if errors.is_empty()
                && useless.any(|one| imported.refuse_useless(one, problems.sources()))
            {
                continue;
            }
            if errors.is_empty()
                && problems.iter().any(|one| needless.add(one, problems.sources(), &files))
            {
                continue;
            }
            if !errors.is_empty() && needless.take_back() {
                continue;
            }
            if errors.is_empty() {
                let files = with_fitting_scenarios(files)?;
                let record = imported.record();
                let record = record.map(|text| PlannedFile { path: RECORD.to_owned(), text });
                return Ok((files.into_iter().chain(record).collect(), imported, problems));
            }
            let before = imported.files.len() + imported.variables.len();
            for error in &errors {
                imported.refuse(error, problems.sources());
            }
            if imported.files.len() + imported.variables.len() == before {
                let errors: Vec<Diagnostic> = errors.into_iter().cloned().collect();
                return Err(Failure::sorted(errors, (**problems.sources()).clone()));
            }
        }
    }

    fn files(&self, imported: &mut Imported) -> Vec<PlannedFile> {
        let mut files = self.template.files(&self.name);
        let taken: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        imported.refuse_paths(&taken);
        let mut manifest = ManifestText::new(match files.first_mut() {
            Some(manifest) => std::mem::take(&mut manifest.text),
            None => String::new(),
        });
        let (axes, variables) = (imported.axis_lines(), imported.variable_lines());
        manifest.under("axes", "What a context can say, from the imported instructions.", &axes);
        manifest.under("variables", "The variables of the imported rules.", &variables);
        let own_rulespec = imported.files.iter().position(|file| file.path == RULESPEC);
        match (self.template, own_rulespec) {
            (Template::Guard, None) => {
                stop::add_to(&mut manifest, &self.tests);
                files.extend(stop::files(&self.tests));
            }
            (Template::Guard, Some(at)) => {
                self.add_tests_to_imported(&mut manifest, imported, at);
            }
            (Template::Crew | Template::Desk | Template::Story, _) => {}
        }
        files.extend(
            imported
                .files
                .iter()
                .map(|file| PlannedFile { path: file.path.clone(), text: file.text.clone() }),
        );
        if let Some(first) = files.first_mut() {
            manifest.text().clone_into(&mut first.text);
        }
        files
    }

    /// Adds the test commands to a rulespec that was carried over, if its layout allows it.
    fn add_tests_to_imported(
        &self,
        manifest: &mut ManifestText,
        imported: &mut Imported,
        at: usize,
    ) {
        if self.tests.is_empty() {
            return;
        }
        let Some(rulespec) = imported.files.get_mut(at) else { return };
        if rulespec.has_tests {
            stop::add_to(manifest, &self.tests);
            return;
        }
        match stop::merged(&rulespec.text, &self.tests) {
            Some(text) => {
                rulespec.text = text;
                rulespec.has_tests = true;
                stop::add_to(manifest, &self.tests);
            }
            None => {
                let command = self.tests.first().map(|test| test.run.join(" "));
                let missing = NotCarried {
                    file: rulespec.origin.clone(),
                    line: None,
                    what: format!("the test command `{}`", command.unwrap_or_default()),
                    why: "`claims` and `predicates` are not block lists, so nothing was added to them"
                        .to_owned(),
                };
                if !imported.not_carried.contains(&missing) {
                    imported.not_carried.push(missing);
                }
            }
        }
    }
}

/// The problems of a planned lawbook, without writing it.
fn check(files: &[PlannedFile]) -> Result<Diagnostics, Failure> {
    Ok(in_memory(files)?.check().diagnostics)
}

/// The files with scenarios that pass: where a scenario of the template shows that nothing is decided,
/// an imported permission can decide.
fn with_fitting_scenarios(mut files: Vec<PlannedFile>) -> Result<Vec<PlannedFile>, Failure> {
    let report = in_memory(&files)?.test().run()?;
    for scenario in &report.scenarios {
        for failure in &scenario.failures {
            let decision = match failure.what {
                "decision" => failure.actual.as_text(),
                "by" => None,
                _ => continue,
            };
            let file = files.iter_mut().find(|file| file.path == scenario.file);
            if let (Some(file), Some(place)) = (file, &failure.place) {
                file.text = expecting(&file.text, place.line, decision);
            }
        }
    }
    Ok(files)
}

/// A planned lawbook.
fn in_memory(files: &[PlannedFile]) -> Result<Lawbook, Failure> {
    debug_assert!(
        files.first().is_some_and(|first| first.path == MANIFEST),
        "the manifest is first"
    );
    let add =
        |source: MemorySource, file: &PlannedFile| source.with(&file.path, file.text.as_bytes());
    Ok(Lawbook::load(&files.iter().fold(MemorySource::new(), add))?)
}
