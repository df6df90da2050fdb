//! Which surface of a harness a text goes to: the strongest one that it reaches the model through,
//! once and unchanged, and that takes nothing away from the user.
//!
//! Without such a surface, the plain one is used and the problem is reported: an error if the text would
//! be changed or would hide a file, and else a warning.

use std::path::{Path, PathBuf};

use crate::arrive::{Reader, altered, text_of};
use crate::disk_snapshot::DiskSnapshot;
use crate::finding::Finding;
use crate::harness::{Audience, Form, Harness, Surface, Used};
use crate::ledger::Ledger;
use crate::place::Places;
use crate::{Scope, code};

/// What a choice depends on.
pub(crate) struct Chooser<'a> {
    pub(crate) scope: Scope,
    pub(crate) places: &'a Places,
    pub(crate) snapshot: &'a DiskSnapshot,
    /// The id of the lawbook.
    pub(crate) book: &'a str,
    pub(crate) ledger: &'a Ledger,
    /// Whether a file of the user can be hidden from a harness.
    pub(crate) may_hide: bool,
    /// Whether what is installed stays where it is.
    pub(crate) stays: bool,
    /// The blocks that other harnesses of the same plan get for the main conversation.
    pub(crate) planned: Vec<Planned>,
    /// The harnesses of the plan.
    pub(crate) jobs: Vec<&'static str>,
}

/// A block for the main conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) harness: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A text for the main conversation of a harness.
#[derive(Clone, Copy)]
pub(crate) struct Wish<'w> {
    pub(crate) harness: &'static Harness,
    pub(crate) role: &'w str,
    pub(crate) text: &'w str,
    /// Whether settings can be changed.
    pub(crate) active: bool,
}

/// The choice, and what the user should know about it.
pub(crate) struct Choice {
    pub(crate) surface: &'static Surface,
    pub(crate) findings: Vec<Finding>,
}

