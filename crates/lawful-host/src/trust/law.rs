//! The lawbook that judges in a folder.

use std::path::{Path, PathBuf};

use lawful::book::{Bundle, MANIFEST, find_outermost};
use lawful::live::Event;
use lawful::{Lawbook, LiveLaw};
use lawful_deliver::State;

use super::fingerprint::Fingerprint;
use super::location::{Location, below, resolved};
use super::pin::{Pin, VARIABLE};
use super::registry::{Found, Registry};
use super::seen::is_changed;
use super::trees::KeptTrees;
use super::vault::Vault;
use crate::failure::Failure;
use crate::lawbook::{self, OpenedBook};
use crate::workspace::Workspace;

/// The lawbook that judges in a folder.
#[derive(Clone, Debug)]
pub enum Law {
    /// Trusted content.
    Trusted(Box<Trusted>),
    /// There is a lawbook, and no person trusted it.
    Untrusted {
        /// Its folder.
        book: PathBuf,
        /// Why it is not trusted, for the user.
        why: String,
    },
    /// It is unknown which lawbook judges.
    Unknown {
        /// Why, for the user.
        why: String,
    },
    /// There is no lawbook.
    None,
}

/// A lawbook that a person trusted.
#[derive(Clone, Debug)]
pub struct Trusted {
    /// Its folder, in the working tree of the agent. It need not exist any more.
    pub book: PathBuf,
    /// The fingerprint of what judges.
    pub fingerprint: Fingerprint,
    /// What judges.
    judging: Bundle,
    /// What was trusted.
    accepted: Bundle,
    /// Whether edits count.
    follow: bool,
    /// Whether the environment or the administrator trusts it, and not this user.
    pinned: bool,
}

impl Workspace {
    /// The lawbook that judges an agent that works in a folder: the one of the workspace if it names
    /// one, otherwise the registered one, wherever it is. Reads one file of the lawbook's copy; reads
    /// the folder of the lawbook only if its content is needed.
    pub fn law(&self, project: &Path) -> Law {
        /// How often a registration can change while it is read.
        const ATTEMPTS: usize = 4;
        let project = resolved(project);
        let pin = Pin::of(self);
        if let Pin::Unusable(why) = pin {
            return Law::Unknown { why };
        }
        // A container may have no home; the environment can still say what to trust.
        let vault = self.state().ok().map(|state| Vault::of(&state));
        let read = || vault.as_ref().map_or_else(|| Ok(Registry::default()), Vault::registry);
        let mut registry = match (read(), &pin) {
            (Ok(registry), _) => registry,
            (Err(_), Pin::Only(_)) => Registry::default(),
            (Err(error), Pin::Free | Pin::Unusable(_)) => {
                return Law::Unknown { why: error.to_string() };
            }
        };
        let store = Store { vault: vault.as_ref(), project: &project };
        for _ in 1..ATTEMPTS {
            let law = self.law_in(&registry, &store, &pin);
            // A copy can be replaced by a new one between the two reads.
            match law {
                Law::Untrusted { .. } => match read() {
                    Ok(now) if now != registry => registry = now,
                    Ok(_) | Err(_) => return law,
                },
                Law::Trusted(_) | Law::Unknown { .. } | Law::None => return law,
            }
        }
        self.law_in(&registry, &store, &pin)
    }

    fn law_in(&self, registry: &Registry, store: &Store<'_>, pin: &Pin) -> Law {
        match self.place(store.project, registry) {
            Ok(place) => match pin {
                Pin::Only(_) => store.pinned(place, pin),
                Pin::Free | Pin::Unusable(_) => store.registered(place),
            },
            Err(law) => law,
        }
    }

    /// Where the lawbook of a project is, and what is registered for it.
    fn place(&self, project: &Path, registry: &Registry) -> Result<Place, Law> {
        if let Some(book) = self.named_book() {
            let location = Location::of(book);
            let entry = location.as_ref().and_then(|location| registry.of_book(location));
            let book = location.map_or_else(|| resolved(book), |location| location.folder());
            return Ok(Place::new(Some(book), entry));
        }
        match registry.find(project) {
            Found::One(entry, root) => {
                Ok(Place::new(Some(below(&root, &entry.inside)), Some(entry)))
            }
            Found::Several(books) => {
                let names: Vec<String> =
                    books.iter().map(|book| format!("`{}`", book.display())).collect();
                let why = format!(
                    "several lawbooks are trusted for this project: {}; name one with `--book DIR`",
                    names.join(", ")
                );
                Err(Law::Unknown { why })
            }
            Found::Nothing => Ok(Place::new(find_outermost(project).ok(), None)),
        }
    }
}

/// The lawbook of a project.
struct Place {
    /// Its folder.
    book: Option<PathBuf>,
    /// The fingerprint that is registered for it, and whether edits count.
    registered: Option<(Fingerprint, bool)>,
}

impl Place {
    fn new(book: Option<PathBuf>, entry: Option<&super::registry::Entry>) -> Self {
        let registered = entry.and_then(|entry| Some((entry.fingerprint()?, entry.follow)));
        Self { book, registered }
    }
}

struct Store<'a> {
    vault: Option<&'a Vault>,
    project: &'a Path,
}

