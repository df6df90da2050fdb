//! What the table promises for what is installed, and the files that decide whether it is kept.
//!
//! Both are read from the disk and the table, without a ledger: a promise is about what a harness
//! does with the files that are there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lawful::compose::contract::SEPARATOR;

use crate::disk::Disk;
use crate::harness::{Base, Harness, Place, Strength, Syntax};
use crate::place::{Located, Places};
use crate::target::{Ask, Target, What, targets};
use crate::text::with_plain_lines;
use crate::{Prompts, RolePrompt, Scope, block, keys, owned};

/// A prompt that is installed, and how the table says that it reaches the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The role.
    pub role: String,
    /// How it reaches the model.
    pub strength: Strength,
    /// The file, as shown to the user.
    pub path: String,
    /// Whether nothing has to enable it, or its setting does.
    pub active: bool,
    /// Whether the file has the core, and not the persona alone.
    pub has_core: bool,
}

/// What the table promises of these prompts for a harness, in both scopes.
pub fn promises(
    harness: &'static Harness,
    prompts: &Prompts,
    places: &Places,
    disk: &impl Disk,
) -> Vec<Promise> {
    let now = |path: &Path| String::from_utf8(disk.read(path).ok()??).ok();
    let mut found: Vec<Promise> = Vec::new();
    for scope in [Scope::Project, Scope::User] {
        for active in [true, false] {
            let ask = Ask { scope, roles: None, active };
            for target in targets(prompts, harness, ask, places, &mut Vec::new()) {
                let held = if target.is_switch() { None } else { held(&target, prompts, &now) };
                let Some(has_core) = held else { continue };
                let promise = Promise {
                    role: target.role.clone(),
                    strength: target.strength,
                    path: target.shown.clone(),
                    active: is_enabled(&target, &now),
                    has_core,
                };
                if !found.contains(&promise) {
                    found.push(promise);
                }
            }
        }
    }
    found
}

/// The persona of a role: its prompt without the core.
pub fn persona<'p>(prompts: &Prompts, prompt: &'p RolePrompt) -> &'p str {
    let rest = prompt.text.strip_prefix(prompts.core.as_str()).unwrap_or(&prompt.text);
    rest.strip_prefix(SEPARATOR).unwrap_or(rest)
}

/// Whether a file has the core; `None` if it has neither the core nor the persona of its role.
fn held(
    target: &Target,
    prompts: &Prompts,
    now: &impl Fn(&Path) -> Option<String>,
) -> Option<bool> {
    let file = now(&target.at.path)?;
    let text = match &target.what {
        What::Owned { .. } => owned::parse(&file).map(|owned| owned.text),
        What::Block { .. } => block::blocks(&file).ok().and_then(|blocks| {
            let block = blocks.into_iter().find(|block| block.id == prompts.id());
            block.map(|block| block.text)
        }),
        What::Key { syntax, key, .. } => {
            keys::get(*syntax, &file, key).ok().flatten().and_then(|held| held.text)
        }
    };
    let text = with_plain_lines(&text?);
    let prompt = prompts.roles.iter().find(|prompt| prompt.role == target.role);
    let persona = prompt.map_or("", |prompt| persona(prompts, prompt));
    let has_core = text.contains(&prompts.core);
    (has_core || (!persona.is_empty() && text.contains(persona))).then_some(has_core)
}

/// Whether the harness reads it, also if another settings file takes the place of the usual one.
fn is_enabled(target: &Target, now: &impl Fn(&Path) -> Option<String>) -> bool {
    let instead = target.enabled_by.as_ref().and_then(|switch| switch.instead.clone());
    target.is_enabled(&|path: &Path| now(path).or_else(|| instead.as_deref().and_then(now)))
}

/// A file that a harness may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Where it is.
    pub path: PathBuf,
    /// The folder that must contain it.
    pub root: PathBuf,
    /// Whether it is below the project, or else below the home.
    pub in_project: bool,
    /// Its place below the project or below a home that no variable changes.
    pub below: PathBuf,
    /// The path as users write it.
    pub shown: String,
    /// The syntax, if it is a settings file.
    pub settings: Option<Syntax>,
}

/// Every file that the table names for a harness, and those of `more`, with the files of these roles.
/// A file of a project that has no folder is also looked for on the way to the working directory.
pub fn named_files(
    harness: &Harness,
    more: &[Place],
    roles: &[&str],
    places: &Places,
) -> Vec<NamedFile> {
    let mut named: BTreeSet<String> = BTreeSet::new();
    let mut files = Vec::new();
    let mut add = |base: Base, path: &str| {
        for role in roles {
            let path = path.replace("{role}", role);
            let Some(Located { path: at, root }) = places.locate_path(base, &path, role) else {
                continue;
            };
            let place = Place { base, path: "" };
            let (in_project, below) = match base {
                Base::Project => (true, PathBuf::from(&path)),
                Base::Home => (false, PathBuf::from(&path)),
                Base::Config => (false, Path::new(".config").join(&path)),
                Base::Moved(_, folder) => (false, Path::new(folder).join(&path)),
            };
            let shown = format!("{}{path}", place.shown());
            if !path.contains('*') && named.insert(shown.clone()) {
                let settings = syntax(&path);
                files.push(NamedFile { path: at, root, in_project, below, shown, settings });
            }
        }
    };
    for surface in harness.surfaces {
        let Place { base, path } = surface.place;
        add(base, path);
        if let Some(switch) = surface.switch {
            add(switch.place.base, switch.place.path);
            if switch.or_jsonc {
                let other = Path::new(switch.place.path).with_extension("jsonc");
                add(switch.place.base, &other.to_string_lossy());
            }
        }
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        for shadow in surface.shadowed_by {
            match base {
                Base::Project => add(base, shadow),
                Base::Home | Base::Config | Base::Moved(..) => {
                    add(base, &folder.join(shadow).to_string_lossy());
                }
            }
        }
    }
    for path in harness.also_reads {
        add(Base::Project, path);
    }
    for place in more {
        add(place.base, place.path);
    }
    let below = on_the_way(&files, places);
    files.extend(below);
    files
}

/// The same names in the folders from the root of the project to the working directory.
fn on_the_way(files: &[NamedFile], places: &Places) -> Vec<NamedFile> {
    let mut found = Vec::new();
    for folder in places.on_the_way() {
        let Ok(inside) = folder.strip_prefix(places.project()) else { continue };
        let is_single = |file: &&NamedFile| file.in_project && file.below.components().count() == 1;
        for file in files.iter().filter(is_single) {
            found.push(NamedFile {
                path: folder.join(&file.below),
                below: inside.join(&file.below),
                shown: inside.join(&file.below).to_string_lossy().into_owned(),
                ..file.clone()
            });
        }
    }
    found
}

/// The syntax of a file, if its name is that of settings.
fn syntax(path: &str) -> Option<Syntax> {
    match path.rsplit('.').next() {
        Some("json" | "jsonc") => Some(Syntax::Json),
        Some("toml") => Some(Syntax::Toml),
        Some("env") => Some(Syntax::Env),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests;