impl Chooser<'_> {
    /// Calls a function with the harness as a reader of the files that others will have written.
    pub(crate) fn reading<T>(
        &self,
        harness: &'static Harness,
        main: &str,
        then: impl FnOnce(&Reader<'_>) -> T,
    ) -> T {
        let now = |path: &Path| {
            let found = text_of(self.snapshot, path);
            let kept = self.kept(path);
            let planned = self.planned.iter();
            let planned = planned.filter(|one| one.path == kept && one.harness != harness.id);
            planned.fold(found, |found, one| {
                // The text itself is enough: only whether it is there matters.
                let found = found.unwrap_or_default();
                Some(if found.contains(&one.text) { found } else { format!("{found}{}", one.text) })
            })
        };
        let (places, snapshot) = (self.places, self.snapshot);
        then(&Reader { harness, places, main, snapshot, now: &now })
    }

    fn kept(&self, path: &Path) -> PathBuf {
        self.snapshot.kept(path).unwrap_or(path).to_owned()
    }

    /// Whether a file loses the text of the lawbook by the plan: all who have it there get it anew,
    /// and none there.
    pub(crate) fn leaves(&self, path: &Path) -> bool {
        let shown = self.places.shown(self.scope, path);
        let is_planned = self.planned.iter().any(|one| one.path == path);
        let entry = self.ledger.find(self.book, &shown, None).filter(|_| !is_planned);
        entry.is_some_and(|entry| {
            entry.harnesses.iter().all(|known| self.jobs.iter().any(|job| job == known))
        })
    }

    /// The surface for the main conversation.
    pub(crate) fn main(&self, wish: &Wish<'_>) -> Option<Choice> {
        let harness = wish.harness;
        if let Some(surface) = self.installed(wish) {
            return Some(Choice { surface, findings: Vec::new() });
        }
        self.reading(harness, wish.role, |reader| {
            let candidates: Vec<&'static Surface> =
                harness.candidates(self.scope, Audience::Main, wish.active).collect();
            let first = candidates.first().copied()?;
            if let Some(surface) = self.shared(wish, reader, first) {
                let findings = not_activated(wish, reader, first, surface, None);
                return Some(Choice { surface, findings: findings.into_iter().collect() });
            }
            let mut findings = Vec::new();
            let mut problems: Vec<(&'static Surface, Finding)> = Vec::new();
            for surface in candidates {
                match self.problem(wish, reader, surface) {
                    None => {
                        for (skipped, why) in &problems {
                            findings.extend(not_activated(
                                wish,
                                reader,
                                skipped,
                                surface,
                                Some(why),
                            ));
                        }
                        return Some(Choice { surface, findings });
                    }
                    Some(problem) => problems.push((surface, problem)),
                }
            }
            let plain = problems.iter().position(|(one, _)| one.used == Used::Always);
            let (surface, problem) = problems.into_iter().nth(plain.unwrap_or(0))?;
            Some(Choice { surface, findings: vec![problem] })
        })
    }

    /// Where the text is already.
    fn installed(&self, wish: &Wish<'_>) -> Option<&'static Surface> {
        let is_there = |surface: &&Surface| {
            let Some(at) = self.places.locate(surface.place, wish.role) else { return false };
            let shown = self.places.shown(self.scope, &self.kept(&at.path));
            let key = match surface.form {
                Form::Setting(_, key) => Some(key),
                Form::Owned(_) | Form::OwnedToml(_) | Form::Block => None,
            };
            let entry = self.ledger.find(self.book, &shown, key);
            entry.is_some_and(|entry| {
                entry.role == wish.role
                    && entry.book == self.book
                    && entry.harnesses.iter().any(|known| known == wish.harness.id)
            })
        };
        let mut own = wish.harness.surfaces.iter().filter(|one| self.is_main(one));
        own.find(is_there).filter(|_| self.stays)
    }

    fn is_main(&self, surface: &Surface) -> bool {
        surface.audience == Audience::Main && surface.scope == self.scope
    }

    /// A file that the harness reads in any case and that gets the text for another harness: written
    /// to a second file, the text would arrive twice.
    fn shared(
        &self,
        wish: &Wish<'_>,
        reader: &Reader<'_>,
        first: &'static Surface,
    ) -> Option<&'static Surface> {
        let path = |surface: &Surface| {
            Some(self.kept(&self.places.locate(surface.place, wish.role)?.path))
        };
        let own = path(first);
        let others = || self.planned.iter().filter(|one| one.harness != wish.harness.id);
        // The harness has the text there with everyone else.
        if others().any(|one| Some(&one.path) == own.as_ref()) {
            return None;
        }
        let mut surfaces = wish.harness.surfaces.iter().filter(|one| self.is_main(one));
        surfaces.find(|surface| {
            let at = path(surface);
            let is_planned =
                others().any(|one| one.text == wish.text && Some(&one.path) == at.as_ref());
            surface.form == Form::Block
                && is_planned
                && reader.unreadable(surface).is_none()
                && altered(wish.text, surface.alters) == wish.text
        })
    }

    /// Why a text should not go to a surface.
    fn problem(
        &self,
        wish: &Wish<'_>,
        reader: &Reader<'_>,
        surface: &'static Surface,
    ) -> Option<Finding> {
        let at = self.places.locate(surface.place, wish.role)?.path;
        let shown = self.places.shown(self.scope, &at);
        if let Some(hidden) = reader.hides(surface, wish.role).filter(|_| !self.may_hide) {
            return Some(hides(reader, &shown, &hidden));
        }
        if let Some(found) = altering(wish.harness, surface, wish.text, &shown) {
            return Some(found);
        }
        let unread = reader.unreadable(surface).or_else(|| reader.outvoted(surface, wish.role));
        unread.filter(|unread| !is_only_here(surface, unread)).map(|unread| unread.finding(&shown))
    }
}

/// Whether a surface is read where the harness is started elsewhere.
fn is_only_here(surface: &Surface, unread: &crate::arrive::Unread) -> bool {
    surface.at_start && unread.code == &code::NOT_READ
}

/// That a harness would change a text.
pub(crate) fn altering(
    harness: &Harness,
    surface: &Surface,
    text: &str,
    shown: &str,
) -> Option<Finding> {
    let (what, help) = crate::arrive::alteration(text, surface.alters)?;
    let message = format!("{} would change this text: {what}", harness.name);
    Some(Finding::new(&code::ALTERED_TEXT, Some(shown), message, help))
}

/// That a harness would stop reading a file.
pub(crate) fn hides(reader: &Reader<'_>, shown: &str, hidden: &Path) -> Finding {
    let (name, hidden) = (reader.harness.name, reader.shown(hidden));
    let message = format!("{name} would read this instead of `{hidden}`, which has text of yours");
    let help = format!(
        "move the text of `{hidden}` here, leave {name} out, or allow it with `--may-hide`"
    );
    Finding::new(&code::HIDES_FILE, Some(shown), message, help)
}

/// That `--activate` did not use a surface, and why.
fn not_activated(
    wish: &Wish<'_>,
    reader: &Reader<'_>,
    skipped: &Surface,
    used: &Surface,
    why: Option<&Finding>,
) -> Option<Finding> {
    if skipped.used != Used::Activated || std::ptr::eq(skipped, used) {
        return None;
    }
    let at = reader.places.locate(skipped.place, wish.role)?.path;
    let other = reader.shown(&reader.places.locate(used.place, wish.role)?.path);
    let shown = reader.shown(&at);
    let (reason, help) = match why {
        Some(why) => (why.message.clone(), why.help.clone()),
        None => (
            format!("{} reads the same text from there in any case", wish.harness.name),
            "install for only one of the two to use it".to_owned(),
        ),
    };
    let message = format!("not activated, and `{other}` is used instead: {reason}");
    Some(Finding::new(&code::NOT_ACTIVATED, Some(&shown), message, help))
}
