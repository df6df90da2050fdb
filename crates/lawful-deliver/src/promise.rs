//! What the table promises for what is installed, and the files that decide whether it is kept.
//!
//! Both are read from the disk and the table, without a ledger: a promise is about what a harness
//! does with the files that are there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lawful::compose::contract::SEPARATOR;

use crate::arrive::{self, Reader, text_of};
use crate::disk::Disk;
use crate::disk_snapshot::DiskSnapshot;
use crate::harness::{Audience, Base, Form, Harness, Place, Strength, Surface, Syntax};
use crate::place::{Located, Places};
use crate::text::with_plain_lines;
use crate::{Prompts, RolePrompt, block, keys, owned};

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
    /// Why the harness does not read it, and what to do, unless only its setting is missing.
    pub unread: Option<(String, String)>,
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
    let mut snapshot = DiskSnapshot::default();
    let roles: Vec<&str> = prompts.roles.iter().map(|prompt| &*prompt.role).collect();
    arrive::look(&mut snapshot, disk, harness, places, &prompts.main, &roles);
    let now = |path: &Path| text_of(&snapshot, path);
    let reader = Reader { harness, places, main: &prompts.main, snapshot: &snapshot, now: &now };
    let mut found: Vec<Promise> = Vec::new();
    for surface in harness.surfaces {
        for prompt in &prompts.roles {
            let is_main = prompt.role == prompts.main;
            if is_main != (surface.audience == Audience::Main) {
                continue;
            }
            let Some(at) = places.locate(surface.place, &prompt.role) else { continue };
            let held = now(&at.path).and_then(|file| held(surface, &file, prompts, prompt));
            let Some(has_core) = held else { continue };
            let path = places.shown(surface.scope, &at.path);
            if found.iter().any(|known| known.role == prompt.role && known.path == path) {
                continue;
            }
            let unread = reader.unread(surface, &prompt.role);
            found.push(Promise {
                role: prompt.role.clone(),
                strength: surface.strength,
                path,
                active: unread.is_none(),
                unread: unread.filter(|why| !why.is_off).map(|why| (why.message, why.help)),
                has_core,
            });
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
fn held(surface: &Surface, file: &str, prompts: &Prompts, prompt: &RolePrompt) -> Option<bool> {
    let text = match surface.form {
        Form::Owned(_) | Form::OwnedToml(_) => owned::parse(file).map(|owned| owned.text),
        Form::Block => block::blocks(file).ok().and_then(|blocks| {
            let block = blocks.into_iter().find(|block| block.id == prompts.id());
            block.map(|block| block.text)
        }),
        Form::Setting(syntax, key) => {
            keys::get(syntax, file, key).ok().flatten().and_then(|held| held.text)
        }
    };
    let text = with_plain_lines(&text?);
    let persona = persona(prompts, prompt);
    let has_core = text.contains(&prompts.core);
    (has_core || (!persona.is_empty() && text.contains(persona))).then_some(has_core)
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

/// The folders of a harness, as if they were files.
pub fn named_folders(folders: &[Place], places: &Places) -> Vec<NamedFile> {
    folders.iter().filter_map(|place| named(place.base, place.path, "", places)).collect()
}

/// A file of the project or the home; `None` for any other.
fn named(base: Base, path: &str, role: &str, places: &Places) -> Option<NamedFile> {
    let path = path.replace("{role}", role);
    let Located { path: at, root } = places.locate_path(base, &path, role)?;
    let (in_project, below) = match base {
        Base::Project => (true, PathBuf::from(&path)),
        Base::Home => (false, PathBuf::from(&path)),
        Base::Config => (false, Path::new(".config").join(&path)),
        Base::Moved(_, folder) => (false, Path::new(folder).join(&path)),
        Base::Start => (true, at.strip_prefix(places.project()).ok()?.to_owned()),
        // Neither the project nor the home has it.
        Base::System => return None,
    };
    let shown = match base {
        Base::Start => below.to_string_lossy().into_owned(),
        Base::Project | Base::Home | Base::Config | Base::Moved(..) | Base::System => {
            format!("{}{path}", Place { base, path: "" }.shown())
        }
    };
    Some(NamedFile { path: at, root, in_project, below, shown, settings: syntax(&path) })
}

/// Every file that the table names for a harness, and those of `more`, with the files of these roles.
/// A file of a project that has no folder is also looked for on the way to the working directory.
pub fn named_files(
    harness: &Harness,
    more: &[Place],
    roles: &[&str],
    places: &Places,
) -> Vec<NamedFile> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut files = Vec::new();
    let mut add = |base: Base, path: &str| {
        for role in roles {
            let Some(file) = named(base, path, role, places) else { continue };
            if !file.shown.contains('*') && seen.insert(file.shown.clone()) {
                files.push(file);
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
        let settings = surface.switch.map_or(&[][..], |switch| switch.order);
        for place in surface.shadowed_by.iter().chain(settings) {
            add(place.base, place.path);
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
