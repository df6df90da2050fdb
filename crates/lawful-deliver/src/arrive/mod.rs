//! What arrives: whether the text of a role reaches the model through a harness once, twice, not at
//! all, or changed.
//!
//! A pure function of the table of harnesses, the texts on the disk (as they are, or as a plan would
//! leave them) and the text of the role. `install` evaluates the planned state, `status` the
//! present one.
//!
//! **Invariant:** what cannot be read is not there, so a doubt never counts as an arrival.

mod alter;
mod env;
mod settings;
mod trust;
mod unread;

use std::path::{Path, PathBuf};

use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::harness::{Audience, Base, Form, Harness, Surface};
use crate::place::{Located, Places};
use crate::text::with_plain_lines;
use crate::{Scope, keys, owned};

pub(crate) use alter::{altered, described as alteration};
pub(crate) use unread::Unread;

/// How often a text reaches the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrives {
    /// Once, as it was written.
    Once,
    /// More than once.
    Twice,
    /// Not at all.
    No,
    /// With other text in place of some of its own.
    Changed,
}

impl Arrives {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Twice => "twice",
            Self::No => "no",
            Self::Changed => "changed",
        }
    }
}

/// One harness, and the files that it could read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) harness: &'static Harness,
    pub(crate) places: &'a Places,
    /// The role of the main conversation.
    pub(crate) main: &'a str,
    pub(crate) snapshot: &'a DiskSnapshot,
    /// The text at a path.
    pub(crate) now: &'a dyn Fn(&Path) -> Option<String>,
}

/// A text that a harness gives to its main conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadText {
    pub(crate) path: PathBuf,
    /// Whose file it is.
    pub(crate) scope: Scope,
    /// The text as the model gets it, with `\n` line ends.
    pub(crate) text: String,
    /// Whether agents get it too.
    pub(crate) reaches_agents: bool,
}

/// Something of Lawful whose arrival is in question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own<'o> {
    pub(crate) surface: &'static Surface,
    pub(crate) role: &'o str,
    /// The text as it was written, without front matter and markers.
    pub(crate) text: &'o str,
    /// The core, or the whole text if that does not have the core.
    pub(crate) core: &'o str,
}

/// What arrives, and why it is not once.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub(crate) arrives: Arrives,
    pub(crate) unread: Option<Unread>,
    /// The files with the core that the harness reads.
    pub(crate) from: Vec<(PathBuf, Scope)>,
}

