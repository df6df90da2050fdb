//! The plugin of Lawful for a harness that has no hooks in its settings: a file of its own.
//!
//! **Invariant:** only a file that is exactly as Lawful writes it, with any options, is replaced or
//! removed.

use serde::{Deserialize, Serialize};

use crate::{BookFolder, Event, Hook, HookCommand};

/// The plugin. `OPTIONS` stands for the events and the options of the command.
const TEMPLATE: &str = include_str!("plugin/lawful.js");
const OPTIONS: &str = "\"OPTIONS\"";

/// What one plugin has and another has not.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Options {
    /// The events that it asks about, by name.
    pub(crate) events: Vec<String>,
    /// The options of the command.
    pub(crate) arguments: Vec<String>,
}

impl Options {
    /// The options for some of the events that a harness has.
    pub(crate) fn new(harness: &Hook, events: &[Event], command: &HookCommand) -> Self {
        let mut arguments: Vec<String> = Vec::new();
        match &command.book {
            None => {}
            Some(BookFolder::At(folder)) => arguments.extend(["--book".to_owned(), folder.clone()]),
            // The plugin knows the folder of the project.
            Some(BookFolder::InProject(folder)) => {
                arguments.extend(["--book".to_owned(), format!("${{PROJECT}}/{folder}")]);
            }
        }
        if command.allow_undecided {
            arguments.extend(["--undecided".to_owned(), "allow".to_owned()]);
        }
        let events = events.iter().filter(|event| harness.row(**event).is_some());
        Self { events: events.map(|event| event.name().to_owned()).collect(), arguments }
    }

    /// The text of the plugin.
    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        Ok(TEMPLATE.replacen(OPTIONS, &serde_json::to_string(self)?, 1))
    }
}

/// The options of a plugin that is as Lawful writes it; `None` if it is anything else.
pub(crate) fn options(found: &str) -> Option<Options> {
    let (head, tail) = TEMPLATE.split_once(OPTIONS)?;
    let text = found.strip_prefix(head)?.strip_suffix(tail)?;
    let options: Options = serde_json::from_str(text).ok()?;
    (serde_json::to_string(&options).ok()? == text).then_some(options)
}

/// Whether a file says that Lawful wrote it.
pub(crate) fn is_ours(found: &str) -> bool {
    found.starts_with(TEMPLATE.lines().next().unwrap_or_default())
}

#[cfg(test)]
mod tests;
