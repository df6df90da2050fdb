//! Tracing a line of an installed file to the lawbook.
//!
//! The ledger says which lawbook and role a file comes from. The prompt is composed again, and its
//! lines are compared with those on disk. A line that is no longer in the prompt, or that someone
//! else wrote, has no origin.

use std::path::Path;
use std::sync::Arc;

use lawful::Diagnostics;
use lawful::compose::{Origin, RolePrompt};
use lawful::diff::compare;
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::view::{Blame, LineView};
use lawful_deliver::codes;
use lawful_deliver::{self as deliver, Desk, InstalledText, OsDisk, Places, Scope};

use super::site::{Site, prompts};
use crate::failure::Failure;
use crate::roles::LoadedRoles;
use crate::workspace::Workspace;

impl Workspace {
    /// The origin of every line of an installed file.
    pub fn blame_installed(&self, file: &Path) -> Result<Blame, Failure> {
        let (lines, diagnostics) = lines(self, file)?;
        Ok(Blame::of(lines, diagnostics))
    }
}

fn lines(workspace: &Workspace, file: &Path) -> Result<(Vec<LineView>, Diagnostics), Failure> {
    let (site, text, texts) = find(workspace, file)?;
    let mut lines: Vec<LineView> = text
        .lines()
        .enumerate()
        .map(|(at, line)| LineView { line: at + 1, text: line.to_owned(), ..LineView::default() })
        .collect();
    let mut warnings: Vec<Diagnostic> = Vec::new();
    let mut places: Option<(String, Sources)> = None;
    for installed in texts {
        let (loaded, _) = prompts(workspace, &site.source(&installed.source))?;
        trace(&installed, &loaded, &mut lines);
        let (first, _) = places.get_or_insert((installed.source.clone(), loaded.book.sources));
        for mut warning in loaded.roles.warnings {
            if *first != installed.source {
                // One list has one table of sources, so places in another book would be wrong.
                warning.span = Span::NONE;
                warning.labels.clear();
            }
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
    let sources = places.map(|(_, sources)| sources).unwrap_or_default();
    Ok((lines, Diagnostics::in_order(warnings, Arc::new(sources))))
}

/// The file and the parts that Lawful wrote, according to the ledger of its project or of the user.
fn find<'w>(
    workspace: &'w Workspace,
    file: &Path,
) -> Result<(Site<'w>, String, Vec<InstalledText>), Failure> {
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let state = workspace.state().ok();
    let is_project = |folder: &&Path| Desk::is_at(&OsDisk, folder, state.as_ref());
    let around = real.ancestors().skip(1).find(is_project);
    let site = Site::new(workspace, around)?;
    for scope in [Scope::Project, Scope::User] {
        let Ok(desk) = site.desk(scope) else { continue };
        let places: &Places = &site.places;
        let found = deliver::installed_texts(&OsDisk, &desk, places, &site.ledger(&desk)?, file);
        if let Some((text, texts)) = found {
            return Ok((site, text, texts));
        }
    }
    Err(Failure::instead_of(file, |span| {
        let message = "Lawful did not install this file";
        Diagnostic::new(&codes::NOT_INSTALLED, span, message)
            .help("`lawful status` lists the installed files")
    }))
}

/// The id of a rule of the composition that is the persona of a role.
fn rule_id(prompt: &RolePrompt, rule: Option<usize>, loaded: &LoadedRoles) -> Option<String> {
    let composition = loaded.compositions.get(prompt.composition.as_deref()?).ok()?;
    composition.rule_id(rule?).map(str::to_owned)
}

/// Traces the lines of one text.
fn trace(installed: &InstalledText, loaded: &LoadedRoles, lines: &mut [LineView]) {
    let Ok(prompt) = loaded.roles.get(&installed.role) else { return };
    let known = prompt.lines();
    let old: Vec<&str> = installed.text.split('\n').collect();
    let new: Vec<&str> = known.iter().map(|line| line.text).collect();
    for (at, source) in compare(&old, &new).matches() {
        let number = (installed.first_line - 1).checked_add(at);
        let line = number.and_then(|number| lines.get_mut(number));
        let (Some(line), Some(origin)) = (line, known.get(source)) else { continue };
        line.role = Some(installed.role.clone());
        // An installed text is the system layer: the core and the persona.
        line.layer = Some("system");
        if let Some((file, number)) = origin.place {
            line.file = loaded.book.sources.file(file).map(|file| file.name().to_owned());
            line.file_line = Some(number);
        }
        match origin.origin {
            None => {}
            Some(Origin::Core) => line.part = Some("core"),
            Some(Origin::Persona | Origin::Insertion(_)) => line.part = Some("persona"),
            Some(Origin::Fragment(id)) => {
                line.part = Some("persona");
                line.fragment = Some(loaded.compositions.name(id).to_owned());
                line.rule = prompt.rule_of(id);
                line.rule_id = rule_id(prompt, line.rule, loaded);
            }
        }
    }
}