impl Reader<'_> {
    /// Every text that the main conversation gets from files that the table names.
    pub(crate) fn texts(&self) -> Vec<ReadText> {
        let mut found: Vec<ReadText> = Vec::new();
        for surface in main_surfaces(self.harness) {
            let unread = self.unread(surface, self.main);
            let instead = unread.as_ref().and_then(|unread| unread.instead.clone());
            match (unread, instead) {
                (None, _) => {
                    let Some(at) = self.places.locate(surface.place, self.main) else { continue };
                    self.push(&mut found, &at.path, surface);
                }
                (Some(_), Some(other)) => self.push(&mut found, &other, surface),
                (Some(_), None) => {}
            }
        }
        for path in self.others() {
            if let Some(surface) = main_surfaces(self.harness).find(|one| one.form == Form::Block) {
                self.push(&mut found, &path, surface);
            }
        }
        found
    }

    /// Adds a file, unless it is already there under this or another name.
    fn push(&self, found: &mut Vec<ReadText>, path: &Path, surface: &Surface) {
        let real = self.snapshot.kept(path).unwrap_or(path).to_owned();
        let Some(file) = (self.now)(path) else { return };
        let text = prompt_in(surface, file);
        if found.iter().any(|known| known.path == real) {
            return;
        }
        let is_inside = real.starts_with(self.places.project());
        let is_project = is_inside && surface.scope == Scope::Project;
        found.push(ReadText {
            path: real,
            scope: if is_project { Scope::Project } else { Scope::User },
            text: altered(&with_plain_lines(&text), surface.alters),
            reaches_agents: surface.reaches_agents,
        });
    }

    /// Files that the harness reads and that are no surface of it.
    fn others(&self) -> Vec<PathBuf> {
        let project = self.places.project();
        let mut found: Vec<PathBuf> =
            self.harness.also_reads.iter().map(|name| project.join(name)).collect();
        if let Some(names) = self.harness.reading.names {
            let (named, _) = self.names(&names);
            let user = self.places.locate(names.user, "").map(|at| at.path);
            for name in named.iter().filter(|name| is_plain_name(name)) {
                if self.is_trusted() {
                    found.push(project.join(name));
                }
                found.extend(user.as_ref().map(|user| user.join(name)));
            }
        }
        found
    }

    /// What arrives of a text.
    pub(crate) fn of(&self, own: &Own<'_>) -> Arrival {
        match own.surface.audience {
            Audience::Main => self.of_main(own),
            Audience::Agents => self.of_agent(own),
        }
    }

    /// What arrives of a text for the main conversation.
    fn of_main(&self, own: &Own<'_>) -> Arrival {
        self.arrival(own, &self.texts(), None)
    }

    /// What arrives of a text for an agent: its own file, and what it gets with the main
    /// conversation. The core contract holds for all of it together: the core arrives once.
    fn of_agent(&self, own: &Own<'_>) -> Arrival {
        let mut texts = self.texts();
        texts.retain(|text| text.reaches_agents);
        let file = self.places.locate(own.surface.place, own.role).map(|at| at.path);
        let unread = self.unread(own.surface, own.role);
        if let Some(path) = file.filter(|_| unread.is_none()) {
            self.push(&mut texts, &path, own.surface);
        }
        self.arrival(own, &texts, unread)
    }

    fn arrival(&self, own: &Own<'_>, texts: &[ReadText], unread: Option<Unread>) -> Arrival {
        let is_main = own.surface.audience == Audience::Main;
        let unread = if is_main { self.unread(own.surface, own.role) } else { unread };
        let times: usize = texts.iter().map(|text| text.text.matches(own.core).count()).sum();
        let has_own = texts.iter().any(|text| text.text.contains(own.text));
        let arrives = match (times, has_own) {
            (2.., _) => Arrives::Twice,
            (1, true) => Arrives::Once,
            // Neither the core nor the persona alone is the text of the role.
            (0, true) => Arrives::No,
            (0 | 1, false) if unread.is_some() || !self.is_written(own) => Arrives::No,
            (0 | 1, false) => Arrives::Changed,
        };
        let has_core = |text: &&ReadText| text.text.contains(own.core);
        let from = texts.iter().filter(has_core).map(|text| (text.path.clone(), text.scope));
        Arrival { arrives, unread, from: from.collect() }
    }

    /// Whether the file of a text has it, whatever the harness does with it.
    fn is_written(&self, own: &Own<'_>) -> bool {
        let Some(at) = self.places.locate(own.surface.place, own.role) else { return false };
        let Some(file) = (self.now)(&at.path) else { return false };
        let text = prompt_in(own.surface, file);
        with_plain_lines(&text).contains(own.text)
    }

    /// Whether the agents of the harness get the core with the main conversation, apart from what
    /// `is_left_out` says.
    pub(crate) fn agents_have(&self, core: &str, is_left_out: impl Fn(&Path) -> bool) -> bool {
        let texts = self.texts();
        let mut shared = texts.iter().filter(|text| text.reaches_agents);
        shared.any(|text| !is_left_out(&text.path) && text.text.contains(core))
    }
}

