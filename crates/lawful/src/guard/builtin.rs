//! The guards that `protect` of the manifest adds to every lawbook.
//!
//! A write counts wherever it can be seen: a tool that writes or edits, a redirection, a program
//! that the table of programs knows, and the deletion or move of a folder that contains something
//! protected. Commands that are only suspected count as well, because these guards only deny or ask.

use super::decide::Act;
use super::guards::{Decision, Guards};
use super::reason::shown;
use crate::book::{EditBook, ProtectedPaths};
use crate::live::{Event, Host, Thing, Written};

/// The id of each built-in guard.
pub(super) const LAW: &str = "protect.law";
pub(super) const BOOK: &str = "protect.book";
pub(super) const PATHS: &str = "protect.paths";

/// The program of this project, and the commands of it that change what decides.
const PROGRAM: &str = "lawful";
const COMMANDS: [&str; 5] = ["allow", "init", "restore", "uninstall", "token"];
const HOOK_COMMANDS: [&str; 2] = ["install", "uninstall"];

/// The programs that only read the files that they name.
const READERS: [&str; 13] =
    ["[", "cat", "cd", "du", "echo", "grep", "head", "less", "ls", "stat", "tail", "test", "wc"];

impl Guards {
    /// The built-in guards that act on a tool call.
    pub(super) fn protect(&self, event: &Event, host: &Host) -> Vec<Act> {
        let mut acts = Vec::new();
        let act = |id: &str, decision, write: &Touch<'_>, what: &str| Act {
            id: id.into(),
            decision,
            reason: format!("this would change `{}`, {what}", shown(write.protected)),
            thing: Some(write.path.clone()),
        };
        if self.protect.law {
            acts.extend(commands(event).or_else(|| on_state(event, host)));
            let law = host.settings.iter().chain(&host.state).map(|path| &**path);
            let law = ProtectedPaths::literal(law);
            let what = "which holds hooks or state of Lawful";
            let found = first_write(event, host, &law);
            acts.extend(found.map(|write| act(LAW, Decision::Deny, &write, what)));
        }
        if let Some(choice) = self.protect.book {
            let paths = self.paths_of_book(host);
            let book = ProtectedPaths::literal(paths.iter().map(|path| &**path));
            let what = "which is part of the lawbook";
            let found = first_write(event, host, &book);
            acts.extend(found.map(|write| act(BOOK, on_edit(choice), &write, what)));
        }
        if !self.protect.paths.is_empty() {
            acts.extend(self.with_protected(host, |paths| {
                let Touch { path, protected, certain } = first_write(event, host, paths)?;
                let verb = if certain { "is" } else { "may be or contain something" };
                // What cannot be resolved is marked in the event, not here.
                let name = shown(path.trim_start_matches('?'));
                let reason = format!("`{name}` {verb} protected by the lawbook (`{protected}`)");
                let decision = Decision::Deny;
                Some(Act { id: PATHS.into(), decision, reason, thing: Some(path) })
            }));
        }
        acts
    }

    /// The files and folders of the lawbook, as the host sees them.
    fn paths_of_book(&self, host: &Host) -> Vec<String> {
        let Some(book) = host.book.as_deref() else { return Vec::new() };
        let join = |path: &str| match book {
            "." | "" => path.to_owned(),
            book => format!("{}/{path}", book.trim_end_matches('/')),
        };
        self.book_paths.iter().map(|path| join(path)).collect()
    }
}

/// What happens when an agent edits the lawbook.
pub(super) fn on_edit(choice: EditBook) -> Decision {
    match choice {
        EditBook::Ask => Decision::Ask,
        EditBook::Deny => Decision::Deny,
    }
}

/// A write that touches something protected.
struct Touch<'p> {
    /// What is written.
    path: Box<str>,
    /// What is protected.
    protected: &'p str,
    /// Whether exactly this is protected, and not only something that it may be or hold.
    certain: bool,
}

/// The first write of an event that touches something protected.
fn first_write<'p>(event: &Event, host: &Host, protected: &'p ProtectedPaths) -> Option<Touch<'p>> {
    if protected.is_empty() {
        return None;
    }
    let mut all = event.touched().iter().flat_map(with_suspects).flat_map(|thing| &thing.writes);
    all.find_map(|write| {
        let found = touches(write, host, protected)?;
        let place = &write.place;
        let certain = place.is_known() && protected.covers(&place.path).is_some();
        Some(Touch { path: place.path.clone(), protected: found, certain })
    })
}

