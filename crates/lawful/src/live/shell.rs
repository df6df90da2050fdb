//! The things that a shell line touches: its simple commands.

use std::collections::BTreeSet;

use lawful_shell::{Command, Folder};

use super::event::{TOO_MANY_PATHS, Thing, Unsaid, Written, distinct};
use super::names::Names;
use super::places::{From, MAX_PATHS, Placed, Places, place};
use crate::value::{Map, Value};

/// What is known of a shell line.
pub(super) struct Line {
    /// Its simple commands.
    pub commands: Vec<Thing>,
    /// Why they may not be all, if they may not.
    pub opaque: Option<Box<str>>,
    /// Whether that is because of a limit.
    pub over_limit: bool,
}

/// Reads a shell line that runs in a folder; `None` is the working folder of the agent.
pub(super) fn read(line: &str, folder: Option<&str>, places: &dyn Places) -> Line {
    let reading = lawful_shell::read(line);
    let mut opaque = reading.opaque.first().map(|why| {
        let text =
            lawful_syntax::escape::line(&lawful_syntax::escape::name(&why.text)).into_owned();
        format!("{} (`{text}`)", why.reason).into()
    });
    let names = Names::new(folder, places);
    let mut resolver = Resolver { start: folder, places, left: MAX_PATHS, names };
    for command in &reading.commands {
        resolver.names.learn(command);
        if command.suspects.iter().flatten().any(|word| makes_links(word)) {
            for inner in suspects(command) {
                resolver.names.learn(&inner);
            }
        }
    }
    let commands = reading.commands.iter().map(|command| {
        let mut thing = resolver.thing(command);
        thing.unsaid.extend(reading.assigns.then_some(Unsaid::Variable));
        thing
    });
    let mut commands: Vec<Thing> = commands.collect();
    if resolver.names.followed {
        for thing in &mut commands {
            thing.unsaid.push(Unsaid::Link);
        }
    }
    let mut over_limit = reading.opaque.iter().any(lawful_shell::Opaque::is_limit);
    if resolver.left == 0 || resolver.names.too_many {
        opaque = opaque.or_else(|| Some(TOO_MANY_PATHS.into()));
        over_limit = true;
    }
    Line { commands, opaque, over_limit }
}

/// Resolves the files of the commands of one line.
struct Resolver<'p> {
    /// The folder in which the line starts.
    start: Option<&'p str>,
    places: &'p dyn Places,
    /// How many more paths are resolved. The others may be anywhere.
    left: usize,
    /// The names that the line makes.
    names: Names<'p>,
}

/// Whether a word can be a program that makes links.
fn makes_links(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    ["cp", "link", "ln", "mount"].iter().any(|program| name.eq_ignore_ascii_case(program))
}

/// The commands that a command may run, if it is a wrapper.
fn suspects(command: &Command) -> Vec<Command> {
    let mut found = Vec::new();
    for words in &command.suspects {
        // The words are quoted again, so they are read as the words of one command.
        for inner in lawful_shell::read(&quoted(words)).commands {
            found.push(Command { folders: command.folders.clone(), ..inner });
        }
    }
    found
}

impl Resolver<'_> {
    fn thing(&mut self, command: &Command) -> Thing {
        let plain = self.known_thing(command);
        let suspects = suspects(command).iter().map(|inner| self.known_thing(inner)).collect();
        Thing { suspects, ..plain }
    }

    /// A command without those that it may run.
    fn known_thing(&mut self, command: &Command) -> Thing {
        let writes = self.written(command);
        let reads = self.read_files(command);
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
        let (args, unsaid) = (self.arguments(command), unsaid(command));
        let (words, suspects) = (command.words.clone(), Vec::new());
        Thing { shown, spellings, writes, reads, words, args, unsaid, suspects }
    }

    /// The paths that the arguments of a command would be: each word, and the value in
    /// `--option=value`.
    fn arguments(&mut self, command: &Command) -> Vec<Placed> {
        let mut out = Vec::new();
        for word in command.words.iter().skip(1) {
            let value = word.split_once('=').map(|(_, value)| value);
            let own = Some(word.as_str()).filter(|word| !word.starts_with('-'));
            for path in own.into_iter().chain(value).filter(|path| !path.is_empty()) {
                out.extend(self.in_every_folder(path, is_plain(path), command));
            }
            if self.left == 0 {
                break;
            }
        }
        out
    }

    /// What a command writes, from every folder that it may run in.
    fn written(&mut self, command: &Command) -> Vec<Written> {
        let mut out = Vec::new();
        let mut seen = BTreeSet::new();
        for write in &command.writes {
            // The program decides which files below a folder it writes: a wildcard, and no
            // variable.
            let below = write.tree && !write.known && is_plain(&write.path);
            let path = if below { format!("{}/**", write.path) } else { write.path.clone() };
            for place in self.in_every_folder(&path, write.known || below, command) {
                let found = Written { place, tree: write.tree };
                if seen.insert(found.clone()) {
                    out.push(found);
                }
            }
            if self.left == 0 {
                break;
            }
        }
        out
    }

    /// What redirections of a command read, from every folder that it may run in.
    fn read_files(&mut self, command: &Command) -> Vec<Placed> {
        let mut out = Vec::new();
        let mut seen = BTreeSet::new();
        for read in &command.reads {
            for place in self.in_every_folder(&read.path, read.known, command) {
                if seen.insert(place.clone()) {
                    out.push(place);
                }
            }
            if self.left == 0 {
                break;
            }
        }
        out
    }

    /// A path, resolved from each folder that the command may run in.
    fn in_every_folder(&mut self, path: &str, complete: bool, command: &Command) -> Vec<Placed> {
        let mut placed = Vec::new();
        for folder in &command.folders {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                placed.push(Placed::anywhere(path));
                break;
            }
            let joined: String;
            let from = match (folder, self.start) {
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
            placed.push(place(path, complete, from, self.places));
            placed.extend(self.names.follow(path, complete, folder, command));
        }
        placed
    }
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

/// What the words of a command do not say.
fn unsaid(command: &Command) -> Vec<Unsaid> {
    let mut out = Vec::new();
    let path = &command.program_path;
    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
    if folder.is_some_and(|folder| !SYSTEM.contains(&folder)) || path.contains(char::is_whitespace)
    {
        out.push(Unsaid::Program);
    }
    if command.redirected > 0 {
        out.push(Unsaid::Writes);
    }
    if !command.reads.is_empty() {
        out.push(Unsaid::Reads);
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

/// Whether a path has neither variables nor wildcards.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && !path.contains(['$', '`', '*', '?', '[', '{', '('])
}

/// Words as a line that has exactly these words.
fn quoted(words: &[String]) -> String {
    let quoted: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    quoted.join(" ")
}