impl Store<'_> {
    /// The registered lawbook.
    fn registered(&self, place: Place) -> Law {
        let Some(book) = place.book else { return Law::None };
        let Some((fingerprint, follow)) = place.registered else {
            // A folder that was named need not have one.
            let is_there = book.join(MANIFEST).exists();
            return if is_there { untrusted(book, "nobody trusted it yet") } else { Law::None };
        };
        match self.content(&fingerprint, Some(&book)) {
            Ok(trusted) => Law::Trusted(Box::new(Trusted::new(book, trusted, (follow, false)))),
            Err(why) => untrusted(book, why),
        }
    }

    /// The lawbook that the environment or the administrator trusts.
    fn pinned(&self, place: Place, pin: &Pin) -> Law {
        let folder = || place.book.as_deref().and_then(|book| in_folder(book).ok());
        let registered = place.registered.as_ref().map(|(known, _)| known);
        let mut found = registered
            .filter(|known| pin.allows(known))
            .and_then(|known| self.content(known, place.book.as_deref()).ok())
            .or_else(|| folder().filter(|bundle| pin.allows(&Fingerprint::of(bundle))));
        if let (None, Pin::Only(list)) = (&found, pin)
            && let [only] = &**list
        {
            found = self.content(only, None).ok();
        }
        match (found, place.book) {
            (Some(trusted), book) => {
                let book = book.unwrap_or_else(|| self.project.to_owned());
                // Exactly this content is trusted, so edits never count.
                Law::Trusted(Box::new(Trusted::new(book, trusted, (false, true))))
            }
            (None, Some(book)) => {
                let why = format!(
                    "its content is not what `{VARIABLE}` or the administrator of this machine trusts"
                );
                untrusted(book, why)
            }
            (None, None) => Law::None,
        }
    }

    /// The content with a fingerprint: the copy, or the files of the folder if they have it.
    fn content(&self, fingerprint: &Fingerprint, folder: Option<&Path>) -> Result<Bundle, String> {
        let copy = self.vault.map(|vault| vault.copy(fingerprint)).transpose();
        let why = match copy {
            Ok(Some(Some(bundle))) => return Ok(bundle),
            Ok(Some(None) | None) => "its trusted copy does not exist".to_owned(),
            Err(error) => error.to_string(),
        };
        let here = folder.and_then(|folder| in_folder(folder).ok());
        here.filter(|bundle| bundle.fingerprint() == fingerprint.digits()).ok_or(why)
    }
}

fn untrusted(book: PathBuf, why: impl Into<String>) -> Law {
    Law::Untrusted { book, why: why.into() }
}

/// The content of a lawbook folder. Files that cannot be read are missing from it.
pub(crate) fn in_folder(folder: &Path) -> Result<Bundle, Failure> {
    lawbook::open(folder).map(|opened| Bundle::of(&opened.book))
}

impl Trusted {
    fn new(book: PathBuf, trusted: Bundle, (follow, pinned): (bool, bool)) -> Self {
        let shown = book.display().to_string();
        let trusted = trusted.shown_in(&shown);
        // A folder that cannot be loaded has no edits to follow.
        let followed = if follow { in_folder(&book).ok() } else { None };
        let judging = followed.map_or_else(|| trusted.clone(), |bundle| bundle.shown_in(&shown));
        let fingerprint = Fingerprint::of(&judging);
        Self { book, fingerprint, judging, accepted: trusted, follow, pinned }
    }

    /// What judges: the trusted copy, or with `hooks: {law: follow}` the files of the folder.
    pub fn bundle(&self) -> &Bundle {
        &self.judging
    }

    /// The fingerprint of what was trusted.
    pub fn trusted_fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.accepted)
    }

    /// Opens the lawbook that judges for one event: the part of it that the event can reach, if that
    /// was kept in the state folder. Otherwise opens and keeps all of it.
    pub(crate) fn open_live(
        &self,
        state: Option<&State>,
        event: Option<&Event>,
    ) -> Result<LiveLaw, Failure> {
        let whole =
            |opened: OpenedBook<Bundle>| LiveLaw::whole(Lawbook::new(opened.book, opened.problems));
        // Who can write to the state folder can also write what is kept there. That is no concern
        // where the user trusts a lawbook, because the registration is there as well.
        let vault = state.filter(|_| !self.follow && !self.pinned).map(Vault::of);
        let kept = vault.as_ref().and_then(|vault| KeptTrees::of(vault, &self.fingerprint));
        let Some(kept) = kept else { return self.open().map(whole) };
        let trees = kept.read();
        if let (Some(trees), Some(event)) = (&trees, event)
            && let Some(part) = LiveLaw::reaching(&self.judging, trees, event)
        {
            return Ok(part);
        }
        let is_missing = trees.is_none();
        let opened = lawbook::open_from(self.judging.clone().with_trees(trees), &self.book)?;
        if is_missing {
            kept.keep(&opened.book, &opened.problems);
        }
        Ok(whole(opened))
    }

    /// Loads the lawbook that judges. `hooks.law` and `hooks.stop.undecided` are those of the trusted
    /// content, also where edits count.
    pub fn open(&self) -> Result<OpenedBook<Bundle>, Failure> {
        let mut opened = lawbook::open_from(self.judging.clone(), &self.book)?;
        if self.judging.fingerprint() != self.accepted.fingerprint() {
            let trusted = lawbook::open_from(self.accepted.clone(), &self.book)?;
            opened.book.manifest.hooks.decided_by(&trusted.book.manifest.hooks);
        }
        Ok(opened)
    }

    /// Whether edits of the folder count at once.
    pub fn follows(&self) -> bool {
        self.follow
    }

    /// Whether the files of the folder differ from what was trusted. With a state folder, files are
    /// read again only if their metadata changed since they were last compared.
    pub fn is_changed(&self, state: Option<&State>) -> bool {
        is_changed(&self.book, self.accepted.fingerprint(), state)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
