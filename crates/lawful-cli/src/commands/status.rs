//! `lawful status`

use std::collections::BTreeMap;

use lawful::syntax::escape;
use lawful::syntax::render::{DiagnosticView, view};
use lawful_deliver::{
    self as deliver, Asked, FileState, FileStatus, Finding, HARNESSES, Harness, Installed, OsDisk,
    Prompts,
};
use serde::Serialize;

use crate::args::{Held, Scope, Scopes, Status};
use crate::deliver::{Site, diagnostics, ledger, named, prompts, settled};
use crate::lawbook::Failure;
use crate::output::{self, Answer, print, print_error, print_json, stderr_style};
use crate::roles::Refused;

/// `{"files": […], "diagnostics"?: […]}`
#[derive(Serialize)]
struct View {
    files: Vec<FileView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticView>,
}

#[derive(Serialize)]
struct FileView {
    harness: String,
    path: String,
    state: &'static str,
    core: bool,
}

pub(crate) fn run(args: &Status) -> Answer {
    let json = args.held.format.is_json();
    let (mut refused, mut findings) = (Vec::new(), Vec::new());
    let files = match files(&args.held, &mut refused, &mut findings) {
        Ok(files) => files,
        Err(last) => {
            refused.push(last);
            Vec::new()
        }
    };
    report(&files, &refused, &findings, json)
}

/// How every file is. A book that cannot be read is said, and what was written of it is held against
/// the ledger alone.
fn files(
    args: &Held,
    refused: &mut Vec<Refused>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<FileStatus>, Refused> {
    let asked = named(&args.harness)?;
    let site = Site::new(args.root.as_deref())?;
    let only = match &args.book {
        None => None,
        Some(book) => Some(prompts(Some(book))?),
    };
    let looked_at: Vec<&'static Harness> =
        HARNESSES.iter().filter(|harness| is_asked(&asked, harness.id)).collect();
    let mut found = Vec::new();
    let scopes = match (args.scope, &args.root) {
        (Some(scopes), _) => scopes.each(),
        // A project of its own has no user.
        (None, Some(_)) => Scopes::Project.each(),
        (None, None) => Scopes::All.each(),
    };
    for &scope in scopes {
        let desk = match (site.desk(scope), scope) {
            (Ok(desk), _) => desk,
            // Who has no home has nothing there.
            (Err(_), Scope::User) => continue,
            (Err(failure), Scope::Project) => return Err(failure.into()),
        };
        settled(&desk)?;
        let ledger = ledger(&desk)?;
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
            let read = match prompts(Some(&site.source(&known.source))) {
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
        // One that was named and never installed is asked about all the same.
        let fresh: Vec<&'static Harness> = asked
            .iter()
            .filter(|harness| !subjects.iter().any(|known| known.harness.id == harness.id))
            .filter(|_| scopes.first() == Some(&scope))
            .copied()
            .collect();
        let wanted = match (&only, fresh.is_empty()) {
            (Some((_, only)), _) => Some(only.clone()),
            (None, true) => None,
            (None, false) => Some(prompts(Some(&site.book(None, || Ok(ledger.clone()))?))?.1),
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

fn is_asked(asked: &[&'static Harness], id: &str) -> bool {
    asked.is_empty() || asked.iter().any(|harness| harness.id == id)
}

fn report(files: &[FileStatus], refused: &[Refused], findings: &[Finding], json: bool) -> Answer {
    let (sources, warnings) = diagnostics(findings);
    let well = |file: &FileStatus| file.state == FileState::Clean && file.core;
    if json {
        let files = files.iter().map(|file| FileView {
            harness: file.harness.clone(),
            path: file.path.clone(),
            state: file.state.name(),
            core: file.core,
        });
        let refusals = refused.iter().flat_map(|refused| {
            let Failure { sources, problems } = &refused.failure;
            problems.iter().map(|problem| view(problem, sources))
        });
        let warnings = warnings.iter().map(|warning| view(warning, &sources));
        let diagnostics = refusals.chain(warnings);
        print_json(&View { files: files.collect(), diagnostics: diagnostics.collect() });
    } else {
        for refused in refused {
            refused.report(false);
        }
        print_error(&output::diagnostics(&warnings, &sources, stderr_style()));
        let width = files.iter().map(|file| file.harness.len()).max().unwrap_or(0);
        for file in files {
            let there = !matches!(file.state, FileState::Missing | FileState::Foreign);
            let broken = match (there && !file.core, file.unread) {
                (false, _) => "",
                (true, false) => "  (the core is not as it should be)",
                (true, true) => "  (its lawbook cannot be read)",
            };
            let (state, harness) = (file.state.name(), &file.harness);
            print(&format!("{state:8} {harness:width$} {}{broken}\n", escape::line(&file.path)));
        }
        let clean = files.iter().filter(|file| well(file)).count();
        print(&match (files.len(), refused.is_empty()) {
            (0, false) => String::new(),
            (0, true) => "nothing is installed\n".to_owned(),
            (all, _) if clean == all => "everything is clean\n".to_owned(),
            (all, _) => format!("{clean} of {all} are clean\n"),
        });
    }
    let undecided = refused.iter().any(|refused| refused.answer == Answer::Undecided);
    match (undecided, refused.is_empty() && files.iter().all(well)) {
        (true, _) => Answer::Undecided,
        (false, false) => Answer::No,
        (false, true) => Answer::Yes,
    }
}
