//! The command of a hook, and how it is written in settings.
//!
//! A harness that cannot run its hook lets the agent go on. So where an answer can stop the agent,
//! the command answers in the place of `lawful` if that is missing, is killed or fails: through the
//! harness where it can do so, and else through a shell that has the answer as an argument.

use super::{Event, Form, Hook};
use crate::json::Json;
use crate::protocol::{Decision, Reply, answer};

/// The options of the command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookCommand {
    /// The lawbook; default: the hook looks upward from the project.
    pub book: Option<BookFolder>,
    /// Whether to let the agent go on if there is no lawbook.
    pub allow_undecided: bool,
}

/// The folder of a lawbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookFolder {
    /// Below the project, so that the command is the same for everyone.
    InProject(String),
    /// This folder.
    At(String),
}

/// A hook to write in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The event.
    pub(crate) event: Event,
    /// The name of the event in the settings.
    pub(crate) name: &'static str,
    /// The command, as it is shown.
    pub(crate) command: String,
    /// The hook itself, without its group.
    pub(crate) hook: Json,
}

/// The reason that the fallback gives.
pub(crate) const NO_ANSWER: &str = "Lawful did not answer, so this cannot be checked. A person must see to it: is `lawful` installed, and on the PATH?";

impl Hook {
    /// How long the harness waits for an event, in seconds. A stop observes and judges; everything
    /// else is decided at once.
    pub fn patience(event: Event) -> u64 {
        match event {
            Event::Stop | Event::AgentStop => Self::PATIENCE,
            Event::SessionStart
            | Event::Prompt
            | Event::ToolCall
            | Event::ToolResult
            | Event::AgentStart
            | Event::Compact => 60,
        }
    }

    /// The entries of events that it has.
    pub(crate) fn entries(&self, events: &[Event], command: &HookCommand) -> Vec<Entry> {
        let of_event = |event: &Event| self.entry(*event, command);
        events.iter().filter_map(of_event).collect()
    }

    fn entry(&self, event: Event, command: &HookCommand) -> Option<Entry> {
        let row = self.row(event)?;
        let timeout = Json::Number(Self::patience(event) * self.clock);
        let stops = row.honours.can_stop();
        let is_turn = matches!(event, Event::Stop | Event::AgentStop);
        let mut hook: Vec<(&'static str, Json)> = Vec::new();
        let shown = match self.form {
            // The harness does not look at `onFailure` when an agent stops.
            Form::Groups { exec: true } if stops && !is_turn => {
                let words = self.words(event, command);
                let shown = format!("lawful {}", words.join(" "));
                let args = words.iter().map(|word| word.as_str().into()).collect();
                hook.extend([
                    ("type", "command".into()),
                    ("command", "lawful".into()),
                    ("args", Json::List(args)),
                    ("timeout", timeout),
                    ("onFailure", "block".into()),
                ]);
                shown
            }
            Form::Groups { .. } => {
                let line = self.line(event, command);
                hook.extend([
                    ("type", "command".into()),
                    ("command", line.as_str().into()),
                    ("timeout", timeout),
                ]);
                line
            }
            Form::Copilot => {
                let line = self.line(event, command);
                hook.extend([
                    ("type", "command".into()),
                    ("bash", line.as_str().into()),
                    ("timeoutSec", timeout),
                ]);
                line
            }
            Form::Cursor => {
                let line = self.line(event, command);
                hook.extend([("command", line.as_str().into()), ("timeout", timeout)]);
                if stops {
                    hook.push(("failClosed", Json::Bool(true)));
                }
                line
            }
            Form::Plugin => self.line(event, command),
        };
        Some(Entry { event, name: row.name, command: shown, hook: Json::Map(hook) })
    }

    /// The command as words, for a harness that runs it without a shell and fills in its variable.
    fn words(&self, event: Event, command: &HookCommand) -> Vec<String> {
        let mut words = self.start(event);
        match &command.book {
            None => {}
            Some(BookFolder::At(folder)) => words.extend(["--book".to_owned(), folder.clone()]),
            Some(BookFolder::InProject(folder)) => {
                let folder = match (self.project, folder.as_str()) {
                    (Some(variable), "") => format!("${{{variable}}}"),
                    (Some(variable), folder) => format!("${{{variable}}}/{folder}"),
                    (None, "") => ".".to_owned(),
                    (None, folder) => folder.to_owned(),
                };
                words.extend(["--book".to_owned(), folder]);
            }
        }
        if command.allow_undecided {
            words.extend(["--undecided".to_owned(), "allow".to_owned()]);
        }
        words
    }

    /// The command as a line for a shell.
    fn line(&self, event: Event, command: &HookCommand) -> String {
        let start = format!("lawful {}", self.start(event).join(" "));
        let mut line = if self.honours(event).can_stop() {
            let reply = Reply {
                decision: Decision::Deny,
                reason: NO_ANSWER.to_owned(),
                ..Reply::default()
            };
            let fallback: String =
                answer(self, event, &reply).stdout.lines().map(str::trim_start).collect();
            format!(
                "sh -c 'out=$({start} \"$@\") && printf %s \"$out\" || printf %s \"$0\"' {}",
                quote(&fallback)
            )
        } else {
            start
        };
        match &command.book {
            None => {}
            Some(BookFolder::At(folder)) => {
                line.push_str(" --book ");
                line.push_str(&quote(folder));
            }
            Some(BookFolder::InProject(folder)) => {
                line.push_str(" --book ");
                line.push_str(self.project_word.unwrap_or_default());
                match (self.project_word, folder.as_str()) {
                    (Some(_), "") => {}
                    (Some(_), folder) => {
                        line.push('/');
                        line.push_str(&quote(folder));
                    }
                    (None, "") => line.push('.'),
                    (None, folder) => line.push_str(&quote(folder)),
                }
            }
        }
        if command.allow_undecided {
            line.push_str(" --undecided allow");
        }
        line
    }

    fn start(&self, event: Event) -> Vec<String> {
        ["hook", "--harness", self.id, event.name()].map(ToOwned::to_owned).into()
    }

    /// The event of a command that is `lawful hook --harness ID EVENT …`, with any path of the
    /// program and in any wrapper.
    pub(crate) fn event_of(&self, command: &str) -> Option<Event> {
        let words: Vec<&str> = command.split_whitespace().collect();
        words.windows(5).find_map(|words| match words {
            [program, "hook", "--harness", id, event] => {
                let program = program.trim_end_matches(['"', '\'']);
                let name = program.rsplit(['/', '\\', '(', '"', '\'']).next().unwrap_or_default();
                let is_ours = matches!(name, "lawful" | "lawful.exe")
                    && (*id == self.id || Some(*id) == self.alias);
                is_ours.then(|| Event::find(event.trim_end_matches([')', '"', '\'']))).flatten()
            }
            _ => None,
        })
    }

    /// Whether a command is the one that Lawful installs for an event, with any options.
    pub(crate) fn is_current(&self, event: Event, command: &str) -> bool {
        self.entry(event, &HookCommand::default()).is_some_and(|entry| {
            command
                .strip_prefix(&entry.command)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(" --"))
        })
    }
}

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
