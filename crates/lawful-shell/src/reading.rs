//! What a line would run, as data.

use crate::essence;

/// The commands of a line, and what could not be understood of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Every simple command that the line may run, outer commands before the commands inside them.
    pub commands: Vec<Command>,
    /// Why the list of commands may be incomplete. Empty if everything was understood.
    pub opaque: Vec<Opaque>,
    /// Whether the line sets a variable: `X=1`, `X=1 program`, `env X=1 program`, `for X in …`.
    pub assigns: bool,
}

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    /// The words without their quotes; the first is the program without its folder.
    ///
    /// Assignments in front are left out. An expansion is kept as written (`$HOME/x`). The list is
    /// empty for a redirection without a command (`> file`, `$(< file)`).
    pub words: Vec<String>,
    /// The program as written, such as `./git` or `/usr/bin/git`.
    pub program_path: String,
    /// The files that the command writes, creates or deletes.
    pub writes: Vec<Write>,
    /// How many of the writes, from the first, are those of redirections.
    pub redirected: usize,
    /// The other names that the command gives to files and folders, such as `ln -s`.
    pub links: Vec<Link>,
    /// The files that redirections read, such as `< file`. What the program reads is in its words.
    pub reads: Vec<Read>,
    /// Each folder that the command may run in. Never empty; more than one if a `cd` before it may
    /// have failed or may not have run.
    pub folders: Vec<Folder>,
    /// The words from each word that could be a program, if the program may run its arguments.
    ///
    /// These are guesses: use them to deny, never to allow.
    pub suspects: Vec<Vec<String>>,
}

impl Command {
    /// The words joined by one blank.
    pub fn line(&self) -> String {
        self.words.join(" ")
    }

    /// The words without the program's global options, so that `git -C dir push` is `git push`.
    ///
    /// Equal to [`Command::words`] if there are none. A program written with capital letters or
    /// with `.exe` gets its usual name, because some file systems do not tell them apart.
    pub fn essence(&self) -> Vec<String> {
        essence::of(&self.words)
    }

    /// Every spelling of the command: [`Command::line`], and the line of its
    /// [essence](Command::essence) if that differs.
    pub fn lines(&self) -> Vec<String> {
        let line = self.line();
        let essence = self.essence().join(" ");
        if essence == line { vec![line] } else { vec![line, essence] }
    }
}

/// A file that a command writes, creates or deletes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Write {
    /// The path as written, without quotes. It is relative to the folder of the command.
    pub path: String,
    /// Everything below the path is written, too.
    pub tree: bool,
    /// The path is complete. False if a part of it is only known at run time, or if the program
    /// decides which of the files below it are written. The path is empty if nothing is known.
    pub known: bool,
}

/// Another name for a file or folder. What is written below the name is written below the target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The new name as written, without quotes. It is relative to the folder of the command.
    pub name: String,
    /// What it leads to, as written.
    pub target: String,
    /// The target is relative to the folder of the name, as in a symbolic link. Otherwise it is
    /// relative to the folder of the command.
    pub from_name: bool,
    /// Both are complete. False if a part of one is only known at run time.
    pub known: bool,
}

/// A file that a redirection reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Read {
    /// The path as written, without quotes. It is relative to the folder of the command.
    pub path: String,
    /// The path is complete. False if a part of it is only known at run time.
    pub known: bool,
}

/// The working directory of a command.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Folder {
    /// The one in which the line starts.
    Start,
    /// A path from there, as written; `..` is not resolved.
    Relative(String),
    /// An absolute path, or one that starts with `~`, as written.
    Absolute(String),
    /// Only known at run time, or on another machine.
    Unknown,
}

/// Folders with a longer path are unknown.
const MAX_FOLDER: usize = 1024;

impl Folder {
    /// The folder after `cd path`.
    pub(crate) fn enter(&self, path: &str) -> Self {
        if let Some(below) =
            ["~+", "$PWD", "${PWD}"].iter().find_map(|name| path.strip_prefix(name))
            && (below.is_empty() || below.starts_with('/'))
        {
            let below = below.trim_start_matches('/');
            return if below.is_empty() { self.clone() } else { self.enter(below) };
        }
        if path.starts_with("~-") {
            return Self::Unknown;
        }
        if path.starts_with(['/', '~']) {
            return Self::Absolute(path.to_owned());
        }
        let under = |folder: &str| format!("{}/{path}", folder.trim_end_matches('/'));
        match self {
            Self::Relative(folder) | Self::Absolute(folder) if folder.len() > MAX_FOLDER => {
                Self::Unknown
            }
            Self::Start => Self::Relative(path.to_owned()),
            Self::Relative(folder) => Self::Relative(under(folder)),
            Self::Absolute(folder) => Self::Absolute(under(folder)),
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Something whose commands are only known at run time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opaque {
    /// A phrase for messages: lowercase, without a full stop.
    pub reason: &'static str,
    /// The text that it is about.
    pub text: String,
}

impl Opaque {
    /// Whether a limit was reached, so that something that could be known was not looked at. The
    /// reasons of all limits are that there is too much of something.
    pub fn is_limit(&self) -> bool {
        self.reason.contains(" too ")
    }
}
