//! The things that a shell line touches: its simple commands.

use lawful_shell::{Command, Folder};

use super::event::{Thing, Written, distinct};
use super::places::{From, Places, place};
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
    let commands = reading.commands.iter().map(|command| thing(command, folder, places)).collect();
    Line { commands, opaque }
}

fn thing(command: &Command, start: Option<&str>, places: &dyn Places) -> Thing {
    let writes = written(command, start, places);
    let mut spellings = vec![spelling(&command.words, &writes)];
    let essence = command.essence();
    if essence != command.words {
        spellings.push(spelling(&essence, &writes));
    }
    let suspects = command.suspects.iter().map(|words| {
        // The words are quoted again, so they are read as the words of one command.
        let reading = lawful_shell::read(&quoted(words));
        let inner = reading.commands.iter().map(|inner| {
            let inner = Command { folders: command.folders.clone(), ..inner.clone() };
            let writes = written(&inner, start, places);
            let essence = inner.essence();
            let mut spellings = vec![spelling(&inner.words, &writes)];
            if essence != inner.words {
                spellings.push(spelling(&essence, &writes));
            }
            let shown = inner.line().into();
            Thing { shown, spellings, writes, words: inner.words, suspects: Vec::new() }
        });
        inner.collect::<Vec<_>>()
    });
    let suspects = suspects.flatten().collect();
    let shown = match (&*command.line(), writes.first()) {
        ("", Some(write)) => format!("> {}", write.place.path).into(),
        (line, _) => line.into(),
    };
    Thing { shown, spellings, writes, words: command.words.clone(), suspects }
}

/// The fields of one command.
fn spelling(words: &[String], writes: &[Written]) -> Map {
    let mut fields = Map::new();
    let text = |text: &str| Value::Text(text.into());
    fields.insert("line", text(&words.join(" ")));
    if let Some((program, args)) = words.split_first() {
        fields.insert("program", text(program));
        fields.insert("args", Value::List(args.iter().map(|word| text(word)).collect()));
    }
    fields.insert("writes", distinct(writes.iter().map(|write| (&*write.place.path).into())));
    fields
}

/// What a command writes, from every folder that it may run in.
fn written(command: &Command, start: Option<&str>, places: &dyn Places) -> Vec<Written> {
    let mut out = Vec::new();
    for write in &command.writes {
        for folder in &command.folders {
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
            let place = place(&write.path, write.known, from, places);
            let found = Written { place, tree: write.tree };
            if !out.contains(&found) {
                out.push(found);
            }
        }
    }
    out
}

/// Words as a line that has exactly these words.
fn quoted(words: &[String]) -> String {
    let quoted: Vec<String> =
        words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    quoted.join(" ")
}
