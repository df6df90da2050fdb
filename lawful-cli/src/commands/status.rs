//! `lawful status`

use std::collections::BTreeMap;

use lawful::syntax::escape;
use lawful::syntax::render::{DiagnosticView, view};
use lawful_deliver::{self as deliver, Asked, FileState, FileStatus, Harness, OsDisk, Prompts};
use serde::Serialize;

use super::uninstall::scopes;
use crate::args::{Held, Scope, Status};
use crate::deliver::{Site, ledger, named, prompts, settled};
use crate::lawbook::Failure;
use crate::output::{Answer, print, print_json};
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
    match files(&args.held) {
        Ok(files) => report(&files, json),
        Err(refused) if json => {
            let Failure { sources, problems } = &refused.failure;
            let diagnostics = problems.iter().map(|problem| view(problem, sources)).collect();
            print_json(&View { files: Vec::new(), diagnostics });
            refused.answer
        }
        Err(refused) => refused.report(false),
    }
}

fn files(args: &Held) -> Result<Vec<FileStatus>, Refused> {
    let asked = named(&args.harness)?;
    let site = Site::new(args.root.as_deref())?;
    let only = match &args.book {
        None => None,
        Some(book) => Some(prompts(Some(book))?.1),
    };
    let mut books: BTreeMap<String, Prompts> = BTreeMap::new();
    let mut found = Vec::new();
    for scope in scopes(args) {
        let Ok(desk) = site.desk(scope) else { continue };
        settled(&desk)?;
        let ledger = ledger(&desk)?;
        for known in ledger.installed() {
            let is_read = only.is_some() || books.contains_key(&known.source);
            if !is_read && is_asked(&asked, &known.harness) {
                let (_, prompts) = prompts(Some(&site.source(&known.source)))?;
                books.insert(known.source.clone(), prompts);
            }
        }
        let mut subjects: Vec<Asked<'_>> = Vec::new();
        for known in ledger.installed() {
            let prompts = only.as_ref().or_else(|| books.get(&known.source));
            let harness = deliver::find(&known.harness);
            let (Some(prompts), Some(harness)) = (prompts, harness) else { continue };
            if is_asked(&asked, &known.harness) && prompts.id() == known.book {
                subjects.push(Asked { harness, prompts, installed: Some(known) });
            }
        }
        // One that was named and never installed is asked about all the same.
        let fresh: Vec<&'static Harness> = asked
            .iter()
            .filter(|harness| !subjects.iter().any(|known| known.harness.id == harness.id))
            .filter(|_| scope == args.scope.unwrap_or(Scope::Project))
            .copied()
            .collect();
        let wanted = match (&only, fresh.is_empty()) {
            (Some(only), _) => Some(only.clone()),
            (None, true) => None,
            (None, false) => Some(prompts(None)?.1),
        };
        for harness in fresh {
            if let Some(prompts) = &wanted {
                subjects.push(Asked { harness, prompts, installed: None });
            }
        }
        found.extend(deliver::status(&subjects, &desk, &site.places, &ledger, &OsDisk));
    }
    Ok(found)
}

fn is_asked(asked: &[&'static Harness], id: &str) -> bool {
    asked.is_empty() || asked.iter().any(|harness| harness.id == id)
}

fn report(files: &[FileStatus], json: bool) -> Answer {
    let well = |file: &FileStatus| file.state == FileState::Clean && file.core;
    if json {
        let files = files.iter().map(|file| FileView {
            harness: file.harness.clone(),
            path: file.path.clone(),
            state: file.state.name(),
            core: file.core,
        });
        print_json(&View { files: files.collect(), diagnostics: Vec::new() });
    } else {
        let width = files.iter().map(|file| file.harness.len()).max().unwrap_or(0);
        for file in files {
            let there = !matches!(file.state, FileState::Missing | FileState::Foreign);
            let broken =
                if there && !file.core { "  (the core is not as it should be)" } else { "" };
            let (state, harness) = (file.state.name(), &file.harness);
            print(&format!("{state:8} {harness:width$} {}{broken}\n", escape::line(&file.path)));
        }
        let clean = files.iter().filter(|file| well(file)).count();
        print(&match files.len() {
            0 => "nothing is installed\n".to_owned(),
            all if clean == all => "everything is clean\n".to_owned(),
            all => format!("{clean} of {all} are clean\n"),
        });
    }
    if files.iter().all(well) { Answer::Yes } else { Answer::No }
}