fn with_suspects(thing: &Thing) -> impl Iterator<Item = &Thing> {
    std::iter::once(thing).chain(&thing.suspects)
}

fn touches<'p>(write: &Written, host: &Host, protected: &'p ProtectedPaths) -> Option<&'p str> {
    let place = &write.place;
    let in_folder = |folder: &str| {
        let holds_project = host.project.as_deref().is_some_and(|root| is_below(root, folder));
        let inside = if holds_project { protected.reaches(".") } else { None };
        protected.reaches(folder).or(inside)
    };
    let within = place.within.as_deref()?;
    if place.is_known() {
        return if write.tree { in_folder(within) } else { protected.covers(within) };
    }
    if place.path.starts_with('?') {
        // Something in the folder, but which is known only when the line runs.
        return in_folder(within);
    }
    if place.path.ends_with("**") {
        // Files that the program chooses. It could choose every file of the project, so only a
        // folder that is there for something protected counts.
        return protected.holds(within);
    }
    let inside = write.tree.then(|| {
        let root = host.project.as_deref()?;
        // A wildcard can match the folder that the project is in.
        (is_below(root, within) && protected.reaches(".").is_some())
            .then(|| protected.reaches("."))?
    });
    protected.meets(&place.path, write.tree).or(inside.flatten())
}

/// Whether a path is a folder or in it. Both are absolute.
fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    folder.starts_with('/') | folder.is_empty()
        && path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A command that names something in the state folder, unless it is known only to read.
fn on_state(event: &Event, host: &Host) -> Option<Act> {
    let state = ProtectedPaths::literal(host.state.iter().map(|path| &**path));
    if state.is_empty() {
        return None;
    }
    let mut all = event.touched().iter().flat_map(with_suspects);
    let (thing, folder) = all.find_map(|thing| {
        let program = thing.words.first()?;
        let mut places = thing.args.iter().filter_map(|place| place.within.as_deref());
        let named = places.find_map(|within| state.covers(within));
        Some((thing, named.filter(|_| !READERS.contains(&program.as_str()))?))
    })?;
    let reason = format!(
        "`{}` names something in `{}`, which holds state of Lawful",
        shown(&thing.shown),
        shown(folder)
    );
    let (id, thing) = (LAW.into(), Some(thing.shown.clone()));
    Some(Act { id, decision: Decision::Deny, reason, thing })
}

/// The commands of Lawful that agents cannot run.
fn commands(event: &Event) -> Option<Act> {
    let mut all = event.touched().iter().flat_map(with_suspects);
    let thing = all.find(|thing| is_command_of_law(&thing.words))?;
    Some(Act {
        id: LAW.into(),
        decision: Decision::Deny,
        reason: format!("only a person can run `{}`", shown(&thing.shown)),
        thing: Some(thing.shown.clone()),
    })
}

/// Whether words run the program with a command that changes what decides.
fn is_command_of_law(words: &[String]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program).to_lowercase();
    if program.strip_suffix(".exe").unwrap_or(&program) != PROGRAM {
        return false;
    }
    let is = |word: Option<&&str>, name: &str| {
        // A word that is known only when the line runs could be any command.
        word.is_some_and(|word| *word == name || word.contains(['$', '`', '*', '?', '[', '{']))
    };
    let words = || rest.iter().map(String::as_str);
    let named: Vec<&str> = words().filter(|word| !word.starts_with('-')).collect();
    // An option before the command may take the first of these words as its value.
    let shifted = words().next().is_some_and(|word| word.starts_with('-'));
    let starts: &[usize] = if shifted { &[0, 1] } else { &[0] };
    starts.iter().any(|start| {
        let after = named.get(start + 1..).unwrap_or_default();
        COMMANDS.iter().any(|command| is(named.get(*start), command))
            || (is(named.get(*start), "trust") && !only_shows(rest))
            || (is(named.get(*start), "hook")
                && HOOK_COMMANDS
                    .iter()
                    .any(|command| after.iter().any(|word| is(Some(word), command))))
    })
}

/// Whether `lawful trust` only shows what changed.
fn only_shows(words: &[String]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--show")
}