/// Everything on the disk that an evaluation looks at. What a settings file names is known only when
/// it was read, so this is asked until nothing is new.
pub(crate) fn files(reader: &Reader<'_>, roles: &[&str]) -> Vec<Located> {
    let (harness, places) = (reader.harness, reader.places);
    let mut found: Vec<Located> = Vec::new();
    for surface in harness.surfaces {
        let roles: &[&str] = match surface.audience {
            Audience::Main => &[reader.main],
            Audience::Agents => roles,
        };
        found.extend(roles.iter().filter_map(|role| places.locate(surface.place, role)));
        found.extend(surface.shadowed_by.iter().filter_map(|place| places.locate(*place, "")));
        if let Some(switch) = surface.switch {
            found.extend(switch.order.iter().filter_map(|place| places.locate(*place, "")));
            if let Some(files) = harness.reading.env {
                found.extend(env::candidates(places, files, &switch).into_iter().map(located));
            }
        }
    }
    let reading = harness.reading;
    if let Some(trust) = reading.trust {
        found.extend(places.locate(trust.list, ""));
        found.extend(trust.settings.iter().filter_map(|place| places.locate(*place, "")));
    }
    if let Some(names) = reading.names {
        found.extend(names.settings.iter().filter_map(|place| places.locate(*place, "")));
    }
    for hidden in reading.hidden {
        found.extend(places.locate(hidden.by, ""));
        found.extend(hidden.files.iter().filter_map(|place| places.locate(*place, "")));
    }
    let root = places.project().to_owned();
    found.extend(reader.others().into_iter().map(|path| {
        let is_inside = path.starts_with(&root);
        if is_inside { Located { path, root: root.clone() } } else { located(path) }
    }));
    found.retain(|at| is_one_file(&at.path));
    found
}

/// Reads everything that evaluations of a harness look at.
pub(crate) fn look(
    snapshot: &mut DiskSnapshot,
    disk: &impl crate::Disk,
    harness: &'static Harness,
    places: &Places,
    main: &str,
    roles: &[&str],
) {
    // The second round has the files that settings name.
    for _ in 0..2 {
        let files = {
            let now = |path: &Path| text_of(snapshot, path);
            files(&Reader { harness, places, main, snapshot, now: &now }, roles)
        };
        for at in files {
            snapshot.add(disk, &at);
        }
    }
}

/// The text of a snapshot at a path.
pub(crate) fn text_of(snapshot: &DiskSnapshot, path: &Path) -> Option<String> {
    match snapshot.get(path) {
        Some(Look::Text { text, .. }) => Some(text.clone()),
        Some(Look::Missing { .. } | Look::Outside | Look::Unfit(_)) | None => None,
    }
}

/// What the model gets of a file: all of it, or the value of a key.
fn prompt_in(surface: &Surface, file: String) -> String {
    match surface.form {
        Form::Owned(_) | Form::Block => file,
        Form::OwnedToml(_) => owned::parse(&file).map(|owned| owned.text).unwrap_or_default(),
        Form::Setting(syntax, key) => {
            let held = keys::get(syntax, &file, key).ok().flatten();
            held.and_then(|held| held.text).unwrap_or_default()
        }
    }
}

/// The surfaces of the main conversation that are text files or settings with a text.
fn main_surfaces(harness: &'static Harness) -> impl Iterator<Item = &'static Surface> {
    harness.surfaces.iter().filter(|surface| {
        let is_text = match surface.form {
            Form::Owned(_) | Form::OwnedToml(_) | Form::Setting(..) => true,
            // A settings file that lists more files is not one of those.
            Form::Block => !surface.place.path.ends_with(".json"),
        };
        surface.audience == Audience::Main && is_text && is_one_file(Path::new(surface.place.path))
    })
}

/// Whether a path has no wildcard.
fn is_one_file(path: &Path) -> bool {
    !path.to_string_lossy().contains('*')
}

/// A file that is only read, wherever it is.
fn located(path: PathBuf) -> Located {
    let root = path.ancestors().last().map_or_else(PathBuf::new, Path::to_owned);
    Located { path, root }
}

/// Whether a name from a settings file stays in its folder.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && crate::disk_snapshot::is_plain(Path::new(name))
}

/// Whether the harness reads a place only in the folder that it is started in.
fn is_at_start(base: Base) -> bool {
    match base {
        Base::Start => true,
        Base::Project | Base::Home | Base::Config | Base::Moved(..) | Base::System => false,
    }
}
