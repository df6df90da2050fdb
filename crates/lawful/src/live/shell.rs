//! The things that a shell line touches: its simple commands.

use lawful_shell::{Command, Folder};

use super::event::{Thing, Unsaid, Written, distinct};
use super::places::{From, Placed, Places, place};
use crate::value::{Map, Value};

/// What is known of a shell line.
pub(super) struct Line {
    /// Its simple commands.
    pub commands: Vec<Thing>,
    /// Why they may not be all, if they may not.
    pub opaque: Option<Box<str>>,
}

/// Reads a shell line that runs in a folder; `None` is the working folder of the agent.
pub(super) fn read(line: &str, folder: Option<&str>, places: &dyn Places) -> Line {
    let reading = lawful_shell::read(line);
    let opaque = reading.opaque.first().map(|why| {
        let text =
            lawful_syntax::escape::line(&lawful_syntax::escape::name(&why.text)).into_owned();
        format!("{} (`{text}`)", why.reason).into()
    });
    let commands = reading.commands.iter().map(|command| {
        let mut thing = thing(command, folder, places);
        thing.unsaid.extend(reading.assigns.then_some(Unsaid::Variable));
        thing
    });
    Line { commands: commands.collect(), opaque }
}

fn thing(command: &Command, start: Option<&str>, places: &dyn Places) -> Thing {
    let plain = known_thing(command, start, places);
    let suspects = command.suspects.iter().flat_map(|words| {
        // The words are quoted again, so they are read as the words of one command.
        let reading = lawful_shell::read(&quoted(words));
        let inner = reading.commands.into_iter().map(|inner| {
            let inner = Command { folders: command.folders.clone(), ..inner };
            known_thing(&inner, start, places)
        });
        inner.collect::<Vec<_>>()
    });
    Thing { suspects: suspects.collect(), ..plain }
}

/// A command without those that it may run.
fn known_thing(command: &Command, start: Option<&str>, places: &dyn Places) -> Thing {
    let writes = written(command, start, places);
    let reads = read_files(command, start, places);
    let mut spellings = vec![spelling(&command.words, &writes, &reads)];
    let essence = command.essence();
    if essence != command.words {
        spellings.push(spelling(&essence, &writes, &reads));
    }
    let shown = match (&*command.line(), writes.first(), reads.first()) {
        ("", Some(write), _) => format!("> {}", write.place.path).into(),
        ("", None, Some(read)) => format!("< {}", read.path).into(),
        (line, _, _) => line.into(),
    };
    let (args, unsaid) = (arguments(command, start, places), unsaid(command));
    let (words, suspects) = (command.words.clone(), Vec::new());
    Thing { shown, spellings, writes, reads, words, args, unsaid, suspects }
}

/// The folders whose programs are those of the system.
const SYSTEM: [&str; 8] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
    "/opt/homebrew/sbin",
];

/// The devices that keep nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// What the words of a command do not say.
fn unsaid(command: &Command) -> Vec<Unsaid> {
    let mut out = Vec::new();
    let path = &command.program_path;
    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
    if folder.is_some_and(|folder| !SYSTEM.contains(&folder)) || path.contains(char::is_whitespace)
    {
        out.push(Unsaid::Program);
    }
    let is_file = |path: &str| !DEVICES.contains(&path);
    if command.writes.iter().take(command.redirected).any(|write| is_file(&write.path)) {
        out.push(Unsaid::Writes);
    }
    if command.reads.iter().any(|read| is_file(&read.path)) {
        out.push(Unsaid::Reads);
    }
    out
}

/// The paths that the arguments of a command would be: each word, and the value in `--option=value`.
fn arguments(command: &Command, start: Option<&str>, places: &dyn Places) -> Vec<Placed> {
    let mut out = Vec::new();
    for word in command.words.iter().skip(1) {
        let value = word.split_once('=').map(|(_, value)| value);
        let own = Some(word.as_str()).filter(|word| !word.starts_with('-'));
        for path in own.into_iter().chain(value).filter(|path| !path.is_empty()) {
            out.extend(from_every_folder(path, is_plain(path), command, start, places));
        }
    }
    out
}

/// The fields of one command.
fn spelling(words: &[String], writes: &[Written], reads: &[Placed]) -> Map {
    let mut fields = Map::new();
    let text = |text: &str| Value::Text(text.into());
    fields.insert("line", text(&words.join(" ")));
    if let Some((program, args)) = words.split_first() {
        fields.insert("program", text(program));
        fields.insert("args", Value::List(args.iter().map(|word| text(word)).collect()));
    }
    fields.insert("writes", distinct(writes.iter().map(|write| (&*write.place.path).into())));
    fields.insert("reads", distinct(reads.iter().map(|read| (&*read.path).into())));
    fields
}

/// What a command writes, from every folder that it may run in.
fn written(command: &Command, start: Option<&str>, places: &dyn Places) -> Vec<Written> {
    let mut out = Vec::new();
    for write in &command.writes {
        // The program decides which files below a folder it writes: a wildcard, and no variable.
        let below = write.tree && !write.known && is_plain(&write.path);
        let path = if below { format!("{}/**", write.path) } else { write.path.clone() };
        for place in from_every_folder(&path, write.known || below, command, start, places) {
            let found = Written { place, tree: write.tree };
            if !out.contains(&found) {
                out.push(found);
            }
        }
    }
    out
}

/// What redirections of a command read, from every folder that it may run in.
fn read_files(command: &Command, start: Option<&str>, places: &dyn Places) -> Vec<Placed> {
    let mut out = Vec::new();
    for read in &command.reads {
        for place in from_every_folder(&read.path, read.known, command, start, places) {
            if !out.contains(&place) {
                out.push(place);
            }
        }
    }
    out
}

/// Whether a path has neither variables nor wildcards.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && !path.contains(['$', '`', '*', '?', '[', '{', '('])
}

/// A path, resolved from each folder that the command may run in.
fn from_every_folder(
    path: &str,
    complete: bool,
    command: &Command,
    start: Option<&str>,
    places: &dyn Places,
) -> Vec<Placed> {
    let placed = command.folders.iter().map(|folder| {
        let joined: String;
        let from = match (folder, start) {
            (Folder::Start, None) => From::Working,
            (Folder::Start, Some(start)) => From::Folder(start),
            (Folder::Relative(path), None) => From::Folder(path),
            (Folder::Relative(path), Some(start)) => {
                joined = format!("{start}/{path}");
                From::Folder(&joined)
            }
            (Folder::Absolute(path), _) => From::Folder(path),
            (Folder::Unknown, _) => From::Unknown,
        };
        place(path, complete, from, places)
    });
    placed.collect()
}

/// Words as a line that has exactly these words.
fn quoted(words: &[String]) -> String {
    let quoted: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    quoted.join(" ")
}
